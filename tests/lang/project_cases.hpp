// SPDX-License-Identifier: Apache-2.0
//
// What project returns is the result, whatever the accumulator is: every pair of types, and accumulators and results of
// several fields. No op here declares `result`, but for those that say what a declaration does.
#pragma once

#include "lang/axes_cases.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// Which share of the elements is positive, in quarters, so that results are not 0 or 1 in an integer type either.
template <class Accumulator, class Result>
struct PositiveQuarters {
    using accumulator = Accumulator;
    static constexpr const char* name = "positive_quarters";
    FUSE_HD constexpr Accumulator init() const { return Accumulator(0); }
    FUSE_HD constexpr Accumulator leaf(float v, index_t) const { return static_cast<Accumulator>(v > 0 ? 1 : 0); }
    FUSE_HD constexpr Accumulator combine(Accumulator a, Accumulator b) const {
        return static_cast<Accumulator>(a + b);
    }
    FUSE_HD constexpr Result project(Accumulator a, index_t n) const {
        return static_cast<Result>(4 * static_cast<double>(a) / static_cast<double>(n));
    }
};

/// Result declared: that type, converted from what project returns.
struct DeclaredResult : PositiveQuarters<std::int64_t, double> {
    using result = float;
};
/// No project: the accumulator.
struct Positives {
    using accumulator = std::int64_t;
    FUSE_HD constexpr std::int64_t init() const { return 0; }
    FUSE_HD constexpr std::int64_t leaf(float v, index_t) const { return v > 0 ? 1 : 0; }
    FUSE_HD constexpr std::int64_t combine(std::int64_t a, std::int64_t b) const { return a + b; }
};

struct CountedMean {
    index_t count;
    double mean;
};
/// Several fields accumulate, and several fields result.
struct MeanOfPositives {
    struct accumulator {
        index_t n;
        double sum;
    };
    FUSE_HD constexpr accumulator init() const { return {0, 0}; }
    FUSE_HD constexpr accumulator leaf(double v, index_t) const {
        return v > 0 ? accumulator{1, v} : accumulator{0, 0};
    }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const { return {a.n + b.n, a.sum + b.sum}; }
    FUSE_HD constexpr CountedMean project(accumulator a, index_t) const {
        return {a.n, a.n == 0 ? 0 : a.sum / static_cast<double>(a.n)};
    }
};
struct MeanField {
    FUSE_HD constexpr double operator()(CountedMean m) const { return m.mean; }
};

/// A sum that keeps what rounding loses (W. Kahan 1965, in A. Neumaier's form), projected to one of its fields.
struct CompensatedSum {
    struct accumulator {
        float sum, lost;
    };
    FUSE_HD constexpr accumulator init() const { return {0, 0}; }
    FUSE_HD constexpr accumulator leaf(float v, index_t) const { return {v, 0}; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        const float s = a.sum + b.sum;
        const float large = a.sum * a.sum > b.sum * b.sum ? a.sum : b.sum;
        const float small = a.sum * a.sum > b.sum * b.sum ? b.sum : a.sum;
        return {s, a.lost + b.lost + ((large - s) + small)};
    }
    FUSE_HD constexpr double project(accumulator a, index_t) const {
        return static_cast<double>(a.sum) + static_cast<double>(a.lost);
    }
};

/// Element type of the result, as functors see it.
template <class Result>
using seen_t = std::conditional_t<std::is_same_v<Result, float16>, float, Result>;

/// The share in a type of results, folded over the axes in Mask.
template <class Result>
NdArray share_reference(const NdArray& x, std::uint32_t mask) {
    const auto expected = [](const Numbers& v) {
        double positive = 0;
        for (const double e : v) {
            positive += e > 0;
        }
        const double share = 4 * positive / static_cast<double>(v.size());
        return std::is_same_v<Result, bool> ? share != 0 : std::is_integral_v<Result> ? std::floor(share) : share;
    };
    return reduce_reference(expected, x, mask);
}

