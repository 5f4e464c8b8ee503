// SPDX-License-Identifier: Apache-2.0
//
// The op table's reductions: one record per reduction op, with the value it must have for a list of numbers (in double,
// from the definition), the domain of the elements and the scale of its rounding error: the result may be off by the
// machine epsilon of the accumulator, times the number of roundings, times `scale`. A scale of 0 means exact.
#pragma once

#include "fuse/ops/ops.hpp"
#include "ops/op_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace fuse_test {

using Numbers = std::vector<double>;

template<class Op, bool only_integers = false>
struct ReductionRecord {
    using op = Op;
    static constexpr bool integers_only = only_integers;
    Numbers (*reference)(const Numbers&);  // one number per field of the result; never called without elements
    Domain x;
    double (*scale)(const Numbers&);
    Numbers empty;  // the result over no elements, nothing if that is an error
};

template<class T>
Numbers numbers_of(const fuse::MinMaxResult<T>& r) {
    return {static_cast<double>(r.min), static_cast<double>(r.max)};
}
template<class T>
    requires std::is_arithmetic_v<T>
Numbers numbers_of(T v) {
    return {static_cast<double>(v)};
}

inline double exact(const Numbers&) {
    return 0;
}

inline double sum_of_magnitudes(const Numbers& v) {
    double sum = 0;
    for (const double x : v) sum += std::fabs(x);
    return sum;
}

inline bool any_nan(const Numbers& v) {
    return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
}

/// The extreme under `better`, NaN if there is one; with `ignore`, NaN only if there is nothing else.
inline double extreme_of(const Numbers& v, bool largest, bool ignore) {
    if (!ignore && any_nan(v)) return nan_value();
    double best = nan_value();
    for (const double x : v) best = largest ? std::fmax(best, x) : std::fmin(best, x);
    return best;
}

inline double arg_extreme_of(const Numbers& v, bool largest, bool ignore) {
    const double best = extreme_of(v, largest, ignore);
    for (std::size_t i = 0; i < v.size(); ++i) {
        const bool hit = std::isnan(best) ? std::isnan(v[i]) && !ignore : v[i] == best;
        if (hit) return static_cast<double>(i);
    }
    return -1;
}

inline Numbers fold_bits(const Numbers& v, char op) {
    double result = v[0];
    for (std::size_t i = 1; i < v.size(); ++i) result = bits_of(result, v[i], op);
    return {result};
}

template<class Visit>
void for_each_reduction_record(Visit&& visit) {
    using namespace fuse;
    const Domain wide{-1e3, 1e3};
    visit(ReductionRecord<Add<>>{[](const Numbers& v) {
                                     double sum = 0;
                                     for (const double x : v) sum += x;
                                     return Numbers{sum};
                                 },
                                 wide, sum_of_magnitudes, {0}});
    visit(ReductionRecord<Mul<>>{[](const Numbers& v) {
                                     double product = 1;
                                     for (const double x : v) product *= x;
                                     return Numbers{product};
                                 },
                                 {0.9, 1.1},
                                 [](const Numbers& v) {
                                     double product = 1;
                                     for (const double x : v) product *= x;
                                     return std::fabs(product);
                                 },
                                 {1}});
    visit(ReductionRecord<Mean>{[](const Numbers& v) {
                                    double sum = 0;
                                    for (const double x : v) sum += x;
                                    return Numbers{sum / static_cast<double>(v.size())};
                                },
                                wide,
                                [](const Numbers& v) { return sum_of_magnitudes(v) / static_cast<double>(v.size()); },
                                {nan_value()}});
    visit(ReductionRecord<Max<>>{
        [](const Numbers& v) { return Numbers{extreme_of(v, true, false)}; }, wide, exact, {}});
    visit(ReductionRecord<Min<>>{
        [](const Numbers& v) { return Numbers{extreme_of(v, false, false)}; }, wide, exact, {}});
    visit(ReductionRecord<MaxIgnoreNan<>>{
        [](const Numbers& v) { return Numbers{extreme_of(v, true, true)}; }, wide, exact, {}});
    visit(ReductionRecord<MinIgnoreNan<>>{
        [](const Numbers& v) { return Numbers{extreme_of(v, false, true)}; }, wide, exact, {}});
    visit(ReductionRecord<MinMax>{
        [](const Numbers& v) { return Numbers{extreme_of(v, false, false), extreme_of(v, true, false)}; },
        wide, exact, {}});
    visit(ReductionRecord<ArgMax>{
        [](const Numbers& v) { return Numbers{arg_extreme_of(v, true, false)}; }, wide, exact, {}});
    visit(ReductionRecord<ArgMin>{
        [](const Numbers& v) { return Numbers{arg_extreme_of(v, false, false)}; }, wide, exact, {}});
    visit(ReductionRecord<ArgMaxIgnoreNan>{
        [](const Numbers& v) { return Numbers{arg_extreme_of(v, true, true)}; }, wide, exact, {}});
    visit(ReductionRecord<ArgMinIgnoreNan>{
        [](const Numbers& v) { return Numbers{arg_extreme_of(v, false, true)}; }, wide, exact, {}});

    const auto any = [](const Numbers& v) {
        return Numbers{std::any_of(v.begin(), v.end(), [](double x) { return x != 0; }) ? 1. : 0.};
    };
    const auto all = [](const Numbers& v) {
        return Numbers{std::all_of(v.begin(), v.end(), [](double x) { return x != 0; }) ? 1. : 0.};
    };
    const auto count = [](const Numbers& v) {
        return Numbers{static_cast<double>(std::count_if(v.begin(), v.end(), [](double x) { return x != 0; }))};
    };
    const Domain rarely{-0.6, 0.6};
    visit(ReductionRecord<Any>{any, rarely, exact, {0}});
    visit(ReductionRecord<LogicalOr<>>{any, rarely, exact, {0}});
    visit(ReductionRecord<All>{all, {0.6, 5}, exact, {1}});
    visit(ReductionRecord<LogicalAnd<>>{all, {-2, 2}, exact, {1}});
    visit(ReductionRecord<CountNonzero>{count, {-2, 2}, exact, {0}});

    visit(ReductionRecord<BitAnd<>, true>{[](const Numbers& v) { return fold_bits(v, '&'); }, wide, exact, {-1}});
    visit(ReductionRecord<BitOr<>, true>{[](const Numbers& v) { return fold_bits(v, '|'); }, wide, exact, {0}});
    visit(ReductionRecord<BitXor<>, true>{[](const Numbers& v) { return fold_bits(v, '^'); }, wide, exact, {0}});
}

}  // namespace fuse_test
