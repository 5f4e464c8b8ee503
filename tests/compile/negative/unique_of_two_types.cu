// SPDX-License-Identifier: Apache-2.0
//
// unique writes what it reads.
// expect: fuse: unique: both views have the same element type
#include <fuse/interop/cub.hpp>

void f(const float* p, double* q, int* n) {
    fuse::unique(fuse::cuda, fuse::view(p, 8), fuse::view(q, 8), fuse::view(n, fuse::shape()));
}
