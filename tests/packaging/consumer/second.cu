// SPDX-License-Identifier: Apache-2.0
//
// The same as second.cpp, compiled by nvcc, and a kernel beside it. Nobody calls it: a machine without a GPU is enough.
#include "second.cpp"

float second_on_gpu(const float* data, int count);

float second_on_gpu(const float* data, int count) {
    return fuse::value(fuse::cuda, fuse::sum(fuse::square(fuse::view<"x">(data, count))));
}
