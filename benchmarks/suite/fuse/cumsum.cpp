// SPDX-License-Identifier: Apache-2.0
//
// Scans of one long axis.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const auto running_sum = [](const Setup& s, int k) {
    eval(executor(s), array<"y">(s, k) = cumsum(array<"x">(s, k), axes<0>));
};
const Enter cumsum_of_all("cumsum", running_sum);
const Enter unaligned("cumsum_unaligned", running_sum);

}  // namespace
}  // namespace bench
