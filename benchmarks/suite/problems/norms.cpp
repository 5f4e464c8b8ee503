// SPDX-License-Identifier: Apache-2.0
//
// Normalisations of rows, and their gradients with respect to the rows. Statistics that a forward pass would have saved
// are inputs of the latter, as they are in the peers' autograd.
#include "columns.hpp"
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const group = "Norms";

Array weight(const Case& c) {
    return {"w", c.type, {c.shape[1]}, 0.5, 1.5};
}
Arrays result(const Case& c) {
    return {{"y", c.type, c.shape}};
}
Arrays result_and_sum(const Case& c) {
    return {{"y", c.type, c.shape}, {"h", c.type, c.shape}};
}

const AddProblem layer_norm({"layer_norm", group, "LayerNorm of each row, with scale and shift", false,
                             [](const Case& c) {
                                 return Arrays{{"x", c.type, c.shape, -1, 3}, weight(c), {"b", c.type, {c.shape[1]}}};
                             },
                             result, 0.5, 1e-5, 8e-3,
                             [](const Problem& p, const Case& c, const Data& data) {
                                 const index_t n = c.shape[1];
                                 const auto w = row_of(data, "w", 0, n), b = row_of(data, "b", 0, n);
                                 return judge_rows(p, data, "y", c.shape[0], n, [&](index_t i) {
                                     auto x = row_of(data, "x", i, n);
                                     const Moments m(x);
                                     const double rstd = 1 / std::sqrt(m.variance + 1e-5);
                                     for (std::size_t j = 0; j < x.size(); ++j) {
                                         x[j] = (x[j] - m.mean) * rstd * w[j] + b[j];
                                     }
                                     return x;
                                 });
                             }});

const AddProblem rms_norm({"rms_norm", group, "RMSNorm of each row, with scale", false,
                           [](const Case& c) {
                               return Arrays{{"x", c.type, c.shape, -1, 3}, weight(c)};
                           },
                           result, 0.5, 1e-5, 8e-3,
                           [](const Problem& p, const Case& c, const Data& data) {
                               const index_t n = c.shape[1];
                               const auto w = row_of(data, "w", 0, n);
                               return judge_rows(p, data, "y", c.shape[0], n, [&](index_t i) {
                                   auto x = row_of(data, "x", i, n);
                                   const double r = 1 / std::sqrt(Moments(x).square + 1e-6);
                                   for (std::size_t j = 0; j < x.size(); ++j) {
                                       x[j] *= r * w[j];
                                   }
                                   return x;
                               });
                           }});

const AddProblem add_rms_norm({"add_rms_norm", group, "RMSNorm of x + r, and x + r", false,
                               [](const Case& c) {
                                   return Arrays{{"x", c.type, c.shape, -1, 3}, {"r", c.type, c.shape}, weight(c)};
                               },
                               result_and_sum, 0.5, 1e-5, 8e-3,
                               [](const Problem& p, const Case& c, const Data& data) {
                                   const index_t n = c.shape[1];
                                   const auto w = row_of(data, "w", 0, n);
                                   const auto row = [&](index_t i) {
                                       auto x = row_of(data, "x", i, n);
                                       const auto r = row_of(data, "r", i, n);
                                       for (std::size_t j = 0; j < x.size(); ++j) {
                                           x[j] += r[j];
                                       }
                                       return x;
                                   };
                                   const Judge h = judge_rows(p, data, "h", c.shape[0], n, row);
                                   const Judge y = judge_rows(p, data, "y", c.shape[0], n, [&](index_t i) {
                                       auto x = row(i);
                                       const double rms = std::sqrt(Moments(x).square + 1e-6);
                                       for (std::size_t j = 0; j < x.size(); ++j) {
                                           x[j] *= w[j] / rms;
                                       }
                                       return x;
                                   });
                                   return worst_of({h, y});
                               }});

/// rstd (g - mean(g) - xhat mean(g xhat)) with g = dy w; without mean and shift for RMSNorm.
Judge backward(const Problem& p, const Case& c, const Data& data, bool centred) {
    const index_t n = c.shape[1];
    const auto w = row_of(data, "w", 0, n);
    return judge_rows(p, data, "y", c.shape[0], n, [&](index_t i) {
        auto x = row_of(data, "x", i, n), g = row_of(data, "dy", i, n);
        const double rstd = data.fetch("rstd", i, 1)[0], mean = centred ? data.fetch("mean", i, 1)[0] : 0;
        double sum = 0, along = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            g[j] *= w[j];
            x[j] = (x[j] - mean) * rstd;
            sum += centred ? g[j] : 0;
            along += g[j] * x[j];
        }
        const double count = static_cast<double>(n);
        for (std::size_t j = 0; j < x.size(); ++j) {
            g[j] = rstd * (g[j] - sum / count - x[j] * along / count);
        }
        return g;
    });
}

Arrays saved(const Case& c, bool centred) {
    const index_t rows = c.shape[0];
    Arrays arrays = {{"dy", c.type, c.shape}, {"x", c.type, c.shape, -1, 3}, weight(c)};
    arrays.push_back({"rstd", Type::f32, {rows, 1}, 0.5, 1});
    if (centred) {
        arrays.push_back({"mean", Type::f32, {rows, 1}, 0.5, 1.5});
    }
    return arrays;
}

const AddProblem
    layer_norm_backward({"layer_norm_backward", group, "gradient of LayerNorm with respect to its rows", false,
                         [](const Case& c) { return saved(c, true); }, result, 0.1, 2e-5, 1e-2,
                         [](const Problem& p, const Case& c, const Data& data) { return backward(p, c, data, true); }});
const AddProblem
    rms_norm_backward({"rms_norm_backward", group, "gradient of RMSNorm with respect to its rows", false,
                       [](const Case& c) { return saved(c, false); }, result, 0.1, 2e-5, 1e-2,
                       [](const Problem& p, const Case& c, const Data& data) { return backward(p, c, data, false); }});

}  // namespace
}  // namespace bench
