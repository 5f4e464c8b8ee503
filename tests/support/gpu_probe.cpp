// SPDX-License-Identifier: Apache-2.0
//
// Linked into the tests that launch kernels: tells catch_main.cpp whether there is a GPU to launch them on.
#include <cuda_runtime_api.h>

const char* fuse_test_skip_reason();

const char* fuse_test_skip_reason() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
        return "no GPU or no driver";
    }
    // Any other failure is a fault of the machine that the tests should show, not hide.
    return nullptr;
}
