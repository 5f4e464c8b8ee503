// SPDX-License-Identifier: Apache-2.0
//
// Reductions that a user brings: by the whole protocol, as a binary functor with an identity, and one that does not
// commute, whose result shows every change of order. Integers modulo 2^32, so results are exact.
#pragma once

#include <algorithm>
#include <cmath>

#include "lang/axes_cases.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// Mean and spread in one sweep, by the protocol (B. P. Welford 1962; T. F. Chan, G. H. Golub, R. J. LeVeque 1983).
struct Moments {
    struct accumulator {
        double n, mean, square;
    };
    using result = double;
    static constexpr const char* name = "moments";

    FUSE_HD constexpr accumulator init() const { return {0, 0, 0}; }
    FUSE_HD constexpr accumulator leaf(double v, index_t) const { return {1, v, 0}; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        const double n = a.n + b.n;
        if (n == 0) {
            return a;
        }
        const double delta = b.mean - a.mean;
        return {n, a.mean + delta * b.n / n, a.square + b.square + delta * delta * a.n * b.n / n};
    }
    FUSE_HD constexpr double project(accumulator a, index_t n) const { return a.square / static_cast<double>(n); }
};

/// The greatest common divisor: a plain functor with an identity.
struct CommonDivisor {
    static constexpr int identity = 0;
    FUSE_HD constexpr int operator()(int a, int b) const {
        while (b != 0) {
            const int rest = a % b;
            a = b;
            b = rest;
        }
        return a < 0 ? -a : a;
    }
};

/// The map v -> scale * v + shift; composing two of them does not commute.
struct Affine {
    std::uint32_t scale, shift;
};
struct MakeAffine {
    FUSE_HD constexpr Affine operator()(std::uint32_t scale, std::uint32_t shift) const { return {scale, shift}; }
};
struct Compose {
    static constexpr bool commutative = false;
    static constexpr Affine identity{1, 0};
    FUSE_HD constexpr Affine operator()(Affine first, Affine then) const {
        return {then.scale * first.scale, then.scale * first.shift + then.shift};
    }
};
struct ShiftOf {
    FUSE_HD constexpr std::uint32_t operator()(Affine a) const { return a.shift; }
};

inline double affine_reference(const Numbers& scaled) {
    // scale and shift of an element are both derived from one number, as in check_order.
    Affine total{1, 0};
    for (const double v : scaled) {
        const auto n = static_cast<std::uint32_t>(v);
        total = {(2 * n + 1) * total.scale, (2 * n + 1) * total.shift + n * n};
    }
    return total.shift;
}

template <std::uint32_t Mask, class Target>
void check_order(const Target& target, const std::vector<Extent>& shapes) {
    constexpr int kept = 3 - count_axes(Mask);
    for (const Extent& extent : shapes) {
        for (const Placement placement : {Placement::row_major, Placement::transposed}) {
            INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
            const NdArray x = random_integers(extent, 0, 1000, 3);
            const NdArray expected = reduce_reference(affine_reference, x, Mask);
            Tensor<Target, std::uint32_t> x_data(x, placement);
            Tensor<Target, std::uint32_t> y_data(expected.extent);
            const auto v = x_data.template const_view<"x", 3>();
            const auto composed = reduce(Compose{}, map(MakeAffine{}, v * 2U + 1U, v * v), axes_of<Mask>);
            target.eval(y_data.template view<"y", kept>() = map(ShiftOf{}, composed));
            check_equal(y_data.read(), expected);
        }
    }
}

template <class Target>
void check_protocol_ops(const Target& target) {
    for (const Extent& extent : {Extent{1, 1}, Extent{3, 130}, Extent{40, 7}}) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_integers(extent, -50, 50, 4);
        const auto spread = [](const Numbers& v) {
            const double mean = mean_reference(v);
            double sum = 0;
            for (const double e : v) {
                sum += (e - mean) * (e - mean);
            }
            return sum / static_cast<double>(v.size());
        };
        const auto divisor = [](const Numbers& v) {
            int d = 0;
            for (const double e : v) {
                d = CommonDivisor{}(d, static_cast<int>(e) * 6);
            }
            return static_cast<double>(d);
        };
        Tensor<Target, std::int32_t> x_data(x);
        Tensor<Target, double> spread_data(Extent{extent[0]});
        Tensor<Target, std::int32_t> divisor_data(Extent{extent[0]});
        const auto v = x_data.template const_view<"x", 2>();
        target.eval(spread_data.template view<"spread", 1>() = reduce(Moments{}, v, axes<1>),
                    divisor_data.template view<"divisor", 1>() = reduce(CommonDivisor{}, v * 6, axes<1>));
        check_close(spread_data.read(), reduce_reference(spread, x, 0b10), 1e-12, 1e-12);
        check_equal(divisor_data.read(), reduce_reference(divisor, x, 0b10));
    }
}

/// Ops with state, in each place that may look at it: combine,
struct SmoothMaximum {
    struct accumulator {
        double most, sum;
    };
    double temperature;

    FUSE_HD constexpr accumulator init() const { return {-1e300, 0}; }
    FUSE_HD constexpr accumulator leaf(double v, index_t) const { return {v, 1}; }
    FUSE_HD accumulator combine(accumulator a, accumulator b) const {
        const double most = a.most > b.most ? a.most : b.most;
        return {most,
                a.sum * std::exp((a.most - most) / temperature) + b.sum * std::exp((b.most - most) / temperature)};
    }
    FUSE_HD double project(accumulator a, index_t) const { return a.most + temperature * std::log(a.sum); }
};
/// leaf, of an op that does not commute: the digits of a number,
struct InBase {
    struct accumulator {
        std::uint32_t number, scale;
    };
    static constexpr bool commutative = false;
    std::uint32_t base;

