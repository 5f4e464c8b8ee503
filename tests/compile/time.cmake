# SPDX-License-Identifier: Apache-2.0
#
# Compiles REFERENCE (one call of thrust::transform_reduce) and each file of SOURCE with the same command, one at a
# time, each five times, and fails if the best time of a file exceeds LIMIT_PERCENT of the best time of the reference. A
# ratio within one run holds on any machine, slow or fast.

string(REPLACE "|" ";" command "${COMMAND}")
string(REPLACE "|" ";" sources "${SOURCE}")
file(MAKE_DIRECTORY "${SCRATCH}")

# Microseconds that nvcc takes for one file.
function(compile_once source result)
    string(TIMESTAMP start "%s%f")
    execute_process(COMMAND ${command} -O3 -c "${source}" -o "${SCRATCH}/time.o"
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
    string(TIMESTAMP end "%s%f")
    if(NOT code EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "${source} does not compile")
    endif()
    math(EXPR elapsed "${end} - ${start}")
    set(${result} ${elapsed} PARENT_SCOPE)
endfunction()

# The rounds go over all files, so that a slow moment of the machine does not hit one file twice.
foreach(round RANGE 1 5)
    foreach(source IN LISTS REFERENCE sources)
        cmake_path(GET source STEM name)
        compile_once("${source}" elapsed)
        if(round EQUAL 1 OR elapsed LESS best_${name})
            set(best_${name} ${elapsed})
        endif()
    endforeach()
endforeach()

cmake_path(GET REFERENCE STEM reference)
set(too_slow "")
foreach(source IN LISTS REFERENCE sources)
    cmake_path(GET source STEM name)
    math(EXPR milliseconds "${best_${name}} / 1000")
    math(EXPR percent "100 * ${best_${name}} / ${best_${reference}}")
    message(STATUS "${name}: ${milliseconds} ms, ${percent} % of ${reference}")
    # A file that misses the limit says so itself, with the bound that it must not exceed until it is mended.
    set(limit ${LIMIT_PERCENT})
    file(STRINGS "${source}" known_miss REGEX "^// compile_time: misses [0-9]+ %, stays below [0-9]+ %")
    if(known_miss)
        string(REGEX REPLACE ".*stays below ([0-9]+) %.*" "\\1" limit "${known_miss}")
        message(STATUS "${name}: KNOWN MISS of the limit of ${LIMIT_PERCENT} %")
    endif()
    if(NOT name STREQUAL reference AND percent GREATER limit)
        list(APPEND too_slow ${name})
    endif()
endforeach()
if(too_slow)
    message(FATAL_ERROR "slower to compile than their share (${LIMIT_PERCENT} %) of ${reference}: ${too_slow}")
endif()
