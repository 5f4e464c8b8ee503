// SPDX-License-Identifier: Apache-2.0
//
// The steps along columns on the emulated device: in blocks of their own, beside rows, and folded by a walk along rows.
#include "lang/step_cases.hpp"
#include "support/targets.hpp"
#include "support/thread_sanitizer.hpp"

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

TEST_CASE("columns that blocks share, columns of a block each, and columns in one pass with rows") {
    const EmulatedTarget target;
    const auto check = [&target]<class T>(index_t rows, index_t columns, T, const char* kernel,
                                          Placement placement = Placement::row_major) {
        if constexpr (!under_thread_sanitizer || std::is_same_v<T, float>) {
            INFO("rows " << rows << ", columns " << columns);
            Tensor<EmulatedTarget, T> x_data(random_reals({rows, columns}, -2, 2, 20), placement);
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
        }
    };
    check(700, 9, 0.0F, "column split");
    check(130, 33, bfloat16(), "column split");
    check(3000, 302, std::int32_t(), "column split");  // each thread would have more than its share
    check(5, 500, 0.0F, "columns swept");
    check(31, 257, 0.0, "columns swept");
    check(1, 1, 0.0F, "columns swept");

    check(300, 64, 0.0F, "columns beside rows");
    check(300, 64, 0.0F, "column split", Placement::misaligned);
    check(301, 8, bfloat16(), "columns beside rows");
    check(130, 504, bfloat16(), "columns beside rows");
    check(200, 40, std::int32_t(), "columns beside rows");
    check(77, 256, 0.0, "columns beside rows");
    check(300, 2, 0.0, "columns beside rows");
    check(300, 400, 0.0F, "columns beside rows");  // by blocks of twice as many threads
    check(301, 500, 0.0F, "columns beside rows");
    check(300, 1000, bfloat16(), "columns beside rows");
    check(300, 2000, 0.0, "columns swept");        // more than threads hold
    check(3, 64, 0.0F, "columns swept");           // more would be left for the fold than there is to read
    check(70000, 4, 0.0F, "columns beside rows");  // each block leaves its part several times
}

TEST_CASE("columns that overwrite what a step beside their rows reads wait for it") {
    const EmulatedTarget target;
    Tensor<EmulatedTarget, float> x_data(random_reals({300, 8}, 0.5, 2, 24));
    Tensor<EmulatedTarget, float> w_data(random_reals({8}, -1, 1, 25));
    Tensor<EmulatedTarget, float> q_data(Extent{8});
    const NdArray x = x_data.read();
    const NdArray w = w_data.read();
    const auto v = x_data.const_view<"x", 2>();
    const auto scale = w_data.view<"w", 1>();
    const auto sums = q_data.view<"q", 1>() = scale * sum(v, axes<0>);
    const auto shares = scale = scale - sum(v / sum(v, axes<1>, keepdims), axes<0>);
    CHECK(column_kernel(sums, shares) == "column split");
    target.eval(sums, shares);
    check_close(q_data.read(), map_reference(times, w, reduce_reference(sum_reference, x, 0b01)), 1e-5, 1e-5);
    const NdArray row_sums = reduce_reference(sum_reference, x, 0b10, true);
    const NdArray share_sums = reduce_reference(sum_reference, map_reference(std::divides<>{}, x, row_sums), 0b01);
    check_close(w_data.read(), map_reference(std::minus<>{}, w, share_sums), 1e-5, 1e-5);
}

TEST_CASE("columns that a walk along rows folds") {
    check_layer_norm_gradients<EmulatedTarget, float>(EmulatedTarget{}, 70, 40, 2e-5);
}

TEST_CASE("columns that a walk along rows folds read what there is one of per row") {
    const EmulatedTarget target;
    const auto check = [&target]<class T, class W>(index_t rows, index_t columns, T, W) {
        INFO("rows " << rows << ", columns " << columns);
        Tensor<EmulatedTarget, T> x_data(random_integers({rows, columns}, -4, 4, 26));
        Tensor<EmulatedTarget, W> t_data(random_integers({rows}, std::is_unsigned_v<W> ? 0 : -4, 4, 27));
        const auto v = x_data.template const_view<"x", 2>();
        const auto t = expand_dims<1>(t_data.template const_view<"t", 1>());
        Tensor<EmulatedTarget, double> sum_data(Extent{columns});
        Tensor<EmulatedTarget, std::int64_t> worst_data(Extent{columns});
        Tensor<EmulatedTarget, double> row_data(Extent{rows});
        const auto sums = sum_data.template view<"q", 1>() = sum(cast<double>(v * t), axes<0>);
        const auto worst = worst_data.template view<"w", 1>() = argmax(v + t, axes<0>);
        const auto totals = row_data.template view<"r", 1>() = sum(v * t, axes<1>);
        NdArray product = x_data.read();
        NdArray shifted = product;
        const NdArray of_row = t_data.read();
        for_each_coordinate(product.extent, [&](const Coordinate& at) {
            product(at) *= of_row({at[0]});
            shifted(at) += of_row({at[0]});
        });
        const auto reads = [&](const auto&... statements) {
            CHECK(column_kernel(statements...) == "columns beside rows");
            target.eval(statements...);
        };
        reads(sums, totals);
        check_equal(sum_data.read(), reduce_reference(sum_reference, product, 0b01));
        check_equal(row_data.read(), reduce_reference(sum_reference, product, 0b10));
        reads(sums, worst, totals);  // so many accumulators that no row is loaded ahead
        check_equal(sum_data.read(), reduce_reference(sum_reference, product, 0b01));
        check_equal(worst_data.read(), reduce_reference(argmax_reference, shifted, 0b01));
        check_equal(row_data.read(), reduce_reference(sum_reference, product, 0b10));
    };
    check(300, 64, 0.0F, 0.0F);
    check(301, 8, 0.0F, std::int64_t());
    check(301, 16, bfloat16(), std::uint8_t());
    check(77, 256, 0.0, 0.0F);
    check(300, 2, 0.0, bfloat16());
}

TEST_CASE("sums of rows and of columns in one walk") {
    const EmulatedTarget target;
    const auto check = [&target]<class T>(index_t rows, index_t columns, T, const char* kernel) {
        INFO("rows " << rows << ", columns " << columns);
        Tensor<EmulatedTarget, T> x_data(random_integers({rows, columns}, -4, 4, 28));
        const auto v = x_data.template const_view<"x", 2>();
        Tensor<EmulatedTarget, float> column_data(Extent{columns}), row_data(Extent{rows});
        const auto sums = column_data.template view<"q", 1>() = sum(v, axes<0>);
        const auto totals = row_data.template view<"r", 1>() = sum(v, axes<1>);
        CHECK(column_kernel(sums, totals) == kernel);
        target.eval(sums, totals);
        check_equal(column_data.read(), reduce_reference(sum_reference, x_data.read(), 0b01));
        check_equal(row_data.read(), reduce_reference(sum_reference, x_data.read(), 0b10));
        CHECK((column_data.gaps_intact() && row_data.gaps_intact()));
    };
    // Few rows: the blocks that there are finish all columns.
    check(9, 8, 0.0F, "columns beside rows");
    check(20, 300, 0.0F, "columns beside rows");
    check(40, 2048, bfloat16(), "columns beside rows");
    check(2000, 1000, bfloat16(), "columns beside rows");  // so many that each has four vectors of a row
    check(300, 4096, bfloat16(), "columns beside rows");
    check(300, 4104, bfloat16(), "columns swept");  // more than threads hold
    check(4000, 24, bfloat16(), "columns beside rows");
}
