# SPDX-License-Identifier: Apache-2.0
#
# Compiles SOURCE and passes if the compiler refuses it and prints every text that the source asks for in lines
#
#     // expect: some text
#
# The text is compared literally and must stand on one line of the compiler's output. A file without such a line is an
# error: any typing mistake would make it pass.
#
# Of the library's own sentences the compiler must not print two different ones.
#
# A line '// flags: ...' adds compiler flags, separated by spaces.
#
# A file may also prove that only its fault keeps it from compiling: if it mentions FUSE_CONTROL, it is compiled a
# second time with that macro defined, and must then pass.

string(REPLACE "|" ";" command "${COMMAND}")
file(MAKE_DIRECTORY "${SCRATCH}")

file(STRINGS "${SOURCE}" flags REGEX "^// flags: ")
string(REGEX REPLACE "^// flags: *" "" flags "${flags}")
separate_arguments(flags UNIX_COMMAND "${flags}")
list(APPEND command ${flags})

# English messages and plain ASCII quotes, whatever the machine's language.
set(ENV{LC_ALL} C)
execute_process(COMMAND ${command} -c "${SOURCE}" -o "${SCRATCH}/negative.o"
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE code)
string(APPEND output "${errors}")

file(STRINGS "${SOURCE}" expectations REGEX "^// expect: ")
if(NOT expectations)
    message(FATAL_ERROR "${SOURCE} has no line '// expect: text'")
endif()
if(code EQUAL 0)
    message(FATAL_ERROR "${SOURCE} compiled, and must not")
endif()
foreach(line IN LISTS expectations)
    string(REGEX REPLACE "^// expect: " "" text "${line}")
    string(STRIP "${text}" text)
    string(FIND "${output}" "${text}" position)
    if(position EQUAL -1)
        message("${output}")
        message(FATAL_ERROR "${SOURCE} is refused, but the compiler does not say '${text}'")
    endif()
endforeach()

# One mistake, one sentence.
string(REPLACE ";" "," plain "${output}")
string(REGEX MATCHALL "error: static[ _]assert[^\n]*fuse: [^\n]*" sentences "${plain}")
list(TRANSFORM sentences REPLACE "^.*fuse: " "")
list(REMOVE_DUPLICATES sentences)
list(LENGTH sentences count)
if(count GREATER 1)
    message("${output}")
    message(FATAL_ERROR "${SOURCE} is refused with ${count} different sentences")
endif()

file(STRINGS "${SOURCE}" control REGEX "FUSE_CONTROL")
if(control)
    execute_process(COMMAND ${command} -DFUSE_CONTROL -c "${SOURCE}" -o "${SCRATCH}/control.o"
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message("${output}")
        message(FATAL_ERROR "${SOURCE} does not compile with FUSE_CONTROL either")
    endif()
endif()
