// SPDX-License-Identifier: Apache-2.0
//
// Losses of elements, whose mean is one number, and steps of an optimiser.
#include <cmath>

#include "columns.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const group = "Losses of elements";

Arrays one_number(const Case&) {
    return {{"out", Type::f32, {1}}};
}
Arrays logits_and_labels(const Case& c) {
    return {{"x", c.type, c.shape, -4, 4}, {"t", c.type, c.shape, 0, 1}};
}

/// The mean of f over the elements of x and t.
template <double (*F)(double, double)>
Judge mean_of_elements(const Problem& p, const Case& c, const Data& data) {
    const Values x = data.fetch("x"), t = data.fetch("t");
    const double sum = sum_of(c.items(), [&](index_t i) { return F(x[i], t[i]); });
    return judge_all(p, data, "out", {sum / static_cast<double>(c.items())});
}

double with_logits(double x, double t) {
    return std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::abs(x)));
}
double focal(double x, double t) {
    const double p = 1 / (1 + std::exp(-x)), of_target = p * t + (1 - p) * (1 - t);
    return (0.25 * t + 0.75 * (1 - t)) * with_logits(x, t) * (1 - of_target) * (1 - of_target);
}
double smooth_l1(double x, double t) {
    const double d = std::abs(x - t);
    return d < 1 ? d * d / 2 : d - 0.5;
}
double poisson(double x, double t) {
    return std::exp(x) - t * x;
}

const AddProblem bce_with_logits({"bce_with_logits", group, "mean binary cross-entropy of logits", true,
                                  logits_and_labels, one_number, 0, 5e-6, 5e-6, mean_of_elements<with_logits>});
const AddProblem focal_loss({"focal_loss", group, "mean sigmoid focal loss", true, logits_and_labels, one_number, 0,
                             1e-5, 1e-5, mean_of_elements<focal>});
const AddProblem smooth_l1_loss({"smooth_l1_loss", group, "mean smooth L1 loss", true, logits_and_labels, one_number, 0,
                                 5e-6, 5e-6, mean_of_elements<smooth_l1>});
const AddProblem poisson_nll_loss({"poisson_nll_loss", group, "mean Poisson loss of logarithms of counts", true,
                                   logits_and_labels, one_number, 0, 5e-6, 5e-6, mean_of_elements<poisson>});

/// The judge of maps: samples of `array`, in pieces of 4096 elements, against f(i, piece's offset).
template <class F>
Judge judge_elements(const Problem& p, const Case& c, const Data& data, const char* array, const F& of_piece) {
    constexpr index_t length = 4096;
    return judge_rows(p, data, array, c.items() / length, length,
                      [&](index_t i) { return of_piece(i * length, length); });
}

const AddProblem clip_grad_norm({"clip_grad_norm", "Optimisers", "gradient scaled to a norm of at most 1", false,
                                 [](const Case& c) {
                                     return Arrays{{"x", c.type, c.shape}};
                                 },
                                 [](const Case& c) {
                                     return Arrays{{"y", c.type, c.shape}};
                                 },
                                 1e-4, 1e-5, 8e-3,
                                 [](const Problem& p, const Case& c, const Data& data) {
                                     const Values x = data.fetch("x");
                                     const double squares = sum_of(c.items(), [&](index_t i) { return x[i] * x[i]; });
                                     const double by = std::min(1.0, 1 / (std::sqrt(squares) + 1e-6));
                                     return judge_elements(p, c, data, "y", [&](index_t first, index_t length) {
                                         std::vector<double> y;
                                         for (index_t i = first; i < first + length; ++i) {
                                             y.push_back(x[i] * by);
                                         }
                                         return y;
                                     });
                                 }});

/// The tenth step of AdamW with PyTorch's defaults.
const AddProblem
    adamw({"adamw", "Optimisers", "a step of AdamW, moments in float", false,
           [](const Case& c) {
               return Arrays{{"x", c.type, c.shape},
                             {"g", c.type, c.shape},
                             {"m", Type::f32, c.shape, -0.1, 0.1},
                             {"v", Type::f32, c.shape, 0, 0.1}};
           },
           [](const Case& c) {
               return Arrays{{"y", c.type, c.shape}, {"m1", Type::f32, c.shape}, {"v1", Type::f32, c.shape}};
           },
           0.1, 1e-5, 8e-3,
           [](const Problem& p, const Case& c, const Data& data) {
               const Values x = data.fetch("x"), g = data.fetch("g"), m = data.fetch("m"), v = data.fetch("v");
               const auto first_moment = [&](index_t i) { return 0.9 * m[i] + 0.1 * g[i]; };
               const auto second_moment = [&](index_t i) { return 0.999 * v[i] + 0.001 * g[i] * g[i]; };
               const auto judge = [&](const char* array, const auto& of_element) {
                   return judge_elements(p, c, data, array, [&](index_t first, index_t length) {
                       std::vector<double> wanted;
                       for (index_t i = first; i < first + length; ++i) {
                           wanted.push_back(of_element(i));
                       }
                       return wanted;
                   });
               };
               const double correction1 = 1 - std::pow(0.9, 10), correction2 = 1 - std::pow(0.999, 10);
               const auto parameter = [&](index_t i) {
                   const double root = std::sqrt(second_moment(i) / correction2) + 1e-8;
                   return x[i] * (1 - 1e-3 * 1e-2) - 1e-3 * first_moment(i) / correction1 / root;
               };
               return worst_of({judge("y", parameter), judge("m1", first_moment), judge("v1", second_moment)});
           }});

}  // namespace
}  // namespace bench
