# SPDX-License-Identifier: Apache-2.0
#
# Compiles SOURCE, a wrong program, and passes if each compiler refuses it and prints the text that the source asks for
# within its first five lines:
#
#     // expect: some text
#
# A file that is several wrong programs, of which one is compiled at a time with FUSE_WRONG as its number, has
#
#     // expect 1: some text
#     // expect 2: some text
#
# A program may have several such lines. The text is compared literally and must stand on one line. What is said later
# is '// expect later: some text', and what only some compilers are asked for '// expect g++: some text' (or clang++,
# nvcc, or several of them), as '// expect 1 g++ clang++: some text' with a number; a program of which a compiler is
# asked nothing is not for that compiler. A file without any such line is an error: a typing mistake would make it pass.
#
# Of the library's own sentences a compiler must not print two different ones. Under nvcc all files are read together:
# see negative_nvcc.py.
#
# A line '// flags: ...' adds compiler flags, separated by spaces.
#
# A file proves that only its fault keeps it from compiling: if it mentions FUSE_CONTROL or FUSE_WRONG, it is compiled
# once more with FUSE_CONTROL defined, or FUSE_WRONG as 0, and must then pass.
#
# COMMANDS: name=command of each compiler, separated by '||'; the parts of a command by '|'. The first compiles the
# control. PRECOMPILED_<name>: its options to read the file's first header precompiled, which flags of a file's own
# would not fit.

cmake_minimum_required(VERSION 3.25)

set(lines_before_a_sentence 5)

file(STRINGS "${SOURCE}" flags REGEX "^// flags: ")
string(REGEX REPLACE "^// flags: *" "" flags "${flags}")
separate_arguments(flags UNIX_COMMAND "${flags}")

# English messages and plain ASCII quotes, whatever the machine's language.
set(ENV{LC_ALL} C)

file(STRINGS "${SOURCE}" expectations REGEX "^// expect[^:]*: ")
if(NOT expectations)
    message(FATAL_ERROR "${SOURCE} has no line '// expect: text'")
endif()
set(programs "")
foreach(line IN LISTS expectations)
    string(REGEX MATCH "^// expect *([0-9]*)" ignored "${line}")
    list(APPEND programs "n${CMAKE_MATCH_1}")
endforeach()
list(REMOVE_DUPLICATES programs)

# The output as a list of lines, whatever they hold.
function(lines_of output result)
    string(REPLACE ";" "," output "${output}")
    string(REPLACE "\\" "/" output "${output}")
    string(REGEX REPLACE "[][]" "|" output "${output}")
    string(REPLACE "\n" ";" output "${output}")
    set(${result} "${output}" PARENT_SCOPE)
endfunction()

# Whether the text stands on one of the first `count` lines (0: of all).
function(find_text lines text count result)
    lines_of("${text}" text)
    set(found FALSE)
    set(number 0)
    foreach(line IN LISTS lines)
        math(EXPR number "${number} + 1")
        string(FIND "${line}" "${text}" position)
        if(NOT position EQUAL -1 AND (count EQUAL 0 OR number LESS_EQUAL count))
            set(found TRUE)
            break()
        endif()
    endforeach()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

function(check_program compiler command program)
    set(define "")
    if(NOT program STREQUAL "")
        set(define "-DFUSE_WRONG=${program}")
    endif()
    execute_process(COMMAND ${command} ${flags} ${define} "${SOURCE}"
        OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE code)
    string(APPEND output "${errors}")
    set(what "${SOURCE} (${compiler} ${define})")
    if(code EQUAL 0)
        message(FATAL_ERROR "${what} compiled, and must not")
    endif()
    lines_of("${output}" lines)
    foreach(line IN LISTS expectations)
        string(REGEX MATCH "^// expect *([0-9]*) *(later)? *([a-z+ ]*): (.*)$" ignored "${line}")
        set(of_program "${CMAKE_MATCH_1}")
        set(later "${CMAKE_MATCH_2}")
        string(REPLACE " " ";" of_compilers "${CMAKE_MATCH_3}")
        string(STRIP "${CMAKE_MATCH_4}" text)
        if(NOT of_program STREQUAL program OR NOT (of_compilers STREQUAL "" OR compiler IN_LIST of_compilers))
            continue()
        endif()
        set(within ${lines_before_a_sentence})
        if(later)
            set(within 0)
        endif()
        find_text("${lines}" "${text}" ${within} found)
        if(NOT found)
            message("${output}")
            message(FATAL_ERROR "${what} is refused, but not with '${text}' (first ${within} lines; 0: all)")
        endif()
    endforeach()

    # One mistake, one sentence.
    set(sentences "")
    foreach(line IN LISTS lines)
        if(line MATCHES "error: static[ _]assert.*fuse: (.*)$")
            list(APPEND sentences "${CMAKE_MATCH_1}")
        endif()
    endforeach()
    list(REMOVE_DUPLICATES sentences)
    list(LENGTH sentences count)
    if(count GREATER 1)
        message("${output}")
        message(FATAL_ERROR "${what} is refused with ${count} different sentences")
    endif()
endfunction()

if(NOT COMMANDS)
    message(FATAL_ERROR "no compiler")
endif()
set(first TRUE)
string(REPLACE "||" ";" COMMANDS "${COMMANDS}")
foreach(compiler IN LISTS COMMANDS)
    string(REGEX MATCH "^([^=]*)=(.*)$" ignored "${compiler}")
    set(name "${CMAKE_MATCH_1}")
    string(REPLACE "|" ";" command "${CMAKE_MATCH_2}")
    if(NOT flags AND DEFINED "PRECOMPILED_${name}")
        string(REPLACE "|" ";" precompiled "${PRECOMPILED_${name}}")
        list(INSERT command 1 ${precompiled})
    endif()
    foreach(program IN LISTS programs)
        string(SUBSTRING "${program}" 1 -1 program)
        check_program("${name}" "${command}" "${program}")
    endforeach()
    if(first)
        file(STRINGS "${SOURCE}" control REGEX "FUSE_(CONTROL|WRONG)")
        if(control)
            execute_process(COMMAND ${command} ${flags} -DFUSE_CONTROL -DFUSE_WRONG=0 "${SOURCE}"
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
            if(NOT code EQUAL 0)
                message("${output}")
                message(FATAL_ERROR "${SOURCE} does not compile with FUSE_CONTROL (FUSE_WRONG=0) either")
            endif()
        endif()
        set(first FALSE)
    endif()
endforeach()
