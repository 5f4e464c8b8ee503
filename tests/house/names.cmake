# SPDX-License-Identifier: Apache-2.0
#
# Every function of the language is tested by the name that users write: those of lang/math.hpp in tests/lang/names.cpp,
# which has the standard library's functions of the same names beside them, the others of lang/ and nn/ somewhere in
# tests/lang or tests/nn. And every one of them stands on the page that says what it means, docs/language.md.

cmake_minimum_required(VERSION 3.25)

# The functions of a header, without those of its namespace detail.
function(functions_of header result)
    file(READ "${ROOT}/include/fuse/${header}" text)
    string(REGEX REPLACE "\n#[^\n]*" "" text "${text}")
    string(REPLACE ";" "," text "${text}")
    set(names "")
    while(text MATCHES "^(.*)\nnamespace detail {(.*)$")
        set(before "${CMAKE_MATCH_1}")
        string(REGEX REPLACE "^.*\n}  // namespace detail" "" after "${CMAKE_MATCH_2}")
        set(text "${before}${after}")
    endwhile()
    # What returns a Map names it.
    string(REGEX MATCHALL "\nconstexpr (auto|map_t<[^\n(]*>)[ \n]+[a-z][a-z0-9_]*\\(" names "${text}")
    list(TRANSFORM names REPLACE "^.*[ \n]([a-z0-9_]+)\\($" "\\1")
    list(REMOVE_DUPLICATES names)
    set(${result} "${names}" PARENT_SCOPE)
endfunction()

function(read_all result)
    set(all "")
    foreach(file IN LISTS ARGN)
        file(READ "${file}" text)
        string(APPEND all "${text}")
    endforeach()
    string(REGEX REPLACE "//[^\n]*" "" all "${all}")
    set(${result} "${all}" PARENT_SCOPE)
endfunction()

set(missing "")
# Not std::name, and no other name that ends so; a macro's argument in names.cpp.
function(check_names header place text)
    functions_of("${header}" names)
    foreach(name IN LISTS names)
        if(NOT text MATCHES "([^A-Za-z0-9_:]|fuse::)${name}[(<]" AND NOT text MATCHES "CHECK_OF_[HP]\\(${name},")
            list(APPEND missing "${name} of ${header}, in ${place}")
        endif()
        if(NOT page MATCHES "[^A-Za-z0-9_]${name}[^A-Za-z0-9_]")
            list(APPEND missing "${name} of ${header}, in docs/language.md")
        endif()
    endforeach()
    list(LENGTH names count)
    math(EXPR checked "${checked} + ${count}")
    set(checked ${checked} PARENT_SCOPE)
    set(missing "${missing}" PARENT_SCOPE)
endfunction()

set(checked 0)
file(READ "${ROOT}/docs/language.md" page)
read_all(by_name "${ROOT}/tests/lang/names.cpp")
# In the references after the first comma of a check stand functions of the standard library, but for what is written out.
check_names(lang/math.hpp tests/lang/names.cpp "${by_name}")
file(GLOB_RECURSE sources "${ROOT}/tests/lang/*.?pp" "${ROOT}/tests/nn/*.?pp")
read_all(others ${sources})
file(GLOB headers RELATIVE "${ROOT}/include/fuse" "${ROOT}/include/fuse/lang/*.hpp" "${ROOT}/include/fuse/nn/*.hpp")
list(REMOVE_ITEM headers lang/math.hpp)
foreach(header IN LISTS headers)
    check_names("${header}" "tests/lang or tests/nn" "${others}")
endforeach()
if(checked EQUAL 0)
    message(FATAL_ERROR "no function was found")
endif()
if(missing)
    list(JOIN missing "\n    " missing)
    message(FATAL_ERROR "not found by name:\n    ${missing}")
endif()
