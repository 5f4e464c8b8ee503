// SPDX-License-Identifier: Apache-2.0
//
// The plan of cross_entropy, its targets of every kind, and classes on a middle axis. Values are in loss_cases.hpp.
#include "nn/rows.hpp"

namespace {

using namespace fuse::testing;
namespace reduction = fuse::reduction;

// Per row: maximum, sum and the target's logit; then the mean of the rows, by the last block.
using CrossEntropy =
    fuse::plan<decltype(scalar_output<"loss">() = cross_entropy(matrix<"x">(), vector<"t", std::int64_t>()))>;
static_assert(CrossEntropy::kernels == 1 && CrossEntropy::family == fuse::Family::rows && CrossEntropy::phases == 2);
static_assert(CrossEntropy::epilogue && CrossEntropy::passes<"x"> == 1 && CrossEntropy::passes<"t"> == 1);
// Maximum, the target's logit, sum; loss, count. Nothing stands twice in the plan although the formula
// repeats it.
static_assert(CrossEntropy::planner::ir_reductions::size == 5);

// The loss and its gradient share the reductions: nothing is read or computed twice.
using WithGradient =
    fuse::plan<decltype(scalar_output<"loss">() = cross_entropy(matrix<"x">(), vector<"t", std::int64_t>())),
               decltype(matrix<"dx">() = softmax(matrix<"x">()) -
                                         (fuse::index<1>() == fuse::expand_dims<1>(vector<"t", std::int64_t>())))>;
static_assert(WithGradient::kernels == 1 && WithGradient::phases == 2 && WithGradient::passes<"x"> == 1);
static_assert(WithGradient::planner::ir_reductions::size == CrossEntropy::planner::ir_reductions::size);

}  // namespace

TEST_CASE("cross_entropy: ignored rows, targets of any integer type, targets out of range") {
    const std::vector<float> in = {0, 0, 1, 1, 2, 2};
    const double two = std::log(2.0);
    const auto x = fuse::view<"x">(in.data(), 3, 2);
    const std::vector<std::uint8_t> bytes = {0, 255, 1};
    check_close(fuse::value(fuse::host, fuse::cross_entropy<255>(x, fuse::view<"t">(bytes.data(), 3))), two);
    const std::vector<int> all_ignored = {-100, -100, -100};
    CHECK(std::isnan(fuse::value(fuse::host, cross_entropy(x, fuse::view<"t">(all_ignored.data(), 3)))));
    const std::vector<int> beyond = {0, 2, 1};
    CHECK(std::isinf(fuse::value(fuse::host, cross_entropy(x, fuse::view<"t">(beyond.data(), 3)))));
}

TEST_CASE("cross_entropy of classes on a middle axis") {
    const std::vector<float> in = random_floats(2 * 3 * 4, 18);
    const std::vector<int> target = {0, 1, 2, 0, 1, 2, 0, 1};
    std::vector<float> out(8);
    fuse::eval(fuse::host, fuse::view<"y">(out.data(), 2, 4) =
                               cross_entropy(fuse::view<"x">(in.data(), 2, 3, 4), fuse::view<"t">(target.data(), 2, 4),
                                             reduction::none));
    for (std::size_t n = 0; n < 2; ++n) {
        for (std::size_t p = 0; p < 4; ++p) {
            const auto logit = [&](std::size_t c) { return static_cast<double>(in[n * 12 + c * 4 + p]); };
            const double sum = std::exp(logit(0)) + std::exp(logit(1)) + std::exp(logit(2));
            check_close(out[n * 4 + p], std::log(sum) - logit(static_cast<std::size_t>(target[n * 4 + p])), 3);
        }
    }
}
