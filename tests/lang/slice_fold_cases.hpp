// SPDX-License-Identifier: Apache-2.0
//
// Rows and columns of slices, folded beside arrays that are longer there; and the gradients of such folds with and without
// their losses. Against plain loops in double.
#pragma once

#include "fuse/stencil.hpp"
#include "lang/gradient_cases.hpp"

namespace fuse::testing {

/// The elements [first, last) along an axis, every step-th.
inline NdArray sliced(const NdArray& x, std::size_t axis, index_t first, index_t last, index_t step = 1) {
    Extent extent = x.extent;
    extent[axis] = (last - first + step - 1) / step;
    NdArray part(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        Coordinate there = at;
        there[axis] = first + step * at[axis];
        part(at) = x(there);
    });
    return part;
}
inline NdArray flipped(const NdArray& x, std::size_t axis) {
    NdArray result(x.extent);
    for_each_coordinate(x.extent, [&](const Coordinate& at) {
        Coordinate there = at;
        there[axis] = x.extent[axis] - 1 - at[axis];
        result(at) = x(there);
    });
    return result;
}
/// The sums of x along an axis, its elements there times these weights, as keepdims has them.
inline NdArray weighted(const NdArray& x, const NdArray& weights, std::size_t axis) {
    NdArray products(x.extent);
    for_each_coordinate(x.extent, [&](const Coordinate& at) { products(at) = x(at) * weights({at[axis]}); });
    return reduce_reference(sum_reference, products, 1U << axis, true);
}
inline double norm_reference(const Numbers& v) {
    double squares = 0;
    for (const double e : v) {
        squares += e * e;
    }
    return std::sqrt(squares);
}

/// x is n x m, of which the slices are [first, last) along Axis.
template <int Axis, class Target>
void check_folded_slices(const Target& target, index_t n, index_t m, index_t first, index_t last) {
    INFO("[" << first << ", " << last << ") along axis " << Axis << " of " << n << " x " << m);
    constexpr std::uint32_t mask = 1U << Axis;
    const NdArray x = random_reals({n, m}, 0.5, 1.5, 91);
    const NdArray part = sliced(x, Axis, first, last);
    Tensor<Target, double> x_data(x), o_data(x.extent), p_data(part.extent), l_data(Extent{}),
        s_data(reduced_extent(x.extent, mask, false));
    const auto X = x_data.template const_view<"x", 2>();
    const auto S = slice<Axis>(X, first, last);
    const auto o = [&] { return o_data.template view<"o", 2>(); };
    const auto expect = [&](const NdArray& wanted) { check_close(o_data.read(), wanted, 1e-12, 1e-12); };
    const auto less = [](double a, double b) { return a - b; };
    const auto over = [](double a, double b) { return a / b; };
    const NdArray sums = reduce_reference(sum_reference, part, mask, true);
    const NdArray norms = reduce_reference(norm_reference, part, mask, true);

    target.eval(o() = X - sum(S, axes<Axis>, keepdims));
    expect(map_reference(less, x, sums));
    target.eval(o() = X / norm<2>(S, axes<Axis>, keepdims), s_data.template view<"s", 1>() = sum(S, axes<Axis>));
    expect(map_reference(over, x, norms));
    check_close(s_data.read(), reduce_reference(sum_reference, part, mask), 1e-12, 1e-12);
    // The other way round: a slice less what the whole array says.
    target.eval(p_data.template view<"p", 2>() = S - sum(X, axes<Axis>, keepdims));
    check_close(p_data.read(), map_reference(less, part, reduce_reference(sum_reference, x, mask, true)), 1e-12, 1e-12);
    // Beside another array.
    const NdArray y = random_reals({n, m}, 0.5, 1.5, 95);
    Tensor<Target, double> y_data(y);
    target.eval(o() = y_data.template const_view<"y", 2>() - sum(S, axes<Axis>, keepdims));
    expect(map_reference(less, y, sums));
    // Slices of two lengths; of a stride; a phase that reads the one before; transposed.
    target.eval(o() = X * sum(slice<Axis>(X, 0, last), axes<Axis>, keepdims) - sum(S, axes<Axis>, keepdims));
    expect(map_reference([](double a, double b, double c) { return a * b - c; }, x,
                         reduce_reference(sum_reference, sliced(x, Axis, 0, last), mask, true), sums));
    target.eval(o() = X - sum(slice<Axis>(X, {}, {}, 2), axes<Axis>, keepdims));
    expect(map_reference(less, x, reduce_reference(sum_reference, sliced(x, Axis, 0, x.extent[Axis], 2), mask, true)));
    target.eval(o() = X - norm<2>(S - sum(S, axes<Axis>, keepdims), axes<Axis>, keepdims));
    expect(map_reference(less, x, reduce_reference(norm_reference, map_reference(less, part, sums), mask, true)));
    // Backwards, all of it and a part, whose first elements are the last of the array.
    const NdArray weights = random_reals({x.extent[Axis]}, 0.5, 1.5, 96);
    Tensor<Target, double> w_data(weights);
    const auto W = expand_dims<1 - Axis>(w_data.template const_view<"w", 1>());
    const NdArray backwards = flipped(x, Axis);
    target.eval(o() = X - sum(flip<Axis>(X) * W, axes<Axis>, keepdims));
    expect(map_reference(less, x, weighted(backwards, weights, Axis)));
    target.eval(o() = X -
                      sum(slice<Axis>(flip<Axis>(X), first, last) * slice<Axis>(W, first, last), axes<Axis>, keepdims));
    expect(
        map_reference(less, x, weighted(sliced(backwards, Axis, first, last), sliced(weights, 0, first, last), Axis)));
    target.eval(o() = X - sum(flip<Axis>(S), axes<Axis>, keepdims));
    expect(map_reference(less, x, sums));
    Tensor<Target, double> t_data(turned(x));
    target.eval(t_data.template view<"t", 2>() = transpose(X) / norm<2>(transpose(S), axes<1 - Axis>, keepdims));
    check_close(t_data.read(), turned(map_reference(over, x, norms)), 1e-12, 1e-12);
    // Folded further, beside the elements.
    const auto loss = sum(square(X - sum(S, axes<Axis>, keepdims)));
    target.eval(l_data.template view<"l", 0>() = loss, o() = X / norm<2>(S, axes<Axis>, keepdims));
    expect(map_reference(over, x, norms));
    double squares = 0;
    for (const double v : map_reference(less, x, sums).value) {
        squares += v * v;
    }
    check_close(l_data.read(), NdArray(Extent{}, squares), 1e-12, 1e-12);
}

