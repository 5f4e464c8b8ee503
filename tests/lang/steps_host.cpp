// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps, on the host; and what is refused before anything is written.
#include "lang/step_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("several sets of axes in one eval on the host") {
    const HostTarget target;
    for (const Placement placement : all_placements) {
        check_steps_of_matrix<HostTarget, double>(target, 37, 53, placement);
    }
    check_steps_of_matrix<HostTarget, double>(target, 64, 64, Placement::row_major);
    check_steps_of_matrix<HostTarget, double>(target, 1, 300, Placement::row_major);
    check_steps_of_matrix<HostTarget, double>(target, 300, 1, Placement::row_major);
    check_steps_after_rows(target, 50, 40);
    check_steps_of_images(target, {3, 4, 5, 6});
    check_layer_norm_gradients<HostTarget, float>(target, 40, 48, 2e-5);
    check_steps_of_other_ranks(target);
}

TEST_CASE("a step must not write what another one reads after it") {
    std::vector<float> data(12, 1.0F);
    std::vector<float> other(12, 1.0F);
    const auto x = view<"x">(data.data(), 3, 4);
    const auto y = view<"y">(other.data(), 3, 4);
    // In place, in the last step: every other step has read x before.
    eval(host, x = x / sum(x, axes<0>) + sum(x, axes<1>, keepdims));
    CHECK(data == std::vector<float>(12, 1.0F / 3 + 4));
    // y is written beside the row sums, and the columns of its data are read by another step.
    const auto same = view<"same">(other.data(), 3, 4);
    const std::vector<float> before = other;
    CHECK_THROWS_AS(eval(host, y = x - mean(x, axes<1>, keepdims), view<"q">(data.data(), 4) = sum(same, axes<0>)),
                    argument_error);
    CHECK(other == before);
}

TEST_CASE("outputs without elements, and what they alone would need, are left out of the steps") {
    std::vector<float> data(5, 2.0F);
    const auto none = view<"none">(data.data(), 5, 0);
    const auto y = view<"y">(data.data(), 5, 0);
    std::vector<float> sums(5, 7.0F);
    const auto s = view<"s">(sums.data(), 5);
    // The largest of nothing is asked for by y alone, which has no elements.
    eval(host, y = none - max(none) - sum(none, axes<0>), s = sum(none, axes<1>));
    CHECK(sums == std::vector<float>(5, 0.0F));
    CHECK_THROWS_AS(eval(host, s = max(none, axes<1>) + sum(none)), shape_error);
}

TEST_CASE("steps are prepared once and run many times, with other data") {
    std::vector<float> first(12, 2.0F);
    std::vector<float> second(12, 4.0F);
    std::vector<float> out(12);
    const auto x = view<"x">(first.data(), 3, 4);
    auto step = prepare(host, view<"y">(out.data(), 3, 4) = x / sum(x, axes<0>) + sum(x, axes<1>, keepdims));
    step();
    CHECK(out == std::vector<float>(12, 1.0F / 3 + 8));
    step.rebind(view<"x">(second.data(), 3, 4));
    step();
    step();
    CHECK(out == std::vector<float>(12, 1.0F / 3 + 16));
}
