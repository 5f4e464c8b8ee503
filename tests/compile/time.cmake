# SPDX-License-Identifier: Apache-2.0
#
# Compiles REFERENCE (one call of thrust::transform_reduce) and each file of SOURCE with the same command, one at a time,
# and fails if the processor time of a file exceeds LIMIT_PERCENT of that of the reference. A ratio within one run holds on
# any machine, slow or fast, and processor time leaves out what other programs take; but a neighbour slows the caches and
# the clock for seconds to minutes. So what counts is the median, over rounds, of the ratio of a file to the reference of
# its own round, which was compiled within the same minute. While a median is above its limit there is another round,
# up to MOST_ROUNDS.

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
set(MOST_ROUNDS 7)
foreach(round RANGE 1 ${MOST_ROUNDS})
    compile_once("${REFERENCE}" reference_elapsed)
    message(STATUS "round ${round}: ${reference}: ${reference_elapsed} ms of processor time")
    set(too_slow "")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        compile_once("${source}" elapsed)
        math(EXPR percent "100 * ${elapsed} / ${reference_elapsed}")
        list(APPEND ratios_${name} ${percent})
        list(SORT ratios_${name} COMPARE NATURAL)
        math(EXPR middle "${round} / 2") # of an even number the upper one
        list(GET ratios_${name} ${middle} median)
        # A file that misses the limit says so itself, with the bound that it must not exceed until it is mended.
        set(limit ${LIMIT_PERCENT})
        set(remark "")
        file(STRINGS "${source}" known_miss REGEX "^// compile_time: misses [0-9]+ %, stays below [0-9]+ %")
        if(known_miss)
            string(REGEX REPLACE ".*stays below ([0-9]+) %.*" "\\1" limit "${known_miss}")
            set(remark ": KNOWN MISS of the limit of ${LIMIT_PERCENT} %")
        endif()
        message(STATUS "${name}: ${elapsed} ms, ${percent} %, median ${median} % of ${reference}${remark}")
        if(median GREATER limit)
            list(APPEND too_slow ${name})
        endif()
    endforeach()
    if(NOT too_slow)
        return()
    endif()
endforeach()
message(FATAL_ERROR "slower to compile than their share (${LIMIT_PERCENT} %) of ${reference}: ${too_slow}")
