// SPDX-License-Identifier: Apache-2.0
//
// Scans: of one long axis, of rows, of columns; discounted; and compaction. All elements are compared, as an error in
// one tile shows in the later ones only.
#include <algorithm>
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

/// Part of a long sequence, and what it inherits from those before it: a value, or a number of elements.
template <class T>
struct Run {
    index_t first, last;
    T inherited;
};

/// A long sequence in runs for all cores: own(run) folds each by itself, then they inherit in their order.
template <class T, class Own, class Inherit>
std::vector<Run<T>> runs_of(index_t length, Own own, Inherit inherit) {
    constexpr index_t count = 256;
    std::vector<Run<T>> runs;
    for (index_t i = 0; i < count; ++i) {
        runs.push_back({length * i / count, length * (i + 1) / count, 0});
    }
    std::vector<T> folded(runs.size());
    parallel_sum(count, [&](index_t first, index_t last) {
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            folded[i] = own(runs[i]);
        }
        return 0.0;
    });
    for (std::size_t i = 1; i < runs.size(); ++i) {
        runs[i].inherited = inherit(runs[i - 1], folded[i - 1]);
    }
    return runs;
}

/// The largest error(run) of all.
template <class T, class Error>
double worst_of(const std::vector<Run<T>>& runs, Error error) {
    return parallel_max(static_cast<index_t>(runs.size()), [&](index_t first, index_t last) {
        double worst = 0;
        for (index_t i = first; i < last; ++i) {
            worst = std::max(worst, error(runs[static_cast<std::size_t>(i)]));
        }
        return worst;
    });
}

/// y[i] = x[i] + factor * y[i - 1].
Judge recurrence(const Problem& p, const Case& c, const Data& data, double factor) {
    const auto x = std::make_shared<Values>(data.fetch("x"));
    const auto fold = [x, factor](const Run<double>& run) {
        double s = 0;
        for (index_t j = run.first; j < run.last; ++j) {
            s = (*x)[j] + factor * s;
        }
        return s;
    };
    const auto inherit = [factor](const Run<double>& before, double own) {
        return own + std::pow(factor, static_cast<double>(before.last - before.first)) * before.inherited;
    };
    const auto runs = runs_of<double>(c.items(), fold, inherit);
    return [&p, &data, x, runs, factor] {
        const Values y = data.fetch("y");
        return worst_of(runs, [&](const Run<double>& run) {
            double wanted = run.inherited, worst = 0;
            for (index_t j = run.first; j < run.last; ++j) {
                wanted = (*x)[j] + factor * wanted;
                worst = std::max(worst, p.error(y[j], wanted));
            }
            return worst;
        });
    };
}

Judge running_sum(const Problem& p, const Case& c, const Data& data) {
    return recurrence(p, c, data, 1);
}

/// Running sums of `count` short sequences whose elements are `stride` apart: rows, or columns.
Judge running_sums(const Problem& p, const Data& data, index_t count, index_t length, index_t stride) {
    const auto x = std::make_shared<Values>(data.fetch("x"));
    return [&p, &data, x, count, length, stride] {
        const Values y = data.fetch("y");
        return parallel_max(count, [&](index_t first, index_t last) {
            double worst = 0;
            for (index_t i = first; i < last; ++i) {
                double sum = 0;
                for (index_t j = 0; j < length; ++j) {
                    const index_t at = (stride == 1 ? i * length : i) + j * stride;
                    sum += (*x)[at];
                    worst = std::max(worst, p.error(y[at], sum));
                }
            }
            return worst;
        });
    };
}

Judge sums_of_rows(const Problem& p, const Case& c, const Data& data) {
    return running_sums(p, data, c.shape[0], c.shape[1], 1);
}
Judge sums_of_columns(const Problem& p, const Case& c, const Data& data) {
    return running_sums(p, data, c.shape[1], c.shape[0], c.shape[1]);
}

bool is_kept(double v) {
    return v > 0.25;
}

Judge kept_in_order(const Problem& p, const Case& c, const Data& data) {
    const auto x = std::make_shared<Values>(data.fetch("x"));
    const auto count = [x](const Run<index_t>& run) {
        index_t kept = 0;
        for (index_t j = run.first; j < run.last; ++j) {
            kept += is_kept((*x)[j]);
        }
        return kept;
    };
    const auto runs = runs_of<index_t>(c.items(), count,
                                       [](const Run<index_t>& before, index_t own) { return before.inherited + own; });
    return [&p, &data, x, runs] {
        const Values y = data.fetch("y");
        return worst_of(runs, [&](const Run<index_t>& run) {
            double worst = 0;
            index_t at = run.inherited;
            for (index_t j = run.first; j < run.last; ++j) {
                if (is_kept((*x)[j])) {
                    worst = std::max(worst, p.error(y[at++], (*x)[j]));
                }
            }
            return worst;
        });
    };
}

const AddProblem cumsum({"cumsum", group, "running sum of a vector", false, input, result, 1, 2e-5, 8e-3, running_sum});
const AddProblem cumsum_unaligned({"cumsum_unaligned", group, "running sum, 1 element off a vector", false,
                                   input_off_a_vector, result, 1, 2e-5, 8e-3, running_sum});
const AddProblem discounted({"discounted_cumsum", group, "y[i] = x[i] + 0.9 y[i - 1]", false, input, result, 1, 2e-5,
                             8e-3, [](const Problem& p, const Case& c, const Data& data) {
                                 return recurrence(p, c, data, static_cast<double>(0.9F));
                             }});
const AddProblem row_cumsum({"row_cumsum", group, "running sum of each row", false, input, result, 1, 2e-5, 8e-3,
                             sums_of_rows});
const AddProblem column_cumsum({"column_cumsum", group, "running sum of each column", false, input, result, 1, 2e-5,
                                8e-3, sums_of_columns});
const AddProblem compact({"compact", group, "the elements above 0.25, half of all, in their order", false, input,
                          [](const Case& c) {
                              return Arrays{{"y", c.type, c.shape, -1, 1, Fill::uniform, 0, 0.5}};
                          },
                          1, 0, 0, kept_in_order});

}  // namespace
}  // namespace bench
