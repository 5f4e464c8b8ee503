# SPDX-License-Identifier: Apache-2.0
#
# Compiles REFERENCE (one call of thrust::transform_reduce) and each file of SOURCE with the same COMMAND, and fails if a
# file costs more than LIMIT_PERCENT of the reference. The cost is how many basic blocks all compilers of a file run, as
# VALGRIND counts them: within 0.15 percent the same each time (cicc's are not quite, so that what is above its share is
# counted again, and the least of five counts holds), where a neighbour on the same caches made of one file's 33 percent
# of processor time 46. Counting takes thirteen times as long as compiling, so what the reference costs is kept for
# the compilers of COMPILERS in COUNTED, by lines "<compilers>: <thousands>"; for others it is counted here. Compilers
# start in ROOT and see paths from there on: each letter of a longer one would cost 0.006 percent of the reference.

string(REPLACE "${ROOT}/" "" command "${COMMAND}")
string(REPLACE "${ROOT}/" "" sources "${SOURCE}")
string(REPLACE "|" ";" command "${command}")
string(REPLACE "|" ";" sources "${sources}")

file(STRINGS "${COUNTED}" reference_cost REGEX "^${COMPILERS}: ")
string(REGEX REPLACE ".*: " "" reference_cost "${reference_cost}")
set(counted ${sources})
if(reference_cost STREQUAL "")
    list(APPEND counted "${REFERENCE}")
endif()

# What scripts/test asks of the C library would be counted.
unset(ENV{GLIBC_TUNABLES})

# All files at once: nothing disturbs a count. Registers need not be as they would be at each access to memory, for
# nothing looks at them then: a tenth of the time, and the same count.
function(count_files)
    set(jobs "")
    foreach(source IN LISTS ARGN)
        cmake_path(GET source STEM name)
        file(REMOVE_RECURSE "${SCRATCH}/${name}")
        file(MAKE_DIRECTORY "${SCRATCH}/${name}")
        # Commands of one call run side by side.
        list(APPEND jobs COMMAND "${VALGRIND}" --tool=none --stats=yes --trace-children=yes
            --vex-iropt-register-updates=sp-at-mem-access
            "--log-file=${SCRATCH}/${name}/%p" ${command} -O3 -c "${source}" -o "${SCRATCH}/${name}.o")
    endforeach()
    execute_process(${jobs} WORKING_DIRECTORY "${ROOT}" RESULTS_VARIABLE codes OUTPUT_QUIET ERROR_VARIABLE said)
    list(FILTER codes EXCLUDE REGEX "^0$")
    if(codes)
        message(FATAL_ERROR "cannot be counted: ${said}")
    endif()
endfunction()
count_files(${counted})

# Basic blocks, in thousands, that nvcc and its children ran for the file.
function(cost_of source result)
    cmake_path(GET source STEM name)
    set(count 0)
    file(GLOB logs "${SCRATCH}/${name}/*")
    foreach(log IN LISTS logs)
        file(STRINGS "${log}" blocks REGEX "scheduler: [0-9,]+ event checks")
        string(REGEX REPLACE ".*scheduler: ([0-9,]+) event.*" "\\1" blocks "${blocks}")
        string(REPLACE "," "" blocks "${blocks}")
        math(EXPR count "${count} + ${blocks} / 1000")
    endforeach()
    set(${result} ${count} PARENT_SCOPE)
endfunction()

if(reference_cost STREQUAL "")
    cost_of("${REFERENCE}" reference_cost)
endif()
cmake_path(GET REFERENCE STEM reference)
message(STATUS "${reference}: ${reference_cost} thousand basic blocks (${COMPILERS})")
set(too_slow ${sources})
foreach(round RANGE 1 5)
    set(measured ${too_slow})
    set(too_slow "")
    if(round GREATER 1 AND measured)
        count_files(${measured})
    endif()
    foreach(source IN LISTS measured)
        cost_of("${source}" cost)
        math(EXPR percent "100 * ${cost} / ${reference_cost}")
        # A file that misses the limit says so itself, with the bound that it must not exceed until it is mended.
        set(limit ${LIMIT_PERCENT})
        set(remark "")
        file(STRINGS "${ROOT}/${source}" known_miss REGEX "^// compile_time: misses [0-9]+ %, stays below [0-9]+ %")
        if(known_miss)
            string(REGEX REPLACE ".*stays below ([0-9]+) %.*" "\\1" limit "${known_miss}")
            set(remark ": KNOWN MISS of the limit of ${LIMIT_PERCENT} %")
        endif()
        cmake_path(GET source STEM name)
        message(STATUS "${name}: ${cost} thousand basic blocks, ${percent} % of ${reference}${remark}")
        if(percent GREATER limit)
            list(APPEND too_slow "${source}")
        endif()
    endforeach()
endforeach()
if(too_slow)
    message(FATAL_ERROR "slower to compile than their share (${LIMIT_PERCENT} %) of ${reference}: ${too_slow}")
endif()
