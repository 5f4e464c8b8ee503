// SPDX-License-Identifier: Apache-2.0
//
// Scans of rows and columns, discounted sums, compaction.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter row_cumsum("row_cumsum", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = cumsum(matrix<"x">(s, k), axes<1>));
});

const Enter column_cumsum("column_cumsum", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = cumsum(matrix<"x">(s, k), axes<0>));
});

const Enter discounted("discounted_cumsum", [](const Setup& s, int k) {
    eval(executor(s), array<"y">(s, k) = discounted_cumsum(array<"x">(s, k), 0.9F, axes<0>));
});

const Enter kept("compact", [](const Setup& s, int k) {
    const auto x = array<"x">(s, k);
    eval(executor(s), array<"y">(s, k) = compact(x, x > 0.25F));
});

}  // namespace
}  // namespace bench
