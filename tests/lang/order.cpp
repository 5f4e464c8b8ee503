// SPDX-License-Identifier: Apache-2.0
//
// An op that does not commute sees its elements in order: rows, columns, separated axes and everything, in whatever
// way threads and blocks share the work.
#include "lang/user_op_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("an op that does not commute keeps the order of elements", "", HostTarget, EmulatedTarget) {
    const TestType target;
    const std::vector<Extent> shapes{{1, 1, 1}, {2, 3, 5}, {3, 7, 70}, {1, 40, 33}, {90, 2, 9}};
    check_order<0b100>(target, shapes);
    check_order<0b100>(target, {{1, 1, 900}, {1, 9, 2100}});
    check_order<0b010>(target, shapes);
    check_order<0b010>(target, {{2, 300, 5}, {1, 900, 40}});
    check_order<0b101>(target, shapes);
    check_order<0b111>(target, shapes);
}

TEMPLATE_TEST_CASE("the results of an op that does not commute are broadcast back", "", HostTarget, EmulatedTarget) {
    const TestType target;
    for (const Extent& extent : {Extent{3, 70}, Extent{5, 700}}) {
        const NdArray x = random_integers(extent, 0, 1000, 9);
        const NdArray shifts = reduce_reference(affine_reference, x, 0b10, true);
        Tensor<TestType, std::uint32_t> x_data(x);
        Tensor<TestType, std::uint32_t> y_data(extent);
        const auto v = x_data.template const_view<"x", 2>();
        const auto composed = reduce(Compose{}, map(MakeAffine{}, v * 2U + 1U, v * v), axes<1>, keepdims);
        target.eval(y_data.template view<"y", 2>() = v + map(ShiftOf{}, composed));
        const auto wrapped = [](double a, double b) {
            return static_cast<double>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
        };
        check_equal(y_data.read(), map_reference(wrapped, x, shifts));
    }
}

TEMPLATE_TEST_CASE("an epilogue that does not commute folds the rows in order", "", HostTarget, EmulatedTarget) {
    const TestType target;
    for (const Extent& extent : {Extent{3, 5}, Extent{130, 33}, Extent{700, 9}}) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_integers(extent, 0, 1000, 9);
        const NdArray sums = reduce_reference(sum_reference, x, 0b10);
        Tensor<TestType, std::uint32_t> x_data(x);
        const auto row = cast<std::uint32_t>(sum(x_data.template const_view<"x", 2>(), axes<1>));
        const auto composed = reduce(Compose{}, map(MakeAffine{}, row * 2U + 1U, row * row));
        CHECK(static_cast<double>(target.value(map(ShiftOf{}, composed))) == affine_reference(sums.value));
    }
}
