// SPDX-License-Identifier: Apache-2.0
//
// What lies beside the domain of an eval: outputs of any shape that a scalar fills, and operands without elements,
// which keep nothing else from being computed and on which nothing is called.
#pragma once

#include "lang/spanning_cases.hpp"

namespace fuse::testing {

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
    Tensor<Target, float> v_data(v), e_data(Extent{0, 3}), q_data(Extent{0, 3}), m_data(Extent{0}),
        k_data(Extent{1, 3}), r_data(Extent{3});
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
            for_each_coordinate(extent,
                                [&](const Coordinate& at) { counted(at) = static_cast<double>(at[0] * 100 + at[1]); });
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

/// Outputs without elements keep no other from being written. A softmax and scans of none: reported_cases.hpp.
template <class Target>
void check_empty_beside(const Target& target) {
    const NdArray w = random_integers({3}, 1, 9, 12);
    Tensor<Target, float> w_data(w), e_data(Extent{0, 3}), y_data(Extent{0, 3}), m_data(Extent{0});
    const auto W = w_data.template const_view<"w", 1>();
    const auto E = e_data.template const_view<"e", 2>();
    const auto y = y_data.template view<"y", 2>();
    const double sum_w = sum_reference(w.value);
    const auto expect = [&](double expected, auto&& run) {
        Result<Target> result(expected);
        run(result());
        result.check();
    };
    expect(0, [&](auto s) { target.eval(m_data.template view<"m", 1>() = sum(E, axes<1>), s = sum(E)); });
    expect(sum_w, [&](auto s) { target.eval(s = sum(E) + sum(W)); });
    expect(sum_w * 2, [&](auto s) { target.eval(y = E + sum(W), s = sum(W) * 2); });

    // An output along an axis that is there, beside one along an axis that is not.
    Tensor<Target, float> a_data(Extent{3});
    target.eval(y = E + W, a_data.template view<"a", 1>() = W * 2);
    check_equal(a_data.read(), map_reference([](double v) { return v * 2; }, w));

    // A full reduction that has elements beside one that has none.
    const NdArray thin = random_integers({2, 1, 2}, 1, 9, 16);
    Tensor<Target, float> thin_data(thin), flat_data(Extent{2, 0, 2});
    CHECK(static_cast<double>(target.value(sum(thin_data.template const_view<"t", 3>()) -
                                           sum(flat_data.template const_view<"f", 3>()))) == sum_reference(thin.value));

    // Columns, of which there are none.
    Tensor<Target, float> x_data(Extent{3, 0}), z_data(Extent{3, 0}), r_data(Extent{3});
    const auto X = x_data.template const_view<"x", 2>();
    Tensor<Target, float> one(Extent{1});
    target.eval(z_data.template view<"z", 2>() = X - sum(X, axes<0>, keepdims),
                one.template view<"one", 1>() = sum(expand_dims<1>(W), axes<0>));
    check_equal(one.read(), NdArray(Extent{1}, sum_w));
    // What an output without elements would need is not missed.
    expect(0, [&](auto s) { target.eval(z_data.template view<"z", 2>() = X - max(X, axes<1>, keepdims), s = sum(X)); });
    CHECK_THROWS_AS(target.eval(r_data.template view<"r", 1>() = max(X, axes<1>)), shape_error);
}

}  // namespace fuse::testing
