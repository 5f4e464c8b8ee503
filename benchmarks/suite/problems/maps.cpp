// SPDX-License-Identifier: Apache-2.0
//
// Element by element, and transposed.
#include <cmath>

#include "../problem.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const maps = "Maps and transposes";

Arrays result(const Case& c) {
    return {{"y", c.type, c.shape}};
}

/// Stretches of 4096 elements, of which f is told the first index.
template <class F>
Judge of_stretches(const Problem& p, const Case& c, const Data& data, F f) {
    const index_t length = std::min<index_t>(4096, c.items());
    return judge_rows(p, data, "y", c.items() / length, length, [&](index_t i) { return f(i * length, length); });
}

const AddProblem axpby({"axpby", maps, "0.5 a + 2 b", false,
                        [](const Case& c) {
                            return Arrays{{"a", c.type, c.shape}, {"b", c.type, c.shape}};
                        },
                        result, 0.1, 1e-6, 8e-3,
                        [](const Problem& p, const Case& c, const Data& data) {
                            return of_stretches(p, c, data, [&](index_t first, index_t n) {
                                const Values a = data.fetch("a", first, n), b = data.fetch("b", first, n);
                                std::vector<double> y;
                                for (index_t i = 0; i < n; ++i) {
                                    y.push_back(0.5 * a[i] + 2 * b[i]);
                                }
                                return y;
                            });
                        }});

const AddProblem gelu_chain(
    {"gelu_chain", maps, "gelu(a b + c)", false,
     [](const Case& c) {
         return Arrays{{"a", c.type, c.shape, -2, 2}, {"b", c.type, c.shape, -2, 2}, {"c", c.type, c.shape, -2, 2}};
     },
     result, 0.1, 1e-5, 8e-3,
     [](const Problem& p, const Case& c, const Data& data) {
         return of_stretches(p, c, data, [&](index_t first, index_t n) {
             const Values a = data.fetch("a", first, n), b = data.fetch("b", first, n);
             const Values s = data.fetch("c", first, n);
             std::vector<double> y;
             for (index_t i = 0; i < n; ++i) {
                 const double v = a[i] * b[i] + s[i];
                 y.push_back(0.5 * v * std::erfc(-v / std::sqrt(2.0)));
             }
             return y;
         });
     }});

const AddProblem transpose({"transpose", maps, "2.5 x^T", false,
                            [](const Case& c) {
                                return Arrays{{"x", c.type, c.shape}};
                            },
                            [](const Case& c) {
                                return Arrays{{"y", c.type, {c.shape[1], c.shape[0]}}};
                            },
                            1e-3, 1e-6, 5e-3,
                            [](const Problem& p, const Case& c, const Data& data) {
                                const index_t rows = c.shape[0], columns = c.shape[1];
                                const Values x = data.fetch("x");
                                return judge_rows(p, data, "y", columns, rows, [&](index_t i) {
                                    std::vector<double> y;
                                    for (index_t j = 0; j < rows; ++j) {
                                        y.push_back(2.5 * x[j * columns + i]);
                                    }
                                    return y;
                                });
                            }});

const AddProblem to_nhwc({"to_nhwc", maps, "NCHW to NHWC: the axes 0, 2, 3, 1 of x", false,
                          [](const Case& c) {
                              return Arrays{{"x", c.type, c.shape}};
                          },
                          [](const Case& c) {
                              return Arrays{{"y", c.type, {c.shape[0], c.shape[2], c.shape[3], c.shape[1]}}};
                          },
                          1, 0, 0,
                          [](const Problem& p, const Case& c, const Data& data) {
                              const index_t channels = c.shape[1], area = c.shape[2] * c.shape[3];
                              const index_t image = channels * area;
                              return judge_rows(p, data, "y", c.shape[0], image, [&, channels, area](index_t i) {
                                  const Values x = data.fetch("x", i * image, image);
                                  std::vector<double> y;
                                  for (index_t j = 0; j < image; ++j) {
                                      y.push_back(x[j % channels * area + j / channels]);
                                  }
                                  return y;
                              });
                          }});

}  // namespace
}  // namespace bench
