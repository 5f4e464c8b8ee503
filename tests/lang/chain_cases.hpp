// SPDX-License-Identifier: Apache-2.0
//
// Folds one after the other along different axes, as in the forward algorithm of a Markov chain: a result along the columns
// of one matrix is put along the rows of the next one, which may be the same. Against plain loops in double.
#pragma once

#include <cmath>

#include "fuse/gradient.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// fold over i of join(a[i], t[i, j]) for each j; turned: of t[j, i].
template <class Join, class Fold>
NdArray chain_step(const NdArray& a, const NdArray& t, bool turned, Join join, Fold fold) {
    NdArray result({t.extent[turned ? 0 : 1]});
    for (index_t j = 0; j < result.extent[0]; ++j) {
        Numbers terms;
        for (index_t i = 0; i < a.extent[0]; ++i) {
            terms.push_back(join(a({i}), turned ? t({j, i}) : t({i, j})));
        }
        result({j}) = fold(terms);
    }
    return result;
}
inline double logsumexp_numbers(const Numbers& v) {
    const double top = max_reference(v);
    double total = 0;
    for (const double x : v) {
        total += std::exp(x - top);
    }
    return top + std::log(total);
}
inline NdArray chain_start(index_t n) {
    return random_reals({n}, -1, 1, 31);
}
inline NdArray chain_matrix(index_t n, index_t m, unsigned seed) {
    return random_reals({n, m}, -1, 1, seed);
}
inline double added(double a, double b) {
    return a + b;
}
inline double multiplied(double a, double b) {
    return a * b;
}

/// Through matrices i x j, j x k, k x l.
template <class Target>
void check_chains(const Target& target, index_t i, index_t j, index_t k, index_t l) {
    INFO("chain through " << i << ", " << j << ", " << k << ", " << l);
    const NdArray a = chain_start(i);
    const NdArray t = chain_matrix(i, j, 32);
    const NdArray u = chain_matrix(j, k, 33);
    const NdArray v = chain_matrix(k, l, 34);
    Tensor<Target, double> a_data(a), t_data(t), u_data(u), v_data(v), two(Extent{k}), three(Extent{l});
    const auto A = a_data.template const_view<"a", 1>();
    const auto T = t_data.template const_view<"t", 2>();
    const auto U = u_data.template const_view<"u", 2>();
    const auto V = v_data.template const_view<"v", 2>();
    const auto out2 = [&] { return two.template view<"two", 1>(); };
    const auto out3 = [&] { return three.template view<"three", 1>(); };

    const auto step = [](const auto& before, const auto& m) { return logsumexp(expand_dims<1>(before) + m, axes<0>); };
    const NdArray first = chain_step(a, t, false, added, logsumexp_numbers);
    const NdArray second = chain_step(first, u, false, added, logsumexp_numbers);
    const NdArray third = chain_step(second, v, false, added, logsumexp_numbers);
    target.eval(out3() = step(step(step(A, T), U), V), out2() = step(step(A, T), U));
    check_close(three.read(), third, 1e-12, 1e-12);
    check_close(two.read(), second, 1e-12, 1e-12);

    const auto product = [](const auto& before, const auto& m) { return sum(expand_dims<1>(before) * m, axes<0>); };
    const NdArray p1 = chain_step(a, t, false, multiplied, sum_reference);
    const NdArray p2 = chain_step(p1, u, false, multiplied, sum_reference);
    const NdArray p3 = chain_step(p2, v, false, multiplied, sum_reference);
    target.eval(out3() = product(product(product(A, T), U), V));
    check_close(three.read(), p3, 1e-12, 1e-12);

    // The rows of a matrix scaled by what the columns of another one add up to, and that normalised.
    NdArray scaled({j, k});
    for_each_coordinate(scaled.extent, [&](const Coordinate& at) {
        double total = 0;
        for (index_t r = 0; r < i; ++r) {
            total += t({r, at[0]});
        }
        scaled(at) = u(at) * total;
    });
    Tensor<Target, double> scaled_data(scaled.extent);
    const auto by_columns = U * expand_dims<1>(sum(T, axes<0>));
    target.eval(scaled_data.template view<"o", 2>() = by_columns, out2() = sum(cumsum(by_columns, axes<0>), axes<0>));
    check_close(scaled_data.read(), scaled, 1e-12, 1e-12);
    NdArray running({k});
    for (index_t c = 0; c < k; ++c) {
        double total = 0;
        for (index_t r = 0; r < j; ++r) {
            total += scaled({r, c});
            running({c}) += total;
        }
    }
    check_close(two.read(), running, 1e-12, 1e-12);
}