/// A block of x, whose folds along two axes stand beside all of it.
template <class Target>
void check_folded_blocks(const Target& target, const Extent& extent) {
    INFO("of " << to_text(extent));
    const NdArray x = random_reals(extent, 0.5, 1.5, 92);
    const NdArray part = sliced(sliced(x, 2, 1, extent[2]), 0, 0, extent[0] - 1);
    Tensor<Target, double> x_data(x), o_data(extent);
    const auto X = x_data.template const_view<"x", 3>();
    const auto S = slice<0>(slice<2>(X, 1, {}), 0, -1);
    target.eval(o_data.template view<"o", 3>() = X / norm<2>(S, axes<0, 2>, keepdims));
    check_close(o_data.read(),
                map_reference([](double a, double b) { return a / b; }, x,
                              reduce_reference(norm_reference, part, 0b101U, true)),
                1e-12, 1e-12);
    target.eval(o_data.template view<"o", 3>() = X - sum(slice<1>(X, 0, 1), axes<1>, keepdims));
    check_close(o_data.read(),
                map_reference([](double a, double b) { return a - b; }, x,
                              reduce_reference(sum_reference, sliced(x, 1, 0, 1), 0b010U, true)),
                1e-12, 1e-12);
}

/// The squares of the sums of a slice, and x over the norms of it: their gradients alone, and beside the losses.
template <int Axis, class Target>
void check_slice_gradients(const Target& target, index_t n, index_t m, index_t first, index_t last) {
    INFO("gradients of [" << first << ", " << last << ") along axis " << Axis << " of " << n << " x " << m);
    const NdArray x = random_reals({n, m}, 0.5, 1.5, 93);
    const auto check = [&](auto loss, auto formula) {
        Tensor<Target, double> x_data(x), slope(x.extent), beside(x.extent), value{Extent{}};
        const auto X = x_data.template const_view<"x", 2>();
        const NdArray wanted = numeric_gradient(formula, x);
        target.eval(slope.template view<"dx", 2>() = gradient(loss(X), X));
        check_close(slope.read(), wanted, 1e-7, 1e-8);
        target.eval(value.template view<"value", 0>() = loss(X),
                    beside.template view<"dx", 2>() = gradient(loss(X), X));
        check_close(beside.read(), wanted, 1e-7, 1e-8);
        check_close(value.read(), NdArray(Extent{}, formula(x)), 1e-12, 1e-12);
    };
    constexpr std::uint32_t mask = 1U << Axis;
    check([&](const auto& v) { return sum(square(sum(slice<Axis>(v, first, last), axes<Axis>))); },
          [&](const NdArray& v) {
              double total = 0;
              for (const double s : reduce_reference(sum_reference, sliced(v, Axis, first, last), mask).value) {
                  total += s * s;
              }
              return total;
          });
    check([&](const auto& v) { return sum(square(v) / norm<2>(slice<Axis>(v, first, last), axes<Axis>, keepdims)); },
          [&](const NdArray& v) {
              const NdArray norms = reduce_reference(norm_reference, sliced(v, Axis, first, last), mask, true);
              return sum_reference(map_reference([](double a, double b) { return a * a / b; }, v, norms).value);
          });
    check([&](const auto& v) { return sum(square(softmax(slice<Axis>(v, first, last), axes<Axis>))); },
          [&](const NdArray& v) {
              const NdArray e = map_reference([](double a) { return std::exp(a); }, sliced(v, Axis, first, last));
              const NdArray sums = reduce_reference(sum_reference, e, mask, true);
              return sum_reference(map_reference([](double a, double b) { return a * a / b / b; }, e, sums).value);
          });
}

