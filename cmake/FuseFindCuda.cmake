# SPDX-License-Identifier: Apache-2.0
#
# Turns FUSE_CUDA (AUTO, ON or OFF) into FUSE_HAS_CUDA, and enables the CUDA language in our own build.
#
# check_language(CUDA) is of no use here: it answers no without a word when the toolchain asks for C++20. So nvcc is
# searched for and tried on a one-line C++20 kernel; only one that passes is handed to CMake, since enable_language
# cannot fail softly.

set(FUSE_HAS_CUDA FALSE)

# Sets `result` to the empty string if nvcc compiles C++20, else to the reason why it does not.
function(fuse_try_nvcc nvcc result)
    set(dir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/fuse_try_nvcc")
    file(WRITE "${dir}/try.cu" "template <class T> requires true __global__ void k(T) {}\nvoid f() { k<<<1, 1>>>(0); }\n")
    set(host_compiler "")
    if(CMAKE_CUDA_HOST_COMPILER)
        set(host_compiler "-ccbin=${CMAKE_CUDA_HOST_COMPILER}")
    endif()
    execute_process(
        COMMAND "${nvcc}" -std=c++20 ${host_compiler} -c try.cu -o try.o
        WORKING_DIRECTORY "${dir}" OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
    if(code EQUAL 0)
        set(${result} "" PARENT_SCOPE)
    else()
        set(${result} "${nvcc} cannot compile C++20 (12.0 or later is needed):\n${output}" PARENT_SCOPE)
    endif()
endfunction()

get_property(_fuse_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(FUSE_CUDA STREQUAL "OFF")
    set(_fuse_cuda_problem "FUSE_CUDA is OFF")
elseif("CUDA" IN_LIST _fuse_languages)
    set(_fuse_cuda_problem "")
elseif(NOT PROJECT_IS_TOP_LEVEL)
    # A language must be enabled in the topmost directory that uses it, which here is the consumer's.
    set(_fuse_cuda_problem "the project enables no CUDA language before it adds fuse")
else()
    find_program(FUSE_NVCC nvcc
        HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME
        PATHS /usr/local/cuda /opt/cuda PATH_SUFFIXES bin
        DOC "The CUDA compiler")
    if(CMAKE_CUDA_COMPILER)
        set(_fuse_nvcc "${CMAKE_CUDA_COMPILER}")
    elseif(NOT "$ENV{CUDACXX}" STREQUAL "")
        set(_fuse_nvcc "$ENV{CUDACXX}")
    else()
        set(_fuse_nvcc "${FUSE_NVCC}")
    endif()
    if(_fuse_nvcc)
        fuse_try_nvcc("${_fuse_nvcc}" _fuse_cuda_problem)
    else()
        set(_fuse_cuda_problem "no nvcc found (set CUDACXX to its path)")
    endif()
endif()

if(_fuse_cuda_problem STREQUAL "")
    if(NOT "CUDA" IN_LIST _fuse_languages)
        if(NOT CMAKE_CUDA_COMPILER)
            set(CMAKE_CUDA_COMPILER "${_fuse_nvcc}" CACHE FILEPATH "The CUDA compiler")
        endif()
        if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
            set(CMAKE_CUDA_ARCHITECTURES "${FUSE_TEST_ARCHITECTURES}")
        endif()
        set(CMAKE_CUDA_STANDARD 17)
        enable_language(CUDA)
        unset(CMAKE_CUDA_STANDARD)
    endif()
    include("${CMAKE_CURRENT_LIST_DIR}/FuseCudaCxx20.cmake")
    include("${CMAKE_CURRENT_LIST_DIR}/FuseCudaToolkit.cmake")
    fuse_find_cuda_toolkit(REQUIRED)
    set(FUSE_HAS_CUDA TRUE)
    message(STATUS "fuse: CUDA and host, with nvcc ${CMAKE_CUDA_COMPILER_VERSION} (${CMAKE_CUDA_COMPILER})")
elseif(FUSE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "FUSE_CUDA is ON, but ${_fuse_cuda_problem}")
else()
    message(STATUS "fuse: host only, because ${_fuse_cuda_problem}")
endif()
