// SPDX-License-Identifier: Apache-2.0
//
// Ops of users, ops that do not commute, special values and random trees on the GPU: the bodies of tests/lang.
#include <random>

#include "lang/habit_cases.hpp"
#include "lang/project_cases.hpp"
#include "lang/special_cases.hpp"
#include "lang/tree_cases.hpp"
#include "lang/user_op_cases.hpp"
#include "nn/integer_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("ops and functors of users on the GPU", "[gpu]") {
    skip_without_gpu();
    check_protocol_ops(CudaTarget{});
    check_ops_with_state(CudaTarget{});
    check_capturing_functors(CudaTarget{});
}

TEST_CASE("what project returns is the result on the GPU", "[gpu]") {
    skip_without_gpu();
    const NdArray x = random_integers({3, 65}, -10, 9, 7);
    check_projected<std::int64_t, double>(CudaTarget{}, x);
    check_projected<std::uint8_t, float>(CudaTarget{}, x);
    check_declared_and_absent(CudaTarget{});
}

TEST_CASE("integers on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_integer_rows<std::uint8_t>(target);
    check_integer_rows<std::int32_t>(target);
    check_integer_losses<std::uint32_t>(target);
}

TEST_CASE("an op that does not commute keeps the order of elements on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    const std::vector<Extent> shapes{{1, 1, 1}, {2, 3, 5}, {3, 7, 70}, {1, 40, 33}, {90, 2, 9}, {7, 300, 501}};
    check_order<0b100>(target, shapes);
    check_order<0b100>(target, {{1, 1, 100000}, {1, 9, 30000}});
    check_order<0b010>(target, shapes);
    check_order<0b010>(target, {{2, 30000, 5}});
    check_order<0b111>(target, shapes);
}

TEST_CASE("NaN, infinities, ties and nothing at all on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_special_extrema(target);
    check_special_sums(target);
    check_ties(target);
    check_ties_in_rows(target);
    check_means_of_long_integers<std::int64_t>(target, std::int64_t{1} << 62);
    check_means_of_long_integers<std::uint64_t>(target, std::uint64_t{1} << 63);
    check_empty(target);
}

TEST_CASE("what users of NumPy type by habit on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_in_place(target);
    check_shifts(target);
    check_named_reductions(target);
    check_several_values(target);
    check_differences(target);
    check_conditions(target);
    check_lerp_and_limits(target);
}

TEST_CASE("random trees on the GPU", "[gpu]") {
    skip_without_gpu();
    const std::vector<Extent> shapes{{1, 1}, {5, 7}, {3, 68}, {40, 9}, {66, 132}};
    tree::check_trees<4, 300>(CudaTarget{}, shapes, std::random_device{}(), std::make_integer_sequence<unsigned, 8>{});
}
