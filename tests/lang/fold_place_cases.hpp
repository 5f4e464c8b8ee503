// SPDX-License-Identifier: Apache-2.0
//
// Reductions of matrices beside products of them, whose values are put along axes of the products by expand_dims or by
// broadcasting: divisors of centroids, standard deviations around a covariance, norms around distances. Where the axis
// that is folded lies in the common domain, nothing but the value's place says. Against plain loops in double.
#pragma once

#include <cmath>

#include "support/tensor.hpp"

namespace fuse::testing {

/// Centroids of n points of d features, weighted by r, n x k.
template <class Target>
void check_centroids(const Target& target, index_t n, index_t k, index_t d) {
    INFO("centroids of " << n << " points, " << k << " clusters, " << d << " features");
    const NdArray x = random_reals({n, d}, -1, 1, 11);
    const NdArray r = random_reals({n, k}, 0.5, 1.5, 12);
    NdArray wanted({k, d});
    for (index_t c = 0; c < k; ++c) {
        for (index_t f = 0; f < d; ++f) {
            double total = 0;
            double weight = 0;
            for (index_t i = 0; i < n; ++i) {
                total += r({i, c}) * x({i, f});
                weight += r({i, c});
            }
            wanted({c, f}) = total / weight;
        }
    }
    Tensor<Target, double> x_data(x), r_data(r), o_data(wanted.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto R = r_data.template const_view<"r", 2>();
    target.eval(o_data.template view<"o", 2>() =
                    sum(expand_dims<2>(R) * expand_dims<1>(X), axes<0>) / expand_dims<1>(sum(R, axes<0>)));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
}

inline NdArray with_extent(NdArray a, const Extent& extent) {
    a.extent = extent;
    return a;
}

/// The correlations of b batches of n observations of d variables.
inline NdArray correlation_reference(const NdArray& x) {
    const index_t b = x.extent[0];
    const index_t n = x.extent[1];
    const index_t d = x.extent[2];
    NdArray result({b, d, d});
    for (index_t s = 0; s < b; ++s) {
        const auto product = [&](index_t i, index_t j) {
            double mean_i = 0;
            double mean_j = 0;
            for (index_t o = 0; o < n; ++o) {
                mean_i += x({s, o, i}) / static_cast<double>(n);
                mean_j += x({s, o, j}) / static_cast<double>(n);
            }
            double total = 0;
            for (index_t o = 0; o < n; ++o) {
                total += (x({s, o, i}) - mean_i) * (x({s, o, j}) - mean_j);
            }
            return total;
        };
        for (index_t i = 0; i < d; ++i) {
            for (index_t j = 0; j < d; ++j) {
                result({s, i, j}) = product(i, j) / std::sqrt(product(i, i) * product(j, j));
            }
        }
    }
    return result;
}

/// By a column and a row of standard deviations, and by a column and what broadcasting makes a row.
template <class Target>
void check_correlations(const Target& target, index_t n, index_t d) {
    INFO("correlations of " << n << " observations of " << d << " variables");
    const NdArray x = random_reals({1, n, d}, -1, 1, 13);
    const NdArray wanted = with_extent(correlation_reference(x), {d, d});
    Tensor<Target, double> x_data(with_extent(x, {n, d})), o_data(wanted.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto c = X - mean(X, axes<0>);
    const auto covariances = mean(expand_dims<2>(c) * expand_dims<1>(c), axes<0>);
    const auto deviation = fuse::stddev<0>(X, axes<0>);
    target.eval(o_data.template view<"o", 2>() = covariances / (expand_dims<1>(deviation) * expand_dims<0>(deviation)));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
    target.eval(o_data.template view<"o", 2>() = covariances / (expand_dims<1>(deviation) * deviation));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
    target.eval(o_data.template view<"o", 2>() = covariances / expand_dims<1>(deviation) / deviation);
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
}

template <class Target>
void check_batched_correlations(const Target& target, index_t b, index_t n, index_t d) {
    INFO(b << " batches of correlations of " << n << " observations of " << d << " variables");
    const NdArray x = random_reals({b, n, d}, -1, 1, 14);
    const NdArray wanted = correlation_reference(x);
    Tensor<Target, double> x_data(x), o_data(wanted.extent);
    const auto X = x_data.template const_view<"x", 3>();
    const auto c = X - mean(X, axes<1>, keepdims);
    const auto covariances = mean(expand_dims<3>(c) * expand_dims<2>(c), axes<1>);
    const auto deviation = fuse::stddev<0>(X, axes<1>);
    target.eval(o_data.template view<"o", 3>() = covariances / (expand_dims<2>(deviation) * expand_dims<1>(deviation)));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
}

/// Cosines of all pairs of rows of x, n x d, and w, m x d.
template <class Target>
void check_cosines(const Target& target, index_t n, index_t m, index_t d) {
    INFO("cosines of " << n << " and " << m << " rows of " << d);
    const NdArray x = random_reals({n, d}, 0.1, 1, 15);
    const NdArray w = random_reals({m, d}, -1, 1, 16);
    NdArray wanted({n, m});
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < m; ++j) {
            double xw = 0;
            double xx = 0;
            double ww = 0;
            for (index_t k = 0; k < d; ++k) {
                xw += x({i, k}) * w({j, k});
                xx += x({i, k}) * x({i, k});
                ww += w({j, k}) * w({j, k});
            }
            wanted({i, j}) = xw / std::sqrt(xx * ww);
        }
    }
    Tensor<Target, double> x_data(x), w_data(w), o_data(wanted.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto W = w_data.template const_view<"w", 2>();
    const auto products = sum(expand_dims<1>(X) * expand_dims<0>(W), axes<2>);
    target.eval(o_data.template view<"o", 2>() =
                    products / (expand_dims<1>(norm<2>(X, axes<1>)) * expand_dims<0>(norm<2>(W, axes<1>))));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
    target.eval(o_data.template view<"o", 2>() = products / expand_dims<1>(norm<2>(X, axes<1>)) / norm<2>(W, axes<1>));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
}

/// Batches of a matrix, (b, n, m), plus what is folded of an array of as many axes that has none for the batch, which
/// expand_dims says: along its last axis, (n, m, d), along the middle one, (n, d, m), and along two, (m, d, n).
template <class Target>
void check_beside_batches(const Target& target, index_t b, index_t n, index_t m, index_t d) {
    INFO(b << " batches of " << n << " x " << m << " beside folds of " << d);
    const NdArray x = random_reals({b, n, m}, -1, 1, 17);
    const NdArray last = random_reals({n, m, d}, -1, 1, 18);
    const NdArray middle = random_reals({n, d, m}, -1, 1, 19);
    const NdArray two = random_reals({m, d, n}, -1, 1, 20);
    Tensor<Target, double> x_data(x), last_data(last), middle_data(middle), two_data(two), o_data(x.extent);
    const auto X = x_data.template const_view<"x", 3>();
    const auto check = [&](const auto& folded, auto element) {
        NdArray wanted(x.extent);
        for (index_t s = 0; s < b; ++s) {
            for (index_t i = 0; i < n; ++i) {
                for (index_t j = 0; j < m; ++j) {
                    wanted({s, i, j}) = x({s, i, j}) + element(i, j);
                }
            }
        }
        target.eval(o_data.template view<"o", 3>() = X + folded);
        check_close(o_data.read(), wanted, 1e-12, 1e-12);
    };
    const auto total = [](index_t count, auto term) {
        double sum = 0;
        for (index_t k = 0; k < count; ++k) {
            sum += term(k);
        }
        return sum;
    };
    check(expand_dims<0>(sum(last_data.template const_view<"last", 3>(), axes<2>)), [&](index_t i, index_t j) {
        return total(d, [&](index_t k) { return last({i, j, k}); });
    });
    check(expand_dims<0>(sum(middle_data.template const_view<"middle", 3>(), axes<1>)), [&](index_t i, index_t j) {
        return total(d, [&](index_t k) { return middle({i, k, j}); });
    });
    check(expand_dims<0>(expand_dims<0>(sum(two_data.template const_view<"two", 3>(), axes<1, 2>))),
          [&](index_t, index_t j) { return total(d * n, [&](index_t k) {
                                        return two({j, k / n, k % n});
                                    }); });
}

template <class Target>
void check_fold_places(const Target& target) {
    for (const index_t n : {1, 5, 70}) {
        check_centroids(target, n, 4, 3);
        check_centroids(target, n, 1, 7);
        check_centroids(target, n, 3, 1);
        check_cosines(target, n, 4, 3);
        check_cosines(target, n, 1, 33);
    }
    check_centroids(target, 33, 17, 36);
    check_cosines(target, 33, 17, 36);
    check_correlations(target, 5, 3);
    check_correlations(target, 3, 5);
    check_correlations(target, 4, 4);
    check_correlations(target, 70, 36);
    check_correlations(target, 2, 1);
    check_batched_correlations(target, 3, 5, 4);
    check_batched_correlations(target, 2, 2, 2);
    check_batched_correlations(target, 1, 33, 7);
    check_beside_batches(target, 2, 3, 4, 5);
    check_beside_batches(target, 3, 3, 3, 3);
    check_beside_batches(target, 5, 1, 33, 70);
    check_beside_batches(target, 1, 17, 1, 1);
}

}  // namespace fuse::testing
