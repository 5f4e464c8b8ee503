// SPDX-License-Identifier: Apache-2.0
//
// Losses and their gradients, both in one call.
#include "columns.hpp"
#include "rows.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
using Row = std::vector<double>;
const char* const group = "Gradients";

/// A loss of a row, whose gradient it puts into `of`.
using Loss = double (*)(Row& of, const Row& other);

double squared_error(Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        const double d = a[j] - b[j];
        sum += d * d;
        a[j] = 2 * d;
    }
    return sum;
}
double kl(Row& a, const Row& b) {
    const Softmax student(a), teacher(b);
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        const double p = teacher.probability(b[j]);
        sum += p * (teacher.logarithm(b[j]) - student.logarithm(a[j]));
        a[j] = student.probability(a[j]) - p;
    }
    return sum;
}
double cosine(Row& a, const Row& b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        ab += a[j] * b[j];
        aa += a[j] * a[j];
        bb += b[j] * b[j];
    }
    const double norms = std::sqrt(aa * bb);
    for (std::size_t j = 0; j < a.size(); ++j) {
        a[j] = ab / norms * a[j] / aa - b[j] / norms;
    }
    return 1 - ab / norms;
}

Arrays two_of(const Case& c) {
    return {{"a", c.type, c.shape, -2, 2}, {"b", c.type, c.shape, -2, 2}};
}
Arrays loss_and(const char* gradient, const Case& c) {
    return {{"out", Type::f32, {1}}, {gradient, c.type, c.shape}};
}
Arrays loss_and_da(const Case& c) {
    return loss_and("da", c);
}

/// The sum of the losses of `rows` rows, and the gradient.
template <Loss OfRow>
Judge sum_of_rows(const Problem& p, const Data& data, index_t rows, index_t n) {
    const Values a = data.fetch("a"), b = data.fetch("b");
    const double sum = sum_of(rows, [&](index_t i) {
        Row of = row_of(a, i, n);
        return OfRow(of, row_of(b, i, n));
    });
    const Judge gradient = judge_rows(p, data, "da", rows, n, [&](index_t i) {
        Row of = row_of(a, i, n);
        OfRow(of, row_of(b, i, n));
        return of;
    });
    return worst_of({judge_all(p, data, "out", {sum}), gradient});
}
template <Loss OfRow>
Judge of_matrix(const Problem& p, const Case& c, const Data& data) {
    return sum_of_rows<OfRow>(p, data, c.shape[0], c.shape[1]);
}

// Sums, not means: elements of a gradient are of one size then, whatever the shape, and so are their errors.
const AddProblem squares_gradient({"squared_error_gradient", group, "sum((a - b)^2) and its gradient for a", false,
                                   two_of, loss_and_da, 0.1, 1e-5, 8e-3,
                                   [](const Problem& p, const Case& c, const Data& data) {
                                       constexpr index_t length = 4096;
                                       return sum_of_rows<squared_error>(p, data, c.items() / length, length);
                                   }});
const AddProblem kl_gradient({"kl_gradient", group, "summed KL divergences of the softmaxes of rows and the gradient",
                              false, two_of, loss_and_da, 1e-3, 5e-5, 1e-2, of_matrix<kl>});
const AddProblem cosine_gradient({"cosine_gradient", group, "summed 1 - cosine similarity of rows and its gradient",
                                  false, two_of, loss_and_da, 1e-3, 5e-5, 1e-2, of_matrix<cosine>});

const AddProblem cross_entropy_gradient(
    {"cross_entropy_gradient", group, "mean cross-entropy, 1 target in 20 ignored, and its gradient", false,
     [](const Case& c) {
         const double classes = static_cast<double>(c.shape[1]);
         return Arrays{{"x", c.type, c.shape, -4, 4}, {"t", Type::i64, {c.shape[0]}, 0.05, classes, Fill::targets}};
     },
     [](const Case& c) { return loss_and("dx", c); }, 0, 5e-5, 8e-3,
     [](const Problem& p, const Case& c, const Data& data) {
         const Values x = data.fetch("x"), t = data.fetch("t");
         const index_t n = c.shape[1];
         double counted = 0;
         for (index_t i = 0; i < t.size(); ++i) {
             counted += t[i] >= 0;
         }
         const double sum = sum_of(c.shape[0], [&](index_t i) {
             return t[i] < 0 ? 0 : -Softmax(row_of(x, i, n)).logarithm(x[i * n + static_cast<index_t>(t[i])]);
         });
         const Judge gradient = judge_rows(p, data, "dx", c.shape[0], n, [&](index_t i) {
             Row row = row_of(x, i, n);
             const Softmax s(row);
             for (double& v : row) {
                 v = t[i] < 0 ? 0 : s.probability(v) / counted;
             }
             if (t[i] >= 0) {
                 row[static_cast<std::size_t>(t[i])] -= 1 / counted;
             }
             return row;
         });
         return worst_of({judge_all(p, data, "out", {sum / counted}), gradient});
     }});

}  // namespace
}  // namespace bench
