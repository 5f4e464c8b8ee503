// SPDX-License-Identifier: Apache-2.0
//
// What references with results of columns, of channels or of several kinds share.
#pragma once

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "../problem.hpp"

namespace bench {

/// add(i, sums) adds what row i of `rows` has for each of n columns, on all cores.
template <class Add>
std::vector<double> column_sums(index_t rows, index_t n, const Add& add) {
    std::vector<double> sums(static_cast<std::size_t>(n));
    std::mutex one_at_a_time;
    parallel_sum(rows, [&](index_t first, index_t last) {
        std::vector<double> own(sums.size());
        for (index_t i = first; i < last; ++i) {
            add(i, own);
        }
        const std::lock_guard lock(one_at_a_time);
        std::transform(own.begin(), own.end(), sums.begin(), sums.begin(), std::plus<>{});
        return 0.0;
    });
    return sums;
}

/// The judge of several outputs.
inline Judge worst_of(std::vector<Judge> judges) {
    return [judges = std::move(judges)] {
        double worst = 0;
        for (const Judge& judge : judges) {
            worst = std::max(worst, judge());
        }
        return worst;
    };
}

}  // namespace bench
