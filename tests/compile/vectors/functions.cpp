// SPDX-License-Identifier: Apache-2.0
//
// One loop over floats with a logarithm, an exponential and what is made of it, and one over doubles. A call of the C library
// in it, or a branch, and no part of it would be vectors.
// vectors: mulps addps divps mulpd divpd
// dispatched: ymm zmm
// told: zmm
#include <fuse/fuse.hpp>

void functions(const float* in, float* out, fuse::index_t n) {
    const auto x = fuse::view<"x">(in, n);
    fuse::eval(fuse::host, fuse::view<"y">(out, n) = fuse::erf(x) * fuse::tanh(fuse::log(x)) + fuse::exp(x));
}

void wide_functions(const double* in, double* out, fuse::index_t n) {
    const auto x = fuse::view<"x">(in, n);
    fuse::eval(fuse::host, fuse::view<"y">(out, n) = fuse::tanh(fuse::log(x)) + fuse::exp(x));
}
