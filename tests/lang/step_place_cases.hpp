// SPDX-License-Identifier: Apache-2.0
//
// Losses beside their gradients where an operand of fewer axes than the others stands alone in a step: only what another
// step folds says along which axes it lies. Against plain loops in double.
#pragma once

#include "lang/gradient_cases.hpp"

namespace fuse::testing {

/// f(u, v) beside its gradient with respect to v, u of rank A and v of rank B. formula: the same of arrays. Alone: the
/// gradient without the loss as well.
template <int A, int B, bool Alone = false, class Target, class F, class Formula>
void check_beside_loss(const Target& target, const char* name, const NdArray& x, const NdArray& w, F f,
                       Formula formula) {
    INFO(name << " of " << to_text(x.extent) << " and " << to_text(w.extent));
    Tensor<Target, double> x_data(x), w_data(w), value{Extent{}}, slope(w.extent);
    const auto u = x_data.template const_view<"x", A>();
    const auto v = w_data.template const_view<"w", B>();
    const NdArray wanted = numeric_gradient([&](const NdArray& a) { return formula(x, a); }, w);
    target.eval(value.template view<"value", 0>() = f(u, v), slope.template view<"dw", B>() = gradient(f(u, v), v));
    check_close(value.read(), NdArray(Extent{}, formula(x, w)), 1e-12, 1e-12);
    check_close(slope.read(), wanted, 1e-7, 1e-8);
    if constexpr (Alone) {
        Tensor<Target, double> alone(w.extent);
        target.eval(alone.template view<"dw", B>() = gradient(f(u, v), v));
        check_close(alone.read(), wanted, 1e-7, 1e-8);
    }
}

inline double mean_of(const Numbers& v) {
    return sum_reference(v) / static_cast<double>(v.size());
}
inline double logsumexp_of(const Numbers& v) {
    const double top = max_reference(v);
    return top + std::log(sum_reference(each(v, [top](double a) { return std::exp(a - top); })));
}
/// fold of each row of scores, or of each column, in mean.
template <class Scores>
double mean_of_folded(index_t rows, index_t columns, bool along_rows, Scores score, double (*fold)(const Numbers&)) {
    Numbers folded;
    for (index_t i = 0; i < (along_rows ? rows : columns); ++i) {
        Numbers line;
        for (index_t j = 0; j < (along_rows ? columns : rows); ++j) {
            line.push_back(along_rows ? score(i, j) : score(j, i));
        }
        folded.push_back(fold(line));
    }
    return mean_of(folded);
}

/// Products of q, b x r x c, with a factor of two axes or of one, folded along c: scores, b x r.
/// All: of every factor, along rows and columns.
template <bool All, class Target>
void check_scores(const Target& target, index_t b, index_t r, index_t c) {
    const NdArray q = random_reals({b, r, c}, -1, 1, 21);
    const auto scores_by = [=](auto factor, bool along_rows) {
        return [=](const NdArray& x, const NdArray& w) {
            const auto score = [&](index_t i, index_t j) {
                double total = 0;
                for (index_t k = 0; k < c; ++k) {
                    total += x({i, j, k}) * factor(w, i, j, k);
                }
                return total;
            };
            return mean_of_folded(b, r, along_rows, score, &logsumexp_of);
        };
    };
    const auto of_rows = [](const NdArray& w, index_t i, index_t j, index_t) { return w({i, j}); };
    const auto of_row = [](const NdArray& w, index_t, index_t j, index_t) { return w({j}); };
    const auto of_items = [](const NdArray& w, index_t, index_t, index_t k) { return w({k}); };
    const NdArray w2 = random_reals({b, r}, -1, 1, 22);
    check_beside_loss<3, 2, true>(
        target, "rows of scores", q, w2,
        [](const auto& x, const auto& w) { return mean(logsumexp(sum(x * expand_dims<2>(w), axes<2>), axes<1>)); },
        scores_by(of_rows, true));
    if constexpr (All) {
        check_beside_loss<3, 2>(
            target, "columns of scores", q, w2,
            [](const auto& x, const auto& w) { return mean(logsumexp(sum(x * expand_dims<2>(w), axes<2>), axes<0>)); },
            scores_by(of_rows, false));
        check_beside_loss<3, 1>(
            target, "a factor per row", q, random_reals({r}, -1, 1, 23),
            [](const auto& x, const auto& w) { return mean(logsumexp(sum(x * expand_dims<1>(w), axes<2>), axes<1>)); },
            scores_by(of_row, true));
    }
    check_beside_loss<3, 1>(
        target, "a factor per item", q, random_reals({c}, -1, 1, 24),
        [](const auto& x, const auto& w) { return mean(logsumexp(sum(x * w, axes<2>), axes<1>)); },
        scores_by(of_items, true));
}

/// The same of four axes, where the factor has the two in the middle.
template <class Target>
void check_scores_of_four(const Target& target, index_t a, index_t b, index_t r, index_t c) {
    const auto formula = [=](const NdArray& x, const NdArray& w) {
        double total = 0;
        for (index_t h = 0; h < a; ++h) {
            const auto score = [&](index_t i, index_t j) {
                double product = 0;
                for (index_t k = 0; k < c; ++k) {
                    product += x({h, i, j, k}) * w({i, j});
                }
                return product;
            };
            total += mean_of_folded(b, r, true, score, &logsumexp_of);
        }
        return total / static_cast<double>(a);
    };
    check_beside_loss<4, 2>(
        target, "scores of four axes", random_reals({a, b, r, c}, -1, 1, 25), random_reals({b, r}, -1, 1, 26),
        [](const auto& x, const auto& w) { return mean(logsumexp(sum(x * expand_dims<2>(w), axes<3>), axes<2>)); },
        formula);
}

/// Products of all rows of x, n x d, and c, k x d, weighted by a fold of the rows of c; All: by either.
template <bool All, class Target>
void check_weighted_products(const Target& target, index_t n, index_t k, index_t d) {
    const NdArray x = random_reals({n, d}, -1, 1, 27);
    const NdArray c = random_reals({k, d}, -1, 1, 28);
    const auto by = [=](double (*fold)(const Numbers&)) {
        return [=](const NdArray& u, const NdArray& v) {
            double total = 0;
            for (index_t j = 0; j < k; ++j) {
                Numbers row;
                for (index_t f = 0; f < d; ++f) {
                    row.push_back(v({j, f}));
                }
                for (index_t i = 0; i < n; ++i) {
                    double product = 0;
                    for (index_t f = 0; f < d; ++f) {
                        product += u({i, f}) * v({j, f});
                    }
                    total += product * product * fold(row) * fold(row);
                }
            }
            return total;
        };
    };
    if constexpr (All) {
        check_beside_loss<2, 2>(
            target, "products and means", x, c,
            [](const auto& u, const auto& v) {
                return sum(square(sum(expand_dims<1>(u) * v, axes<2>) * mean(v, axes<1>)));
            },
            by(&mean_of));
    }
    check_beside_loss<2, 2>(
        target, "products and logsumexp", x, c,
        [](const auto& u, const auto& v) {
            return sum(square(sum(expand_dims<1>(u) * v, axes<2>) * logsumexp(v, axes<1>)));
        },
        by(&logsumexp_of));
}

template <bool All = true, class Target>
void check_step_places(const Target& target) {
    check_scores<All>(target, 4, 5, 3);
    check_scores<All>(target, 5, 4, 2);
    check_scores<All>(target, 3, 3, 3);
    check_scores<All>(target, 1, 6, 2);
    check_scores<All>(target, 6, 1, 2);
    check_scores<All>(target, 2, 3, 1);
    check_scores<All>(target, 3, 21, 7);
    check_scores_of_four(target, 2, 3, 4, 5);
    check_scores_of_four(target, 1, 5, 2, 3);
    check_weighted_products<All>(target, 4, 5, 3);
    check_weighted_products<All>(target, 5, 4, 3);
    check_weighted_products<All>(target, 1, 7, 2);
    check_weighted_products<All>(target, 6, 1, 4);
    check_weighted_products<All>(target, 3, 2, 1);
    check_weighted_products<All>(target, 9, 17, 5);
}

}  // namespace fuse::testing