/// x over its sums along Axis, of which more or less is asked for than these fold.
template <int Axis, class Target>
void check_slices_of_folds(const Target& target, index_t n, index_t m, index_t first, index_t last) {
    INFO("[" << first << ", " << last << ") along axis " << Axis << " of what folds " << n << " x " << m);
    constexpr std::size_t axis = Axis;
    const NdArray x = random_reals({n, m}, 0.5, 1.5, 94);
    const NdArray shares = map_reference([](double a, double b) { return a / b; }, x,
                                         reduce_reference(sum_reference, x, 1U << Axis, true));
    const NdArray part = sliced(shares, axis, first, last);
    NdArray next = sliced(shares, axis, 1, x.extent[axis]);
    const NdArray before = sliced(shares, axis, 0, x.extent[axis] - 1);
    next = map_reference([](double a, double b) { return a - b; }, next, before);
    Extent wider = x.extent;
    wider[axis] += 3;
    NdArray padded(wider);
    for_each_coordinate(x.extent, [&](const Coordinate& at) {
        Coordinate there = at;
        there[axis] += 1;
        padded(there) = shares(at);
    });
    Tensor<Target, double> x_data(x), p_data(part.extent), d_data(next.extent), o_data(wider);
    const auto X = x_data.template const_view<"x", 2>();
    const auto S = X / sum(X, axes<Axis>, keepdims);
    target.eval(p_data.template view<"p", 2>() = slice<Axis>(S, first, last));
    check_close(p_data.read(), part, 1e-12, 1e-12);
    target.eval(d_data.template view<"d", 2>() = diff(S, axes<Axis>));
    check_close(d_data.read(), next, 1e-12, 1e-12);
    target.eval(o_data.template view<"o", 2>() = pad(S, 1, 2, axes<Axis>));
    check_close(o_data.read(), padded, 1e-12, 1e-12);
}

template <class Target>
void check_slice_folds(const Target& target) {
    check_folded_slices<0>(target, 5, 4, 0, 3);
    check_folded_slices<1>(target, 5, 4, 1, 3);
    check_folded_slices<0>(target, 4, 4, 1, 4);
    check_folded_slices<1>(target, 3, 3, 2, 3);
    check_folded_slices<0>(target, 2, 7, 0, 1);
    check_folded_slices<0>(target, 6, 1, 2, 5);
    check_folded_slices<1>(target, 1, 6, 2, 5);
    check_folded_slices<0>(target, 5, 3, 0, 5);
    check_folded_slices<1>(target, 3, 5, 0, 5);
    check_folded_slices<0>(target, 5, 4, 2, 2);
    check_folded_slices<1>(target, 3, 6, 4, 4);
    check_folded_slices<0>(target, 70, 33, 17, 66);
    check_folded_slices<1>(target, 17, 131, 3, 90);
    check_folded_blocks(target, {3, 4, 5});
    check_folded_blocks(target, {4, 2, 17});
    check_slices_of_folds<0>(target, 5, 4, 1, 3);
    check_slices_of_folds<1>(target, 5, 4, 0, 2);
    check_slices_of_folds<0>(target, 66, 7, 3, 60);
    check_slices_of_folds<1>(target, 7, 133, 2, 3);
}

template <class Target>
void check_gradients_of_slice_folds(const Target& target) {
    check_slice_gradients<0>(target, 5, 4, 0, 3);
    check_slice_gradients<1>(target, 5, 4, 1, 3);
    check_slice_gradients<0>(target, 2, 3, 1, 2);
    check_slice_gradients<1>(target, 9, 33, 5, 32);
}

}  // namespace fuse::testing
