# SPDX-License-Identifier: Apache-2.0
#
# Every file that a page names in backticks, `plan/lower.hpp` or `lower.hpp`, is there: its name is the end of a path of the
# tree. Names with <...> or * in them stand for several, and are not looked at.

cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/benchmarks/*" "${ROOT}/docs/*" "${ROOT}/examples/*"
    "${ROOT}/include/*" "${ROOT}/scripts/*" "${ROOT}/tests/*")
file(GLOB beside RELATIVE "${ROOT}" "${ROOT}/*")
list(APPEND files ${beside})
list(TRANSFORM files PREPEND "/")
list(JOIN files "\n" tree)
string(APPEND tree "\n")

set(missing "")
set(checked 0)
file(GLOB pages RELATIVE "${ROOT}" "${ROOT}/README.md" "${ROOT}/CONTRIBUTING.md" "${ROOT}/docs/*.md"
    "${ROOT}/docs/reference/*.md")
foreach(page IN LISTS pages)
    file(READ "${ROOT}/${page}" text)
    string(REGEX MATCHALL "`[A-Za-z0-9_./]+\\.(hpp|cpp|cuh|cu|cmake|txt|inc|py|md)`" names "${text}")
    list(REMOVE_DUPLICATES names)
    foreach(name IN LISTS names)
        string(REPLACE "`" "" name "${name}")
        math(EXPR checked "${checked} + 1")
        string(FIND "${tree}" "/${name}\n" at)
        if(at EQUAL -1)
            list(APPEND missing "${page}: ${name}")
        endif()
    endforeach()
endforeach()
if(missing)
    list(JOIN missing "\n    " missing)
    message(FATAL_ERROR "named and not there:\n    ${missing}")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "no page names a file")
endif()
message(STATUS "${checked} names of files stand for files")
