// SPDX-License-Identifier: Apache-2.0
//
// Elements beside their neighbours, below a diagonal, all pairs of two lists, and a softmax beside a number of each row.
#include <fuse/stencil.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter laplacian("laplacian", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    const auto around = roll(x, 1, axes<0>) + roll(x, -1, axes<0>) + roll(x, 1, axes<1>) + roll(x, -1, axes<1>);
    eval(executor(s), matrix<"y">(s, k) = x + 0.1F * (around - 4 * x));
});

const Enter triangle("lower_triangle", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = where(fuse::index<1>() <= fuse::index<0>(), matrix<"x">(s, k), 0));
});

const Enter pairs("pair_sums", [](const Setup& s, int k) {
    const auto x = shaped<"x", element>(s, k, s.extent(0));
    const auto y = shaped<"y", element>(s, k, s.extent(1));
    eval(executor(s), shaped<"out", float>(s, k, s.extent(0)) = sum(exp(-square(expand_dims<1>(x) - y)), axes<1>));
});

const Enter scaled("scaled_softmax", [](const Setup& s, int k) {
    const auto factor = shaped<"k", float>(s, k, s.extent(0), index_t{1});
    eval(executor(s), matrix<"y">(s, k) = softmax(matrix<"x">(s, k) * factor));
});

}  // namespace
}  // namespace bench
