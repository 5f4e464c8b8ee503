// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of scans through a target, against central differences of plain loops in double, and where those do not
// exist (ties) against loops that say who gets what.
#pragma once

#include "lang/gradient_cases.hpp"

namespace fuse::testing {

/// The running values of a row: step(state, element) takes an element in. Backwards: from the end.
template <class Step>
Numbers running(const Numbers& row, double start, Step step, bool leave_out_own, bool backwards) {
    Numbers result(row.size());
    double state = start;
    for (std::size_t k = 0; k < row.size(); ++k) {
        const std::size_t i = backwards ? row.size() - 1 - k : k;
        const double before = state;
        state = step(state, row[i]);
        result[i] = leave_out_own ? before : state;
    }
    return result;
}

/// vjp(f(x), x, w), f: a scan along axis Axis; formula: of a row.
template <int Axis, class Target, class F, class Formula>
void check_vjp_of_scan(const Target& target, const char* name, const NdArray& x, F f, Formula formula) {
    INFO(name << " of " << to_text(x.extent) << " along axis " << Axis);
    const NdArray w = random_reals(x.extent, -1, 1, 41);
    Tensor<Target, double> x_data(x);
    Tensor<Target, double> w_data(w);
    Tensor<Target, double> slope(x.extent);
    const auto u = x_data.template const_view<"x", 2>();
    target.eval(slope.template view<"dx", 2>() = vjp(f(u), u, w_data.template const_view<"w", 2>()));
    const auto weighted = [&](const Numbers& row, const Numbers& by) {
        double total = 0;
        const Numbers values = formula(row);
        for (std::size_t i = 0; i < values.size(); ++i) {
            total += by[i] == 0 ? 0 : by[i] * values[i];
        }
        return total;
    };
    const auto loss = [&](const NdArray& a) {
        if constexpr (Axis == 1) {
            return over_rows(weighted)(a, w);
        } else {
            return over_columns(weighted)(a, w);
        }
    };
    check_close(slope.read(), numeric_gradient(loss, x), 1e-7, 1e-7);
}

inline double add_numbers(double a, double b) {
    return a + b;
}
inline double multiply_numbers(double a, double b) {
    return a * b;
}
inline double larger_number(double a, double b) {
    return a > b ? a : b;
}
inline double smaller_number(double a, double b) {
    return a < b ? a : b;
}
inline double log_add(double a, double b) {
    return std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

template <class Target>
void check_gradients_of_scans(const Target& target, const Extent& extent) {
    const NdArray x = random_reals(extent, -2, 2, 42);
    NdArray factors = random_reals(extent, 0.7, 1.3, 43);
    for (std::size_t i = 0; i < factors.value.size(); i += 3) {
        factors.value[i] = i % 2 == 0 ? 0 : -1;  // zeros, several of them in a row
    }
    const auto plain = [](double start, auto step) {
        return [=](const Numbers& row) { return running(row, start, step, false, false); };
    };
    // Without its own, from the end.
    const auto back = [](double start, auto step) {
        return [=](const Numbers& row) {
            Numbers values = running(row, start, step, true, true);
            values.back() = 0;  // the identity, which may be infinite
            return values;
        };
    };
    check_vjp_of_scan<1>(
        target, "cumsum", x, [](const auto& u) { return cumsum(u, axes<1>); }, plain(0, add_numbers));
    check_vjp_of_scan<0>(
        target, "cumsum", x, [](const auto& u) { return square(cumsum(u, axes<0>, exclusive, reverse)); },
        [&](const Numbers& row) { return each(back(0, add_numbers)(row), [](double v) { return v * v; }); });
    check_vjp_of_scan<1>(
        target, "cumprod", factors, [](const auto& u) { return cumprod(u, axes<1>); }, plain(1, multiply_numbers));
    check_vjp_of_scan<0>(
        target, "cumprod", factors, [](const auto& u) { return cumprod(u, axes<0>, exclusive, reverse); },
        back(1, multiply_numbers));
    check_vjp_of_scan<1>(
        target, "cummax", x, [](const auto& u) { return cummax(u, axes<1>); }, plain(-HUGE_VAL, larger_number));
    check_vjp_of_scan<0>(
        target, "cummin", x,
        [](const auto& u) {
            const auto y = cummin(u, axes<0>, exclusive, reverse);
            return where(isfinite(y), y, 0.0);
        },
        back(HUGE_VAL, smaller_number));
    check_vjp_of_scan<1>(
        target, "logcumsumexp", x, [](const auto& u) { return logcumsumexp(u, axes<1>); }, plain(-HUGE_VAL, log_add));
    check_vjp_of_scan<0>(
        target, "logcumsumexp", x,
        [](const auto& u) {
            const auto y = logcumsumexp(u, axes<0>, exclusive, reverse);
            return where(isfinite(y), y, 0.0);
        },
        back(-HUGE_VAL, log_add));
}

/// With respect to both operands of a linear recurrence, of one factor and of one for each element and each line.
template <class Target>
void check_gradients_of_recurrences(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    const NdArray x = random_reals(extent, -2, 2, 44);
    const NdArray g = random_reals(extent, -1, 1, 45);
    const NdArray line = random_reals({extent[1]}, -1, 1, 46);
    const NdArray dy = random_reals(extent, -1, 1, 47);
    const NdArray one(Extent{}, 0.75);
    Tensor<Target, double> x_data(x), g_data(g), line_data(line), dy_data(dy), one_data(one);
    Tensor<Target, double> dx(extent), dg(extent), dline(line.extent), done(Extent{});
    const auto u = x_data.template const_view<"x", 2>();
    const auto d = dy_data.template const_view<"dy", 2>();
    const auto each_of = g_data.template const_view<"g", 2>();
    const auto of_line = line_data.template const_view<"line", 1>();
    const auto gamma = one_data.template const_view<"one", 0>();
    // y[i] = a[i] + by(i, line) * y[i -+ 1] along an axis.
    const auto loss = [&](int axis, bool leave_out_own, bool backwards, const NdArray& a, auto by) {
        double total = 0;
        const index_t n = extent[static_cast<std::size_t>(axis)];
        const index_t lines = extent[static_cast<std::size_t>(1 - axis)];
        for (index_t l = 0; l < lines; ++l) {
            double y = 0;
            for (index_t k = 0; k < n; ++k) {
                const index_t i = backwards ? n - 1 - k : k;
                const Coordinate at = axis == 1 ? Coordinate{l, i} : Coordinate{i, l};
                const double before = y;
                y = a(at) + by(at) * y;
                total += dy(at) * (leave_out_own ? before : y);
            }
        }
        return total;
    };
    const auto check = [](const NdArray& got, const NdArray& expected) { check_close(got, expected, 1e-7, 1e-7); };
    {
        const auto y = discounted_cumsum(u, each_of, axes<1>);
        target.eval(dx.template view<"dx", 2>() = vjp(y, u, d), dg.template view<"dg", 2>() = vjp(y, each_of, d));
        const auto f = [&](const NdArray& a, const NdArray& b) {
            return loss(1, false, false, a, [&](const Coordinate& at) { return b(at); });
        };
        check(dx.read(), numeric_gradient([&](const NdArray& a) { return f(a, g); }, x));
        check(dg.read(), numeric_gradient([&](const NdArray& b) { return f(x, b); }, g));
    }
    {
        const auto y = discounted_cumsum(u, of_line, axes<0>, exclusive, reverse);
        target.eval(dx.template view<"dx", 2>() = vjp(y, u, d), dline.template view<"dline", 1>() = vjp(y, of_line, d));
        const auto f = [&](const NdArray& a, const NdArray& b) {
            return loss(0, true, true, a, [&](const Coordinate& at) { return b({at[1]}); });
        };
        check(dx.read(), numeric_gradient([&](const NdArray& a) { return f(a, line); }, x));
        check(dline.read(), numeric_gradient([&](const NdArray& b) { return f(x, b); }, line));
    }
    {
        const auto y = discounted_cumsum(u, gamma, axes<1>);
        target.eval(dx.template view<"dx", 2>() = vjp(y, u, d), done.template view<"done", 0>() = vjp(y, gamma, d));
        const auto f = [&](const NdArray& a, const NdArray& b) {
            return loss(1, false, false, a, [&](const Coordinate&) { return b.value[0]; });
        };
        check(dx.read(), numeric_gradient([&](const NdArray& a) { return f(a, one); }, x));
        check(done.read(), numeric_gradient([&](const NdArray& b) { return f(x, b); }, one));
    }
}

}  // namespace fuse::testing
