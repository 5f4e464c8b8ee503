// SPDX-License-Identifier: Apache-2.0
//
// Random numbers of the language: every element against the number of its position by the paper's formula
// (primitives/random_cases.hpp), whatever the family, layout or shape. Statistics have fixed seeds, so they cannot fail
// by chance, and bounds of five standard deviations.
#pragma once

#include "lang/special_cases.hpp"
#include "primitives/random_cases.hpp"

namespace fuse::testing {

/// Number i of a seed, by the formula.
template <class D>
double plain_number(std::uint64_t seed, index_t i) {
    return PlainNumber<D>::at(PhiloxState{seed}, static_cast<std::uint64_t>(i));
}
/// An array of them.
template <class D>
NdArray plain_numbers(std::uint64_t seed, const Extent& extent) {
    NdArray a(extent);
    for (std::size_t i = 0; i < a.value.size(); ++i) {
        a.value[i] = plain_number<D>(seed, static_cast<index_t>(i));
    }
    return a;
}

/// The first four numbers of seed 0 are the known answer of counter 0, key 0.
template <class Target>
void check_known_answer(const Target& target) {
    Tensor<Target, float> y(Extent{4});
    target.eval(y.template view<"y", 1>() = fuse::uniform<0>());
    NdArray expected({4});
    for (std::size_t i = 0; i < 4; ++i) {
        expected.value[i] = (philox_answers[0].words.item[i] >> 8U) * 0x1p-24;
    }
    check_equal(y.read(), expected);
}

/// Outputs of any layout, filled or with the shape of a view; seeds of all kinds.
template <class Target>
void check_random_maps(const Target& target) {
    const Extent extent{7, 3, 37};
    const std::uint64_t seed = 0xfedcba9876543210U;
    const NdArray uniforms = plain_numbers<Uniform<float>>(seed, extent);
    for (const Placement placement : all_placements) {
        Tensor<Target, float> y(extent, placement), z(NdArray(extent, 1), placement);
        target.eval(y.template view<"y", 3>() = fuse::uniform(seed));
        check_equal(y.read(), uniforms);
        CHECK(y.gaps_intact());
        const auto v = z.template view<"z", 3>();
        target.eval(v = v * fuse::uniform(seed));
        check_equal(z.read(), uniforms);
    }
    Tensor<Target, double> wide(extent), gauss(extent);
    Tensor<Target, float> narrow(extent);
    const auto n = narrow.template view<"n", 3>();
    target.eval(wide.template view<"w", 3>() = fuse::uniform<-1, double>(), n = fuse::normal(-1),
                gauss.template view<"g", 3>() = fuse::normal<double>(12));
    check_equal(wide.read(), plain_numbers<Uniform<double>>(~std::uint64_t{0}, extent));
    check_close(narrow.read(), plain_numbers<Normal<float>>(~std::uint64_t{0}, extent), 0, 4e-6);
    check_close(gauss.read(), plain_numbers<Normal<double>>(12, extent), 0, 1e-14);

    // A seed in memory, and a seed for each column.
    Tensor<Target, std::int64_t> seeds(vector_of({5, 6, 7}));
    Tensor<Target, float> table(NdArray({4, 3}, 0));
    const auto t = table.template view<"t", 2>();
    target.eval(t += fuse::uniform(seeds.template const_view<"s", 1>()));
    const NdArray got = table.read();
    for_each_coordinate(got.extent, [&](const Coordinate& at) {
        const auto of_column = static_cast<std::uint64_t>(5 + at[1]);
        CHECK(got(at) == plain_number<Uniform<float>>(of_column, 3 * at[0] + at[1]));
    });
    target.eval(t = where(fuse::bernoulli<6>(0.25), 1, 0) + where(fuse::bernoulli(0.5, 7), 2, 0));
    const NdArray chosen = table.read();
    for (index_t i = 0; i < chosen.size(); ++i) {
        const int first = plain_number<Uniform<float>>(6, i) < 0.25 ? 1 : 0;
        const int second = plain_number<Uniform<float>>(7, i) < 0.5 ? 2 : 0;
        CHECK(chosen.value[static_cast<std::size_t>(i)] == first + second);
    }
    CHECK(target.value(fuse::uniform<5>()) == static_cast<float>(plain_number<Uniform<float>>(5, 0)));
}

/// Positions: of the statement, of an operand that is stretched along some axes, of one in another order, of nothing.
template <class Target>
void check_flat_index(const Target& target) {
    const Extent extent{4, 3, 35};
    Tensor<Target, float> x(NdArray(extent, 0)), page(NdArray({4, 1, 35}, 0)), column(NdArray({3}, 0));
    Tensor<Target, std::int64_t> all(extent), of_page(extent), of_column(extent), none(Extent{0, 3});
    const auto v = cast<std::int64_t>(x.template const_view<"x", 3>());
    const auto p = cast<std::int64_t>(page.template const_view<"p", 3>());
    const auto c = cast<std::int64_t>(column.template const_view<"c", 1>());
    const auto own = [](const auto& e) { return let(e, [](const auto& h) { return h; }); };
    target.eval(all.template view<"all", 3>() = v + fuse::flat_index(),
                of_page.template view<"of_page", 3>() = v + own(p + fuse::flat_index()),
                of_column.template view<"of_column", 3>() = own(expand_dims<1>(c) + fuse::flat_index()) + v);
    NdArray expected(extent), pages(extent), columns(extent);
    index_t i = 0;
    for_each_coordinate(extent, [&](const Coordinate& at) {
        expected(at) = static_cast<double>(i++);
        pages(at) = static_cast<double>(at[0] * 35 + at[2]);
        columns(at) = static_cast<double>(at[1]);
    });
    check_equal(all.read(), expected);
    check_equal(of_page.read(), pages);
    check_equal(of_column.read(), columns);
    target.eval(none.template view<"none", 2>() = fuse::flat_index());
}

/// In the operand of a reduction or a scan the numbers count in its axes: rows, columns, both, everything.
template <class Target>
void check_random_operands(const Target& target) {
    for (const Extent& extent : {Extent{5, 3}, Extent{3, 130}, Extent{130, 36}, Extent{66, 1025}}) {
        INFO(to_text(extent));
        const NdArray zero(extent, 0), u = plain_numbers<Uniform<float>>(9, extent);
        Tensor<Target, float> x(zero), rows(Extent{extent[0]}), columns(Extent{extent[1]}), scanned(extent),
            centred(extent);
        const auto v = x.template const_view<"x", 2>();
        const auto noisy = v + fuse::uniform(9);
        target.eval(rows.template view<"rows", 1>() = max(noisy, axes<1>));
        target.eval(columns.template view<"columns", 1>() = max(noisy, axes<0>));
        target.eval(scanned.template view<"scanned", 2>() = cummax(noisy, axes<1>));
        target.eval(centred.template view<"centred", 2>() = noisy - max(noisy, axes<0>));
        const auto largest = [](const Numbers& n) { return *std::max_element(n.begin(), n.end()); };
        check_equal(rows.read(), reduce_reference(largest, u, 0b10));
        const NdArray of_columns = reduce_reference(largest, u, 0b01);
        check_equal(columns.read(), of_columns);
        NdArray expected(extent), running(extent);
        for_each_coordinate(extent, [&](const Coordinate& at) {
            expected(at) = static_cast<double>(static_cast<float>(u(at) - of_columns({at[1]})));
            running(at) = at[1] == 0 ? u(at) : std::fmax(u(at), running({at[0], at[1] - 1}));
        });
        check_equal(centred.read(), expected);
        check_equal(scanned.read(), running);
        CHECK(target.value(max(noisy)) == static_cast<float>(largest(u.value)));
    }
    // The middle axis of three, which merges with none.
    const Extent extent{3, 40, 5};
    Tensor<Target, float> x(NdArray(extent, 0)), y(Extent{3, 5});
    target.eval(y.template view<"y", 2>() = min(x.template const_view<"x", 3>() - fuse::uniform<3>(), axes<1>));
    const auto least = [](const Numbers& n) { return -*std::max_element(n.begin(), n.end()); };
    check_equal(y.read(), reduce_reference(least, plain_numbers<Uniform<float>>(3, extent), 0b010));
}

/// What dropout makes of x.
inline NdArray dropped(const NdArray& x, double p, std::uint64_t seed) {
    NdArray y(x.extent);
    for (std::size_t i = 0; i < y.value.size(); ++i) {
        const bool drops = plain_number<Uniform<float>>(seed, static_cast<index_t>(i)) < p;
        y.value[i] = x.value[i] * (drops ? 0 : 1 / (1 - p));
    }
    return y;
}

template <class Target>
void check_dropout(const Target& target) {
    NdArray x({9, 70});
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        x.value[i] = static_cast<double>(i) - 300;
    }
    Tensor<Target, float> x_data(x), y_data(x.extent);
    Tensor<Target, double> wide(x.extent);
    Tensor<Target, std::int16_t> whole(x);
    const auto v = x_data.template const_view<"x", 2>();
    const auto y = y_data.template view<"y", 2>();
    target.eval(y = dropout(v, 0.75, 11));
    check_equal(y_data.read(), dropped(x, 0.75, 11));
    target.eval(y = fuse::dropout<11>(v, 0), wide.template view<"w", 2>() = dropout(v * 1.0F, 0.25, 11));
    check_equal(y_data.read(), x);
    check_close(wide.read(), dropped(x, 0.25, 11), 2e-7);
    target.eval(y = dropout(whole.template const_view<"i", 2>(), 1, 11));
    check_equal(y_data.read(), NdArray(x.extent, 0));
    CHECK_THROWS_AS(dropout(v, 1.5, 0), argument_error);
    CHECK_THROWS_AS(fuse::bernoulli(nan_v, 0), argument_error);