/// Every family projects: of rows, of columns and of all.
template <class Accumulator, class Result, class Target>
void check_projected(const Target& target, const NdArray& x) {
    using Op = PositiveQuarters<Accumulator, Result>;
    INFO("accumulator of " << sizeof(Accumulator) << " bytes, result of " << sizeof(Result));
    Tensor<Target, float> x_data(x);
    Tensor<Target, double> rows(Extent{x.extent[0]}), columns(Extent{x.extent[1]});
    const auto v = x_data.template const_view<"x", 2>();
    target.eval(rows.template view<"r", 1>() = cast<double>(reduce(Op{}, v, axes<1>)));
    target.eval(columns.template view<"c", 1>() = cast<double>(reduce(Op{}, v, axes<0>)));
    const double all = static_cast<double>(target.value(reduce(Op{}, v)));
    check_close(rows.read(), share_reference<Result>(x, 0b10), 1e-6);
    check_close(columns.read(), share_reference<Result>(x, 0b01), 1e-6);
    CHECK(all == Catch::Approx(share_reference<Result>(x, 0b11)(Coordinate{})));
}

/// To each type at once, of rows.
template <class Accumulator, class Target>
void check_projected_to_all(const Target& target, const NdArray& x) {
    INFO("accumulator of " << sizeof(Accumulator) << " bytes");
    Tensor<Target, float> x_data(x);
    const auto v = x_data.template const_view<"x", 2>();
    const auto share = [&]<class Result>(Result) {
        const auto shares = reduce(PositiveQuarters<Accumulator, Result>{}, v, axes<1>);
        static_assert(std::is_same_v<value_t<decltype(shares)>, seen_t<Result>>);
        return cast<double>(shares);
    };
    const Extent rows{x.extent[0]};
    Tensor<Target, double> a(rows), b(rows), c(rows), d(rows), e(rows), f(rows);
    target.eval(a.template view<"a", 1>() = share(double()), b.template view<"b", 1>() = share(float()),
                c.template view<"c", 1>() = share(float16()), d.template view<"d", 1>() = share(std::int64_t()),
                e.template view<"e", 1>() = share(std::int8_t()), f.template view<"f", 1>() = share(bool()));
    check_close(a.read(), share_reference<double>(x, 0b10), 1e-6);
    check_close(b.read(), share_reference<float>(x, 0b10), 1e-6);
    check_close(c.read(), share_reference<float16>(x, 0b10), 1e-3);
    check_close(d.read(), share_reference<std::int64_t>(x, 0b10), 1e-6);
    check_close(e.read(), share_reference<std::int8_t>(x, 0b10), 1e-6);
    check_close(f.read(), share_reference<bool>(x, 0b10), 1e-6);
}

template <class Target>
void check_declared_and_absent(const Target& target) {
    float data[] = {1, -1, 2, 3};
    Tensor<Target, float> x_data(NdArray(Extent{4}, 0));
    for (int i = 0; i < 4; ++i) {
        x_data.origin()[i] = data[i];
    }
    const auto x = x_data.template const_view<"x", 1>();
    static_assert(std::is_same_v<value_t<decltype(reduce(DeclaredResult{}, x))>, float>);
    static_assert(std::is_same_v<value_t<decltype(reduce(Positives{}, x))>, std::int64_t>);
    CHECK(target.value(reduce(PositiveQuarters<std::int64_t, double>{}, x)) == 3.0);
    CHECK(target.value(reduce(DeclaredResult{}, x)) == 3.0F);
    CHECK(target.value(reduce(Positives{}, x)) == 3);
    CHECK(target.value(map(MeanField{}, reduce(MeanOfPositives{}, x))) == 2.0);

    // 1e8 and 1 side by side: float alone would lose the ones.
    data[0] = 1e8F;
    data[1] = 1;
    data[2] = 1;
    data[3] = -1e8F;
    for (int i = 0; i < 4; ++i) {
        x_data.origin()[i] = data[i];
    }
    CHECK(target.value(reduce(CompensatedSum{}, x)) == 2.0);
    // Before the elements: of a scalar, which has no axis.
    CHECK(target.value(reduce(PositiveQuarters<std::int8_t, double>{}, scalar(2.0F) * 1.0F)) == 4.0);
}

}  // namespace fuse::testing
