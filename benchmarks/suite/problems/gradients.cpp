// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of functions of rows, computed anew from their operands: what a forward and a backward pass compute
// together.
#include "columns.hpp"
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
using Row = std::vector<double>;
const char* const group = "Gradients";

Arrays rows_and_dy(const Case& c) {
    return {{"x", c.type, c.shape, -2, 2}, {"dy", c.type, c.shape}};
}
Arrays dx(const Case& c) {
    return {{"dx", c.type, c.shape}};
}

double dot(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        sum += a[j] * b[j];
    }
    return sum;
}

/// `derive` makes dx of a row of x and of dy.
template <void (*Derive)(Row& x, const Row& dy)>
Judge of_rows(const Problem& p, const Case& c, const Data& data) {
    const index_t n = c.shape[1];
    return judge_rows(p, data, "dx", c.shape[0], n, [&](index_t i) {
        auto x = row_of(data, "x", i, n);
        Derive(x, row_of(data, "dy", i, n));
        return x;
    });
}

void softmax(Row& x, const Row& dy) {
    const Softmax s(x);
    for (double& v : x) {
        v = s.probability(v);
    }
    const double along = dot(x, dy);
    for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] *= dy[j] - along;
    }
}
void log_softmax(Row& x, const Row& dy) {
    const Softmax s(x);
    const double total = std::accumulate(dy.begin(), dy.end(), 0.0);
    for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] = dy[j] - s.probability(x[j]) * total;
    }
}

const AddProblem softmax_vjp({"softmax_vjp", group, "gradient of softmax, from x and dy", false, rows_and_dy, dx, 1e-3,
                              2e-5, 1e-2, of_rows<softmax>});
const AddProblem log_softmax_vjp({"log_softmax_vjp", group, "gradient of log_softmax, from x and dy", false,
                                  rows_and_dy, dx, 0.1, 2e-5, 1e-2, of_rows<log_softmax>});

/// LayerNorm, or RMSNorm where it is not centred, of a row, and dx.
struct Normed {
    Row xhat, dx;

    Normed(Row x, Row g, const Row& w, bool centred) : xhat(std::move(x)), dx(std::move(g)) {
        const Moments m(xhat);
        const double mean = centred ? m.mean : 0;
        const double rstd = 1 / std::sqrt(centred ? m.variance + 1e-5 : m.square + 1e-6);
        const double n = static_cast<double>(xhat.size());
        for (std::size_t j = 0; j < xhat.size(); ++j) {
            xhat[j] = (xhat[j] - mean) * rstd;
            dx[j] *= w[j];
        }
        const double total = centred ? std::accumulate(dx.begin(), dx.end(), 0.0) : 0, along = dot(dx, xhat);
        for (std::size_t j = 0; j < xhat.size(); ++j) {
            dx[j] = rstd * (dx[j] - total / n - xhat[j] * along / n);
        }
    }
};

template <bool Centred>
Arrays norm_inputs(const Case& c) {
    Arrays arrays = {{"x", c.type, c.shape, -1, 3}, {"w", c.type, {c.shape[1]}, 0.5, 1.5}};
    if (Centred) {
        arrays.push_back({"b", c.type, {c.shape[1]}});
    }
    arrays.push_back({"dy", c.type, c.shape});
    return arrays;
}
template <bool Centred>
Arrays norm_gradients(const Case& c) {
    Arrays arrays = {{"dx", c.type, c.shape}, {"dw", c.type, {c.shape[1]}}};
    if (Centred) {
        arrays.push_back({"db", c.type, {c.shape[1]}});
    }
    return arrays;
}

template <bool Centred>
Judge norm_vjp(const Problem& p, const Case& c, const Data& data) {
    const index_t n = c.shape[1];
    const auto w = row_of(data, "w", 0, n);
    return judge_rows(p, data, "dx", c.shape[0], n, [&](index_t i) {
        return Normed(row_of(data, "x", i, n), row_of(data, "dy", i, n), w, Centred).dx;
    });
}

template <bool Centred>
Judge all_of_norm(const Problem& p, const Case& c, const Data& data) {
    const index_t n = c.shape[1];
    const Judge rows = norm_vjp<Centred>(p, c, data);
    const auto w = row_of(data, "w", 0, n);
    const Values x = data.fetch("x"), dy = data.fetch("dy");
    const Judge scales = judge_all(p, data, "dw", column_sums(c.shape[0], n, [&](index_t i, Row& sums) {
                                       const Row g = row_of(dy, i, n);
                                       const Normed row(row_of(x, i, n), g, w, Centred);
                                       for (std::size_t j = 0; j < g.size(); ++j) {
                                           sums[j] += g[j] * row.xhat[j];
                                       }
                                   }));
    if (!Centred) {
        return worst_of({rows, scales});
    }
    const Judge shifts = judge_all(p, data, "db", column_sums(c.shape[0], n, [&](index_t i, Row& sums) {
                                       for (index_t j = 0; j < n; ++j) {
                                           sums[static_cast<std::size_t>(j)] += dy[i * n + j];
                                       }
                                   }));
    return worst_of({rows, scales, shifts});
}

const AddProblem layer_norm_vjp({"layer_norm_vjp", group, "gradient of LayerNorm for x", false, norm_inputs<true>, dx,
                                 0.1, 2e-5, 1e-2, norm_vjp<true>});
const AddProblem rms_norm_vjp({"rms_norm_vjp", group, "gradient of RMSNorm for x", false, norm_inputs<false>, dx, 0.1,
                               2e-5, 1e-2, norm_vjp<false>});
const AddProblem layer_norm_gradients({"layer_norm_gradients", group, "gradients of LayerNorm for x, scale and shift",
                                       false, norm_inputs<true>, norm_gradients<true>, 1, 2e-4, 1e-2,
                                       all_of_norm<true>});
const AddProblem rms_norm_gradients({"rms_norm_gradients", group, "gradients of RMSNorm for x and scale", false,
                                     norm_inputs<false>, norm_gradients<false>, 1, 2e-4, 1e-2, all_of_norm<false>});

}  // namespace
}  // namespace bench
