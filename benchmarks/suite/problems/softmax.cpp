// SPDX-License-Identifier: Apache-2.0
//
// Softmax of rows and its kin.
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const group = "Softmax";

Arrays scores(const Case& c) {
    return {{"x", c.type, c.shape, -4, 4}};
}
Arrays result(const Case& c) {
    return {{"y", c.type, c.shape}};
}

template <class F>
Judge of_rows(const Problem& p, const Case& c, const Data& data, F f) {
    const index_t n = c.shape[1];
    return judge_rows(p, data, "y", c.shape[0], n, [&](index_t i) {
        auto x = row_of(data, "x", i, n);
        f(i, x);
        return x;
    });
}

/// Probabilities of long rows are small: their errors are relative to a share of what is expected of an element.
const AddProblem softmax({"softmax", group, "softmax of each row", false, scores, result, 1e-8, 2e-5, 8e-3,
                          [](const Problem& p, const Case& c, const Data& data) {
                              return of_rows(p, c, data, [](index_t, std::vector<double>& x) {
                                  const Softmax s(x);
                                  for (double& v : x) {
                                      v = s.probability(v);
                                  }
                              });
                          }});

const AddProblem log_softmax({"log_softmax", group, "log(softmax) of each row", false, scores, result, 1e-2, 2e-5, 8e-3,
                              [](const Problem& p, const Case& c, const Data& data) {
                                  return of_rows(p, c, data, [](index_t, std::vector<double>& x) {
                                      const Softmax s(x);
                                      for (double& v : x) {
                                          v = s.logarithm(v);
                                      }
                                  });
                              }});

const AddProblem masked_softmax(
    {"masked_softmax", group, "softmax(where(mask, x / 8, -inf)) of each row", false,
     [](const Case& c) {
         return Arrays{{"x", c.type, c.shape, -8, 8}, {"mask", Type::boolean, c.shape, 0, 0.7, Fill::mask}};
     },
     result, 1e-8, 2e-5, 8e-3,
     [](const Problem& p, const Case& c, const Data& data) {
         return of_rows(p, c, data, [&](index_t i, std::vector<double>& x) {
             const auto mask = row_of(data, "mask", i, c.shape[1]);
             for (std::size_t j = 0; j < x.size(); ++j) {
                 x[j] = mask[j] != 0 ? x[j] / 8 : -INFINITY;
             }
             const Softmax s(x);
             for (double& v : x) {
                 v = s.probability(v);
             }
         });
     }});

const AddProblem softmax_middle({"softmax_middle", group, "softmax along axis 1 of three", false, scores, result, 1e-8,
                                 2e-5, 8e-3, [](const Problem& p, const Case& c, const Data& data) {
                                     const index_t n = c.shape[1], inner = c.shape[2];
                                     return judge_rows(p, data, "y", c.shape[0], n * inner, [&](index_t i) {
                                         auto x = row_of(data, "x", i, n * inner);
                                         for (index_t j = 0; j < inner; ++j) {
                                             std::vector<double> column;
                                             for (index_t k = j; k < n * inner; k += inner) {
                                                 column.push_back(x[static_cast<std::size_t>(k)]);
                                             }
                                             const Softmax s(column);
                                             for (index_t k = j; k < n * inner; k += inner) {
                                                 double& v = x[static_cast<std::size_t>(k)];
                                                 v = s.probability(v);
                                             }
                                         }
                                         return x;
                                     });
                                 }});

const AddProblem softmax_backward({"softmax_backward", group, "y (g - sum(g y)) of each row", false,
                                   [](const Case& c) {
                                       const double high = 2.0 / static_cast<double>(c.shape[1]);
                                       return Arrays{{"p", c.type, c.shape, 0, high}, {"x", c.type, c.shape}};
                                   },
                                   result, 1e-5, 2e-5, 8e-3,
                                   [](const Problem& p, const Case& c, const Data& data) {
                                       return of_rows(p, c, data, [&](index_t i, std::vector<double>& g) {
                                           const auto y = row_of(data, "p", i, c.shape[1]);
                                           double dot = 0;
                                           for (std::size_t j = 0; j < g.size(); ++j) {
                                               dot += g[j] * y[j];
                                           }
                                           for (std::size_t j = 0; j < g.size(); ++j) {
                                               g[j] = y[j] * (g[j] - dot);
                                           }
                                       });
                                   }});

}  // namespace
}  // namespace bench
