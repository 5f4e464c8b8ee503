// SPDX-License-Identifier: Apache-2.0
//
// The op table's reductions: one record per reduction op, with the value it must have for a list of numbers
// (in double, from the definition), the domain of the elements and the scale of its rounding error: the
// result may be off by the machine epsilon of the accumulator, times the number of roundings, times `scale`.
// A scale of 0 means exact.
#pragma once

#include "fuse/ops/ops.hpp"
#include "ops/op_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace fuse::testing {

using Numbers = std::vector<double>;

template <class Op, bool only_integers = false>
struct ReductionRecord {
    using op = Op;
    static constexpr bool integers_only = only_integers;
    Numbers (*reference)(const Numbers&);  // one number per field; never called without elements
    Domain x;
    double (*scale)(const Numbers&);
    Numbers empty;  // the result over no elements, nothing if that is an error
};

template <class T>
Numbers numbers_of(const fuse::MinMaxResult<T>& r) {
    return {static_cast<double>(r.min), static_cast<double>(r.max)};
}
template <class T>
    requires std::is_arithmetic_v<T> Numbers numbers_of(T v) {
        return {static_cast<double>(v)};
    }

inline double exact(const Numbers&) {
    return 0;
}

inline double sum_of_magnitudes(const Numbers& v) {
    double sum = 0;
    for (const double x : v)
        sum += std::fabs(x);
    return sum;
}

inline bool any_nan(const Numbers& v) {
    return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
}

/// The extreme under `better`, NaN if there is one; with `ignore`, NaN only if there is nothing else.
inline double extreme_of(const Numbers& v, bool largest, bool ignore) {
    if (!ignore && any_nan(v))
        return nan_value();
    double best = nan_value();
    for (const double x : v)
        best = largest ? std::fmax(best, x) : std::fmin(best, x);
    return best;
}

inline double arg_extreme_of(const Numbers& v, bool largest, bool ignore) {
    const double best = extreme_of(v, largest, ignore);
    for (std::size_t i = 0; i < v.size(); ++i) {
        const bool hit = std::isnan(best) ? std::isnan(v[i]) && !ignore : v[i] == best;
        if (hit)
            return static_cast<double>(i);
    }
    return -1;
}

inline Numbers fold_bits(const Numbers& v, char op) {
    double result = v[0];
    for (std::size_t i = 1; i < v.size(); ++i)
        result = bits_of(result, v[i], op);
    return {result};
}

inline double sum_of(const Numbers& v) {
    double sum = 0;
    for (const double x : v)
        sum += x;
    return sum;
}

inline double product_of(const Numbers& v) {
    double product = 1;
    for (const double x : v)
        product *= x;
    return product;
}

inline double count_of(const Numbers& v) {
    return static_cast<double>(std::count_if(v.begin(), v.end(), [](double x) { return x != 0; }));
}

inline double size_of(const Numbers& v) {
    return static_cast<double>(v.size());
}

template <bool only_integers = false, class Op>
ReductionRecord<Op, only_integers> reduction(Op, Domain x, auto scale, Numbers empty,
                                             Numbers (*reference)(const Numbers&)) {
    return {reference, x, scale, empty};
}

inline auto reduction_records() {
    using namespace fuse;
    using V = const Numbers&;
    const Domain wide{-1e3, 1e3}, rarely{-0.6, 0.6}, often{-2, 2};
    const auto any = [](V v) { return Numbers{count_of(v) > 0 ? 1. : 0.}; };
    const auto all = [](V v) { return Numbers{count_of(v) == size_of(v) ? 1. : 0.}; };
    return std::make_tuple(
        reduction(Add<>{}, wide, sum_of_magnitudes, {0}, [](V v) { return Numbers{sum_of(v)}; }),
        reduction(
            Mul<>{}, {0.9, 1.1}, [](V v) { return std::fabs(product_of(v)); }, {1},
            [](V v) { return Numbers{product_of(v)}; }),
        reduction(
            Mean{}, wide, [](V v) { return sum_of_magnitudes(v) / size_of(v); }, {nan_value()},
            [](V v) { return Numbers{sum_of(v) / size_of(v)}; }),

        reduction(Max<>{}, wide, exact, {}, [](V v) { return Numbers{extreme_of(v, true, false)}; }),
        reduction(Min<>{}, wide, exact, {}, [](V v) { return Numbers{extreme_of(v, false, false)}; }),
        reduction(MaxIgnoreNan<>{}, wide, exact, {}, [](V v) { return Numbers{extreme_of(v, true, true)}; }),
        reduction(MinIgnoreNan<>{}, wide, exact, {}, [](V v) { return Numbers{extreme_of(v, false, true)}; }),
        reduction(MinMax{}, wide, exact, {},
                  [](V v) {
                      return Numbers{extreme_of(v, false, false), extreme_of(v, true, false)};
                  }),
        reduction(ArgMax{}, wide, exact, {}, [](V v) { return Numbers{arg_extreme_of(v, true, false)}; }),
        reduction(ArgMin{}, wide, exact, {}, [](V v) { return Numbers{arg_extreme_of(v, false, false)}; }),
        reduction(ArgMaxIgnoreNan{}, wide, exact, {}, [](V v) { return Numbers{arg_extreme_of(v, true, true)}; }),
        reduction(ArgMinIgnoreNan{}, wide, exact, {}, [](V v) { return Numbers{arg_extreme_of(v, false, true)}; }),

        reduction(Any{}, rarely, exact, {0}, any), reduction(LogicalOr<>{}, rarely, exact, {0}, any),
        reduction(All{}, {0.6, 5}, exact, {1}, all), reduction(LogicalAnd<>{}, often, exact, {1}, all),
        reduction(CountNonzero{}, often, exact, {0}, [](V v) { return Numbers{count_of(v)}; }),

        reduction<true>(BitAnd<>{}, wide, exact, {-1}, [](V v) { return fold_bits(v, '&'); }),
        reduction<true>(BitOr<>{}, wide, exact, {0}, [](V v) { return fold_bits(v, '|'); }),
        reduction<true>(BitXor<>{}, wide, exact, {0}, [](V v) { return fold_bits(v, '^'); }));
}

}  // namespace fuse::testing
