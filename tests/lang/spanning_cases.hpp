// SPDX-License-Identifier: Apache-2.0
//
// Operands that do not span the domain of an eval: of lower rank, with extents of 1 that others stretch, without elements;
// and outputs of any shape for a scalar. Everything as numpy computes it.
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

/// Full reductions of x, of rank Rank, beside those of v, of rank Low: together in one value, and in outputs of their own.
template <int Rank, int Low, class Target>
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

    CHECK(static_cast<double>(target.value(sum(X) + sum(V))) == sx + sv);
    CHECK(static_cast<double>(target.value(sum(X * V) / sum(V))) == Catch::Approx(sum_reference(xv.value) / sv));
    Result<Target> s(sx), t(sv), mx(max_reference(x.value) - max_reference(v.value)),
        me(mean_reference(x.value) - mean_reference(v.value)), am(argmax_reference(x.value)),
        av(argmax_reference(v.value)), pr(signs_reference(v.value)), an(1), mn(sx - 2 * sv);
    target.eval(s() = sum(X), t() = sum(V), mx() = max(X) - max(V), me() = mean(X) - mean(V), am() = argmax(X),
                av() = argmax(V), pr() = prod(where(V > 2, V / V, -1)), an() = cast<double>(any(V > 0) && all(X > 0)),
                mn() = sum(X) - sum(V * 2));
    for (const Result<Target>* r : {&s, &t, &mx, &me, &am, &av, &pr, &an, &mn}) {
        r->check();
    }
}

