// SPDX-License-Identifier: Apache-2.0
//
// Sorts of rows.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter row_sort("row_sort", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = sort(matrix<"x">(s, k), axes<1>));
});

}  // namespace
}  // namespace bench
