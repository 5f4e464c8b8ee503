// SPDX-License-Identifier: Apache-2.0
//
// Elements by where they stand: beside their neighbours, below a diagonal, and all pairs of two lists.
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
using Row = std::vector<double>;
const char* const group = "Neighbours, triangles and pairs";

Arrays one(const Case& c) {
    return {{"x", c.type, c.shape}};
}
Arrays result(const Case& c) {
    return {{"y", c.type, c.shape}};
}

const AddProblem laplacian({"laplacian", group, "x + 0.1 (its four neighbours on a ring - 4 x)", false, one, result, 1,
                            1e-6, 8e-3, [](const Problem& p, const Case& c, const Data& data) {
                                const index_t m = c.shape[0], n = c.shape[1];
                                return judge_rows(p, data, "y", m, n, [&, m, n](index_t i) {
                                    const Row x = row_of(data, "x", i, n);
                                    const Row above = row_of(data, "x", (i + m - 1) % m, n);
                                    const Row below = row_of(data, "x", (i + 1) % m, n);
                                    Row y = x;
                                    const auto count = static_cast<std::size_t>(n);
                                    for (std::size_t j = 0; j < count; ++j) {
                                        const double beside = x[(j + count - 1) % count] + x[(j + 1) % count];
                                        y[j] += 0.1 * (above[j] + below[j] + beside - 4 * x[j]);
                                    }
                                    return y;
                                });
                            }});

const AddProblem triangle({"lower_triangle", group, "x up to the diagonal, else 0", false, one, result, 1, 0, 0,
                           [](const Problem& p, const Case& c, const Data& data) {
                               return judge_rows(p, data, "y", c.shape[0], c.shape[1], [&](index_t i) {
                                   Row x = row_of(data, "x", i, c.shape[1]);
                                   for (index_t j = i + 1; j < c.shape[1]; ++j) {
                                       x[static_cast<std::size_t>(j)] = 0;
                                   }
                                   return x;
                               });
                           }});

const AddProblem pairs({"pair_sums", group, "sum over j of exp(-(x_i - y_j)^2), of all pairs", true,
                        [](const Case& c) {
                            return Arrays{{"x", c.type, {c.shape[0]}}, {"y", c.type, {c.shape[1]}}};
                        },
                        [](const Case& c) {
                            return Arrays{{"out", Type::f32, {c.shape[0]}}};
                        },
                        1, 2e-5, 2e-5,
                        [](const Problem& p, const Case& c, const Data& data) {
                            const Row y = row_of(data, "y", 0, c.shape[1]);
                            return judge_rows(p, data, "out", c.shape[0], 1, [&, y](index_t i) {
                                const double x = row_of(data, "x", i, 1)[0];
                                double s = 0;
                                for (const double v : y) {
                                    s += std::exp(-(x - v) * (x - v));
                                }
                                return Row{s};
                            });
                        }});

const AddProblem scaled({"scaled_softmax", "Softmax", "softmax of each row times a number of its own", false,
                         [](const Case& c) {
                             return Arrays{{"x", c.type, c.shape, -4, 4}, {"k", Type::f32, {c.shape[0], 1}, 0.5, 2}};
                         },
                         result, 1e-8, 2e-5, 8e-3,
                         [](const Problem& p, const Case& c, const Data& data) {
                             return judge_rows(p, data, "y", c.shape[0], c.shape[1], [&](index_t i) {
                                 Row x = row_of(data, "x", i, c.shape[1]);
                                 const double k = row_of(data, "k", i, 1)[0];
                                 for (double& v : x) {
                                     v *= k;
                                 }
                                 const Softmax s(x);
                                 for (double& v : x) {
                                     v = s.probability(v);
                                 }
                                 return x;
                             });
                         }});

}  // namespace
}  // namespace bench
