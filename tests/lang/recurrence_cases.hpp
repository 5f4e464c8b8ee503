// SPDX-License-Identifier: Apache-2.0
//
// Linear recurrences against the loop that they stand for: products of factors that overflow beside states of 0, factors
// that are no number, integers in 64 bits, and accumulators of another type. All numbers are whole and exact.
#pragma once

#include "lang/reverse_scan_cases.hpp"

namespace fuse::testing {

/// y = x[i] + gamma[i] * y in State, from either end.
template <class State>
NdArray recurrence_reference(const NdArray& x, const NdArray& gamma, int axis, bool from_end) {
    const auto step = [&](State& y, std::size_t at, index_t) {
        y = static_cast<State>(x.value[at]) + static_cast<State>(gamma.value[at]) * y;
    };
    return from_end ? reverse_scan_reference(x.extent, axis, State(0), step)
                    : scan_reference(x.extent, axis, State(0), step);
}

/// Where element i stands along an axis, from the end where the recurrence begins.
template <class F>
NdArray along_axis(const Extent& extent, int axis, bool from_end, F f) {
    NdArray a(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        const index_t s = at[static_cast<std::size_t>(axis)], n = extent[static_cast<std::size_t>(axis)];
        a(at) = f(from_end ? n - 1 - s : s, n);
    });
    return a;
}

/// discounted_cumsum in either direction.
template <int Axis, bool Reverse, class X, class G, class... O>
auto recurrence(const X& x, const G& gamma, O... options) {
    if constexpr (Reverse) {
        return discounted_cumsum(x, gamma, axes<Axis>, reverse, options...);
    } else {
        return discounted_cumsum(x, gamma, axes<Axis>, options...);
    }
}

/// Zeros, and numbers in the end: a loop stays at 0 until these come, whatever the product of the factors is by then.
template <int Axis, bool Reverse, class T, class Target>
void check_overflowing_factors(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis << ", reverse " << Reverse);
        const auto made = [&](auto f) { return along_axis(extent, Axis, Reverse, f); };
        const NdArray xs = made([](index_t s, index_t n) { return s + 4 < n ? 0.0 : static_cast<double>(n - s); });
        const auto ten = [](index_t, index_t) { return 10.0; };
        // A factor of 0 before and after such products, of either sign, and one that is no number.
        const auto zeros = [](index_t s, index_t) { return s % 450 == 200 ? 0.0 : s % 2 != 0 ? -16.0 : 16.0; };
        const auto nan = [](index_t s, index_t n) { return s == n / 2 ? std::nan("") : 8.0; };
        Tensor<Target, T> x_data(xs), g_data(made(zeros)), n_data(made(nan));
        Tensor<Target, compute_t<T>> one_data(extent), each_data(extent), nan_data(extent);
        const auto x = x_data.template const_view<"x", 2>();
        target.eval(one_data.template view<"one", 2>() = recurrence<Axis, Reverse>(x, T(10)));
        const auto by_each = [&](Tensor<Target, compute_t<T>>& y, Tensor<Target, T>& g) {
            target.eval(y.template view<"each", 2>() = recurrence<Axis, Reverse>(x, g.template const_view<"g", 2>()));
        };
        by_each(each_data, g_data);
        by_each(nan_data, n_data);
        check_equal(one_data.read(), recurrence_reference<double>(xs, made(ten), Axis, Reverse));
        check_equal(each_data.read(), recurrence_reference<double>(xs, made(zeros), Axis, Reverse));
        check_equal(nan_data.read(), recurrence_reference<double>(xs, made(nan), Axis, Reverse));
    }
}

/// X and G: types of integers. Sums beyond 32 bits and, if AsksToo, the accumulators that one asks for.
template <int Axis, bool Reverse, class X, class G, class Sum, bool AsksToo = true, class Target>
void check_integer_recurrence(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis << ", reverse " << Reverse);
        constexpr int least = std::is_signed_v<X> ? -100 : 0;
        const NdArray xs =
            std::is_same_v<X, bool> ? random_integers(extent, 0, 1, 41) : random_integers(extent, least, 100, 41);
        const NdArray factors = along_axis(extent, Axis, Reverse, [](index_t s, index_t) {
            const double negative = std::is_signed_v<G> && s % 3 == 0 ? -1 : 1;
            return s % 25 == 24 ? 0.0 : std::is_same_v<G, bool> ? 1.0 : 3 * negative;
        });
        Tensor<Target, X> x_data(xs);
        Tensor<Target, G> g_data(factors);
        Tensor<Target, Sum> y_data(extent);
        const auto x = x_data.template const_view<"x", 2>();
        const auto g = g_data.template const_view<"g", 2>();
        const auto y = recurrence<Axis, Reverse>(x, g);
        static_assert(std::is_same_v<value_t<decltype(y)>, Sum>);
        target.eval(y_data.template view<"y", 2>() = y);
        const NdArray expected = recurrence_reference<std::int64_t>(xs, factors, Axis, Reverse);
        check_equal(y_data.read(), expected);
        if constexpr (AsksToo) {
            Tensor<Target, double> wide_data(extent);
            Tensor<Target, std::int32_t> narrow_data(extent);
            const auto in_double = recurrence<Axis, Reverse>(x, g, accumulate<double>);
            static_assert(std::is_same_v<value_t<decltype(in_double)>, double>);
            const auto narrow = recurrence<Axis, Reverse>(x, g, accumulate<std::int32_t>);
            static_assert(std::is_same_v<value_t<decltype(narrow)>, std::int32_t>);
            target.eval(wide_data.template view<"wide", 2>() = in_double);
            target.eval(narrow_data.template view<"narrow", 2>() = narrow);
            check_equal(wide_data.read(), expected);
            const auto kept = [](double v) {
                return static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(v)));
            };
            check_equal(narrow_data.read(), map_reference(kept, expected));
        }
    }
}

