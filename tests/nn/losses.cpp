// SPDX-License-Identifier: Apache-2.0
//
// The plans of losses of single elements, and losses of operands of different shapes. Their values are in
// loss_cases.hpp.
#include "nn/rows.hpp"

namespace {

using namespace fuse::testing;

template <class S>
constexpr bool one_sweep =
    S::kernels == 1 && S::phases == 1 && S::family == fuse::Family::full&& S::template passes<"x"> == 1 &&
    S::template passes<"t"> == 1;
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = mse_loss(matrix<"x">(), matrix<"t">()))>>);
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = l1_loss(matrix<"x">(), matrix<"t">()))>>);
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = huber_loss(matrix<"x">(), matrix<"t">()))>>);
static_assert(one_sweep<fuse::plan<
                  decltype(scalar_output<"loss">() = binary_cross_entropy_with_logits(matrix<"x">(), matrix<"t">()))>>);
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = kl_div(matrix<"x">(), matrix<"t">()))>>);

}  // namespace

TEST_CASE("mse_loss against a number and against a row") {
    const std::vector<float> input = {1, 2, 3, 4};
    const std::vector<float> row = {1, 1};
    const auto x = fuse::view<"x">(input.data(), 2, 2);
    CHECK(fuse::value(fuse::host, mse_loss(x, 1)) == 3.5F);
    CHECK(fuse::value(fuse::host, mse_loss(x, fuse::view<"row">(row.data(), 2))) == 3.5F);
}
