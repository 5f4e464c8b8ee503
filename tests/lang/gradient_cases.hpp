// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of reductions, norms and losses through a target, against central differences of plain loops in double.
#pragma once

#include "fuse/gradient.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// Central differences of fourth order of f, a function of an NdArray, at each element of x. What f rounds is divided by
/// the step, so the step of a small element is that of 1: the values of f are those of sums over all of x.
template <class F>
NdArray numeric_gradient(F f, const NdArray& x) {
    NdArray slope(x.extent);
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        const double h = 1e-4 * std::max(1.0, std::fabs(x.value[i]));
        const auto at = [&](double v) {
            NdArray moved = x;
            moved.value[i] = v;
            return f(moved);
        };
        const double v = x.value[i];
        slope.value[i] = (8 * (at(v + h) - at(v - h)) - (at(v + 2 * h) - at(v - 2 * h))) / (12 * h);
    }
    return slope;
}

/// f: of a view of rank 2 and another one. formula: the same of arrays.
template <class Target, class F, class Formula>
void check_gradient(const Target& target, const char* name, const NdArray& x, const NdArray& w, F f, Formula formula) {
    INFO(name << " of " << to_text(x.extent));
    Tensor<Target, double> x_data(x);
    Tensor<Target, double> w_data(w);
    Tensor<Target, double> value{Extent{}};
    Tensor<Target, double> slope(x.extent);
    const auto u = x_data.template const_view<"x", 2>();
    const auto v = w_data.template const_view<"w", 2>();
    target.eval(value.template view<"value", 0>() = f(u, v), slope.template view<"dx", 2>() = gradient(f(u, v), u));
    check_close(value.read(), NdArray(Extent{}, formula(x, w)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient([&](const NdArray& a) { return formula(a, w); }, x), 1e-7, 1e-8);
}

/// f(row, row of w) of each row, added.
template <class F>
auto over_rows(F f) {
    return [f](const NdArray& x, const NdArray& w) {
        double total = 0;
        for (index_t r = 0; r < x.extent[0]; ++r) {
            Numbers row, other;
            for (index_t c = 0; c < x.extent[1]; ++c) {
                row.push_back(x({r, c}));
                other.push_back(w({r, c}));
            }
            total += f(row, other);
        }
        return total;
    };
}
inline NdArray turned(const NdArray& x) {
    NdArray t({x.extent[1], x.extent[0]});
    for_each_coordinate(t.extent, [&](const Coordinate& at) { t(at) = x({at[1], at[0]}); });
    return t;
}
template <class F>
auto over_columns(F f) {
    return [f](const NdArray& x, const NdArray& w) { return over_rows(f)(turned(x), turned(w)); };
}

inline double dot_reference(const Numbers& a, const Numbers& b) {
    double total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        total += a[i] * b[i];
    }
    return total;
}
template <class F>
Numbers each(const Numbers& a, F f) {
    Numbers result;
    for (const double v : a) {
        result.push_back(f(v));
    }
    return result;
}
inline Numbers softmax_numbers(const Numbers& v) {
    const double top = max_reference(v);
    const Numbers e = each(v, [top](double a) { return std::exp(a - top); });
    const double total = sum_reference(e);
    return each(e, [total](double a) { return a / total; });
}
inline double mean_square_about(const Numbers& v, double center) {
    return mean_reference(each(v, [center](double a) { return (a - center) * (a - center); }));
}
inline Numbers layer_norm_numbers(const Numbers& v, double eps) {
    const double mean = mean_reference(v);
    const double scale = 1 / std::sqrt(mean_square_about(v, mean) + eps);
    return each(v, [=](double a) { return (a - mean) * scale; });
}

