# SPDX-License-Identifier: Apache-2.0
#
# Compiles REFERENCE (one call of thrust::transform_reduce) and each file of SOURCE with the same command, one at a time,
# and fails if a file costs more than LIMIT_PERCENT of the reference. A ratio within one run holds on any machine, slow or
# fast. It is one of processor time, the least of MOST_ROUNDS; that leaves out what other programs take, but not that a
# neighbour slows the caches and the clock, for minutes at times: the same file was measured at 33 and at 46 %. So time
# can pass a file and not fail it. What is still above its limit is counted: VALGRIND says how many basic blocks all
# compilers of a file run, which is the same each time, and thirteen times as slow as running them.

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

# Basic blocks, in thousands, that nvcc and its children run for each file: all files at once, as nothing disturbs a count.
function(count_all sources)
    set(jobs "")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        file(REMOVE_RECURSE "${SCRATCH}/${name}")
        file(MAKE_DIRECTORY "${SCRATCH}/${name}")
        list(APPEND jobs COMMAND "${VALGRIND}" --tool=none --stats=yes --trace-children=yes
            "--log-file=${SCRATCH}/${name}/%p" ${command} -O3 -c "${source}" -o "${SCRATCH}/${name}.o")
    endforeach()
    # Commands of one call run side by side.
    execute_process(${jobs} RESULTS_VARIABLE codes OUTPUT_QUIET ERROR_VARIABLE said)
    list(FILTER codes EXCLUDE REGEX "^0$")
    if(codes)
        message(FATAL_ERROR "cannot be counted: ${said}")
    endif()
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        set(count 0)
        file(GLOB logs "${SCRATCH}/${name}/*")
        foreach(log IN LISTS logs)
            file(STRINGS "${log}" blocks REGEX "scheduler: [0-9,]+ event checks")
            string(REGEX REPLACE ".*scheduler: ([0-9,]+) event.*" "\\1" blocks "${blocks}")
            string(REPLACE "," "" blocks "${blocks}")
            math(EXPR count "${count} + ${blocks} / 1000")
        endforeach()
        set(cost_${name} ${count} PARENT_SCOPE)
    endforeach()
endfunction()

# Says what each file costs in UNIT and sets RESULT to those that cost more than their limit.
function(compare sources unit result)
    set(too_slow "")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        math(EXPR percent "100 * ${cost_${name}} / ${cost_${reference}}")
        # A file that misses the limit says so itself, with the bound that it must not exceed until it is mended.
        set(limit ${LIMIT_PERCENT})
        set(remark "")
        file(STRINGS "${source}" known_miss REGEX "^// compile_time: misses [0-9]+ %, stays below [0-9]+ %")
        if(known_miss)
            string(REGEX REPLACE ".*stays below ([0-9]+) %.*" "\\1" limit "${known_miss}")
            set(remark ": KNOWN MISS of the limit of ${LIMIT_PERCENT} %")
        endif()
        message(STATUS "${name}: ${cost_${name}} ${unit}, ${percent} % of ${reference}${remark}")
        if(NOT source STREQUAL REFERENCE AND percent GREATER limit)
            list(APPEND too_slow "${source}")
        endif()
    endforeach()
    set(${result} "${too_slow}" PARENT_SCOPE)
endfunction()

cmake_path(GET REFERENCE STEM reference)
set(MOST_ROUNDS 2)
# The rounds go over all files, so that a slow moment of the machine does not hit one file alone.
foreach(round RANGE 1 ${MOST_ROUNDS})
    foreach(source IN LISTS REFERENCE sources)
        cmake_path(GET source STEM name)
        compile_once("${source}" elapsed)
        if(round EQUAL 1 OR elapsed LESS cost_${name})
            set(cost_${name} ${elapsed})
        endif()
    endforeach()
    message(STATUS "after round ${round}:")
    compare("${REFERENCE};${sources}" "ms of processor time" too_slow)
    if(NOT too_slow)
        return()
    endif()
endforeach()

if(VALGRIND)
    count_all("${REFERENCE};${too_slow}")
    message(STATUS "counted:")
    compare("${REFERENCE};${too_slow}" "thousand basic blocks" too_slow)
    if(NOT too_slow)
        return()
    endif()
else()
    message(STATUS "valgrind is not found, which would count what time cannot decide")
endif()
message(FATAL_ERROR "slower to compile than their share (${LIMIT_PERCENT} %) of ${reference}: ${too_slow}")
