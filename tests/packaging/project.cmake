# SPDX-License-Identifier: Apache-2.0
#
# Configures the project SOURCE in the fresh folder BINARY with OPTIONS, builds it, and runs its tests: what a user of
# the package would do.

string(REPLACE "|" ";" options "${OPTIONS}")
file(REMOVE_RECURSE "${BINARY}")

# The consumer must find what the options name, not what this machine's environment happens to offer.
foreach(variable IN ITEMS CMAKE_PREFIX_PATH fuse_DIR fuse_ROOT CUDACXX CXXFLAGS CUDAFLAGS)
    unset(ENV{${variable}})
endforeach()

foreach(step IN ITEMS configure build run)
    if(step STREQUAL "configure")
        set(command "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}" -G "${GENERATOR}" ${options})
    elseif(step STREQUAL "build")
        set(command "${CMAKE_COMMAND}" --build "${BINARY}")
    else()
        set(command "${CMAKE_CTEST_COMMAND}" --test-dir "${BINARY}" --output-on-failure)
    endif()
    execute_process(COMMAND ${command} RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${SOURCE}: the step '${step}' failed")
    endif()
endforeach()
