// SPDX-License-Identifier: Apache-2.0
//
// Operands that do not span the domain of an eval: of lower rank, or with extents of 1 that others stretch. Everything
// as numpy computes it.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

/// The axes of an array all at once.
inline std::uint32_t all_axes(const NdArray& x) {
    return (1U << x.extent.size()) - 1U;
}
/// The product of -1 for each element up to 2.
inline double signs_reference(const Numbers& v) {
    double product = 1;
    for (const double e : v) {
        product *= e > 2 ? 1 : -1;
    }
    return product;
}

/// An output of one number that must hold `expected` at the end of its life's eval.
template <class Target>
class Result {
public:
    explicit Result(double expected) : data_(Extent{}), expected_(expected) {}
    auto operator()() { return data_.template view<"result", 0>(); }
    void check() const { CHECK(data_.read().value[0] == Catch::Approx(expected_).epsilon(1e-5)); }

private:
    Tensor<Target, double> data_;
    double expected_;
};

/// Full reductions of x, of rank Rank, beside those of v, of rank Low: together in one value, and in their own outputs; All:
/// of all kinds.
template <int Rank, int Low, bool All = false, class Target>
void check_full_pair(const Target& target, const Extent& extent, const Extent& low) {
    INFO("x " << to_text(extent) << ", v " << to_text(low));
    const NdArray x = random_integers(extent, 1, 3, 1);
    const NdArray v = random_integers(low, 1, 4, 2);
    const NdArray xv = map_reference([](double a, double b) { return a * b; }, x, v);
    Tensor<Target, float> x_data(x);
    Tensor<Target, float> v_data(v);
    const auto X = x_data.template const_view<"x", Rank>();
    const auto V = v_data.template const_view<"v", Low>();
    const double sx = sum_reference(x.value);
    const double sv = sum_reference(v.value);

    Result<Target> q(sum_reference(xv.value) / sv), t(sv), am(argmax_reference(x.value));
    if constexpr (!All) {
        target.eval(q() = sum(X * V) / sum(V), am() = argmax(X), t() = sum(V));
        q.check();
    } else {
        CHECK(static_cast<double>(target.value(sum(X) + sum(V))) == sx + sv);
        CHECK(static_cast<double>(target.value(sum(X * V) / sum(V))) == Catch::Approx(sum_reference(xv.value) / sv));
        Result<Target> s(sx), av(argmax_reference(v.value)), mx(max_reference(x.value) - max_reference(v.value)),
            me(mean_reference(x.value) - mean_reference(v.value)), pr(signs_reference(v.value)), an(1), mn(sx - 2 * sv);
        target.eval(s() = sum(X), t() = sum(V), mx() = max(X) - max(V), me() = mean(X) - mean(V), am() = argmax(X),
                    av() = argmax(V), pr() = prod(where(V > 2, V / V, -1)),
                    an() = cast<double>(any(V > 0) && all(X > 0)), mn() = sum(X) - sum(V * 2));
        for (const Result<Target>* r : {&s, &av, &mx, &me, &pr, &an, &mn}) {
            r->check();
        }
    }
    t.check();
    am.check();
}

template <class Target>
void check_full_pairs(const Target& target) {
    check_full_pair<1, 0>(target, {5}, {});
    for (const index_t n : {3, 1, 67, 300}) {
        check_full_pair<2, 1, true>(target, {2, n}, {n});
        check_full_pair<2, 1, true>(target, {2, n}, {1});
        check_full_pair<2, 1, true>(target, {1, n}, {n});
        check_full_pair<2, 2>(target, {2, n}, {2, 1});
        check_full_pair<2, 2>(target, {2, n}, {1, n});
        check_full_pair<2, 2>(target, {2, n}, {1, 1});
    }
    check_full_pair<3, 1>(target, {2, 3, 4}, {4});
    check_full_pair<3, 1>(target, {2, 3, 68}, {1});
    check_full_pair<3, 2>(target, {2, 3, 4}, {3, 4});
    check_full_pair<3, 2>(target, {3, 1, 2}, {1, 2});
    check_full_pair<3, 2>(target, {3, 5, 2}, {5, 1});
    check_full_pair<3, 2>(target, {3, 5, 2}, {1, 2});
}

