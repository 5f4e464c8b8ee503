// SPDX-License-Identifier: Apache-2.0
//
// Sums of exponentials that are shifted by a maximum, folded while the maximum is still being found: rows in which it
// comes first, last, over and over, or is no number.
#pragma once

#include "lang/special_cases.hpp"

namespace fuse::testing {

/// Rows of n elements, one of each kind.
inline NdArray rows_of_maxima(index_t n) {
    const index_t kinds = 14;
    NdArray x = random_reals({kinds, n}, -3, 3, 77);
    const index_t middle = n / 2;
    for (index_t i = 0; i < n; ++i) {
        x({0, i}) = 0.01 * static_cast<double>(i);                             // each element a new maximum
        x({1, i}) = -0.01 * static_cast<double>(i);                            // the first is
        x({2, i}) = -7.5;                                                      // all are
        x({3, i}) = -inf_v;                                                    // nothing is
        x({4, i}) = i == middle ? 2.0 : -inf_v;                                // nothing else is finite
        x({5, i}) = i % 3 == 0 ? x({5, i}) : -inf_v;                           // masked
        x({6, i}) = i < middle ? -inf_v : x({6, i});                           // masked up to the middle
        x({7, i}) = (i % 2 == 0 ? 1 : -1) * 1e4 + static_cast<double>(i % 5);  // far apart
        x({8, i}) = -3e4 + 50.0 * static_cast<double>(i % 7);                  // exp would be 0 everywhere
        x({9, i}) = 3e4 + static_cast<double>(i % 7);                          // and infinite
    }
    x({10, middle}) = inf_v;
    x({11, middle}) = nan_v;
    x({12, n - 1}) = inf_v;
    x({12, 0}) = -inf_v;
    x({13, n - 1}) = nan_v;
    x({13, 0}) = inf_v;
    return x;
}

/// The largest element of row r of a matrix; NaN if one is.
inline double maximum_of_row(const NdArray& x, index_t r) {
    double top = -inf_v;
    for (index_t i = 0; i < x.extent[1]; ++i) {
        top = std::isnan(x({r, i})) || std::isnan(top) ? nan_v : std::max(top, x({r, i}));
    }
    return top;
}

/// softmax, log_softmax and logsumexp in one eval each, and a loss that picks one element of a row, in double.
template <class T, class Target>
void check_online(const Target& target, index_t n, Placement placement, double tolerance) {
    INFO("rows of " << n << " elements, placement " << static_cast<int>(placement));
    Tensor<Target, T> x_data(rows_of_maxima(n), placement);
    const NdArray x = x_data.read();
    const index_t rows = x.extent[0];
    NdArray softmax_(x.extent), log_softmax_(x.extent), lse(Extent{rows}), label(Extent{rows}), picked(Extent{rows}),
        loss(Extent{rows});
    for (index_t r = 0; r < rows; ++r) {
        const double top = maximum_of_row(x, r);
        const double shift = std::isfinite(top) ? top : 0;
        double total = 0, shifted = 0;
        for (index_t i = 0; i < n; ++i) {
            total += std::exp(x({r, i}) - top);
            shifted += std::exp(x({r, i}) - shift);
        }
        for (index_t i = 0; i < n; ++i) {
            softmax_({r, i}) = std::exp(x({r, i}) - top) / total;
            log_softmax_({r, i}) = x({r, i}) - top - std::log(total);
        }
        lse({r}) = std::isnan(top) ? nan_v : shift + std::log(shifted);
        label({r}) = static_cast<double>(r == 1 ? n : r == 2 ? -1 : (r * 31) % n);  // two of them outside
        const bool inside = label({r}) >= 0 && label({r}) < static_cast<double>(n);
        const double at = inside ? x({r, static_cast<index_t>(label({r}))}) : 0;
        picked({r}) = at;
        loss({r}) = inside ? top - at + std::log(total) : inf_v;
    }
    Tensor<Target, T> y_data(x.extent, placement), z_data(x.extent, placement);
    Tensor<Target, double> lse_data(Extent{rows}), picked_data(Extent{rows}), loss_data(Extent{rows});
    Tensor<Target, std::int32_t> label_data(label);
    const auto v = x_data.template const_view<"x", 2>();
    const auto t = label_data.template const_view<"label", 1>();
    target.eval(y_data.template view<"y", 2>() = softmax(v));
    target.eval(z_data.template view<"z", 2>() = log_softmax(v));
    target.eval(lse_data.template view<"lse", 1>() = logsumexp(v, axes<1>),
                picked_data.template view<"picked", 1>() = take(v, t, axes<1>));
    target.eval(loss_data.template view<"loss", 1>() = cross_entropy(v, t, reduction::none));
    check_close(y_data.read(), softmax_, tolerance, tolerance);
    check_close(z_data.read(), log_softmax_, tolerance, tolerance);
    check_close(lse_data.read(), lse, std::min(tolerance, 1e-5), 1e-5);
    check_close(picked_data.read(), picked, 0, 0);
    check_close(loss_data.read(), loss, std::min(tolerance, 1e-5), 1e-5);
    CHECK(y_data.gaps_intact());
}

/// What softmaxes are mostly used in: exp(log_softmax(x)), their products and differences, entropies and divergences of
/// rows, in double. Two operands of 16 bits are kept otherwise than one or wider ones.
template <class T, class Target>
void check_distributions(const Target& target, index_t n, Placement placement, double tolerance) {
    INFO("distributions of " << n << " elements, placement " << static_cast<int>(placement));
    Tensor<Target, T> x_data(rows_of_maxima(n), placement);
    const NdArray x = x_data.read();
    const index_t rows = x.extent[0];
    Tensor<Target, T> z_data(random_reals({rows, n}, -4, 4, 78), placement);
    const NdArray z = z_data.read();
    const auto log_of = [&](const NdArray& a) {
        NdArray result(a.extent);
        for (index_t r = 0; r < rows; ++r) {
            const double top = maximum_of_row(a, r);
            double total = 0;
            for (index_t i = 0; i < n; ++i) {
                total += std::exp(a({r, i}) - top);
            }
            for (index_t i = 0; i < n; ++i) {
                result({r, i}) = a({r, i}) - top - std::log(total);
            }
        }
        return result;
    };
    const NdArray log_x = log_of(x), log_z = log_of(z);
    const auto p = map_reference([](double a) { return std::exp(a); }, log_x);
    const auto q = map_reference([](double a) { return std::exp(a); }, log_z);
    NdArray entropy(Extent{rows}), divergence(Extent{rows});
    for (index_t r = 0; r < rows; ++r) {
        for (index_t i = 0; i < n; ++i) {
            entropy({r}) -= q({r, i}) * log_z({r, i});
            divergence({r}) += q({r, i}) * (log_z({r, i}) - log_x({r, i}));
        }
    }
    Tensor<Target, T> out(x.extent, placement);
    Tensor<Target, double> entropy_data(Extent{rows}), divergence_data(Extent{rows});
    const auto v = x_data.template const_view<"x", 2>();
    const auto w = z_data.template const_view<"z", 2>();
    const auto expect = [&](const NdArray& wanted) {
        check_close(out.read(), wanted, tolerance, tolerance);
        CHECK(out.gaps_intact());
    };
    const auto y = [&] { return out.template view<"y", 2>(); };
    target.eval(y() = exp(log_softmax(v)));
    expect(p);
    target.eval(y() = softmax(v) * softmax(w));
    expect(map_reference([](double a, double b) { return a * b; }, p, q));
    target.eval(y() = softmax(v) - softmax(w));
    expect(map_reference([](double a, double b) { return a - b; }, p, q));
    target.eval(entropy_data.template view<"entropy", 1>() = -sum(softmax(w) * log_softmax(w), axes<1>));
    check_close(entropy_data.read(), entropy, 1e-5, 1e-5);
    target.eval(divergence_data.template view<"divergence", 1>() =
                    sum(exp(log_softmax(w)) * (log_softmax(w) - log_softmax(v)), axes<1>));
    check_close(divergence_data.read(), divergence, 1e-5, 1e-5);
}

/// Lengths for each kernel along rows, of one and of several types.
template <class Target>
void check_online_rows(const Target& target, const std::vector<index_t>& lengths) {
    for (const index_t n : lengths) {
        check_distributions<float>(target, n, Placement::row_major, 5e-6);
        check_distributions<bfloat16>(target, n, Placement::row_major, 1e-2);
        check_distributions<bfloat16>(target, n, Placement::misaligned, 1e-2);
        check_online<float>(target, n, Placement::row_major, 5e-6);
        check_online<float>(target, n, Placement::misaligned, 5e-6);
        check_online<bfloat16>(target, n, Placement::row_major, 1e-2);
    }
    check_online<double>(target, lengths.back(), Placement::row_major, 1e-12);
}

}  // namespace fuse::testing
