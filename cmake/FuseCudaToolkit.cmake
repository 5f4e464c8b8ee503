# SPDX-License-Identifier: Apache-2.0
#
# fuse_find_cuda_toolkit([REQUIRED | QUIET]): the targets of the CUDA toolkit, CUDA::cudart_static among them.
#
# FindCUDAToolkit of CMake 3.25.1, which Debian 12 has, deprecates CUDA::nvToolsExt in projects that ask for CMake 3.25 or
# later, and stops if there is none, as in CUDA 13. So it is told that the project asks for less.

function(fuse_find_cuda_toolkit)
    set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
    find_package(CUDAToolkit ${ARGN})
endfunction()
