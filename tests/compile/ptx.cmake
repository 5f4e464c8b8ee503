# SPDX-License-Identifier: Apache-2.0
#
# Compiles SOURCE to PTX and checks what the source promises about it, in comment lines at the start of a line:
#
#     // ptx: entries N             exactly N kernels
#     // ptx: entries at most N     no more than N kernels: the ladder from which a strategy picks one at run time
#     // ptx: contains TEXT         TEXT occurs; A|B means that A or B does
#     // ptx: no TEXT               TEXT does not occur
#     // ptxas: no spills           ptxas reports no spill and no stack frame for any kernel
#     // ptxas: registers N         no kernel takes more than N registers
#
# TEXT is literal and may hold spaces. A file without any such line is an error.

string(REPLACE "|" ";" command "${COMMAND}")
file(MAKE_DIRECTORY "${SCRATCH}")
set(ptx_file "${SCRATCH}/check.ptx")

file(STRINGS "${SOURCE}" checks REGEX "^// ptx(as)?: ")
if(NOT checks)
    message(FATAL_ERROR "${SOURCE} has no line '// ptx: ...'")
endif()

execute_process(COMMAND ${command} -ptx "${SOURCE}" -o "${ptx_file}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
if(NOT code EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "${SOURCE} does not compile")
endif()
# Comments would be searched as well, and name the source's own variables.
file(READ "${ptx_file}" ptx)
string(REGEX REPLACE "//[^\n]*" "" ptx "${ptx}")

set(failures "")
set(ptxas_output "")
foreach(check IN LISTS checks)
    if(check MATCHES "^// ptxas: " AND ptxas_output STREQUAL "")
        execute_process(COMMAND "${PTXAS}" -arch=sm_90 -v "${ptx_file}" -o "${SCRATCH}/check.cubin"
            OUTPUT_VARIABLE out ERROR_VARIABLE ptxas_output RESULT_VARIABLE code)
        string(APPEND ptxas_output "${out}")
        if(NOT code EQUAL 0 OR NOT ptxas_output MATCHES "Used [0-9]+ registers")
            message("${ptxas_output}")
            message(FATAL_ERROR "ptxas fails on ${ptx_file}")
        endif()
    endif()

    if(check MATCHES "^// ptx: entries (at most )?([0-9]+) *$")
        set(at_most "${CMAKE_MATCH_1}")
        set(wanted ${CMAKE_MATCH_2})
        string(REGEX MATCHALL "\\.entry " entries "${ptx}")
        list(LENGTH entries count)
        if(count GREATER wanted OR (count LESS wanted AND NOT at_most) OR count EQUAL 0)
            list(APPEND failures "${count} kernels instead of ${at_most}${wanted}")
        endif()
    elseif(check MATCHES "^// ptx: contains (.*[^ ]) *$")
        string(REPLACE "|" ";" alternatives "${CMAKE_MATCH_1}")
        set(found FALSE)
        foreach(text IN LISTS alternatives)
            string(FIND "${ptx}" "${text}" position)
            if(NOT position EQUAL -1)
                set(found TRUE)
            endif()
        endforeach()
        if(NOT found)
            list(APPEND failures "does not contain ${CMAKE_MATCH_1}")
        endif()
    elseif(check MATCHES "^// ptx: no (.*[^ ]) *$")
        string(FIND "${ptx}" "${CMAKE_MATCH_1}" position)
        if(NOT position EQUAL -1)
            string(SUBSTRING "${ptx}" ${position} 120 context)
            list(APPEND failures "contains ${CMAKE_MATCH_1}: ${context}")
        endif()
    elseif(check MATCHES "^// ptxas: no spills *$")
        string(REGEX MATCHALL "[1-9][0-9]* bytes (stack frame|spill stores|spill loads)" spills "${ptxas_output}")
        if(spills)
            list(APPEND failures "${spills}")
        endif()
    elseif(check MATCHES "^// ptxas: registers ([0-9]+) *$")
        set(limit ${CMAKE_MATCH_1})
        string(REGEX MATCHALL "Used [0-9]+ registers" uses "${ptxas_output}")
        foreach(use IN LISTS uses)
            string(REGEX MATCH "[0-9]+" used "${use}")
            if(used GREATER limit)
                list(APPEND failures "${used} registers instead of at most ${limit}")
            endif()
        endforeach()
    else()
        list(APPEND failures "not understood: ${check}")
    endif()
endforeach()

if(failures)
    list(JOIN failures "\n    " failures)
    message("${SOURCE}\n    ${failures}\nThe PTX is in ${ptx_file}\n${ptxas_output}")
    message(FATAL_ERROR "The PTX is not as promised")
endif()
