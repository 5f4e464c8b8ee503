// SPDX-License-Identifier: Apache-2.0
//
// Losses that reduce rows first, on the host and on the emulated device: values, plans, shapes.
#include "nn/row_loss_cases.hpp"

#include "nn/rows.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;
namespace reduction = fuse::reduction;
namespace loss = fuse::loss;

namespace {

// One walk over the rows, of `phases`, and the mean of the rows by the last block.
template <class E, int Phases>
constexpr bool one_walk = [] {
    using P = fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>;
    return P::kernels == 1 && P::steps == 1 && P::family == fuse::Family::rows && P::phases == Phases && P::epilogue &&
           P::template passes<"x"> == 1;
}();

// Operands with a number in them are one value each, however often the formula has them. Beside them, their numbers and
// the target there are the numbers of the loss.
template <class E, int Phases>
constexpr int
    leaves = one_walk<E, Phases>
                 ? int(fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>::planner::ir_leaves::size)
                 : -1;
using X = decltype(matrix<"x">() * 2);
using Y = decltype(matrix<"y">() * 2);
using Z = decltype(matrix<"z">() * 2);
static_assert(leaves<decltype(cosine_embedding_loss(std::declval<X>(), std::declval<Y>(), vector<"t">())), 1> == 6);
static_assert(
    leaves<decltype(triplet_margin_loss(std::declval<X>(), std::declval<Y>(), std::declval<Z>(), loss::swap)), 1> == 8);
static_assert(
    one_walk<decltype(triplet_margin_loss<1>(matrix<"x">(), matrix<"y">(), matrix<"z">(), 0.5, loss::swap)), 1>);
static_assert(leaves<decltype(distillation_loss(std::declval<X>(), std::declval<Y>(), 2.0)), 2> == 6);
static_assert(leaves<decltype(info_nce(std::declval<X>(), 0.1)), 2> == 4);  // one is the row's number
static_assert(leaves<decltype(dice_loss(std::declval<X>(), std::declval<Y>())), 1> == 5);

}  // namespace

TEMPLATE_TEST_CASE("losses of rows in nn.hpp", "", HostTarget, EmulatedTarget) {
    check_row_losses<float>(TestType{}, nn_extents);
    check_row_loss_edges(TestType{});
}

TEMPLATE_TEST_CASE("losses of rows of other types", "", double, fuse::bfloat16) {
    check_row_losses<TestType>(HostTarget{}, {{1, 1}, {5, 7}, {3, 1000}});
}

TEST_CASE("losses of rows: both directions of similarities in one kernel") {
    const std::vector<float> in = random_floats(16, 7);
    const auto s = fuse::view<"s">(in.data(), 4, 4);
    double expected = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        Numbers row;
        Numbers column;
        for (std::size_t j = 0; j < 4; ++j) {
            row.push_back(static_cast<double>(in[4 * i + j]));
            column.push_back(static_cast<double>(in[4 * j + i]));
        }
        expected += info_nce_reference(row, static_cast<fuse::index_t>(i), 0.5) / 8;
        expected += info_nce_reference(column, static_cast<fuse::index_t>(i), 0.5) / 8;
    }
    check_close(fuse::value(fuse::host, (info_nce(s, 0.5) + info_nce(transpose(s), 0.5)) / 2), expected, 8);
}

TEST_CASE("losses of rows: no rows, one row against a number of them, a single pair") {
    const std::vector<float> in = {3, 4, 0, 5, 4, 3};
    const std::vector<float> sign = {1, -1, 1};
    const auto none = fuse::view<"x">(in.data(), 0, 2);
    const auto [mean_of_none, sum_of_none] =
        fuse::value(fuse::host, distillation_loss(none, none), triplet_margin_loss(none, none, none, reduction::sum));
    CHECK((std::isnan(mean_of_none) && sum_of_none == 0));
    const auto x = fuse::view<"x">(in.data(), 3, 2);
    const auto row = fuse::view<"row">(in.data(), 2);
    const auto t = fuse::view<"t">(sign);
    // Cosines 1, 0.8 and 0.96.
    check_close(fuse::value(fuse::host, cosine_embedding_loss(x, row, t)), (0 + 0.8 + 0.04) / 3);
    const auto one = fuse::view<"one">(sign.data(), fuse::shape());
    check_close(fuse::value(fuse::host, cosine_embedding_loss(row, fuse::view<"other">(in.data() + 4, 2), one)), 0.04);
    const auto far = fuse::view<"far">(in.data() + 2, 2);
    check_close(fuse::value(fuse::host, triplet_margin_loss(row, row, far, 4.0)), 4 - std::sqrt(10.0), 8);
}
