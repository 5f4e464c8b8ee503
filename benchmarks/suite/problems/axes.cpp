// SPDX-License-Identifier: Apache-2.0
//
// Reductions over some of the axes: rows, columns, the middle, channels.
#include <cmath>

#include "../problem.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const rows = "Row reductions";
const char* const columns = "Columns and middle axes";

Arrays input(const Case& c) {
    return {{"x", c.type, c.shape, -0.5, 1}};
}

/// Sums along axis 1 of a (outer, length, inner) array, in float or rounded to the type.
Judge sums(const Problem& p, const Data& data, index_t outer, index_t length, index_t inner) {
    const Values x = data.fetch("x");
    return judge_rows(p, data, "y", outer * inner, 1, [&](index_t i) {
        const index_t first = i / inner * length * inner + i % inner;
        double s = 0;
        for (index_t j = 0; j < length; ++j) {
            s += x[first + j * inner];
        }
        return std::vector<double>{s};
    });
}

/// A sum may cancel: errors are relative to what 1/20 of the elements add up to, at least.
const AddProblem row_sum({"row_sum", rows, "the sum of each row", true, input,
                          [](const Case& c) {
                              return Arrays{{"y", Type::f32, {c.shape[0]}}};
                          },
                          1, 2e-5, 2e-5,
                          [](const Problem& p, const Case& c, const Data& data) {
                              return sums(p, data, c.shape[0], c.shape[1], 1);
                          }});
const AddProblem column_sum({"column_sum", columns, "the sum of each column", true, input,
                             [](const Case& c) {
                                 return Arrays{{"y", Type::f32, {c.shape[1]}}};
                             },
                             1, 2e-5, 2e-5,
                             [](const Problem& p, const Case& c, const Data& data) {
                                 return sums(p, data, 1, c.shape[0], c.shape[1]);
                             }});
const AddProblem middle_sum({"middle_sum", columns, "the sum along axis 1 of three", true, input,
                             [](const Case& c) {
                                 return Arrays{{"y", Type::f32, {c.shape[0], c.shape[2]}}};
                             },
                             1, 2e-5, 2e-5,
                             [](const Problem& p, const Case& c, const Data& data) {
                                 return sums(p, data, c.shape[0], c.shape[1], c.shape[2]);
                             }});

const AddProblem row_argmax({"row_argmax", rows, "the place of the largest element of each row", true, input,
                             [](const Case& c) {
                                 return Arrays{{"y", Type::i64, {c.shape[0]}}};
                             },
                             0, 0, 0,
                             [](const Problem&, const Case& c, const Data& data) {
                                 return Judge([&data, c] {
                                     double wrong = 0;
                                     for (const index_t i : sample(c.shape[0], c.shape[1])) {
                                         const Values x = data.fetch("x", i * c.shape[1], c.shape[1]);
                                         const double at = data.fetch("y", i, 1)[0];
                                         const bool inside = at >= 0 && at < static_cast<double>(x.size());
                                         const double found = inside ? x[static_cast<index_t>(at)] : -INFINITY;
                                         for (index_t j = 0; j < x.size(); ++j) {
                                             wrong += x[j] > found;
                                         }
                                     }
                                     return wrong;
                                 });
                             }});

/// Mean and variance of each channel of an (outer, channels, inner) array; column 0 of y the means, column 1 the rest.
Judge statistics(const Problem& p, const Data& data, index_t outer, index_t channels, index_t inner) {
    const Values x = data.fetch("x");
    const double count = static_cast<double>(outer * inner);
    const auto sum = [&](index_t channel, double shift, bool squared) {
        return parallel_sum(outer, [&](index_t first, index_t last) {
            double s = 0;
            for (index_t i = first; i < last; ++i) {
                for (index_t j = 0; j < inner; ++j) {
                    const double v = x[(i * channels + channel) * inner + j] - shift;
                    s += squared ? v * v : v;
                }
            }
            return s;
        });
    };
    std::vector<index_t> chosen = {0, channels / 2, channels - 1};
    std::vector<std::pair<double, double>> wanted;
    for (const index_t channel : chosen) {
        const double mean = sum(channel, 0, false) / count;
        wanted.emplace_back(mean, sum(channel, mean, true) / count);
    }
    return [&p, &data, chosen, wanted] {
        double worst = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            worst = std::max(worst, p.error(data.fetch("mean", chosen[i], 1)[0], wanted[i].first));
            worst = std::max(worst, p.error(data.fetch("var", chosen[i], 1)[0], wanted[i].second));
        }
        return worst;
    };
}

Arrays statistics_of_channels(const Case& c) {
    const index_t channels = c.shape[1];
    return {{"mean", Type::f32, {channels}}, {"var", Type::f32, {channels}}};
}

const AddProblem statistics_nhwc({"statistics_nhwc", columns, "mean and variance of each column", true, input,
                                  statistics_of_channels, 0.1, 1e-5, 1e-5,
                                  [](const Problem& p, const Case& c, const Data& data) {
                                      return statistics(p, data, c.shape[0], c.shape[1], 1);
                                  }});
const AddProblem statistics_nchw({"statistics_nchw", columns, "mean and variance over the axes 0, 2, 3", true, input,
                                  statistics_of_channels, 0.1, 1e-5, 1e-5,
                                  [](const Problem& p, const Case& c, const Data& data) {
                                      return statistics(p, data, c.shape[0], c.shape[1], c.shape[2] * c.shape[3]);
                                  }});

}  // namespace
}  // namespace bench