    FUSE_HD constexpr accumulator init() const { return {0, 1}; }
    FUSE_HD constexpr accumulator leaf(std::int32_t digit, index_t) const {
        return {static_cast<std::uint32_t>(digit), base};
    }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        return {a.number * b.scale + b.number, a.scale * b.scale};
    }
    FUSE_HD constexpr std::uint32_t project(accumulator a, index_t) const { return a.number; }
};
/// init, leaf with its index, and project,
struct FirstAbove {
    using accumulator = index_t;
    int level;
    index_t otherwise;

    FUSE_HD constexpr index_t init() const { return otherwise; }
    FUSE_HD constexpr index_t leaf(int v, index_t i) const { return v > level ? i : otherwise; }
    FUSE_HD constexpr index_t combine(index_t a, index_t b) const { return a < b ? a : b; }
    FUSE_HD constexpr index_t project(index_t a, index_t n) const { return a == otherwise ? -n - level : a; }
};
/// and the call of a functor with an identity.
struct SaturatingAdd {
    std::int64_t most;
    FUSE_HD constexpr std::int64_t identity() const { return 0; }
    FUSE_HD constexpr std::int64_t operator()(std::int64_t a, std::int64_t b) const {
        return a + b < most ? a + b : most;
    }
};

template <std::uint32_t Mask, class Target>
void check_ops_with_state(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent) << ", axes " << Mask);
    const NdArray x = random_integers(extent, 0, 50, 6);
    const auto maximum = [](const Numbers& v) {
        double sum = 0;
        for (const double e : v) {
            sum += std::exp(e / 2.5);
        }
        return 2.5 * std::log(sum);
    };
    const auto number = [](const Numbers& v) {
        std::uint32_t n = 0;
        for (const double e : v) {
            n = 7 * n + static_cast<std::uint32_t>(e);
        }
        return static_cast<double>(n);
    };
    const auto first = [](const Numbers& v) {
        const auto at = std::find_if(v.begin(), v.end(), [](double e) { return e > 46; });
        return at == v.end() ? -static_cast<double>(v.size()) - 46 : static_cast<double>(at - v.begin());
    };
    const auto saturated = [](const Numbers& v) { return std::min(sum_reference(v), 300.0); };
    constexpr int kept = 2 - count_axes(Mask);
    const Extent outer = reduce_reference(number, x, Mask).extent;
    Tensor<Target, std::int32_t> x_data(x);
    Tensor<Target, double> maximum_data(outer), difference_data(extent);
    Tensor<Target, std::uint32_t> number_data(outer);
    Tensor<Target, std::int64_t> first_data(outer), saturated_data(outer);
    const auto v = x_data.template const_view<"x", 2>();
    target.eval(number_data.template view<"number", kept>() = reduce(InBase{7}, v, axes_of<Mask>),
                first_data.template view<"first", kept>() = reduce(FirstAbove{46, 1000000}, v, axes_of<Mask>),
                saturated_data.template view<"saturated", kept>() =
                    reduce(SaturatingAdd{300}, v, axes_of<Mask>, accumulate<std::int64_t>));
    check_equal(number_data.read(), reduce_reference(number, x, Mask));
    check_equal(first_data.read(), reduce_reference(first, x, Mask));
    check_equal(saturated_data.read(), reduce_reference(saturated, x, Mask));
    target.eval(maximum_data.template view<"m", kept>() = reduce(SmoothMaximum{2.5}, v, axes_of<Mask>),
                difference_data.template view<"d", 2>() = v - reduce(SmoothMaximum{2.5}, v, axes_of<Mask>, keepdims));
    check_close(maximum_data.read(), reduce_reference(maximum, x, Mask), 1e-12, 1e-12);
    const auto minus = [](double a, double b) { return a - b; };
    check_close(difference_data.read(), map_reference(minus, x, reduce_reference(maximum, x, Mask, true)), 1e-11,
                1e-11);
}
template <class Target>
void check_ops_with_state(const Target& target) {
    for (const Extent& extent : {Extent{1, 1}, Extent{3, 130}, Extent{40, 7}, Extent{2, 0}}) {
        check_ops_with_state<0b10>(target, extent);
    }
    check_ops_with_state<0b01>(target, {150, 9});
    check_ops_with_state<0b11>(target, {9, 450});
}

/// A functor with state has an identity of its own at each occurrence.
struct Scale {
    float by;
    FUSE_HD float operator()(float v) const { return by * v; }
};

template <class Target>
void check_capturing_functors(const Target& target) {
    const NdArray x = random_integers({3, 50}, -9, 9, 5);
    Tensor<Target, float> x_data(x);
    Tensor<Target, float> y_data(x.extent);
    Tensor<Target, float> s_data(Extent{3});
    const auto v = x_data.template const_view<"x", 2>();
    target.eval(y_data.template view<"y", 2>() = map(Scale{2}, v) + map(Scale{0.5F}, v),
                s_data.template view<"s", 1>() = sum(map(Scale{4}, v), axes<1>));
    check_equal(y_data.read(), map_reference([](double a) { return 2.5 * a; }, x));
    const NdArray scaled = map_reference([](double a) { return 4 * a; }, x);
    check_equal(s_data.read(), reduce_reference(sum_reference, scaled, 0b10));
}

}  // namespace fuse::testing
