# SPDX-License-Identifier: Apache-2.0
#
# Compiles SOURCE, one statement for fuse::host, to assembly for x86-64 and looks for the vector instructions that it names:
#
#     // vectors: addps mulps
#
# COMMANDS: compilers, separated by ||, each without flags of optimisation. A compiler that takes the kernel for code that
# hardly runs, as it does a function that only such functions call, makes loops over single elements of it, with -O3 too:
# three to six times as slow. With OpenMP, which puts the loop over blocks into a function of its own, it does not show.
string(REPLACE "||" ";" commands "${COMMANDS}")
file(MAKE_DIRECTORY "${SCRATCH}")
file(STRINGS "${SOURCE}" wanted REGEX "^// vectors: ")
string(REGEX REPLACE "^// vectors: " "" wanted "${wanted}")
string(REPLACE " " ";" wanted "${wanted}")
if(NOT wanted)
    message(FATAL_ERROR "${SOURCE} has no line '// vectors: ...'")
endif()

set(failures "")
foreach(command IN LISTS commands)
    string(REPLACE "|" ";" command "${command}")
    foreach(flags IN ITEMS -O2 -O3)
        execute_process(COMMAND ${command} ${flags} -S "${SOURCE}" -o "${SCRATCH}/assembly.s"
            ERROR_VARIABLE output RESULT_VARIABLE code)
        if(NOT code EQUAL 0)
            message("${output}")
            message(FATAL_ERROR "${SOURCE} does not compile")
        endif()
        file(READ "${SCRATCH}/assembly.s" assembly)
        foreach(instruction IN LISTS wanted)
            string(REGEX MATCHALL "\tv?${instruction}\t" found "${assembly}")
            list(LENGTH found count)
            if(count EQUAL 0)
                list(GET command 0 compiler)
                list(APPEND failures "${compiler} ${flags}: no ${instruction}")
            endif()
        endforeach()
    endforeach()
endforeach()
if(failures)
    list(JOIN failures "\n" failures)
    message(FATAL_ERROR "${failures}")
endif()
