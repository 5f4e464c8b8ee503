// SPDX-License-Identifier: Apache-2.0
//
// covariance, correlation, skewness and kurtosis by name through a target, along rows, columns and over all elements,
// against loops in double.
#pragma once

#include "fuse/nn.hpp"
#include "nn/tolerance.hpp"

namespace fuse::testing {

inline double moment_reference(const Numbers& v, int power) {
    const double mean = mean_reference(v);
    double sum = 0;
    for (const double e : v) {
        sum += std::pow(e - mean, power);
    }
    return sum / static_cast<double>(v.size());
}
inline double skewness_reference(const Numbers& v) {
    return moment_reference(v, 3) / std::pow(moment_reference(v, 2), 1.5);
}
inline double kurtosis_reference(const Numbers& v) {
    const double variance = moment_reference(v, 2);
    return moment_reference(v, 4) / (variance * variance) - 3;
}
/// f of the elements of a and of b along the axes in mask.
template <class F>
NdArray pair_reference(F f, const NdArray& a, const NdArray& b, std::uint32_t mask) {
    std::vector<Numbers> groups;
    reduce_reference([&](const Numbers& v) { return groups.push_back(v), 0.0; }, b, mask);
    std::size_t next = 0;
    return reduce_reference([&](const Numbers& v) { return f(v, groups[next++]); }, a, mask);
}
inline double covariance_reference(const Numbers& a, const Numbers& b, double ddof) {
    const double mean_of_a = mean_reference(a);
    const double mean_of_b = mean_reference(b);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += (a[i] - mean_of_a) * (b[i] - mean_of_b);
    }
    return static_cast<double>(a.size()) > ddof ? sum / (static_cast<double>(a.size()) - ddof)
                                                : std::numeric_limits<double>::quiet_NaN();
}
inline double correlation_reference(const Numbers& a, const Numbers& b) {
    return covariance_reference(a, b, 0) / std::sqrt(moment_reference(a, 2) * moment_reference(b, 2));
}

/// Numbers that are skewed, far from 0, and related to each other.
template <class T>
std::pair<NdArray, NdArray> related_numbers(const Extent& extent) {
    const NdArray u = random_reals(extent, 0, 1, 97);
    const NdArray v = random_reals(extent, -1, 1, 98);
    return {held<T>(map_reference([](double e) { return 16 + 4 * e * e * e; }, u)),
            held<T>(map_reference([](double e, double f) { return 3 * e * e * e + f - 8; }, u, v))};
}

/// Of rows with Mask 2, of columns with Mask 1.
template <std::uint32_t Mask, class T, class Target>
void check_statistics(const Target& target, const std::vector<Extent>& shapes) {
    using C = Computed<T>;
    constexpr auto over = axes < Mask == 2 ? 1 : 0 > ;
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axes " << Mask);
        const auto [x, y] = related_numbers<T>(extent);
        Tensor<Target, T> x_data(x), y_data(y);
        const auto a = x_data.template const_view<"x", 2>();
        const auto b = y_data.template const_view<"y", 2>();
        auto out = outputs<Target, C>(6, {extent[Mask == 2 ? 0 : 1]});
        const auto view = [&]<fixed_name N>(std::size_t i) { return out[i].template view<N, 1>(); };
        const auto check = [&](std::size_t i, const char* what, const NdArray& expected, double scale,
                               double roundings = 16) {
            INFO(what);
            check_rounded<T>(out[i].read(), expected, scale, roundings);
        };
        target.eval(view.template operator()<"a">(0) = covariance(a, b, over),
                    view.template operator()<"b">(1) = covariance<1>(a, b, over),
                    view.template operator()<"c">(2) = correlation(a, b, over),
                    view.template operator()<"d">(3) = skewness(a, over),
                    view.template operator()<"e">(4) = kurtosis(a, over),
                    view.template operator()<"f">(5) = var(a, over));
        for (const int ddof : {0, 1}) {
            const auto of_pair = [=](const Numbers& e, const Numbers& f) { return covariance_reference(e, f, ddof); };
            check(static_cast<std::size_t>(ddof), "covariance", pair_reference(of_pair, x, y, Mask), 16, 32);
        }
        check(5, "var", reduce_reference(variance_reference, x, Mask), 16, 32);
        if (extent[Mask == 2 ? 1 : 0] == 1) {
            for (const std::size_t i : {2U, 3U, 4U}) {
                check_equal(out[i].read(), NdArray(out[i].read().extent, std::numeric_limits<double>::quiet_NaN()));
            }
            continue;
        }
        // A deviation is off by half an ulp of the mean, 20, relative to a deviation of about 1.
        check(2, "correlation", pair_reference(correlation_reference, x, y, Mask), 20);
        check(3, "skewness", reduce_reference(skewness_reference, x, Mask), 80);
        check(4, "kurtosis", reduce_reference(kurtosis_reference, x, Mask), 320);
    }
}

/// Of all elements.
template <class Target>
void check_statistics_of_all(const Target& target) {
    for (const Extent& extent : std::vector<Extent>{{2, 1}, {5, 7}, {3, 1000}, {2, 10001}}) {
        INFO("shape " << to_text(extent));
        const auto [x, y] = related_numbers<float>(extent);
        Tensor<Target, float> x_data(x), y_data(y);
        const auto a = x_data.template const_view<"x", 2>();
        const auto b = y_data.template const_view<"y", 2>();
        const auto [shared, related, skewed, peaked] =
            target.value(covariance(a, b), correlation(a, b), skewness(a), kurtosis(a));
        check_rounded<float>(shared, covariance_reference(x.value, y.value, 0), 16, 32);
        check_rounded<float>(related, correlation_reference(x.value, y.value), 20);
        check_rounded<float>(skewed, skewness_reference(x.value), 80);
        check_rounded<float>(peaked, kurtosis_reference(x.value), 320);
    }
}

}  // namespace fuse::testing
