# SPDX-License-Identifier: Apache-2.0
#
# What our own tests, examples and benchmarks compile with, and users never see: warnings as errors, OpenMP where it
# exists, and the architectures under test. Targets get it by linking fuse_development.

if(FUSE_OPENMP STREQUAL "OFF")
    set(OpenMP_CXX_FOUND FALSE)
elseif(FUSE_OPENMP STREQUAL "ON")
    find_package(OpenMP REQUIRED COMPONENTS CXX)
else()
    find_package(OpenMP COMPONENTS CXX)
endif()

add_library(fuse_development INTERFACE)
if(FUSE_HAS_CUDA)
    target_link_libraries(fuse_development INTERFACE fuse::cuda)
else()
    target_link_libraries(fuse_development INTERFACE fuse::fuse)
endif()

set(_fuse_werror "")
set(_fuse_cuda_werror "")
if(FUSE_WARNINGS_AS_ERRORS)
    set(_fuse_werror -Werror)
    set(_fuse_cuda_werror "SHELL:-Werror all-warnings")
endif()
# GCC 12 sees an impossible overlap in `"literal" + std::string` once that is inlined (GCC bug 105651). Our headers
# avoid the pattern, which packaging_subdirectory checks; tests may use it.
set(_fuse_no_restrict "")
set(_fuse_cuda_no_restrict "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    set(_fuse_no_restrict -Wno-restrict)
    set(_fuse_cuda_no_restrict ",-Wno-restrict")
endif()
# nvcc rewrites host code, which trips -Wpedantic and -Wconversion in lines nobody wrote.
target_compile_options(fuse_development INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wconversion;${_fuse_no_restrict};${_fuse_werror}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${_fuse_cuda_werror};-Xcompiler=-Wall,-Wextra,-Wshadow${_fuse_cuda_no_restrict}>")

if(OpenMP_CXX_FOUND)
    target_link_libraries(fuse_development INTERFACE OpenMP::OpenMP_CXX)
    # Before CMake 3.31 OpenMP reaches C++ files only; the host half of a .cu file wants it too.
    target_compile_options(fuse_development INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${OpenMP_CXX_FLAGS}>")
endif()
