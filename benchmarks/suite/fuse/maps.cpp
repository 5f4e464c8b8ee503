// SPDX-License-Identifier: Apache-2.0
//
// Element by element, and transposed.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter axpby("axpby", [](const Setup& s, int k) {
    eval(executor(s), array<"y">(s, k) = 0.5F * array<"a">(s, k) + 2.0F * array<"b">(s, k));
});

const Enter gelu_chain("gelu_chain", [](const Setup& s, int k) {
    eval(executor(s), array<"y">(s, k) = gelu(array<"a">(s, k) * array<"b">(s, k) + array<"c">(s, k)));
});

const Enter transpose("transpose", [](const Setup& s, int k) {
    const index_t rows = s.extent(0), columns = s.extent(1);
    const auto x = view<"x">(s.at<element>("x", k), shape(columns, rows), strides(index_t{1}, columns));
    eval(executor(s), shaped<"y", element>(s, k, columns, rows) = x * 2.5F);
});

const Enter to_nhwc("to_nhwc", [](const Setup& s, int k) {
    const index_t n = s.extent(0), c = s.extent(1), h = s.extent(2), w = s.extent(3);
    const auto x = view<"x">(s.at<element>("x", k), shape(n, h, w, c), strides(c * h * w, w, index_t{1}, h * w));
    eval(executor(s), shaped<"y", element>(s, k, n, h, w, c) = x);
});

}  // namespace
}  // namespace bench