/// The other way round, through rows: t * (u * (v * a)), of matrices i x j, j x k, k x l.
template <class Target>
void check_backward_chains(const Target& target, index_t i, index_t j, index_t k, index_t l) {
    INFO("backward chain through " << l << ", " << k << ", " << j << ", " << i);
    const NdArray a = chain_start(l);
    const NdArray t = chain_matrix(i, j, 35);
    const NdArray u = chain_matrix(j, k, 36);
    const NdArray v = chain_matrix(k, l, 37);
    Tensor<Target, double> a_data(a), t_data(t), u_data(u), v_data(v), o_data(Extent{i});
    const auto step = [](const auto& m, const auto& before) { return sum(m * expand_dims<0>(before), axes<1>); };
    const auto best = [](const auto& m, const auto& before) { return max(m + expand_dims<0>(before), axes<1>); };
    const auto A = a_data.template const_view<"a", 1>();
    const auto T = t_data.template const_view<"t", 2>();
    const auto U = u_data.template const_view<"u", 2>();
    const auto V = v_data.template const_view<"v", 2>();
    const auto reference = [&](auto join, auto fold) {
        return chain_step(chain_step(chain_step(a, v, true, join, fold), u, true, join, fold), t, true, join, fold);
    };
    target.eval(o_data.template view<"o", 1>() = step(T, step(U, step(V, A))));
    check_close(o_data.read(), reference(multiplied, sum_reference), 1e-12, 1e-12);
    target.eval(o_data.template view<"o", 1>() = best(T, best(U, best(V, A))));
    check_close(o_data.read(), reference(added, max_reference), 1e-12, 1e-12);
}

/// One matrix at each step, n x n, of b sequences, with the best last state.
template <class Target>
void check_batched_chain(const Target& target, index_t b, index_t n) {
    INFO(b << " chains of " << n << " states");
    const NdArray a = random_reals({b, n}, -1, 1, 38);
    const NdArray t = chain_matrix(n, n, 39);
    NdArray wanted({b, n});
    NdArray best({b});
    for (index_t s = 0; s < b; ++s) {
        NdArray row({n});
        for (index_t i = 0; i < n; ++i) {
            row({i}) = a({s, i});
        }
        const NdArray last =
            chain_step(chain_step(row, t, false, added, logsumexp_numbers), t, false, added, logsumexp_numbers);
        for (index_t i = 0; i < n; ++i) {
            wanted({s, i}) = last({i});
            best({s}) = last({i}) > last({static_cast<index_t>(best({s}))}) ? static_cast<double>(i) : best({s});
        }
    }
    Tensor<Target, double> a_data(a), t_data(t), o_data(wanted.extent), best_data(best.extent);
    const auto A = a_data.template const_view<"a", 2>();
    const auto T = t_data.template const_view<"t", 2>();
    const auto step = [](const auto& before, const auto& m) { return logsumexp(expand_dims<2>(before) + m, axes<1>); };
    const auto last = step(step(A, T), T);
    target.eval(o_data.template view<"o", 2>() = last,
                best_data.template view<"best", 1>() = fuse::cast<double>(argmax(last, axes<1>)));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
    check_equal(best_data.read(), best);
}

/// Columns of a square matrix by the sums of the rows of the same number, elsewhere and in place.
template <class Target>
void check_square(const Target& target, index_t n) {
    INFO("square of " << n);
    const NdArray x = random_reals({n, n}, 0.5, 1, 40);
    NdArray wanted(x.extent);
    for_each_coordinate(x.extent, [&](const Coordinate& at) {
        double total = 0;
        for (index_t c = 0; c < n; ++c) {
            total += x({at[1], c});
        }
        wanted(at) = x(at) / total;
    });
    Tensor<Target, double> x_data(x), o_data(x.extent);
    const auto X = x_data.template view<"x", 2>();
    target.eval(o_data.template view<"o", 2>() = X / expand_dims<0>(sum(X, axes<1>)));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
    target.eval(X = X / expand_dims<0>(sum(X, axes<1>)));
    check_close(x_data.read(), wanted, 1e-12, 1e-12);
}

template <class Target>
void check_all_chains(const Target& target) {
    check_chains(target, 3, 4, 5, 6);
    check_chains(target, 6, 5, 4, 3);
    check_chains(target, 3, 3, 3, 3);
    check_chains(target, 1, 4, 1, 3);
    check_chains(target, 4, 1, 3, 1);
    check_chains(target, 33, 70, 5, 21);
    check_backward_chains(target, 3, 4, 5, 6);
    check_backward_chains(target, 6, 5, 4, 3);
    check_backward_chains(target, 1, 3, 1, 4);
    check_backward_chains(target, 70, 9, 35, 2);
    check_batched_chain(target, 3, 4);
    check_batched_chain(target, 4, 3);
    check_batched_chain(target, 1, 5);
    check_batched_chain(target, 5, 1);
    check_batched_chain(target, 7, 33);
    check_square(target, 1);
    check_square(target, 5);
    check_square(target, 70);
}

}  // namespace fuse::testing
