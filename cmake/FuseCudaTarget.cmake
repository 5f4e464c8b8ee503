# SPDX-License-Identifier: Apache-2.0
#
# Defines fuse::cuda, the target a .cu file links: fuse::fuse plus the static CUDA runtime, extended lambdas and C++20.
# It is made here and not exported from the build, because the package is the same whether or not the machine that
# packed it has a CUDA toolkit. Architectures and optimisation flags are the consumer's choice and never set here.
#
# Needs fuse::fuse, the CUDA language and CUDA::cudart_static. Does nothing if fuse::cuda exists.

if(NOT TARGET fuse::cuda)
    add_library(fuse_cuda INTERFACE)
    add_library(fuse::cuda ALIAS fuse_cuda)
    target_link_libraries(fuse_cuda INTERFACE fuse::fuse CUDA::cudart_static)
    target_compile_features(fuse_cuda INTERFACE cuda_std_20)
    target_compile_options(fuse_cuda INTERFACE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--extended-lambda>)
endif()
