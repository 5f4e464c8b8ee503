// SPDX-License-Identifier: Apache-2.0
//
// One of two translation units that include everything and instantiate the same kernels. nvcc compiles this file too,
// through second.cu.
#include <fuse/fuse.hpp>

float second(const float* data, int count);

float second(const float* data, int count) {
    return fuse::value(fuse::host, fuse::sum(fuse::square(fuse::view<"x">(data, count))));
}
