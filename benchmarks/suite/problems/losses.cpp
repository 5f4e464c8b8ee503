// SPDX-License-Identifier: Apache-2.0
//
// Losses of rows, whose mean over the rows is one number.
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const group = "Losses";

Arrays one_number(const Case&) {
    return {{"out", Type::f32, {1}}};
}

/// The mean of loss(row), computed on all cores.
template <class Loss>
Judge mean_over_rows(const Problem& p, const Case& c, const Data& data, double counted, const Loss& loss) {
    return judge_all(p, data, "out", {sum_of(c.shape[0], loss) / counted});
}

const AddProblem cross_entropy(
    {"cross_entropy", group, "mean cross-entropy, 1 target in 20 ignored", true,
     [](const Case& c) {
         const double classes = static_cast<double>(c.shape[1]);
         return Arrays{{"x", c.type, c.shape, -4, 4}, {"t", Type::i64, {c.shape[0]}, 0.05, classes, Fill::targets}};
     },
     one_number, 0, 1e-5, 1e-5,
     [](const Problem& p, const Case& c, const Data& data) {
         const Values x = data.fetch("x"), t = data.fetch("t");
         double counted = 0;
         for (index_t i = 0; i < t.size(); ++i) {
             counted += t[i] >= 0;
         }
         return mean_over_rows(p, c, data, counted, [&](index_t i) {
             if (t[i] < 0) {
                 return 0.0;
             }
             return -Softmax(row_of(x, i, c.shape[1])).logarithm(x[i * c.shape[1] + static_cast<index_t>(t[i])]);
         });
     }});

Arrays student_and_teacher(const Case& c) {
    return {{"a", c.type, c.shape, -2, 2}, {"b", c.type, c.shape, -2, 2}};
}

using Row = std::vector<double>;

double kl(const Row& a, const Row& b) {
    const Softmax sa(a), sb(b);
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        sum += sb.probability(b[j]) * (sb.logarithm(b[j]) - sa.logarithm(a[j]));
    }
    return sum;
}
double mse(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    }
    return sum / static_cast<double>(a.size());
}
double cosine(const Row& a, const Row& b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        ab += a[j] * b[j];
        aa += a[j] * a[j];
        bb += b[j] * b[j];
    }
    return 1 - ab / std::sqrt(aa * bb);
}

template <double (*Loss)(const Row&, const Row&)>
Judge of_pairs(const Problem& p, const Case& c, const Data& data) {
    const Values a = data.fetch("a"), b = data.fetch("b");
    const index_t n = c.shape[1];
    return mean_over_rows(p, c, data, static_cast<double>(c.shape[0]),
                          [&](index_t i) { return Loss(row_of(a, i, n), row_of(b, i, n)); });
}

const AddProblem kl_rows({"kl_rows", group, "mean KL divergence of the softmaxes of two arrays' rows", true,
                          student_and_teacher, one_number, 0, 2e-5, 2e-5, of_pairs<kl>});
const AddProblem mse_rows({"mse_rows", group, "mean over the rows of their mean squared errors", true,
                           student_and_teacher, one_number, 0, 2e-5, 2e-5, of_pairs<mse>});
const AddProblem cosine_rows({"cosine_rows", group, "mean over the rows of 1 - cosine similarity", true,
                              student_and_teacher, one_number, 0, 2e-5, 2e-5, of_pairs<cosine>});

}  // namespace
}  // namespace bench