/// Three ranks at once, and what a row kernel does beside values that all rows share.
template <class Target>
void check_shared_values(const Target& target) {
    const NdArray x = random_integers({2, 3, 36}, 1, 3, 1);
    const NdArray m = random_integers({3, 36}, 1, 3, 2);
    const NdArray v = random_integers({36}, 1, 3, 3);
    Tensor<Target, float> x_data(x), m_data(m), v_data(v), y_data(x.extent), r_data(Extent{2, 3});
    const auto X = x_data.template const_view<"x", 3>();
    const auto M = m_data.template const_view<"m", 2>();
    const auto V = v_data.template const_view<"v", 1>();
    const double sx = sum_reference(x.value);
    const double sm = sum_reference(m.value);
    const double sv = sum_reference(v.value);
    CHECK(static_cast<double>(target.value(sum(X) + 10 * sum(M) + 100 * sum(V))) == sx + 10 * sm + 100 * sv);

    // An epilogue of rows, one of elements, a value that all rows share and one made of it.
    const NdArray rows = reduce_reference(sum_reference, x, 0b100);
    const double mv = mean_reference(v.value);
    double spread = 0;
    for (const double e : v.value) {
        spread += (e - mv) * (e - mv);
    }
    Result<Target> a(mean_reference(rows.value)), c(sv), d(spread / 36);
    target.eval(r_data.template view<"r", 2>() = sum(X, axes<2>), a() = mean(sum(X, axes<2>)), c() = sum(V),
                d() = var(V), y_data.template view<"y", 3>() = X - sum(V));
    check_equal(r_data.read(), rows);
    check_equal(y_data.read(), map_reference([sv](double u) { return u - sv; }, x));
    for (const Result<Target>* r : {&a, &c, &d}) {
        r->check();
    }
}

/// Reductions of c, stretched along some axes of x, as parts of what is computed with x.
template <std::uint32_t Mask, class Target, class Axes>
void check_stretched_reduction(const Target& target, const Extent& extent, const Extent& small, Axes along) {
    INFO("x " << to_text(extent) << ", c " << to_text(small));
    const NdArray x = random_integers(extent, 1, 9, 4);
    const NdArray c = random_integers(small, 1, 9, 5);
    Tensor<Target, float> x_data(x), c_data(c), y_data(broadcast_extent(extent, reduced_extent(small, Mask, true)));
    Tensor<Target, float> r_data(reduced_extent(small, Mask, true));
    Tensor<Target, index_t> i_data(reduced_extent(small, Mask, true));
    const auto X = x_data.template const_view<"x", 2>();
    const auto C = c_data.template const_view<"c", 2>();
    target.eval(y_data.template view<"y", 2>() = X + sum(C, along, keepdims) * 10 - mean(C, along, keepdims),
                r_data.template view<"r", 2>() = max(C, along, keepdims),
                i_data.template view<"i", 2>() = argmax(C, along, keepdims));
    const NdArray sums = reduce_reference(sum_reference, c, Mask, true);
    const NdArray means = reduce_reference(mean_reference, c, Mask, true);
    check_close(y_data.read(),
                map_reference([](double a, double s, double m) { return a + s * 10 - m; }, x, sums, means), 1e-5);
    check_equal(r_data.read(), reduce_reference(max_reference, c, Mask, true));
    check_equal(i_data.read(), reduce_reference(argmax_reference, c, Mask, true));
}

template <class Target>
void check_stretched_reductions(const Target& target) {
    for (const Extent& extent : {Extent{3, 4}, Extent{5, 70}, Extent{66, 3}, Extent{2, 700}}) {
        for (const Extent& small : {extent, Extent{extent[0], 1}, Extent{1, extent[1]}, Extent{1, 1}}) {
            check_stretched_reduction<0b11>(target, extent, small, axes<0, 1>);
            check_stretched_reduction<0b10>(target, extent, small, axes<1>);
            check_stretched_reduction<0b01>(target, extent, small, axes<0>);
        }
    }
}

