# SPDX-License-Identifier: Apache-2.0
#
# Compiles REFERENCE (one call of thrust::transform_reduce) and each file of SOURCE with the same command, one at a time,
# and fails if the least processor time of a file exceeds LIMIT_PERCENT of the least of the reference. A ratio within one
# run holds on any machine, slow or fast; processor time leaves out what other programs take, but not that a neighbour
# slows the caches and the clock, for minutes at times. So all files are compiled again, up to MOST_ROUNDS times, while one
# is above its limit: the least of several times is what the file needs, and one good round is enough to show it.

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

cmake_path(GET REFERENCE STEM reference)
set(MOST_ROUNDS 6)
# The rounds go over all files, so that a slow moment of the machine does not hit one file alone.
foreach(round RANGE 1 ${MOST_ROUNDS})
    foreach(source IN LISTS REFERENCE sources)
        cmake_path(GET source STEM name)
        compile_once("${source}" elapsed)
        if(round EQUAL 1 OR elapsed LESS best_${name})
            set(best_${name} ${elapsed})
        endif()
    endforeach()

    set(too_slow "")
    message(STATUS "after round ${round}, of processor time:")
    foreach(source IN LISTS REFERENCE sources)
        cmake_path(GET source STEM name)
        math(EXPR percent "100 * ${best_${name}} / ${best_${reference}}")
        # A file that misses the limit says so itself, with the bound that it must not exceed until it is mended.
        set(limit ${LIMIT_PERCENT})
        set(remark "")
        file(STRINGS "${source}" known_miss REGEX "^// compile_time: misses [0-9]+ %, stays below [0-9]+ %")
        if(known_miss)
            string(REGEX REPLACE ".*stays below ([0-9]+) %.*" "\\1" limit "${known_miss}")
            set(remark ": KNOWN MISS of the limit of ${LIMIT_PERCENT} %")
        endif()
        message(STATUS "${name}: ${best_${name}} ms, ${percent} % of ${reference}${remark}")
        if(NOT name STREQUAL reference AND percent GREATER limit)
            list(APPEND too_slow ${name})
        endif()
    endforeach()
    if(NOT too_slow)
        return()
    endif()
endforeach()
message(FATAL_ERROR "slower to compile than their share (${LIMIT_PERCENT} %) of ${reference}: ${too_slow}")
