// SPDX-License-Identifier: Apache-2.0
//
// Reductions that a user brings: by the whole protocol, as a binary functor with an identity, and one that does not
// commute, whose result shows every change of order. Integers modulo 2^32, so results are exact.
#pragma once

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