    // One row beside many: what is dropped is dropped in all of them.
    const NdArray row({1, 70}, 4);
    Tensor<Target, float> row_data(row);
    target.eval(y = dropout(row_data.template const_view<"row", 2>(), 0.5, 2) + v * 0);
    const NdArray once = dropped(row, 0.5, 2), got = y_data.read();
    for_each_coordinate(got.extent, [&](const Coordinate& at) { CHECK(got(at) == once(at)); });

    // Between reductions: softmax, dropout and a sum of rows in one kernel.
    NdArray ones({9, 64}, 0), sums({9});
    Tensor<Target, float> scores(ones), totals(Extent{9});
    target.eval(totals.template view<"totals", 1>() =
                    sum(dropout(softmax(scores.template const_view<"s", 2>()), 0.5, 4), axes<1>));
    const NdArray kept = dropped(NdArray({9, 64}, 1.0 / 64), 0.5, 4);
    for_each_coordinate(kept.extent, [&](const Coordinate& at) { sums({at[0]}) += kept(at); });
    check_close(totals.read(), sums, 1e-6);
}

/// Means, variances and frequencies of n numbers.
template <class Target>
void check_random_statistics(const Target& target) {
    const index_t n = 1 << 16;
    const double sigma = 5 / std::sqrt(static_cast<double>(n));
    Tensor<Target, float> zeros(NdArray({n}, 0));
    const auto zero = zeros.template const_view<"zero", 1>();
    const auto u = zero + fuse::uniform(2026);
    const auto z = zero + fuse::normal(2026);
    const auto other = zero + fuse::normal(2027);
    const auto exact = fuse::accumulate<double>;
    const auto [u_mean, u_square, z_mean, z_square, z_fourth, both, hits] = target.value(
        mean(u, exact), mean(square(u - 0.5F), exact), mean(z, exact), mean(square(z), exact),
        mean(square(square(z)), exact), mean(z * other, exact), count_nonzero(fuse::bernoulli(zero + 0.3F, 2026)));
    CHECK(std::fabs(u_mean - 0.5) < sigma * std::sqrt(1.0 / 12));
    CHECK(std::fabs(u_square - 1.0 / 12) < sigma * std::sqrt(1.0 / 180));
    CHECK(std::fabs(z_mean) < sigma);
    CHECK(std::fabs(z_square - 1) < sigma * std::sqrt(2.0));
    CHECK(std::fabs(z_fourth - 3) < sigma * std::sqrt(96.0));
    CHECK(std::fabs(both) < sigma);
    CHECK(std::fabs(static_cast<double>(hits) / static_cast<double>(n) - 0.3) < sigma * std::sqrt(0.21));
}

}  // namespace fuse::testing
