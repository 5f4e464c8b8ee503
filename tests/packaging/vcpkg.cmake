# SPDX-License-Identifier: Apache-2.0
#
# Runs the port of packaging/vcpkg as `vcpkg install` does, into the fresh folder PACKAGES. Where vcpkg is found it does
# so itself; else its functions are stood in for by what they do for this port, and by what they check.
cmake_minimum_required(VERSION 3.25)

set(PORT fuse)
set(ports "${SOURCE}/packaging/vcpkg/ports")
set(CURRENT_PACKAGES_DIR "${PACKAGES}")
file(REMOVE_RECURSE "${PACKAGES}" "${BUILD}")

find_program(vcpkg vcpkg HINTS ENV VCPKG_ROOT)
if(vcpkg)
    # No cache of binaries: its key is the port, not the headers beside it.
    execute_process(COMMAND "${vcpkg}" install ${PORT} "--overlay-ports=${ports}" --classic --binarysource=clear
        "--x-install-root=${BUILD}/installed" "--x-packages-root=${BUILD}/packages"
        "--x-buildtrees-root=${BUILD}/trees" COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB installed "${BUILD}/installed/*/share/${PORT}")
    cmake_path(GET installed PARENT_PATH share)
    cmake_path(GET share PARENT_PATH triplet)
    file(RENAME "${triplet}" "${PACKAGES}")
else()
    message(STATUS "no vcpkg here: its functions are stood in for")
    function(vcpkg_cmake_configure)
        cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
        execute_process(COMMAND "${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${BUILD}" -G "${GENERATOR}"
            -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}"
            "-DCMAKE_CXX_COMPILER=${COMPILER}" ${arg_OPTIONS} COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    function(vcpkg_cmake_install)
        execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    function(vcpkg_cmake_config_fixup)
        if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/share/${PORT}/${PORT}-config.cmake")
            message(FATAL_ERROR "the files for find_package are not where vcpkg wants them, in share/${PORT}")
        endif()
    endfunction()
    function(vcpkg_install_copyright)
        cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
        configure_file("${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" COPYONLY)
    endfunction()
    include("${ports}/${PORT}/portfile.cmake")
endif()

foreach(wanted IN ITEMS include/fuse/fuse.hpp share/fuse/fuse-config.cmake share/fuse/usage share/fuse/copyright)
    if(NOT EXISTS "${PACKAGES}/${wanted}")
        message(FATAL_ERROR "the port does not install ${wanted}")
    endif()
endforeach()
foreach(unwanted IN ITEMS lib debug share/licenses)
    if(EXISTS "${PACKAGES}/${unwanted}")
        message(FATAL_ERROR "the port installs ${unwanted}, which vcpkg complains about")
    endif()
endforeach()
