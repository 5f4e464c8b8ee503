// SPDX-License-Identifier: Apache-2.0
//
// Element by element beside an operand of fewer axes: a bias of columns, numbers of channels.
#include <cmath>

#include "../problem.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const group = "Broadcasts";

Arrays result(const Case& c) {
    return {{"y", c.type, c.shape}};
}

const AddProblem bias_relu({"bias_relu", group, "relu(x + b), b of the columns", false,
                            [](const Case& c) {
                                return Arrays{{"x", c.type, c.shape}, {"b", c.type, {c.shape[1]}}};
                            },
                            result, 0.1, 1e-6, 8e-3,
                            [](const Problem& p, const Case& c, const Data& data) {
                                const index_t columns = c.shape[1];
                                return judge_rows(p, data, "y", c.shape[0], columns, [&](index_t i) {
                                    const Values x = data.fetch("x", i * columns, columns), b = data.fetch("b");
                                    std::vector<double> y;
                                    for (index_t k = 0; k < columns; ++k) {
                                        y.push_back(std::max(0.0, x[k] + b[k]));
                                    }
                                    return y;
                                });
                            }});

const AddProblem batch_norm({"batch_norm_inference", group, "relu(batch_norm(x)) with given statistics", false,
                             [](const Case& c) {
                                 const index_t channels = c.shape[1];
                                 return Arrays{{"x", c.type, c.shape},
                                               {"mean", c.type, {channels}},
                                               {"var", c.type, {channels}, 0.5, 2},
                                               {"w", c.type, {channels}, 0.5, 1.5},
                                               {"b", c.type, {channels}}};
                             },
                             result, 0.1, 1e-5, 8e-3,
                             [](const Problem& p, const Case& c, const Data& data) {
                                 const index_t channels = c.shape[1], plane = c.shape[2] * c.shape[3];
                                 return judge_rows(p, data, "y", c.shape[0] * channels, plane, [&](index_t i) {
                                     const auto of_channel = [&](const char* name) {
                                         return data.fetch(name, i % channels, 1)[0];
                                     };
                                     const double mean = of_channel("mean"),
                                                  rstd = 1 / std::sqrt(of_channel("var") + 1e-5);
                                     const double w = of_channel("w"), b = of_channel("b");
                                     const Values x = data.fetch("x", i * plane, plane);
                                     std::vector<double> y;
                                     for (index_t k = 0; k < plane; ++k) {
                                         y.push_back(std::max(0.0, (x[k] - mean) * rstd * w + b));
                                     }
                                     return y;
                                 });
                             }});

const AddProblem
    scaled_error({"scaled_error", group, "mean((x w - t)^2), w of the channels", true,
                  [](const Case& c) {
                      return Arrays{{"x", c.type, c.shape}, {"w", c.type, {c.shape[1]}}, {"t", c.type, c.shape}};
                  },
                  [](const Case&) {
                      return Arrays{{"out", Type::f32, {1}}};
                  },
                  0.01, 2e-5, 2e-5,
                  [](const Problem& p, const Case& c, const Data& data) {
                      const index_t channels = c.shape[1], plane = c.shape[2] * c.shape[3];
                      const Values x = data.fetch("x"), w = data.fetch("w"), t = data.fetch("t");
                      const double sum = sum_of(c.items(), [&](index_t i) {
                          const double distance = x[i] * w[i / plane % channels] - t[i];
                          return distance * distance;
                      });
                      return judge_all(p, data, "out", {sum / static_cast<double>(c.items())});
                  }});

}  // namespace
}  // namespace bench