template <class Target>
void check_full_pairs(const Target& target) {
    check_full_pair<1, 0>(target, {5}, {});
    for (const index_t n : {3, 1, 67, 300}) {
        check_full_pair<2, 1>(target, {2, n}, {n});
        check_full_pair<2, 1>(target, {2, n}, {1});
        check_full_pair<2, 1>(target, {1, n}, {n});
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
    Result<Target> a(mean_reference(rows.value)), b(max_reference(x.value)), c(sv), d(spread / 36), e(max_reference(m.value));
    target.eval(r_data.template view<"r", 2>() = sum(X, axes<2>), a() = mean(sum(X, axes<2>)), b() = max(X), c() = sum(V),
                d() = var(V), e() = max(M), y_data.template view<"y", 3>() = X - sum(V));
    check_equal(r_data.read(), rows);
    check_equal(y_data.read(), map_reference([sv](double u) { return u - sv; }, x));
    for (const Result<Target>* r : {&a, &b, &c, &d, &e}) {
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

/// Outputs that are smaller than the domain, in maps and beside rows.
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

        // One statement alone: c / max(r) of shape (rows, 1), though r is longer.
        target.eval(b = C / max(R));
        check_close(b_data.read(),
                    map_reference([m = max_reference(r.value)](double v) { return v / m; }, c), 1e-6);
        // In place.
        target.eval(c_data.template view<"c", 2>() = C - sum(R));
        check_equal(c_data.read(), map_reference([s = sum_reference(r.value)](double v) { return v - s; }, c));
    }
}

/// index counts in its operand: always 0 where that has extent 1.
template <class Target>
void check_index(const Target& target) {
    const NdArray x = random_integers({3, 4}, 1, 9, 9);
    const NdArray c = random_integers({1, 4}, 1, 9, 10);
    Tensor<Target, float> x_data(x), c_data(c), y_data(x.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto C = c_data.template const_view<"c", 2>();
    target.eval(y_data.template view<"y", 2>() = X + sum(C * index<0>(), axes<1>, keepdims));
    check_equal(y_data.read(), x);
    target.eval(y_data.template view<"y", 2>() = X + sum(C * (index<0>() + index<1>()), axes<1>, keepdims) + index<0>());
    double weighted = 0;
    for (std::size_t j = 0; j < 4; ++j) {
        weighted += c.value[j] * static_cast<double>(j);
    }
    NdArray expected = x;
    for_each_coordinate(x.extent, [&](const Coordinate& at) { expected(at) += weighted + static_cast<double>(at[0]); });
    check_equal(y_data.read(), expected);
    CHECK(static_cast<double>(target.value(sum(X) + sum(C * index<0>()))) == sum_reference(x.value));
}

/// A coordinate along an axis where nothing has an extent is 0, and a reduction along it folds one element.
template <class Target>
void check_index_alone(const Target& target) {
    Tensor<Target, float> x_data(NdArray(Extent{5, 3}, 1)), y_data(Extent{3});
    const auto x = x_data.template const_view<"x", 2>();
    target.eval(y_data.template view<"y", 1>() = sum(sum(x, axes<0>, keepdims) + index<0>(), axes<0>));
    check_equal(y_data.read(), NdArray(Extent{3}, 5));
}

/// A functor that must not be called: the library has no elements for it.
struct Trap {
    FUSE_HD float operator()(float v) const {
        const int whole = static_cast<int>(v);
        return static_cast<float>(100 / whole);
    }
};

/// Functors are not called on elements that do not exist.
template <class Target>
void check_absent_elements(const Target& target) {
    const NdArray v = random_integers({1, 3}, 1, 9, 17);
    Tensor<Target, float> v_data(v), e_data(Extent{0, 3}), q_data(Extent{0, 3}), m_data(Extent{0}), k_data(Extent{1, 3}),
        r_data(Extent{3});
    const auto V = v_data.template const_view<"v", 2>();
    const auto absent = map(Trap{}, e_data.template const_view<"e", 2>());
    const auto q = q_data.template view<"q", 2>();
    const auto k = k_data.template view<"k", 2>();
    Result<Target> s(sum_reference(v.value));
    target.eval(m_data.template view<"m", 1>() = sum(absent, axes<1>), s() = sum(V));
    s.check();
    target.eval(r_data.template view<"r", 1>() = sum(V, axes<0>), q = absent);
    check_equal(r_data.read(), reduce_reference(sum_reference, v, 0b01));
    target.eval(k = sort(V), q = sort(absent));
    CHECK(k_data.read().value[2] == max_reference(v.value));
    target.eval(k = cumsum(V, axes<1>), q = cumsum(absent, axes<1>));
    CHECK(k_data.read().value[2] == sum_reference(v.value));
    target.eval(k = V * 2, q = absent);
    CHECK(k_data.read().value[0] == 2 * v.value[0]);
}

/// A scalar fills an output of any shape and any strides.
template <class Target>
void check_fills(const Target& target) {
    const NdArray x = random_integers({3, 40}, 1, 9, 11);
    Tensor<Target, float> x_data(x), y_data(x.extent), r_data(Extent{3});
    const auto X = x_data.template const_view<"x", 2>();
    const double s = sum_reference(x.value);
    for (const Placement placement : all_placements) {
        for (const Extent& extent : {Extent{5, 6}, Extent{3, 40}, Extent{0, 4}, Extent{70, 33}, Extent{1, 1}}) {
            INFO("z " << to_text(extent) << ", placement " << static_cast<int>(placement));
            Tensor<Target, float> z_data(extent, placement), i_data(extent, placement);
            const auto z = z_data.template view<"z", 2>();
            NdArray counted(extent);
            for_each_coordinate(extent, [&](const Coordinate& at) {
                counted(at) = static_cast<double>(at[0] * 100 + at[1]);
            });
            target.eval(z = sum(X));  // the value of a full reduction
            check_equal(z_data.read(), NdArray(extent, s));
            CHECK(z_data.gaps_intact());
            target.eval(z = index<0>() * 100 + index<-1>());  // no operand at all
            check_equal(z_data.read(), counted);
            // Beside rows, of all elements after them, and beside columns.
            target.eval(r_data.template view<"r", 1>() = sum(X, axes<1>), z = max(X),
                        i_data.template view<"i", 2>() = index<0>() * 100 + index<1>());
            check_equal(z_data.read(), NdArray(extent, max_reference(x.value)));
            check_equal(i_data.read(), counted);
            target.eval(y_data.template view<"y", 2>() = X - sum(X, axes<0>, keepdims), z = 7);
            check_equal(z_data.read(), NdArray(extent, 7));
        }
    }
    // Axes beyond those of the domain.
    Tensor<Target, float> cube(Extent{2, 3, 5});
    target.eval(cube.template view<"cube", 3>() = sum(X));
    check_equal(cube.read(), NdArray(Extent{2, 3, 5}, s));
}

/// Outputs without elements keep no other from being written.
template <class Target>
void check_empty_beside(const Target& target) {
    const NdArray w = random_integers({3}, 1, 9, 12);
    Tensor<Target, float> w_data(w), e_data(Extent{0, 3}), y_data(Extent{0, 3}), m_data(Extent{0});
    const auto W = w_data.template const_view<"w", 1>();
    const auto E = e_data.template const_view<"e", 2>();
    const auto y = y_data.template view<"y", 2>();
    const auto exps = exp(E - max(E, axes<1>, keepdims));
    const double sum_w = sum_reference(w.value);
    const auto expect = [&](double expected, auto&& run) {
        Result<Target> result(expected);
        run(result());
        result.check();
    };
    expect(sum_w, [&](auto s) { target.eval(y = exps / sum(exps, axes<1>, keepdims), s = sum(W)); });
    expect(sum_w, [&](auto s) { target.eval(m_data.template view<"m", 1>() = sum(E, axes<1>), s = sum(W)); });
    expect(0, [&](auto s) { target.eval(m_data.template view<"m", 1>() = sum(E, axes<1>), s = sum(E)); });
    expect(sum_w, [&](auto s) { target.eval(s = sum(E) + sum(W)); });
    expect(sum_w, [&](auto s) { target.eval(y = cumsum(E, axes<1>), s = sum(W)); });
    expect(sum_w * 2, [&](auto s) { target.eval(y = E + sum(W), s = sum(W) * 2); });

    // An output along an axis that is there, beside one along an axis that is not.
    Tensor<Target, float> a_data(Extent{3});
    target.eval(y = E + W, a_data.template view<"a", 1>() = W * 2);
    check_equal(a_data.read(), map_reference([](double v) { return v * 2; }, w));

    // A full reduction that has elements beside one that has none.
    const NdArray thin = random_integers({2, 1, 2}, 1, 9, 16);
    Tensor<Target, float> thin_data(thin), flat_data(Extent{2, 0, 2});
    CHECK(static_cast<double>(target.value(sum(thin_data.template const_view<"t", 3>()) -
                                           sum(flat_data.template const_view<"f", 3>()))) ==
          sum_reference(thin.value));

    // No elements to scan, none to reduce: sums are 0, and what scans has nothing to give.
    Tensor<Target, float> x_data(Extent{3, 0}), z_data(Extent{3, 0}), r_data(Extent{3});
    const auto X = x_data.template const_view<"x", 2>();
    target.eval(z_data.template view<"z", 2>() = cummax(X, axes<1>), r_data.template view<"r", 1>() = sum(X, axes<1>));
    check_equal(r_data.read(), NdArray(Extent{3}, 0));
    Tensor<Target, float> one(Extent{1});
    target.eval(z_data.template view<"z", 2>() = X - sum(X, axes<0>, keepdims),
                one.template view<"one", 1>() = sum(expand_dims<1>(W), axes<0>));  // columns, of which there are none
    check_equal(one.read(), NdArray(Extent{1}, sum_w));
    // What an output without elements would need is not missed.
    expect(0, [&](auto s) { target.eval(z_data.template view<"z", 2>() = X - max(X, axes<1>, keepdims), s = sum(X)); });
    CHECK_THROWS_AS(target.eval(r_data.template view<"r", 1>() = max(X, axes<1>)), shape_error);
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
