# SPDX-License-Identifier: Apache-2.0
#
# The version of include/fuse/version.hpp is the one that the packages and the pages name, and the changelog has a dated
# entry of it. CMake and Conan read that header; what is here cannot.

cmake_minimum_required(VERSION 3.25)

file(READ "${ROOT}/include/fuse/version.hpp" header)
foreach(part IN ITEMS MAJOR MINOR PATCH)
    string(REGEX MATCH "FUSE_VERSION_${part} ([0-9]+)" found "${header}")
    set(${part} "${CMAKE_MATCH_1}")
endforeach()
set(minor "${MAJOR}.${MINOR}")
set(full "${minor}.${PATCH}")

set(missing "")
# expect(FILE TEXT...): each text is in FILE.
function(expect file)
    file(READ "${ROOT}/${file}" text)
    foreach(wanted IN LISTS ARGN)
        string(FIND "${text}" "${wanted}" at)
        if(at EQUAL -1)
            list(APPEND missing "${file}: ${wanted}")
        endif()
    endforeach()
    set(missing "${missing}" PARENT_SCOPE)
endfunction()

expect(README.md "find_package(fuse ${minor} " "fuse/${full}\n")
expect(docs/limits_and_faq.md "`fuse::v${MAJOR}_${MINOR}`")
expect(packaging/vcpkg/ports/fuse/vcpkg.json "\"version\": \"${full}\"")
expect(CHANGELOG.md "`fuse::v${MAJOR}_${MINOR}`")
file(STRINGS "${ROOT}/CHANGELOG.md" headings REGEX "^## ")
string(REPLACE "." "\\." pattern "${full}")
if(NOT headings MATCHES "## .${pattern}. - 20[0-9][0-9]-[01][0-9]-[0-3][0-9]")
    list(APPEND missing "CHANGELOG.md: ## [${full}] - the day")
endif()
if(missing)
    list(JOIN missing "\n    " missing)
    message(FATAL_ERROR "this is ${full}, and not there:\n    ${missing}")
endif()
message(STATUS "everything names ${full}")
