# SPDX-License-Identifier: Apache-2.0
#
# Teaches CMake that nvcc speaks C++20. CMake 3.25.1, the one Debian 12 ships, rejects CUDA_STANDARD 20 and the feature
# cuda_std_20 although nvcc has accepted -std=c++20 since 12.0; 3.25.2 knows it. Both our own build and the installed
# package include this file, so a consumer needs no workaround of its own.
#
# Include it after the CUDA language is enabled. It sets ordinary variables, so it acts on the including directory and
# those below it. While CMake first probes nvcc (enable_language, project) CMAKE_CUDA_STANDARD must not be 20 yet.

if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.0
   AND NOT "cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
