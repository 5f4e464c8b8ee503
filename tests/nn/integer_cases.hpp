// SPDX-License-Identifier: Apache-2.0
//
// Norms, softmax, losses and their kin of integers, against loops in double: values at the ends of the type's range,
// whose squares and differences no integer type of that width holds.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

namespace fuse::testing {

using Row = std::vector<double>;

inline constexpr index_t integer_rows = 4;
inline constexpr index_t integer_columns = 5;

/// A matrix with the lowest and the highest value, neighbours of both, zeros, and numbers small enough for exp.
template <std::integral T>
std::vector<T> extreme_integers() {
    constexpr T low = std::numeric_limits<T>::lowest();
    constexpr T high = std::numeric_limits<T>::max();
    const auto n = [](int v) { return static_cast<T>(v); };
    return {low,
            high,
            n(0),
            n(1),
            n(2),  //
            n(3),
            n(1),
            n(4),
            n(1),
            n(5),  //
            high,
            static_cast<T>(high - n(1)),
            static_cast<T>(high - n(2)),
            high,
            high,  //
            low,
            low,
            static_cast<T>(low + n(1)),
            static_cast<T>(low + n(2)),
            low};
}

template <class T>
double as_double(T v) {
    return static_cast<double>(v);
}
/// Memory of the target.
template <class Target, class T>
auto array_of(const std::vector<T>& values) {
    typename Target::template Array<T> array(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        array[i] = values[i];
    }
    return array;
}
template <class Target, class T>
auto arrays(std::size_t count, std::size_t size) {
    std::vector<typename Target::template Array<T>> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(array_of<Target>(std::vector<T>(size)));
    }
    return result;
}

template <class T>
Row row_of(const std::vector<T>& x, index_t r) {
    Row row;
    for (index_t c = 0; c < integer_columns; ++c) {
        row.push_back(as_double(x[static_cast<std::size_t>(r * integer_columns + c)]));
    }
    return row;
}

inline double highest(const Row& v) {
    double m = v[0];
    for (const double e : v) {
        m = std::max(m, e);
    }
    return m;
}
/// log(sum(exp(v - max))): without the maximum, so that nothing is lost beside a large one.
inline double log_total(const Row& v) {
    double s = 0;
    for (const double e : v) {
        s += std::exp(e - highest(v));
    }
    return std::log(s);
}
inline double power_sum(const Row& v, double p) {
    double s = 0;
    for (const double e : v) {
        s += std::pow(std::fabs(e), p);
    }
    return s;
}
inline double average(const Row& v) {
    double s = 0;
    for (const double e : v) {
        s += e / static_cast<double>(v.size());
    }
    return s;
}
inline double spread(const Row& v, double ddof) {
    double s = 0;
    for (const double e : v) {
        s += (e - average(v)) * (e - average(v));
    }
    return s / (static_cast<double>(v.size()) - ddof);
}

/// Roundings of F: `scale` is the largest term that went into the value.
template <class F>
void check_near(const char* what, F got, double expected, double scale) {
    const double eps = static_cast<double>(std::numeric_limits<F>::epsilon());
    INFO(what << ": got " << got << ", expected " << expected);
    CHECK(std::fabs(as_double(got) - expected) <= 32 * eps * (std::fabs(expected) + scale));
}

/// The types of results, and with them what is computed in: float for 8 and 16 bits, double for more.
template <class T, class X>
void check_types(const X& x) {
    using F = std::conditional_t<(sizeof(T) > 2), double, float>;
    const auto is = []<class E>(const E&) { return std::is_same_v<value_t<E>, F>; };
    CHECK((is(norm<1>(x)) && is(norm<2>(x)) && is(norm<3>(x)) && is(norm<inf>(x))));
    static_assert(std::is_same_v<value_t<decltype(norm<0>(x))>, std::int64_t>);
    CHECK((is(softmax(x)) && is(log_softmax(x)) && is(logsumexp(x, axes<1>))));
    CHECK((is(layer_norm(x)) && is(rms_norm(x)) && is(l2_normalize(x)) && is(cosine_similarity(x, x))));
    CHECK((is(mse_loss(x, x)) && is(l1_loss(x, x)) && is(huber_loss(x, x)) && is(bce_with_logits_loss(x, x))));
    static_assert(std::is_same_v<value_t<decltype(var(x))>, double>);
}