template <class Target>
void check_gradients_of_reductions(const Target& target, const Extent& extent) {
    const NdArray x = random_reals(extent, -2, 2, 11);
    const NdArray w = random_reals(extent, 0.5, 1.5, 12);
    const double n = static_cast<double>(x.size());
    const auto row_sum_squared = [](const Numbers& a, const Numbers&) { return std::pow(sum_reference(a), 2); };
    check_gradient(
        target, "mean(x * w)", x, w, [](const auto& u, const auto& v) { return mean(u * v); },
        [n](const NdArray& a, const NdArray& b) { return dot_reference(a.value, b.value) / n; });
    check_gradient(
        target, "sum(sum(x, axes<1>)^2)", x, w, [](const auto& u, const auto&) { return sum(square(sum(u, axes<1>))); },
        over_rows(row_sum_squared));
    check_gradient(
        target, "sum(sum(x, axes<0>, keepdims)^2)", x, w,
        [](const auto& u, const auto&) { return sum(square(sum(u, axes<0>, keepdims))); },
        over_columns(row_sum_squared));
    check_gradient(
        target, "sum(w * x * mean(x, axes<1>, keepdims))", x, w,
        [](const auto& u, const auto& v) { return sum(v * u * mean(u, axes<1>, keepdims)); },
        over_rows([](const Numbers& a, const Numbers& b) { return dot_reference(a, b) * mean_reference(a); }));
    check_gradient(
        target, "sum(max(x, axes<1>))", x, w, [](const auto& u, const auto&) { return sum(max(u, axes<1>)); },
        over_rows([](const Numbers& a, const Numbers&) { return max_reference(a); }));
    check_gradient(
        target, "sum(square(min(x, axes<0>)))", x, w,
        [](const auto& u, const auto&) { return sum(square(min(u, axes<0>))); },
        over_columns([](const Numbers& a, const Numbers&) {
            return std::pow(max_reference(each(a, [](double v) { return -v; })), 2);
        }));
    check_gradient(
        target, "sum(norm<2>(x, axes<1>))", x, w, [](const auto& u, const auto&) { return sum(norm<2>(u, axes<1>)); },
        over_rows([](const Numbers& a, const Numbers&) { return std::sqrt(dot_reference(a, a)); }));
    check_gradient(
        target, "norm<3>(x)", x, w, [](const auto& u, const auto&) { return norm<3>(u); },
        [](const NdArray& a, const NdArray&) {
            return std::cbrt(sum_reference(each(a.value, [](double v) { return std::fabs(v * v * v); })));
        });
    check_gradient(
        target, "norm<inf>(x)", x, w, [](const auto& u, const auto&) { return norm<inf>(u); },
        [](const NdArray& a, const NdArray&) {
            return max_reference(each(a.value, [](double v) { return std::fabs(v); }));
        });
    check_gradient(
        target, "sum(w * var(x, axes<1>, keepdims))", x, w,
        [](const auto& u, const auto& v) { return sum(v * var(u, axes<1>, keepdims)); },
        over_rows([](const Numbers& a, const Numbers& b) {
            return sum_reference(b) * mean_square_about(a, mean_reference(a));
        }));
    check_gradient(
        target, "sum(logsumexp(x, axes<1>))", x, w,
        [](const auto& u, const auto&) { return sum(logsumexp(u, axes<1>)); },
        over_rows([](const Numbers& a, const Numbers&) {
            return std::log(sum_reference(each(a, [](double v) { return std::exp(v); })));
        }));
    check_gradient(
        target, "sum(prod(x, axes<1>))", x, w, [](const auto& u, const auto&) { return sum(prod(u, axes<1>)); },
        over_rows([](const Numbers& a, const Numbers&) {
            double product = 1;
            for (const double v : a) {
                product *= v;
            }
            return product;
        }));
}

