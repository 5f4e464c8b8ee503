// SPDX-License-Identifier: Apache-2.0
//
// Sums of everything.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter sum_of_all("sum", [](const Setup& s, int k) {
    eval(executor(s), scalar_of<"out">(s, k) = sum(array<"x">(s, k)));
});

const auto squared_error = [](const Setup& s, int k) {
    eval(executor(s), scalar_of<"out">(s, k) = mean(square(array<"a">(s, k) - array<"b">(s, k))));
};
const Enter mse("mse", squared_error);
const Enter mse_small("mse_small", squared_error);
const Enter mse_unaligned("mse_unaligned", squared_error);

const Enter mse_value("mse_value", [](const Setup& s, int k) {
    *s.at<float>("out", k) = value(plain_executor(s), mean(square(array<"a">(s, k) - array<"b">(s, k))));
});

}  // namespace
}  // namespace bench
