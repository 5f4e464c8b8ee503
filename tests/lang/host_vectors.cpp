// SPDX-License-Identifier: Apache-2.0
//
// fuse::host with vectors of 128, 256 and 512 bits, chosen where the program runs, against float64 loops. A machine without
// the wider ones takes the widest that it has.
#include <fuse/fuse.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "support/catch.hpp"

namespace {

using fuse::axes;

const fuse::index_t rows = 37;

std::vector<float> normal_numbers(fuse::index_t n) {
    std::mt19937 generator(7);
    std::normal_distribution<float> normal;
    std::vector<float> numbers(static_cast<std::size_t>(n));
    std::generate(numbers.begin(), numbers.end(), [&] { return normal(generator); });
    return numbers;
}

/// Calls f(executor, columns) for all widths of vectors, and rows that are shorter, longer and no multiples of them.
template <class F>
void for_all_vectors(F f) {
    for (const int bits : {128, 256, 512}) {
        fuse::Policy policy;
        policy.host_vector_bits = bits;
        for (const fuse::index_t columns : {1, 7, 64, 130, 1027}) {
            CAPTURE(bits, columns);
            f(fuse::host.with(policy), columns);
        }
    }
}

double distance(double found, double wanted) {
    return std::abs(found - wanted) / std::max(1.0, std::abs(wanted));
}

}  // namespace

TEST_CASE("Maps in vectors of every width") {
    for_all_vectors([](const auto& executor, fuse::index_t columns) {
        const std::vector<float> in = normal_numbers(rows * columns);
        std::vector<float> out(in.size());
        const auto x = fuse::view<"x">(in, rows, columns);
        fuse::eval(executor, fuse::view<"y">(out, rows, columns) = exp(x) * tanh(x) - log(abs(x) + 1));
        double worst = 0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const double v = static_cast<double>(in[i]);
            worst = std::max(worst, distance(out[i], std::exp(v) * std::tanh(v) - std::log(std::abs(v) + 1)));
        }
        CHECK(worst < 1e-6);
    });
}

TEST_CASE("Rows in vectors of every width") {
    for_all_vectors([](const auto& executor, fuse::index_t columns) {
        const std::vector<float> in = normal_numbers(rows * columns);
        std::vector<float> out(in.size());
        std::vector<std::int64_t> position(static_cast<std::size_t>(rows));
        const auto x = fuse::view<"x">(in, rows, columns);
        fuse::eval(executor, fuse::view<"y">(out, rows, columns) = softmax(x),
                   fuse::view<"p">(position) = argmax(x, axes<1>));
        double worst = 0;
        for (fuse::index_t row = 0; row < rows; ++row) {
            const float* const first = in.data() + row * columns;
            const double sum = std::accumulate(first, first + columns, 0.0,
                                               [](double s, float v) { return s + std::exp(static_cast<double>(v)); });
            for (fuse::index_t i = 0; i < columns; ++i) {
                const double wanted = std::exp(static_cast<double>(first[i])) / sum;
                worst = std::max(worst, distance(out[static_cast<std::size_t>(row * columns + i)], wanted));
            }
            REQUIRE(position[static_cast<std::size_t>(row)] == std::max_element(first, first + columns) - first);
        }
        CHECK(worst < 1e-6);
    });
}

TEST_CASE("Columns and everything in vectors of every width") {
    for_all_vectors([](const auto& executor, fuse::index_t columns) {
        std::vector<double> in(static_cast<std::size_t>(rows * columns));
        std::iota(in.begin(), in.end(), -100.0);
        std::vector<double> sums(static_cast<std::size_t>(columns));
        const auto x = fuse::view<"x">(in, rows, columns);
        fuse::eval(executor, fuse::view<"s">(sums) = sum(square(x), axes<0>));
        for (fuse::index_t i = 0; i < columns; ++i) {
            double wanted = 0;
            for (fuse::index_t row = 0; row < rows; ++row) {
                wanted += std::pow(in[static_cast<std::size_t>(row * columns + i)], 2);
            }
            REQUIRE(sums[static_cast<std::size_t>(i)] == wanted);  // whole numbers below 2^53
        }
        const std::vector<int> counts(in.begin(), in.end());
        const fuse::index_t all = rows * columns;
        CHECK(fuse::value(executor, sum(fuse::view<"c">(counts))) == (all * (all - 1)) / 2 - 100 * all);
    });
}
