// SPDX-License-Identifier: Apache-2.0
//
// Scalings of rows.
#include <fuse/nn.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter moments("standardize", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = standardize(matrix<"x">(s, k)));
});

const Enter range("minmax_scale", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = minmax_scale(matrix<"x">(s, k)));
});

const Enter length("l2_normalize", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = l2_normalize(matrix<"x">(s, k)));
});

const Enter add_layer("add_layer_norm", [](const Setup& s, int k) {
    const index_t n = s.extent(1);
    const auto [output, total] = add_layer_norm(matrix<"x">(s, k), matrix<"r">(s, k), shaped<"w", element>(s, k, n),
                                                shaped<"b", element>(s, k, n));
    eval(executor(s), matrix<"y">(s, k) = output, matrix<"h">(s, k) = total);
});

}  // namespace
}  // namespace bench
