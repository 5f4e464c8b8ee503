// SPDX-License-Identifier: Apache-2.0
//
// The mean squared error of two vectors in one expression: what thrust_transform_reduce.cu computes.
#include <fuse/fuse.hpp>

float mean_squared_error(const float* a, const float* b, fuse::index_t count) {
    return fuse::value(fuse::cuda, fuse::mean(fuse::square(fuse::view<"a">(a, count) - fuse::view<"b">(b, count))));
}
