// SPDX-License-Identifier: Apache-2.0
//
// Reductions of everything to a few numbers.
#include <cmath>

#include "../problem.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;

template <class F>
double max_of(index_t n, F f) {
    return parallel_max(n, [&](index_t first, index_t last) {
        double s = -INFINITY;
        for (index_t i = first; i < last; ++i) {
            s = std::max(s, f(i));
        }
        return s;
    });
}

Arrays one_input(const Case& c) {
    return {{"x", c.type, c.shape, -1, 2}};
}
Arrays two_inputs(const Case& c) {
    return {{"a", c.type, c.shape, -1, 1}, {"b", c.type, c.shape, -1, 1}};
}
Arrays two_inputs_off_a_vector(const Case& c) {
    return {{"a", c.type, c.shape, -1, 1, Fill::uniform, 1}, {"b", c.type, c.shape, -1, 1, Fill::uniform, 1}};
}
Arrays one_number(const Case&) {
    return {{"out", Type::f32, {1}}};
}

Judge squared_error(const Problem& p, const Case& c, const Data& data) {
    const Values a = data.fetch("a"), b = data.fetch("b");
    const double sum = sum_of(c.items(), [&](index_t i) { return (a[i] - b[i]) * (a[i] - b[i]); });
    return judge_all(p, data, "out", {sum / static_cast<double>(c.items())});
}

const char* const reductions = "Full reductions";
const char* const latency = "Small reductions";

const AddProblem sum({"sum", reductions, "sum(x)", true, one_input, one_number, 0, 2e-6, 2e-6,
                      [](const Problem& p, const Case& c, const Data& data) {
                          const Values x = data.fetch("x");
                          return judge_all(p, data, "out", {sum_of(c.items(), [&](index_t i) { return x[i]; })});
                      }});
const AddProblem mse({"mse", reductions, "mean((a - b)^2)", true, two_inputs, one_number, 0, 2e-6, 2e-6,
                      squared_error});
const AddProblem mse_unaligned({"mse_unaligned", reductions, "mean((a - b)^2), 1 element off a vector", true,
                                two_inputs_off_a_vector, one_number, 0, 2e-6, 2e-6, squared_error});
const AddProblem mse_small({"mse_small", latency, "mean((a - b)^2), the result on the device", true, two_inputs,
                            one_number, 0, 2e-6, 2e-6, squared_error});
const AddProblem mse_value({"mse_value", latency, "mean((a - b)^2), the result on the host, by the clock", true,
                            two_inputs, one_number, 0, 2e-6, 2e-6, squared_error, true});

const AddProblem statistics({"statistics", reductions, "sum, sum of squares, min, max and largest absolute value of x",
                             true, one_input,
                             [](const Case&) {
                                 return Arrays{{"out", Type::f32, {5}}};
                             },
                             0, 4e-6, 4e-6,
                             [](const Problem& p, const Case& c, const Data& data) {
                                 const Values x = data.fetch("x");
                                 const index_t n = c.items();
                                 return judge_all(p, data, "out",
                                                  {sum_of(n, [&](index_t i) { return x[i]; }),
                                                   sum_of(n, [&](index_t i) { return x[i] * x[i]; }),
                                                   -max_of(n, [&](index_t i) { return -x[i]; }),
                                                   max_of(n, [&](index_t i) { return x[i]; }),
                                                   max_of(n, [&](index_t i) { return std::abs(x[i]); })});
                             }});

const AddProblem cosine({"cosine", reductions, "cosine similarity of a and b: three sums", true,
                         [](const Case& c) {
                             return Arrays{{"a", c.type, c.shape, -1, 2}, {"b", c.type, c.shape, -2, 1}};
                         },
                         one_number, 0, 1e-5, 1e-5,
                         [](const Problem& p, const Case& c, const Data& data) {
                             const Values a = data.fetch("a"), b = data.fetch("b");
                             const index_t n = c.items();
                             const double ab = sum_of(n, [&](index_t i) { return a[i] * b[i]; });
                             const double aa = sum_of(n, [&](index_t i) { return a[i] * a[i]; });
                             const double bb = sum_of(n, [&](index_t i) { return b[i] * b[i]; });
                             return judge_all(p, data, "out", {ab / std::sqrt(aa * bb)});
                         }});

const AddProblem norm({"norm", reductions, "sqrt(sum(x^2))", true, one_input, one_number, 0, 2e-6, 2e-6,
                       [](const Problem& p, const Case& c, const Data& data) {
                           const Values x = data.fetch("x");
                           const double s = sum_of(c.items(), [&](index_t i) { return x[i] * x[i]; });
                           return judge_all(p, data, "out", {std::sqrt(s)});
                       }});

/// Any place of the largest element is right: peers promise no more.
const AddProblem argmax({"argmax", reductions, "the place of the largest element", true, one_input,
                         [](const Case&) {
                             return Arrays{{"out", Type::i64, {1}}};
                         },
                         0, 0, 0,
                         [](const Problem&, const Case& c, const Data& data) {
                             const Values x = data.fetch("x");
                             const double largest = max_of(c.items(), [&](index_t i) { return x[i]; });
                             return Judge([&data, c, largest] {
                                 const double at = data.fetch("out")[0];
                                 const bool inside = at >= 0 && at < static_cast<double>(c.items());
                                 const bool right =
                                     inside && data.fetch("x", static_cast<index_t>(at), 1)[0] == largest;
                                 return right ? 0.0 : INFINITY;
                             });
                         }});

}  // namespace
}  // namespace bench
