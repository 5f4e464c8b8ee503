// SPDX-License-Identifier: Apache-2.0
//
// Reductions of rows, columns and the middle axis.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter row_sum("row_sum", [](const Setup& s, int k) {
    eval(executor(s), shaped<"y", float>(s, k, s.extent(0)) = sum(matrix<"x">(s, k), axes<1>));
});

const Enter row_argmax("row_argmax", [](const Setup& s, int k) {
    eval(executor(s), shaped<"y", index_t>(s, k, s.extent(0)) = argmax(matrix<"x">(s, k), axes<1>));
});

const Enter column_sum("column_sum", [](const Setup& s, int k) {
    eval(executor(s), shaped<"y", float>(s, k, s.extent(1)) = sum(matrix<"x">(s, k), axes<0>));
});

const Enter middle_sum("middle_sum", [](const Setup& s, int k) {
    const index_t a = s.extent(0), b = s.extent(1), c = s.extent(2);
    eval(executor(s), shaped<"y", float>(s, k, a, c) = sum(shaped<"x", element>(s, k, a, b, c), axes<1>));
});

}  // namespace
}  // namespace bench
