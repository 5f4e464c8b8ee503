// SPDX-License-Identifier: Apache-2.0
//
// What bench_primitives feeds a collective with, and what it must give: computed in float64 on the host.
#pragma once

#include <string>
#include <vector>

#include "../reference.cuh"
#include "calls.cuh"

namespace collectives {

using bench::Buffer;

/// One collective on one block shape: inputs and expected results, K values per thread, the same in every block.
template <class T>
struct Case {
    std::string name, result, shape;
    dim3 block;
    int values;
    T feedback;
    std::vector<T> x{};
    std::vector<unsigned char> has_result{};
    std::vector<double> expected{};
    std::vector<double> scale{};

    unsigned threads() const { return block.x * block.y; }
    std::size_t items() const { return std::size_t(values) * threads(); }

    Case(std::string title, const char* who, dim3 dim, int k, double f)
        : name(std::move(title)), result(who), shape(std::to_string(dim.x) + "x" + std::to_string(dim.y)), block(dim),
          values(k), feedback(T(f)), has_result(threads(), 1), expected(items()), scale(items()) {
        for (std::size_t i = 0; i < items(); ++i) {
            x.push_back(T(double(i * 7919 % 1009) / 504.5 - 1));
        }
    }
};

template <class T, class Over>
Case<T> fold_case(const char* name, dim3 block, int values, bool all) {
    constexpr bool x = std::is_same_v<Over, OverX>, y = std::is_same_v<Over, OverY>;
    const unsigned length = x ? block.x : y ? block.y : block.x * block.y;
    Case<T> c(name, all ? "all" : "one", block, values, all ? 0.5 / length : 0.5);
    const unsigned first_step = x ? block.x : 1, step = y ? block.x : 1;
    for (int k = 0; k < values; ++k) {
        for (unsigned group = 0; group < c.threads() / length; ++group) {
            const std::size_t first = std::size_t(k) * c.threads() + group * first_step;
            double inputs = 0, scale = all ? 0 : length;
            for (unsigned i = 0; i < length; ++i) {
                inputs += double(c.x[first + i * step]);
                scale += std::abs(double(c.x[first + i * step]));
            }
            double sum = inputs;
            for (int i = 0; i + 1 < iterations; ++i) {
                const double fed_back = all ? length * sum : sum + (length - 1) * double(i & 1);
                sum = inputs + double(c.feedback) * fed_back;
            }
            for (unsigned i = 0; i < length; ++i) {
                c.expected[first + i * step] = sum;
                c.scale[first + i * step] = scale;
                if (!all && i > 0) {
                    c.has_result[group * first_step + i * step] = 0;
                }
            }
        }
    }
    return c;
}

template <class T>
Case<T> scan_case(dim3 block) {
    const unsigned n = block.x * block.y;
    Case<T> c("BlockScan", "all", block, 1, 0.25 / n);
    std::vector<double> v(c.x.begin(), c.x.end());
    for (int i = 0; i < iterations; ++i) {
        double before = 0, total = 0;
        for (const double value : v) {
            total += value;
        }
        for (unsigned t = 0; t < n; ++t) {
            c.expected[t] = before + total;
            c.scale[t] = n;
            before += v[t];
            v[t] = double(c.x[t]) + double(c.feedback) * c.expected[t];
        }
    }
    return c;
}

template <class T>
double worst_error(const Case<T>& c, const std::vector<T>& got) {
    bench::Check check;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::size_t at = i % c.items();
        if (c.has_result[at % c.threads()] != 0) {
            check.compare(double(got[i]), c.expected[at], c.scale[at]);
        }
    }
    return check.worst;
}

}  // namespace collectives