/// Outputs that are smaller than the domain, in maps and beside rows. One alone: reported_cases.hpp.
template <class Target>
void check_small_outputs(const Target& target) {
    for (const Extent& extent : {Extent{3, 4}, Extent{5, 130}}) {
        const NdArray x = random_integers(extent, 1, 9, 6);
        const NdArray r = random_integers({extent[1]}, 1, 9, 7);
        const NdArray c = random_integers({extent[0], 1}, 1, 9, 8);
        Tensor<Target, float> x_data(x), r_data(r), c_data(c), y_data(extent), a_data(r.extent), b_data(c.extent);
        const auto X = x_data.template const_view<"x", 2>();
        const auto R = r_data.template const_view<"r", 1>();
        const auto C = c_data.template const_view<"c", 2>();
        const auto y = y_data.template view<"y", 2>();
        const auto a = a_data.template view<"a", 1>();
        const auto b = b_data.template view<"b", 2>();
        target.eval(y = X * R, a = R * 2, b = C * 3);
        check_equal(y_data.read(), map_reference([](double u, double v) { return u * v; }, x, r));
        check_equal(a_data.read(), map_reference([](double v) { return v * 2; }, r));
        check_equal(b_data.read(), map_reference([](double v) { return v * 3; }, c));

        const NdArray largest = reduce_reference(max_reference, x, 0b10, true);
        target.eval(y = X - max(X, axes<1>, keepdims), a = R + 1, b = C + 1);
        check_equal(y_data.read(), map_reference([](double u, double v) { return u - v; }, x, largest));
        check_equal(a_data.read(), map_reference([](double v) { return v + 1; }, r));
        check_equal(b_data.read(), map_reference([](double v) { return v + 1; }, c));

        // In place.
        target.eval(c_data.template view<"c", 2>() = C - sum(R));
        check_equal(c_data.read(), map_reference([s = sum_reference(r.value)](double v) { return v - s; }, c));
    }
}

/// index counts in its operand: always 0 where that has extent 1. With index<0>() alone, see reported_cases.hpp.
template <class Target>
void check_index(const Target& target) {
    const NdArray x = random_integers({3, 4}, 1, 9, 9);
    const NdArray c = random_integers({1, 4}, 1, 9, 10);
    Tensor<Target, float> x_data(x), c_data(c), y_data(x.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto C = c_data.template const_view<"c", 2>();
    target.eval(y_data.template view<"y", 2>() =
                    X + sum(C * (index<0>() + index<1>()), axes<1>, keepdims) + index<0>());
    double weighted = 0;
    for (std::size_t j = 0; j < 4; ++j) {
        weighted += c.value[j] * static_cast<double>(j);
    }
    NdArray expected = x;
    for_each_coordinate(x.extent, [&](const Coordinate& at) { expected(at) += weighted + static_cast<double>(at[0]); });
    check_equal(y_data.read(), expected);
    CHECK(static_cast<double>(target.value(sum(X) + sum(C * index<0>()))) == sum_reference(x.value));
}

/// Scans along an axis of extent 1 that others stretch, and beside outputs that are smaller or empty.
template <class Target>
void check_stretched_scans(const Target& target) {
    const NdArray x = random_integers({3, 70}, 1, 9, 13);
    const NdArray c = random_integers({3, 1}, 1, 9, 14);
    const NdArray r = random_integers({70}, 1, 9, 15);
    Tensor<Target, float> x_data(x), c_data(c), r_data(r), y_data(x.extent), a_data(r.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto C = c_data.template const_view<"c", 2>();
    const auto R = r_data.template const_view<"r", 1>();
    const auto y = y_data.template view<"y", 2>();
    NdArray running = x;
    for_each_coordinate(x.extent, [&](const Coordinate& at) {
        running(at) += at[1] > 0 ? running({at[0], at[1] - 1}) : 0;
    });
    const auto plus = [](double u, double v) { return u + v; };
    target.eval(y = X + cumsum(C, axes<1>));
    check_equal(y_data.read(), map_reference(plus, x, c));
    target.eval(y = X + cumsum(C, axes<1>, exclusive));
    check_equal(y_data.read(), x);
    target.eval(y = cumsum(X, axes<1>) + cummax(C, axes<1>), a_data.template view<"a", 1>() = R * 2);
    check_equal(y_data.read(), map_reference(plus, running, c));
    check_equal(a_data.read(), map_reference([](double v) { return v * 2; }, r));
    target.eval(y = X + cumsum(expand_dims<0>(R), axes<0>));
    check_equal(y_data.read(), map_reference(plus, x, r));
}

}  // namespace fuse::testing