template <class T, class Target>
void check_integer_rows(const Target& target) {
    using F = std::conditional_t<(sizeof(T) > 2), double, float>;
    const std::vector<T> data = extreme_integers<T>();
    auto x_data = array_of<Target>(data);
    auto classes = array_of<Target>(std::vector<std::int32_t>{1, 4, 0, 2});
    auto out = arrays<Target, F>(5, data.size());
    auto one = arrays<Target, F>(7, integer_rows);
    auto spreads = array_of<Target>(std::vector<double>(integer_rows));
    auto counts = array_of<Target>(std::vector<std::int64_t>(integer_rows));
    const auto x = view<"x">(x_data.data(), integer_rows, integer_columns);
    check_types<T>(x);
    const auto t = view<"t">(classes);
    const auto whole = [&]<fixed_name N>(std::size_t i) {
        return view<N>(out[i].data(), integer_rows, integer_columns);
    };
    const auto rows = [&]<fixed_name N>(std::size_t i) { return view<N>(one[i]); };
    target.eval(whole.template operator()<"a">(0) = softmax(x), whole.template operator()<"b">(1) = log_softmax(x),
                rows.template operator()<"c">(0) = logsumexp(x, axes<1>),
                rows.template operator()<"d">(1) = cross_entropy(x, t, reduction::none));
    target.eval(whole.template operator()<"a">(2) = layer_norm(x), whole.template operator()<"b">(3) = rms_norm(x),
                whole.template operator()<"c">(4) = l2_normalize(x),
                rows.template operator()<"d">(2) = cosine_similarity(x, x));
    target.eval(rows.template operator()<"a">(3) = norm<1>(x, axes<1>),
                rows.template operator()<"b">(4) = norm<2>(x, axes<1>),
                rows.template operator()<"c">(5) = norm<3>(x, axes<1>),
                rows.template operator()<"d">(6) = norm<inf>(x, axes<1>), view<"e">(counts) = norm<0>(x, axes<1>),
                view<"f">(spreads) = var<1>(x, axes<1>));
    for (index_t r = 0; r < integer_rows; ++r) {
        const auto i = static_cast<std::size_t>(r);
        const Row v = row_of(data, r);
        const double most = std::max(std::fabs(highest(v)), 1.0);
        INFO("row " << r << " of " << sizeof(T) << " bytes, " << (std::is_signed_v<T> ? "signed" : "unsigned"));
        check_near("logsumexp", one[0][i], highest(v) + log_total(v), most);
        const double picked = v[static_cast<std::size_t>(classes[i])];
        check_near("cross_entropy", one[1][i], highest(v) - picked + log_total(v), most);
        check_near("cosine_similarity", one[2][i], 1, 0);
        check_near("norm<1>", one[3][i], power_sum(v, 1), 0);
        check_near("norm<2>", one[4][i], std::sqrt(power_sum(v, 2)), 0);
        check_near("norm<3>", one[5][i], std::cbrt(power_sum(v, 3)), 0);
        check_near("norm<inf>", one[6][i], std::max(highest(v), highest({-v[0], -v[1], -v[2], -v[3], -v[4]})), 0);
        double nonzero = 0;
        for (const double e : v) {
            nonzero += e != 0;
        }
        CHECK(as_double(counts[i]) == nonzero);
        const double variance = spread(v, 0);
        check_near("var", spreads[i], spread(v, 1), 1e-15 * most * most);
        const double square = power_sum(v, 2) / static_cast<double>(v.size());
        // The square of an ulp of the largest value is what the deviations of nearly equal values may be off by.
        const double ulp = static_cast<double>(std::numeric_limits<F>::epsilon()) * most;
        for (std::size_t c = 0; c < v.size(); ++c) {
            const std::size_t at = i * v.size() + c;
            check_near("softmax", out[0][at], std::exp(v[c] - highest(v) - log_total(v)), 0.1);
            check_near("log_softmax", out[1][at], v[c] - highest(v) - log_total(v), most);
            if (variance > 1e6 * ulp * ulp) {
                check_near("layer_norm", out[2][at], (v[c] - average(v)) / std::sqrt(variance + 1e-5), 100);
            }
            check_near("rms_norm", out[3][at], v[c] / std::sqrt(square + as_double(std::numeric_limits<F>::epsilon())),
                       1);
            check_near("l2_normalize", out[4][at], v[c] / std::sqrt(power_sum(v, 2)), 1);
        }
    }
}

/// Losses of two integer matrices, and of one beside floats or a number.
template <class T, class Target>
void check_integer_losses(const Target& target) {
    using F = std::conditional_t<(sizeof(T) > 2), double, float>;
    const std::vector<T> a = extreme_integers<T>();
    const std::vector<T> b(a.rbegin(), a.rend());
    auto a_data = array_of<Target>(a);
    auto b_data = array_of<Target>(b);
    auto flags = array_of<Target>(a);
    auto f = array_of<Target>(std::vector<float>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        flags[i] = static_cast<T>(i % 2);
        f[i] = static_cast<float>(i) - 7.5F;
    }
    auto out = arrays<Target, F>(5, a.size());
    auto beside = arrays<Target, float>(3, a.size());
    const auto x = view<"x">(a_data);
    const auto y = view<"y">(b_data);
    const auto z = view<"z">(flags);
    const auto g = view<"g">(f);
    target.eval(view<"a">(out[0]) = mse_loss(x, y, reduction::none), view<"b">(out[1]) = l1_loss(x, y, reduction::none),
                view<"c">(out[2]) = huber_loss(x, y, reduction::none, 2.0),
                view<"d">(out[3]) = bce_with_logits_loss(x, z, reduction::none),
                view<"e">(out[4]) = mse_loss(x, 3, reduction::none));
    target.eval(view<"a">(beside[0]) = mse_loss(x, g, reduction::none),
                view<"b">(beside[1]) = l1_loss(g, x, reduction::none),
                view<"c">(beside[2]) = bce_with_logits_loss(g, z, reduction::none));
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double u = as_double(a[i]);
        const double v = as_double(b[i]);
        const double w = as_double(f[i]);
        const double flag = as_double(flags[i]);
        const double d = std::fabs(u - v);
        const auto bce = [](double input, double t) {
            return (1 - t) * input + std::max(-input, 0.0) + std::log1p(std::exp(-std::fabs(input)));
        };
        check_near("mse", out[0][i], d * d, 0);
        check_near("l1", out[1][i], d, 0);
        check_near("huber", out[2][i], d < 2 ? d * d / 2 : 2 * (d - 1), 0);
        check_near("bce", out[3][i], bce(u, flag), std::fabs(u));
        check_near("mse with a number", out[4][i], (u - 3) * (u - 3), 0);
        // The square of 2^64 is just beyond float.
        if ((u - w) * (u - w) < as_double(std::numeric_limits<float>::max())) {
            check_near("mse beside float", beside[0][i], (u - w) * (u - w), u * u);
        }
        check_near("l1 beside float", beside[1][i], std::fabs(u - w), std::fabs(u));
        check_near("bce of float", beside[2][i], bce(w, flag), std::fabs(w));
    }
}

}  // namespace fuse::testing