template <class Target>
void check_gradients_of_norms(const Target& target, const Extent& extent) {
    const NdArray x = random_reals(extent, -2, 2, 13);
    const NdArray w = random_reals(extent, -1, 1, 14);
    check_gradient(
        target, "sum(w * softmax(x))", x, w, [](const auto& u, const auto& v) { return sum(v * softmax(u)); },
        over_rows([](const Numbers& a, const Numbers& b) { return dot_reference(softmax_numbers(a), b); }));
    check_gradient(
        target, "sum(w * softmax(x, axes<0>))", x, w,
        [](const auto& u, const auto& v) { return sum(v * softmax(u, axes<0>)); },
        over_columns([](const Numbers& a, const Numbers& b) { return dot_reference(softmax_numbers(a), b); }));
    check_gradient(
        target, "sum(w * log_softmax(x))", x, w, [](const auto& u, const auto& v) { return sum(v * log_softmax(u)); },
        over_rows([](const Numbers& a, const Numbers& b) {
            return dot_reference(each(softmax_numbers(a), [](double v) { return std::log(v); }), b);
        }));
    check_gradient(
        target, "sum(w * layer_norm(x))", x, w,
        [](const auto& u, const auto& v) { return sum(v * layer_norm(u, 0.1)); },
        over_rows([](const Numbers& a, const Numbers& b) { return dot_reference(layer_norm_numbers(a, 0.1), b); }));
    check_gradient(
        target, "sum(w * rms_norm(x))", x, w, [](const auto& u, const auto& v) { return sum(v * rms_norm(u, 0.1)); },
        over_rows([](const Numbers& a, const Numbers& b) {
            return dot_reference(a, b) / std::sqrt(mean_square_about(a, 0) + 0.1);
        }));
    check_gradient(
        target, "sum(w * l2_normalize(x))", x, w, [](const auto& u, const auto& v) { return sum(v * l2_normalize(u)); },
        over_rows(
            [](const Numbers& a, const Numbers& b) { return dot_reference(a, b) / std::sqrt(dot_reference(a, a)); }));
    check_gradient(
        target, "sum(cosine_similarity(x, w))", x, w,
        [](const auto& u, const auto& v) { return sum(cosine_similarity(u, v)); },
        over_rows([](const Numbers& a, const Numbers& b) {
            return dot_reference(a, b) / std::sqrt(dot_reference(a, a) * dot_reference(b, b));
        }));
}

