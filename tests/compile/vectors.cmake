# SPDX-License-Identifier: Apache-2.0
#
# Compiles SOURCE, one statement for fuse::host, to assembly for x86-64 and looks for the vector instructions that it names:
#
#     // vectors: addps mulps
#
# for the CPUs that the compiler has in mind alone, and where it has a line '// dispatched: ymm zmm' also for those that the
# program may find, in the registers of that name; then with -O2 alone. Where it has a line '// told: zmm' g++ must use such
# registers when it is told of a CPU that has them, -march=skylake-avx512, for which its tuning prefers narrower ones. Where it
# has a line '// clears: function' g++ must clear the upper halves of wide registers shortly before it calls that.
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

file(STRINGS "${SOURCE}" registers REGEX "^// dispatched: ")
string(REGEX REPLACE "^// dispatched: " "" registers "${registers}")
string(REPLACE " " ";" registers "${registers}")

file(STRINGS "${SOURCE}" told REGEX "^// told: ")
string(REGEX REPLACE "^// told: " "" told "${told}")

file(STRINGS "${SOURCE}" clears REGEX "^// clears: ")
string(REGEX REPLACE "^// clears: " "" clears "${clears}")

# Sets `failures`, to which what is missing in the assembly is appended.
macro(look_for pattern what)
    string(REGEX MATCH "${pattern}" found "${assembly}")
    if(found STREQUAL "")
        list(APPEND failures "${compiler} ${flags}: no ${what}")
    endif()
endmacro()

# Compiles SOURCE with `flags` and what follows, and sets `assembly`.
macro(compile)
    execute_process(
        COMMAND ${command} ${flags} ${ARGN} -S "${SOURCE}" -o "${SCRATCH}/assembly.s"
        ERROR_VARIABLE output RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "${SOURCE} does not compile")
    endif()
    file(READ "${SCRATCH}/assembly.s" assembly)
endmacro()

set(failures "")
foreach(command IN LISTS commands)
    string(REPLACE "|" ";" command "${command}")
    list(GET command 0 compiler)
    foreach(flags IN ITEMS -O2 -O3)
        foreach(dispatch IN ITEMS 0 1)
            if((dispatch AND NOT registers) OR (registers AND flags STREQUAL "-O3"))
                continue()
            endif()
            compile(-DFUSE_HOST_DISPATCH=${dispatch})
            foreach(instruction IN LISTS wanted)
                if(dispatch)
                    foreach(register IN LISTS registers)
                        look_for("\tv${instruction}\t[^\n]*%${register}" "${instruction} of ${register} registers")
                    endforeach()
                else()
                    look_for("\tv?${instruction}\t" "${instruction}")
                endif()
            endforeach()
        endforeach()
    endforeach()
    execute_process(COMMAND ${compiler} --version OUTPUT_VARIABLE version)
    if(clears AND NOT version MATCHES "clang")
        set(line "(\t[^\n]*\n)?")
        set(flags -O3)
        compile(-DFUSE_HOST_DISPATCH=1)
        look_for("\tvzeroupper\n${line}${line}${line}${line}${line}${line}\tcall\t[^\n]*${clears}"
                 "registers cleared before a call of ${clears}")
    endif()
    if(told AND NOT version MATCHES "clang")
        set(flags -O2 -march=skylake-avx512)
        compile()
        foreach(instruction IN LISTS wanted)
            look_for("\tv${instruction}\t[^\n]*%${told}" "${instruction} of ${told} registers")
        endforeach()
    endif()
endforeach()
if(failures)
    list(JOIN failures "\n" failures)
    message(FATAL_ERROR "${failures}")
endif()
