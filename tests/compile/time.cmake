# SPDX-License-Identifier: Apache-2.0
#
# Compiles REFERENCE (one call of thrust::transform_reduce) twice and each file of SOURCE four times with the same
# command, one at a time, and fails if the least processor time of a file exceeds LIMIT_PERCENT of that of the reference.
# A ratio within one run holds on any machine, slow or fast; processor time leaves out what other programs take.

string(REPLACE "|" ";" command "${COMMAND}")
string(REPLACE "|" ";" sources "${SOURCE}")
file(MAKE_DIRECTORY "${SCRATCH}")

# Milliseconds of processor time, user's and system's, that nvcc and its children take for one file.
function(compile_once source result)
    # Two lines, the shell's own and its children's: 1m2.345s 0m0.678s.
    execute_process(COMMAND sh -c "\"$@\" >&2 && times" sh ${command} -O3 -c "${source}" -o "${SCRATCH}/time.o"
        OUTPUT_VARIABLE times ERROR_VARIABLE said RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message("${said}")
        message(FATAL_ERROR "${source} does not compile")
    endif()
    set(elapsed 0)
    string(REGEX MATCHALL "[0-9]+m[0-9]+[.,][0-9][0-9]" parts "${times}")
    list(LENGTH parts found)
    if(NOT found EQUAL 4)
        message(FATAL_ERROR "the shell's times are not understood: ${times}")
    endif()
    list(SUBLIST parts 2 2 parts)
    foreach(part IN LISTS parts)
        string(REGEX MATCH "^([0-9]+)m([0-9]+)[.,]([0-9][0-9])$" all "${part}")
        math(EXPR elapsed "${elapsed} + ${CMAKE_MATCH_1} * 60000 + ${CMAKE_MATCH_2} * 1000")
        math(EXPR elapsed "${elapsed} + 1${CMAKE_MATCH_3} * 10 - 1000") # no leading zero, which would be octal
    endforeach()
    set(${result} ${elapsed} PARENT_SCOPE)
endfunction()

# The rounds go over all files, so that a slow moment of the machine does not hit one file twice.
foreach(round RANGE 1 4)
    set(files ${sources})
    if(round LESS_EQUAL 2)
        list(PREPEND files "${REFERENCE}")
    endif()
    foreach(source IN LISTS files)
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
    math(EXPR percent "100 * ${best_${name}} / ${best_${reference}}")
    message(STATUS "${name}: ${best_${name}} ms, ${percent} % of ${reference}")
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
