// SPDX-License-Identifier: Apache-2.0
//
// The plans of softmax and log_softmax, and what norm_cases.hpp has not: both axes, integers, a view without a name.
#include "nn/rows.hpp"

namespace {

using namespace fuse::testing;
using fuse::axes;

// One kernel; the row is read once, for both reductions and the map back.
using Softmax = fuse::plan<decltype(matrix<"y">() = softmax(matrix<"x">()))>;
static_assert(Softmax::kernels == 1 && Softmax::temporaries == 0);
static_assert(Softmax::family == fuse::Family::rows && Softmax::phases == 2 && Softmax::passes<"x"> == 1);
using LogSoftmax = fuse::plan<decltype(matrix<"y">() = log_softmax(matrix<"x">()))>;
static_assert(LogSoftmax::kernels == 1 && LogSoftmax::phases == 2 && LogSoftmax::passes<"x"> == 1);
using Columns = fuse::plan<decltype(matrix<"y">() = softmax(matrix<"x">(), axes<0>))>;
static_assert(Columns::family == fuse::Family::columns && Columns::phases == 2 && Columns::passes<"x"> == 1);

}  // namespace

TEST_CASE("softmax over both axes") {
    const std::vector<float> in = random_floats(9 * 70, 2);
    std::vector<float> out(in.size());
    fuse::eval(fuse::host, fuse::view<"y">(out.data(), 9, 70) = softmax(fuse::view<"x">(in.data(), 9, 70), axes<0, 1>));
    double total = 0;
    for (const float v : in) {
        total += std::exp(static_cast<double>(v));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        check_close(out[i], std::exp(static_cast<double>(in[i])) / total, 0.1);
    }
}

TEST_CASE("softmax of an unnamed view and of integers") {
    const std::vector<int> in = {1, 2, 3, 4};
    std::vector<float> out(4);
    fuse::eval(fuse::host, fuse::view(out.data(), 4) = softmax(fuse::view(in.data(), 4)));
    const double total = std::exp(-3.0) + std::exp(-2.0) + std::exp(-1.0) + 1;
    for (std::size_t i = 0; i < 4; ++i) {
        check_close(out[i], std::exp(static_cast<double>(in[i]) - 4) / total);
    }
}
