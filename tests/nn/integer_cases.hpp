// SPDX-License-Identifier: Apache-2.0
//
// Norms, softmax, losses and their kin of integers, against loops in double: values at the ends of the type's range,
// whose squares and differences no integer type of that width holds. An eval of every formula takes ten seconds to
// compile for each type. So for every type the formulas are compared, as types, with those of converted operands, and
// two are evaluated; all are evaluated for one type.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "fuse/fuse.hpp"
#include "nn/extreme_integers.hpp"
#include "support/catch.hpp"

namespace fuse::testing {

/// Roundings of F: `scale` is the largest term that went into the value.
template <class F>
void check_near(const char* what, F got, double expected, double scale) {
    const double eps = static_cast<double>(std::numeric_limits<F>::epsilon());
    INFO(what << ": got " << got << ", expected " << expected);
    CHECK(std::fabs(as_double(got) - expected) <= 32 * eps * (std::fabs(expected) + scale));
}

/// Operands are converted before anything else, to float of 8 and 16 bits and to double of more: the formula is, to the
/// letter, that of a cast.
template <class F, class X>
void check_converted(const X& x) {
    const auto same = []<class A, class B>(const A&, const B&) { return std::is_same_v<A, B>; };
    const auto u = cast<F>(x);
    CHECK((same(softmax(x), softmax(u)) && same(log_softmax(x), log_softmax(u))));
    CHECK(same(logsumexp(x, axes<1>), logsumexp(u, axes<1>)));
    CHECK((same(layer_norm(x), layer_norm(u)) && same(rms_norm(x), rms_norm(u))));
    CHECK(same(l2_normalize(x), l2_normalize(u)));
    CHECK((same(norm<1>(x), norm<1>(u)) && same(norm<2>(x), norm<2>(u)) && same(norm<3>(x), norm<3>(u))));
    CHECK(same(norm<inf>(x), norm<inf>(u)));
    static_assert(std::is_same_v<value_t<decltype(norm<0>(x))>, std::int64_t>);
    static_assert(std::is_same_v<value_t<decltype(var(x))>, double>);
}
/// Where a number is used more than once (huber_loss, cosine_similarity) types cannot be compared; check_integer_pair
/// has values of these.
template <class F, class X, class Y, class G>
void check_converted_losses(const X& x, const Y& y, const G& g) {
    const auto same = []<class A, class B>(const A&, const B&) { return std::is_same_v<A, B>; };
    const auto u = cast<F>(x);
    const auto v = cast<F>(y);
    CHECK((same(mse_loss(x, y), mse_loss(u, v)) && same(l1_loss(x, y), l1_loss(u, v))));
    CHECK(same(binary_cross_entropy_with_logits(x, y), binary_cross_entropy_with_logits(u, v)));
    CHECK((std::is_same_v<value_t<decltype(huber_loss(x, y))>, F>));
    CHECK((std::is_same_v<value_t<decltype(cosine_similarity(x, y))>, F>));
    // Beside an operand that is floating already, its type.
    CHECK((same(mse_loss(x, g), mse_loss(cast<float>(x), g)) && same(l1_loss(g, y), l1_loss(g, cast<float>(y)))));
}

/// Two types of one width, in one eval: of a formula over elements and one over rows.
template <class T, class U, class Target>
void check_integer_pair(const Target& target) {
    using F = std::conditional_t<(sizeof(T) > 2), double, float>;
    const std::vector<T> a = extreme_integers<T>();
    const std::vector<U> upward = extreme_integers<U>();
    const std::vector<U> b(upward.rbegin(), upward.rend());
    auto a_data = array_of<Target>(a);
    auto b_data = array_of<Target>(b);
    auto f_data = array_of<Target>(std::vector<float>(a.size()));
    auto huber = array_of<Target>(std::vector<F>(a.size()));
    auto similarity = array_of<Target>(std::vector<F>(integer_rows));
    const auto x = view<"x">(a_data.data(), integer_rows, integer_columns);
    const auto y = view<"y">(b_data.data(), integer_rows, integer_columns);
    check_converted<F>(x);
    check_converted<F>(y);
    check_converted_losses<F>(x, y, view<"g">(f_data.data(), integer_rows, integer_columns));
    target.eval(view<"h">(huber.data(), integer_rows, integer_columns) = huber_loss(x, y, reduction::none, 2.0),
                view<"s">(similarity) = cosine_similarity(x, y, axes<1>));
    INFO(sizeof(T) << " bytes");
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = std::fabs(as_double(a[i]) - as_double(b[i]));
        check_near("huber", huber[i], d < 2 ? d * d / 2 : 2 * (d - 1), 0);
    }
    for (index_t r = 0; r < integer_rows; ++r) {
        const Row u = row_of(a, r);
        const Row v = row_of(b, r);
        double dot = 0;
        for (std::size_t c = 0; c < u.size(); ++c) {
            dot += u[c] * v[c];
        }
        const double lengths = std::sqrt(power_sum(u, 2)) * std::sqrt(power_sum(v, 2));
        check_near("cosine_similarity", similarity[static_cast<std::size_t>(r)], dot / lengths, 1);
    }
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
                view<"d">(out[3]) = binary_cross_entropy_with_logits(x, z, reduction::none),
                view<"e">(out[4]) = mse_loss(x, 3, reduction::none));
    target.eval(view<"a">(beside[0]) = mse_loss(x, g, reduction::none),
                view<"b">(beside[1]) = l1_loss(g, x, reduction::none),
                view<"c">(beside[2]) = binary_cross_entropy_with_logits(g, z, reduction::none));
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
