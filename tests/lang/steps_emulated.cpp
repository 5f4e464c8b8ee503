// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps, on the emulated device: one launch, whose blocks meet between the levels.
#include "lang/step_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// The kernel of the first step along columns.
template <class... S>
std::string column_kernel(const S&... statements) {
    for (const Explanation& step : explain(EmulatedExecutor(), statements...).steps) {
        if (std::string(step.launch.name).find("column") == 0) {
            return step.launch.name;
        }
    }
    return "none";
}

}  // namespace

TEST_CASE("several sets of axes in one launch on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::transposed}) {
        check_steps_of_matrix<EmulatedTarget, float>(target, 37, 53, placement);
    }
    check_steps_of_matrix<EmulatedTarget, float>(target, 64, 64, Placement::row_major);
    check_steps_of_matrix<EmulatedTarget, float>(target, 3, 2000, Placement::row_major);
    check_steps_of_matrix<EmulatedTarget, float>(target, 1500, 2, Placement::row_major);
    check_steps_of_matrix<EmulatedTarget, float>(target, 1, 1, Placement::row_major);
    check_steps_after_rows(target, 130, 40);
    check_steps_of_images(target, {3, 4, 5, 6});
    check_layer_norm_gradients<EmulatedTarget, fuse::bfloat16>(target, 70, 40, 2e-5);
    check_steps_of_other_ranks(target);
    CHECK(record.all() == std::set<std::string>{"steps 1"});
}

TEST_CASE("columns that blocks share, and columns of a block each, beside rows") {
    const EmulatedTarget target;
    const auto check = [&target]<class T>(index_t rows, index_t columns, T, const char* kernel) {
        INFO("rows " << rows << ", columns " << columns);
        Tensor<EmulatedTarget, T> x_data(random_reals({rows, columns}, -2, 2, 20));
        const NdArray x = x_data.read();
        const auto v = x_data.template const_view<"x", 2>();
        Tensor<EmulatedTarget, double> sum_data(Extent{columns});
        Tensor<EmulatedTarget, std::int64_t> worst_data(Extent{columns});
        Tensor<EmulatedTarget, T> most_data(Extent{rows});
        const auto sums = sum_data.template view<"q", 1>() = sum(cast<double>(v), axes<0>);
        const auto worst = worst_data.template view<"w", 1>() = argmax(v, axes<0>);
        const auto most = most_data.template view<"r", 1>() = max(v, axes<1>);
        CHECK(column_kernel(sums, worst, most) == kernel);
        target.eval(sums, worst, most);
        check_close(sum_data.read(), reduce_reference(sum_reference, x, 0b01), 1e-12, 1e-12);
        check_equal(worst_data.read(), reduce_reference(argmax_reference, x, 0b01));
        check_equal(most_data.read(), reduce_reference(max_reference, x, 0b10));
        CHECK((sum_data.gaps_intact() && worst_data.gaps_intact() && most_data.gaps_intact()));
    };
    check(700, 9, 0.0F, "column split");
    check(130, 33, bfloat16(), "column split");
    check(3000, 300, std::int32_t(), "column split");  // each thread would have more than its share
    check(5, 500, 0.0F, "columns swept");
    check(31, 257, 0.0, "columns swept");
    check(1, 1, 0.0F, "columns swept");
}
