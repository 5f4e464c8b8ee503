// SPDX-License-Identifier: Apache-2.0
//
// The same loss as one kernel. Compiled only: the machine that packs the library need not have a GPU.
#include <fuse/fuse.hpp>

#include <cuda_runtime_api.h>

#include <cstdio>

int main() {
    float* a = nullptr;
    if (cudaMallocManaged(&a, 3 * sizeof(float)) != cudaSuccess) {
        std::puts("no GPU");
        return 1;
    }
    const auto x = fuse::view<"a">(a, 3);
    const float loss = fuse::value(fuse::cuda, fuse::mean(fuse::square(x - 1.0F)));
    std::printf("%g\n", loss);
}
