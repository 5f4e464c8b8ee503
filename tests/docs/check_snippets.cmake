# SPDX-License-Identifier: Apache-2.0
#
# Every C++ block in the README and in docs/*.md must be a region of a file that is compiled and run. In the page
#
#     <!-- snippet: tests/docs/quick_start.cpp sum -->      names the file, from the root, and the region;
#     ```cpp ... ```                                        follows at once.
#
# In the file the region stands between the lines `// [snippet:sum]` and `// [snippet:end]`. Its indentation, that of its
# first line, does not count.

cmake_minimum_required(VERSION 3.25)

set(failures 0)
set(checked 0)

# Sets `result` to the region `name` of `file`.
function(read_region file name result)
    file(READ "${ROOT}/${file}" text)
    string(FIND "${text}" "// [snippet:${name}]\n" begin)
    if(begin EQUAL -1)
        message(FATAL_ERROR "${file} has no region ${name}")
    endif()
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n" begin)
    string(FIND "${text}" "// [snippet:end]" end)
    if(end EQUAL -1)
        message(FATAL_ERROR "the region ${name} of ${file} has no end")
    endif()
    math(EXPR length "${end} - ${begin}")
    string(SUBSTRING "${text}" ${begin} ${length} text)
    # text begins with a newline and ends with the indentation of the end mark.
    string(REGEX MATCH "^\n( *)" indent "${text}")
    string(REPLACE "\n${CMAKE_MATCH_1}" "\n" text "${text}")
    string(REGEX REPLACE "^\n" "" text "${text}")
    string(REGEX REPLACE "\n *$" "\n" text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

file(GLOB pages RELATIVE "${ROOT}" "${ROOT}/README.md" "${ROOT}/docs/*.md")
foreach(page IN LISTS pages)
    file(READ "${ROOT}/${page}" text)
    while(TRUE)
        string(FIND "${text}" "```cpp\n" fence)
        if(fence EQUAL -1)
            break()
        endif()
        string(SUBSTRING "${text}" 0 ${fence} before)
        math(EXPR after "${fence} + 7")
        string(SUBSTRING "${text}" ${after} -1 text)
        string(FIND "${text}" "```" end)
        string(SUBSTRING "${text}" 0 ${end} block)
        math(EXPR end "${end} + 3")
        string(SUBSTRING "${text}" ${end} -1 text)

        if(NOT before MATCHES "<!-- snippet: ([^ ]+) ([^ ]+) -->\n$")
            message("${page}: a C++ block without a line <!-- snippet: file region --> above it:\n${block}")
            math(EXPR failures "${failures} + 1")
            continue()
        endif()
        set(file "${CMAKE_MATCH_1}")
        set(name "${CMAKE_MATCH_2}")
        read_region("${file}" "${name}" region)
        math(EXPR checked "${checked} + 1")
        if(NOT region STREQUAL block)
            message("${page} differs from region ${name} of ${file}. The page has\n${block}\nand the file\n${region}")
            math(EXPR failures "${failures} + 1")
        endif()
    endwhile()
endforeach()

if(failures GREATER 0)
    message(FATAL_ERROR "${failures} snippets are not those that are tested")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "no snippet was found")
endif()
message(STATUS "${checked} snippets are as tested")
