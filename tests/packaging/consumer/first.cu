// SPDX-License-Identifier: Apache-2.0
//
// The same as first.cpp, compiled by nvcc, and a kernel beside it. Nobody calls it: a machine without a GPU is enough.
#include "first.cpp"

float first_on_gpu(const float* data, int count);

float first_on_gpu(const float* data, int count) {
    return fuse::value(fuse::cuda, fuse::sum(fuse::square(fuse::view<"x">(data, count))));
}
