# SPDX-License-Identifier: Apache-2.0
#
# Finds Catch2 and builds main() once. Gives the target fuse_catch to link, and FUSE_CATCH_DEPENDENCY, the target that
# must be built first.
#
# Catch2 3 is a library. Catch2 2 is one header whose implementation takes seconds to compile and gains nothing from
# optimisation, sanitizers or a second compiler, so that one file is compiled by g++ without flags wherever g++ exists.

find_package(Catch2 3 QUIET)
if(NOT Catch2_FOUND)
    find_package(Catch2 2.13 REQUIRED)
endif()

add_library(fuse_catch INTERFACE)
target_link_libraries(fuse_catch INTERFACE Catch2::Catch2)

find_program(FUSE_CATCH_COMPILER g++ DOC "The compiler of the tests' main()")
if(FUSE_CATCH_MAIN)
    add_custom_target(fuse_catch_main)
    target_link_libraries(fuse_catch INTERFACE "${FUSE_CATCH_MAIN}")
elseif(Catch2_VERSION VERSION_LESS 3 AND FUSE_CATCH_COMPILER)
    get_target_property(catch_include Catch2::Catch2 INTERFACE_INCLUDE_DIRECTORIES)
    list(TRANSFORM catch_include PREPEND -idirafter)
    set(catch_main "${CMAKE_CURRENT_BINARY_DIR}/catch_main.o")
    add_custom_command(
        OUTPUT "${catch_main}"
        COMMAND ${FUSE_CATCH_COMPILER} -std=c++20 -fPIE ${catch_include}
                -c "${CMAKE_CURRENT_SOURCE_DIR}/support/catch_main.cpp" -o "${catch_main}"
        DEPENDS support/catch_main.cpp
        COMMENT "Building Catch2's main()" VERBATIM)
    add_custom_target(fuse_catch_main DEPENDS "${catch_main}")
    target_link_libraries(fuse_catch INTERFACE "${catch_main}")
else()
    add_library(fuse_catch_main OBJECT support/catch_main.cpp)
    target_compile_features(fuse_catch_main PRIVATE cxx_std_20)
    target_link_libraries(fuse_catch_main PRIVATE Catch2::Catch2)
    target_link_libraries(fuse_catch INTERFACE $<TARGET_OBJECTS:fuse_catch_main>)
endif()
set(FUSE_CATCH_DEPENDENCY fuse_catch_main)
