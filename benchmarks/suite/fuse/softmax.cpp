// SPDX-License-Identifier: Apache-2.0
//
// Softmax of rows.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter softmax_of_rows("softmax", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = softmax(matrix<"x">(s, k)));
});

const Enter log_softmax_of_rows("log_softmax", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = log_softmax(matrix<"x">(s, k)));
});

}  // namespace
}  // namespace bench
