// SPDX-License-Identifier: Apache-2.0
//
// Scans: of one long axis, of rows, of columns; discounted; and compaction.
#include <cmath>

#include "../problem.hpp"

namespace bench {
namespace {

using Arrays = std::vector<Array>;
const char* const group = "Scans";

Arrays input(const Case& c) {
    return {{"x", c.type, c.shape, -0.5, 1}};
}
Arrays result(const Case& c) {
    return {{"y", c.type, c.shape}};
}
Arrays input_off_a_vector(const Case& c) {
    return {{"x", c.type, c.shape, -0.5, 1, Fill::uniform, 1}};
}

/// The running value of step(before, x[i]) along each of `count` sequences of `length` elements that are `stride`
/// apart; all elements are compared, as an error in one tile shows in the later ones only.
template <class Step>
Judge running(const Problem& p, const Data& data, index_t count, index_t length, index_t stride, Step step) {
    return [&p, &data, count, length, stride, step] {
        const Values x = data.fetch("x"), y = data.fetch("y");
        const bool rows = stride == 1;
        return parallel_max(count, [&](index_t first, index_t last) {
            double worst = 0;
            for (index_t i = first; i < last; ++i) {
                double s = 0;
                for (index_t j = 0; j < length; ++j) {
                    const index_t at = (rows ? i * length : i) + j * stride;
                    s = step(s, x[at]);
                    worst = std::max(worst, p.error(y[at], s));
                }
            }
            return worst;
        });
    };
}
double add(double s, double v) {
    return s + v;
}

const AddProblem
    cumsum({"cumsum", group, "running sum of a vector", false, input, result, 1, 2e-5, 8e-3,
            [](const Problem& p, const Case& c, const Data& data) { return running(p, data, 1, c.items(), 1, add); }});
const AddProblem cumsum_unaligned(
    {"cumsum_unaligned", group, "running sum, 1 element off a vector", false, input_off_a_vector, result, 1, 2e-5, 8e-3,
     [](const Problem& p, const Case& c, const Data& data) { return running(p, data, 1, c.items(), 1, add); }});
const AddProblem discounted({"discounted_cumsum", group, "y[i] = x[i] + 0.9 y[i - 1]", false, input, result, 1, 2e-5,
                             8e-3, [](const Problem& p, const Case& c, const Data& data) {
                                 return running(p, data, 1, c.items(), 1,
                                                [](double s, double v) { return v + static_cast<double>(0.9F) * s; });
                             }});
const AddProblem row_cumsum({"row_cumsum", group, "running sum of each row", false, input, result, 1, 2e-5, 8e-3,
                             [](const Problem& p, const Case& c, const Data& data) {
                                 return running(p, data, c.shape[0], c.shape[1], 1, add);
                             }});
const AddProblem column_cumsum({"column_cumsum", group, "running sum of each column", false, input, result, 1, 2e-5,
                                8e-3, [](const Problem& p, const Case& c, const Data& data) {
                                    return running(p, data, c.shape[1], c.shape[0], c.shape[1], add);
                                }});

const AddProblem compact({"compact", group, "the elements above 0.25, half of all, in their order", false, input,
                          [](const Case& c) {
                              return Arrays{{"y", c.type, c.shape, -1, 1, Fill::uniform, 0, 0.5}};
                          },
                          1, 0, 0,
                          [](const Problem& p, const Case& c, const Data& data) {
                              return Judge([&p, &data, c] {
                                  const Values x = data.fetch("x"), y = data.fetch("y");
                                  double worst = 0;
                                  index_t kept = 0;
                                  for (index_t i = 0; i < c.items(); ++i) {
                                      if (x[i] > 0.25) {
                                          worst = std::max(worst, p.error(y[kept++], x[i]));
                                      }
                                  }
                                  return worst;
                              });
                          }});

}  // namespace
}  // namespace bench
