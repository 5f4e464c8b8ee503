// SPDX-License-Identifier: Apache-2.0
//
// Losses of rows, and their mean.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter classes("cross_entropy", [](const Setup& s, int k) {
    const auto target = shaped<"t", std::int64_t>(s, k, s.extent(0));
    eval(executor(s), scalar_of<"out">(s, k) = cross_entropy(matrix<"x">(s, k), target));
});

const Enter kl("kl_rows", [](const Setup& s, int k) {
    const auto student = log_softmax(matrix<"a">(s, k));
    const auto teacher = log_softmax(matrix<"b">(s, k));
    eval(executor(s), scalar_of<"out">(s, k) = mean(sum(exp(teacher) * (teacher - student), axes<1>)));
});

}  // namespace
}  // namespace bench