/// Sums of floats in double: 2^30 and ones, which floats would lose.
template <int Axis, bool Reverse, class Target>
void check_wide_recurrence(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis << ", reverse " << Reverse);
        const auto made = [&](auto f) { return along_axis(extent, Axis, Reverse, f); };
        const NdArray xs = made([](index_t s, index_t) { return s == 0 ? 1073741824.0 : 1.0; });
        const NdArray factors = made([](index_t s, index_t) { return s % 2 == 0 ? 1.0 : -1.0; });
        Tensor<Target, float> x_data(xs), g_data(factors);
        Tensor<Target, double> y_data(extent), one_data(extent);
        const auto x = x_data.template const_view<"x", 2>();
        const auto y = recurrence<Axis, Reverse>(x, g_data.template const_view<"g", 2>(), accumulate<double>);
        static_assert(std::is_same_v<value_t<decltype(y)>, double>);
        target.eval(y_data.template view<"y", 2>() = y);
        check_equal(y_data.read(), recurrence_reference<double>(xs, factors, Axis, Reverse));
        if constexpr (!Reverse) {
            target.eval(one_data.template view<"one", 2>() = recurrence<Axis, Reverse>(x, 1, accumulate<double>));
            check_equal(one_data.read(), recurrence_reference<double>(xs, NdArray(extent, 1.0), Axis, Reverse));
        }
    }
}

/// All of them along rows, from the first element on: each kind of types has kernels of its own. Along columns and from
/// the last element a few of each kind are enough, below: there the order and the places are others, and not the types.
template <class Target>
void check_recurrences_of_rows(const Target& target, const std::vector<Extent>& shapes) {
    check_overflowing_factors<1, false, float>(target, shapes);
    check_overflowing_factors<1, false, double>(target, shapes);
    check_overflowing_factors<1, false, bfloat16>(target, shapes);
    check_integer_recurrence<1, false, std::int32_t, std::int32_t, std::int64_t>(target, shapes);
    check_integer_recurrence<1, false, std::int8_t, std::uint8_t, std::int64_t, false>(target, shapes);
    check_integer_recurrence<1, false, std::uint16_t, std::uint32_t, std::uint64_t, false>(target, shapes);
    check_integer_recurrence<1, false, std::uint8_t, bool, std::uint64_t, false>(target, shapes);
    check_integer_recurrence<1, false, bool, bool, std::int64_t, false>(target, shapes);
    check_wide_recurrence<1, false>(target, shapes);
}
template <class Target>
void check_recurrences_of_rows_from_the_end(const Target& target, const std::vector<Extent>& shapes) {
    check_overflowing_factors<1, true, bfloat16>(target, shapes);
    check_integer_recurrence<1, true, std::int8_t, std::uint8_t, std::int64_t, false>(target, shapes);
    check_wide_recurrence<1, true>(target, shapes);
}
template <class Target>
void check_recurrences_of_columns(const Target& target, const std::vector<Extent>& shapes) {
    check_overflowing_factors<0, false, bfloat16>(target, shapes);
    check_integer_recurrence<0, false, std::uint16_t, std::uint32_t, std::uint64_t>(target, shapes);
    check_wide_recurrence<0, false>(target, shapes);
}
template <class Target>
void check_recurrences_of_columns_from_the_end(const Target& target, const std::vector<Extent>& shapes) {
    check_overflowing_factors<0, true, float>(target, shapes);
    check_overflowing_factors<0, true, double>(target, shapes);
    check_integer_recurrence<0, true, bool, bool, std::int64_t, false>(target, shapes);
}

}  // namespace fuse::testing
