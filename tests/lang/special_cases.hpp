// SPDX-License-Identifier: Apache-2.0
//
// NaN, infinities, ties and nothing at all.
#pragma once

#include <limits>

#include "support/tensor.hpp"

namespace fuse::testing {

inline constexpr double nan_v = std::numeric_limits<double>::quiet_NaN();
inline constexpr double inf_v = std::numeric_limits<double>::infinity();

inline NdArray matrix(index_t rows, index_t columns, Numbers values) {
    NdArray a({rows, columns});
    a.value = std::move(values);
    return a;
}
inline NdArray vector_of(Numbers values) {
    NdArray a({static_cast<index_t>(values.size())});
    a.value = std::move(values);
    return a;
}

/// A row of each kind: plain, with one NaN, with two, all NaN, infinite, tied.
inline NdArray special_rows() {
    return matrix(7, 5, {1,      5,      -2,     5,      3,       //
                         1,      nan_v,  7,      2,      3,       //
                         nan_v,  1,      nan_v,  9,      -9,      //
                         nan_v,  nan_v,  nan_v,  nan_v,  nan_v,   //
                         -inf_v, 2,      inf_v,  1,      inf_v,   //
                         -inf_v, -inf_v, -inf_v, -inf_v, -inf_v,  //
                         4,      4,      4,      4,      4});
}

template <class Target>
void check_special_extrema(const Target& target) {
    Tensor<Target, float> x_data(special_rows());
    const Extent rows{7};
    Tensor<Target, float> max_data(rows), min_data(rows), loud_data(rows), low_data(rows), high_data(rows);
    Tensor<Target, std::int64_t> argmax_data(rows), argmin_data(rows), quiet_data(rows);
    const auto x = x_data.template const_view<"x", 2>();
    const auto both = minmax(x, axes<1>);
    target.eval(max_data.template view<"max", 1>() = max(x, axes<1>),
                min_data.template view<"min", 1>() = min(x, axes<1>),
                argmax_data.template view<"argmax", 1>() = argmax(x, axes<1>),
                argmin_data.template view<"argmin", 1>() = argmin(x, axes<1>),
                loud_data.template view<"loud", 1>() = max(x, axes<1>, nan::ignore),
                quiet_data.template view<"quiet", 1>() = argmax(x, nan::ignore, axes<1>),
                low_data.template view<"low", 1>() = both.min, high_data.template view<"high", 1>() = both.max);
    check_equal(max_data.read(), vector_of({5, nan_v, nan_v, nan_v, inf_v, -inf_v, 4}));
    check_equal(min_data.read(), vector_of({-2, nan_v, nan_v, nan_v, -inf_v, -inf_v, 4}));
    check_equal(low_data.read(), min_data.read());
    check_equal(high_data.read(), max_data.read());
    check_equal(argmax_data.read(), vector_of({1, 1, 0, 0, 2, 0, 0}));
    check_equal(argmin_data.read(), vector_of({2, 1, 0, 0, 0, 0, 0}));
    check_equal(loud_data.read(), vector_of({5, 7, 9, nan_v, inf_v, -inf_v, 4}));
    const NdArray quiet = quiet_data.read();
    for (const index_t row : {0, 1, 2, 4, 5, 6}) {
        CHECK(quiet({row}) == std::vector<double>{1, 2, 3, 0, 2, 0, 0}[static_cast<std::size_t>(row)]);
    }
}

template <class Target>
void check_special_sums(const Target& target) {
    Tensor<Target, float> x_data(special_rows());
    const Extent rows{7};
    Tensor<Target, float> sum_data(rows), lse_data(rows), norm_data(rows);
    Tensor<Target, bool> any_data(rows), all_data(rows);
    Tensor<Target, std::int64_t> count_data(rows);
    const auto x = x_data.template const_view<"x", 2>();
    target.eval(sum_data.template view<"sum", 1>() = sum(x, axes<1>),
                lse_data.template view<"lse", 1>() = logsumexp(x, axes<1>),
                norm_data.template view<"norm", 1>() = norm<fuse::inf>(x, axes<1>),
                any_data.template view<"any", 1>() = any(isnan(x), axes<1>),
                all_data.template view<"all", 1>() = all(isinf(x), axes<1>),
                count_data.template view<"count", 1>() = count_nonzero(x > 3, axes<1>));
    check_equal(sum_data.read(), vector_of({12, nan_v, nan_v, nan_v, nan_v, -inf_v, 20}));
    check_equal(any_data.read(), vector_of({0, 1, 1, 1, 0, 0, 0}));
    check_equal(all_data.read(), vector_of({0, 0, 0, 0, 0, 1, 0}));
    check_equal(count_data.read(), vector_of({2, 1, 1, 0, 2, 0, 5}));
    check_equal(norm_data.read(), vector_of({5, nan_v, nan_v, nan_v, inf_v, inf_v, 4}));
    const double plain = 5 + std::log(2 + std::exp(-4.0) + std::exp(-7.0) + std::exp(-2.0));
    check_close(lse_data.read(), vector_of({plain, nan_v, nan_v, nan_v, inf_v, -inf_v, 4 + std::log(5.0)}), 1e-6);
}

/// Ties far apart in a long row, in other threads and blocks: the lowest index wins.
template <class Target>
void check_ties(const Target& target) {
    for (const index_t n : {40, 1000, 5000}) {
        NdArray x({n}, 1);
        for (const index_t at : {n / 3, n / 2, n - 1}) {
            x({at}) = 2;
            x({at - 1}) = 0;
        }
        Tensor<Target, float> x_data(x);
        const auto v = x_data.template const_view<"x", 1>();
        CHECK(target.value(argmax(v)) == n / 3);
        CHECK(target.value(argmin(v)) == n / 3 - 1);
    }
}

/// Rows of few different values, of lengths for every kernel, most of them off a vector boundary: ties within and between
/// what a thread takes as vectors and one by one.
template <class Target>
void check_ties_in_rows(const Target& target) {
    for (const index_t n : {1, 2, 5, 8, 9, 17, 31, 33, 64, 129, 1001, 5003, 9000}) {
        INFO("rows of " << n);
        NdArray x({23, n});
        for (std::size_t i = 0; i < x.value.size(); ++i) {
            x.value[i] = static_cast<double>(i * 2654435761U % 1000003U % 3);
        }
        NdArray most(Extent{23}), least(Extent{23});
        for (index_t row = 0; row < 23; ++row) {
            for (index_t i = n - 1; i >= 0; --i) {
                most({row}) =
                    x({row, i}) >= x({row, static_cast<index_t>(most({row}))}) ? static_cast<double>(i) : most({row});
                least({row}) =
                    x({row, i}) <= x({row, static_cast<index_t>(least({row}))}) ? static_cast<double>(i) : least({row});
            }
        }
        Tensor<Target, float> x_data(x);
        Tensor<Target, std::int64_t> most_data(Extent{23}), least_data(Extent{23});
        const auto v = x_data.template const_view<"x", 2>();
        target.eval(most_data.template view<"most", 1>() = argmax(v, axes<1>),
                    least_data.template view<"least", 1>() = argmin(v, axes<1>));
        check_equal(most_data.read(), most);
        check_equal(least_data.read(), least);
    }
}

/// Means of integers whose sum no integer holds; multiples of 2^40, so that no double is rounded.
template <class T, class Target>
void check_means_of_long_integers(const Target& target, T from) {
    for (const Extent& extent : {Extent{64, 4}, Extent{4, 64}, Extent{2, 4096}, Extent{4096, 32}}) {
        INFO("shape " << to_text(extent));
        NdArray x = random_integers(extent, 0, 1000, 51);
        for (double& v : x.value) {
            v = static_cast<double>(from) + v * 0x1p40;
        }
        const auto mean_of = [](const auto& v) { return sum_reference(v) / static_cast<double>(v.size()); };
        Tensor<Target, T> x_data(x);
        Tensor<Target, double> row_data(Extent{extent[0]}), column_data(Extent{extent[1]}), all_data(Extent{});
        Tensor<Target, double> nan_data(Extent{extent[0]}), var_data(Extent{extent[0]});
        const auto v = x_data.template const_view<"x", 2>();
        static_assert(std::is_same_v<value_t<decltype(mean(v))>, double>);
        target.eval(row_data.template view<"row", 1>() = mean(v, axes<1>),
                    nan_data.template view<"nan", 1>() = nanmean(v, axes<1>));
        target.eval(column_data.template view<"column", 1>() = mean(v, axes<0>));
        target.eval(all_data.template view<"all", 0>() = mean(v));
        target.eval(var_data.template view<"var", 1>() = var<1>(v, axes<1>));
        check_equal(row_data.read(), reduce_reference(mean_of, x, 0b10));
        check_equal(nan_data.read(), reduce_reference(mean_of, x, 0b10));
        check_equal(column_data.read(), reduce_reference(mean_of, x, 0b01));
        check_equal(all_data.read(), reduce_reference(mean_of, x, 0b11));
        const auto var_of = [&](const auto& of) {
            double squares = 0;
            for (const double e : of) {
                squares += (e - mean_of(of)) * (e - mean_of(of));
            }
            return squares / (static_cast<double>(of.size()) - 1);
        };
        check_close(var_data.read(), reduce_reference(var_of, x, 0b10), 1e-12);
    }
}

/// Reductions of no elements give the identity; those without one throw, and nothing is written.
template <class Target>
void check_empty(const Target& target) {
    Tensor<Target, float> x_data(NdArray({3, 0}));
    const Extent rows{3};
    Tensor<Target, float> sum_data(rows), prod_data(rows), mean_data(rows), max_data(rows);
    Tensor<Target, bool> any_data(rows), all_data(rows);
    const auto x = x_data.template const_view<"x", 2>();
    target.eval(
        sum_data.template view<"sum", 1>() = sum(x, axes<1>), prod_data.template view<"prod", 1>() = prod(x, axes<1>),
        mean_data.template view<"mean", 1>() = mean(x, axes<1>), any_data.template view<"any", 1>() = any(x, axes<1>),
        all_data.template view<"all", 1>() = all(x, axes<1>));
    check_equal(sum_data.read(), NdArray(rows, 0));
    check_equal(prod_data.read(), NdArray(rows, 1));
    check_equal(mean_data.read(), NdArray(rows, nan_v));
    check_equal(any_data.read(), NdArray(rows, 0));
    check_equal(all_data.read(), NdArray(rows, 1));

    CHECK_THROWS_AS(target.eval(max_data.template view<"max", 1>() = max(x, axes<1>)), shape_error);
    check_equal(max_data.read(), NdArray(rows, 77));
    CHECK_THROWS_AS(target.value(argmin(x)), shape_error);
    CHECK(target.value(sum(x)) == 0);
    // logsumexp(x) has an identity, the maximum in it has none of its own.
    Tensor<Target, float> logsum_data(rows);
    const auto logsum = logsum_data.template view<"logsum", 1>();
    target.eval(logsum = logsumexp(x, axes<1>));
    check_equal(logsum_data.read(), NdArray(rows, -inf_v));
    CHECK(target.value(logsumexp(x, accumulate<double>)) == -inf_v);
    CHECK_THROWS_AS(target.eval(logsum = logsumexp(x, axes<1>) + max(x, axes<1>)), shape_error);
    CHECK_THROWS_AS(target.eval(logsum = max(x, axes<1>) + logsumexp(x, axes<1>)), shape_error);
    // No output elements: nothing happens, not even for a reduction without identity.
    Tensor<Target, float> none_data(NdArray(Extent{0}));
    target.eval(none_data.template view<"none", 1>() = max(x, axes<0>));
}

}  // namespace fuse::testing
