// SPDX-License-Identifier: Apache-2.0
//
// Scalings of rows, and losses of rows that compare them with each other.
#include <numeric>

#include "columns.hpp"
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
using Row = std::vector<double>;

Arrays one_matrix(const Case& c) {
    return {{"x", c.type, c.shape, -1, 3}};
}
Arrays same_shape(const Case& c) {
    return {{"y", c.type, c.shape}};
}
Arrays one_number(const Case&) {
    return {{"out", Type::f32, {1}}};
}

template <void (*Scale)(Row&)>
Judge of_rows(const Problem& p, const Case& c, const Data& data) {
    return judge_rows(p, data, "y", c.shape[0], c.shape[1], [&](index_t i) {
        Row x = row_of(data, "x", i, c.shape[1]);
        Scale(x);
        return x;
    });
}

void standardise(Row& x) {
    const Moments m(x);
    for (double& v : x) {
        v = (v - m.mean) / std::sqrt(m.variance);
    }
}
void stretch(Row& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    const double least = *low, range = *high - *low;
    for (double& v : x) {
        v = (v - least) / range;
    }
}
void to_length_1(Row& x) {
    const double length = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    for (double& v : x) {
        v /= length;
    }
}

const AddProblem standardize({"standardize", "Norms", "(x - mean) / stddev of each row", false, one_matrix, same_shape,
                              0.5, 1e-5, 8e-3, of_rows<standardise>});
const AddProblem minmax_scale({"minmax_scale", "Norms", "(x - min) / (max - min) of each row", false, one_matrix,
                               same_shape, 0.1, 1e-5, 8e-3, of_rows<stretch>});
const AddProblem l2_normalize({"l2_normalize", "Norms", "x / |x| of each row", false, one_matrix, same_shape, 1e-2,
                               1e-5, 8e-3, of_rows<to_length_1>});

const AddProblem add_layer_norm({"add_layer_norm", "Norms", "LayerNorm of x + r, with scale and shift, and x + r",
                                 false,
                                 [](const Case& c) {
                                     return Arrays{{"x", c.type, c.shape, -1, 3},
                                                   {"r", c.type, c.shape},
                                                   {"w", c.type, {c.shape[1]}, 0.5, 1.5},
                                                   {"b", c.type, {c.shape[1]}}};
                                 },
                                 [](const Case& c) {
                                     return Arrays{{"y", c.type, c.shape}, {"h", c.type, c.shape}};
                                 },
                                 0.5, 1e-5, 8e-3,
                                 [](const Problem& p, const Case& c, const Data& data) {
                                     const index_t n = c.shape[1];
                                     const Row w = row_of(data, "w", 0, n), b = row_of(data, "b", 0, n);
                                     const auto total = [&](index_t i) {
                                         Row x = row_of(data, "x", i, n);
                                         const Row r = row_of(data, "r", i, n);
                                         std::transform(x.begin(), x.end(), r.begin(), x.begin(), std::plus<>{});
                                         return x;
                                     };
                                     const Judge h = judge_rows(p, data, "h", c.shape[0], n, total);
                                     const Judge y = judge_rows(p, data, "y", c.shape[0], n, [&](index_t i) {
                                         Row x = total(i);
                                         const Moments m(x);
                                         for (std::size_t j = 0; j < x.size(); ++j) {
                                             x[j] = (x[j] - m.mean) / std::sqrt(m.variance + 1e-5) * w[j] + b[j];
                                         }
                                         return x;
                                     });
                                     return worst_of({h, y});
                                 }});

/// The mean over the rows of loss(i).
template <class Loss>
Judge mean_over_rows(const Problem& p, const Case& c, const Data& data, const Loss& loss) {
    return judge_all(p, data, "out", {sum_of(c.shape[0], loss) / static_cast<double>(c.shape[0])});
}

const AddProblem smoothed(
    {"label_smoothing", "Losses", "mean cross-entropy with label smoothing of 0.1", true,
     [](const Case& c) {
         const double classes = static_cast<double>(c.shape[1]);
         return Arrays{{"x", c.type, c.shape, -4, 4}, {"t", Type::i64, {c.shape[0]}, 0, classes, Fill::targets}};
     },
     one_number, 0, 1e-5, 1e-5,
     [](const Problem& p, const Case& c, const Data& data) {
         const Values x = data.fetch("x"), t = data.fetch("t");
         const index_t n = c.shape[1];
         return mean_over_rows(p, c, data, [&](index_t i) {
             const Row row = row_of(x, i, n);
             const Softmax s(row);
             double all = 0;
             for (const double v : row) {
                 all -= s.logarithm(v);
             }
             const double hard = -s.logarithm(row[static_cast<std::size_t>(t[i])]);
             return 0.9 * hard + 0.1 * all / static_cast<double>(n);
         });
     }});

const AddProblem triplet({"triplet_margin", "Losses", "mean triplet margin loss of rows", true,
                          [](const Case& c) {
                              return Arrays{{"a", c.type, c.shape}, {"p", c.type, c.shape}, {"n", c.type, c.shape}};
                          },
                          one_number, 0, 1e-5, 1e-5,
                          [](const Problem& p, const Case& c, const Data& data) {
                              const Values anchor = data.fetch("a"), near = data.fetch("p"), far = data.fetch("n");
                              const index_t length = c.shape[1];
                              const auto distance = [&](const Values& other, index_t i) {
                                  double s = 0;
                                  for (index_t j = i * length; j < (i + 1) * length; ++j) {
                                      const double d = anchor[j] - other[j] + 1e-6;
                                      s += d * d;
                                  }
                                  return std::sqrt(s);
                              };
                              return mean_over_rows(p, c, data, [&](index_t i) {
                                  return std::max(0.0, 1 + distance(near, i) - distance(far, i));
                              });
                          }});

const AddProblem distillation({"distillation", "Losses", "distillation loss at temperature 2", true,
                               [](const Case& c) {
                                   return Arrays{{"a", c.type, c.shape, -4, 4}, {"b", c.type, c.shape, -4, 4}};
                               },
                               one_number, 0, 2e-5, 2e-5,
                               [](const Problem& p, const Case& c, const Data& data) {
                                   const Values a = data.fetch("a"), b = data.fetch("b");
                                   return mean_over_rows(p, c, data, [&](index_t i) {
                                       Row student = row_of(a, i, c.shape[1]), teacher = row_of(b, i, c.shape[1]);
                                       for (Row* row : {&student, &teacher}) {
                                           for (double& v : *row) {
                                               v /= 2;
                                           }
                                       }
                                       const Softmax of_student(student), of_teacher(teacher);
                                       double s = 0;
                                       for (std::size_t j = 0; j < student.size(); ++j) {
                                           s += of_teacher.probability(teacher[j]) *
                                                (of_teacher.logarithm(teacher[j]) - of_student.logarithm(student[j]));
                                       }
                                       return 4 * s;
                                   });
                               }});

const AddProblem causal({"causal_softmax", "Softmax", "softmax of square matrices' rows up to the diagonal", false,
                         [](const Case& c) {
                             return Arrays{{"x", c.type, c.shape, -4, 4}};
                         },
                         same_shape, 1e-3, 1e-5, 8e-3,
                         [](const Problem& p, const Case& c, const Data& data) {
                             const index_t n = c.shape[2];
                             return judge_rows(p, data, "y", c.shape[0] * c.shape[1], n, [&](index_t i) {
                                 Row x = row_of(data, "x", i, n);
                                 for (index_t j = i % c.shape[1] + 1; j < n; ++j) {
                                     x[static_cast<std::size_t>(j)] = -INFINITY;
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