template <class Target>
void check_gradients_of_losses(const Target& target, const Extent& extent) {
    const NdArray x = random_reals(extent, -2, 2, 15);
    const NdArray t = random_reals(extent, 0.1, 0.9, 16);
    const auto averaged = [](auto f) {
        return [f](const NdArray& a, const NdArray& b) { return mean_reference(map_reference(f, a, b).value); };
    };
    check_gradient(
        target, "mse_loss", x, t, [](const auto& u, const auto& v) { return mse_loss(u, v); },
        averaged([](double a, double b) { return (a - b) * (a - b); }));
    check_gradient(
        target, "l1_loss", x, t, [](const auto& u, const auto& v) { return l1_loss(u, v); },
        averaged([](double a, double b) { return std::fabs(a - b); }));
    check_gradient(
        target, "huber_loss", x, t, [](const auto& u, const auto& v) { return huber_loss(u, v, 0.7); },
        averaged([](double a, double b) {
            const double d = std::fabs(a - b);
            return d <= 0.7 ? d * d / 2 : 0.7 * (d - 0.35);
        }));
    check_gradient(
        target, "binary_cross_entropy_with_logits", x, t,
        [](const auto& u, const auto& v) { return binary_cross_entropy_with_logits(u, v); },
        averaged([](double a, double b) { return std::log1p(std::exp(a)) - a * b; }));
    check_gradient(
        target, "kl_div", x, t, [](const auto& u, const auto& v) { return kl_div(log_softmax(u), v); },
        [](const NdArray& a, const NdArray& b) {
            return over_rows([](const Numbers& row, const Numbers& p) {
                       const Numbers q = softmax_numbers(row);
                       double total = 0;
                       for (std::size_t i = 0; i < q.size(); ++i) {
                           total += p[i] * (std::log(p[i]) - std::log(q[i]));
                       }
                       return total;
                   })(a, b) /
                   static_cast<double>(a.size());
        });

    // With a class that is ignored.
    NdArray classes = random_integers({extent[0]}, 0, static_cast<int>(extent[1]) - 1, 17);
    double counted = static_cast<double>(extent[0]);
    if (extent[0] > 2) {
        classes({1}) = -100;
        counted -= 1;
    }
    Tensor<Target, double> x_data(x);
    Tensor<Target, index_t> class_data(classes);
    Tensor<Target, double> value{Extent{}};
    Tensor<Target, double> slope(extent);
    const auto u = x_data.template const_view<"x", 2>();
    const auto c = class_data.template const_view<"class", 1>();
    target.eval(value.template view<"value", 0>() = cross_entropy(u, c),
                slope.template view<"dx", 2>() = gradient(cross_entropy(u, c), u));
    const auto formula = [&](const NdArray& a) {
        double total = 0;
        for (index_t r = 0; r < extent[0]; ++r) {
            Numbers row;
            for (index_t i = 0; i < extent[1]; ++i) {
                row.push_back(a({r, i}));
            }
            const auto at = static_cast<std::ptrdiff_t>(classes({r}));
            total -= at < 0 ? 0 : std::log(softmax_numbers(row)[static_cast<std::size_t>(at)]);
        }
        return total / counted;
    };
    INFO("cross_entropy of " << to_text(extent));
    check_close(value.read(), NdArray(Extent{}, formula(x)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient(formula, x), 1e-7, 1e-8);
}

/// With respect to operands that broadcast, and to several of them in one eval.
template <class Target>
void check_gradients_of_broadcasts(const Target& target, const Extent& extent) {
    const NdArray x = random_reals(extent, -2, 2, 18);
    const NdArray row = random_reals({extent[1]}, 0.5, 1.5, 19);
    const NdArray column = random_reals({extent[0]}, -1, 1, 20);
    const NdArray dy = random_reals(extent, -1, 1, 21);
    const double factor = 0.7;
    Tensor<Target, double> x_data(x);
    Tensor<Target, double> row_data(row);
    Tensor<Target, double> column_data(column);
    Tensor<Target, double> dy_data(dy);
    Tensor<Target, double> dx(extent);
    Tensor<Target, double> drow(row.extent);
    Tensor<Target, double> dcolumn(column.extent);
    Tensor<Target, double> dfactor{Extent{}};
    const auto u = x_data.template const_view<"x", 2>();
    const auto r = row_data.template const_view<"row", 1>();
    const auto c = column_data.template const_view<"column", 1>();
    const auto d = dy_data.template const_view<"dy", 2>();
    const auto s = scalar<"factor">(factor);
    const auto y = layer_norm(u, 0.1) * r + tanh(s * expand_dims<1>(c) * u);
    target.eval(dx.template view<"dx", 2>() = vjp(y, u, d), drow.template view<"drow", 1>() = vjp(y, r, d),
                dcolumn.template view<"dcolumn", 1>() = vjp(y, c, d),
                dfactor.template view<"dfactor", 0>() = vjp(y, s, d));
    const auto formula = [&](const NdArray& a, const NdArray& by_row, const NdArray& by_column, double f) {
        double total = 0;
        for (index_t i = 0; i < extent[0]; ++i) {
            Numbers numbers;
            for (index_t j = 0; j < extent[1]; ++j) {
                numbers.push_back(a({i, j}));
            }
            const Numbers normal = layer_norm_numbers(numbers, 0.1);
            for (index_t j = 0; j < extent[1]; ++j) {
                total += dy({i, j}) * (normal[static_cast<std::size_t>(j)] * by_row({j}) +
                                       std::tanh(f * by_column({i}) * a({i, j})));
            }
        }
        return total;
    };
    INFO("shape " << to_text(extent));
    check_close(dx.read(), numeric_gradient([&](const NdArray& a) { return formula(a, row, column, factor); }, x), 1e-7,
                1e-8);
    check_close(drow.read(), numeric_gradient([&](const NdArray& a) { return formula(x, a, column, factor); }, row),
                1e-7, 1e-8);
    check_close(dcolumn.read(), numeric_gradient([&](const NdArray& a) { return formula(x, row, a, factor); }, column),
                1e-7, 1e-8);
    check_close(dfactor.read(),
                numeric_gradient([&](const NdArray& a) { return formula(x, row, column, a.value[0]); },
                                 NdArray(Extent{}, factor)),
                1e-7, 1e-8);
}

}  // namespace fuse::testing
