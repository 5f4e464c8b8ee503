// SPDX-License-Identifier: Apache-2.0
//
// fuse::host with vectors of 128, 256 and 512 bits, chosen where the program runs, against float64 loops. A machine without
// the wider ones takes the widest that it has.
#include <fuse/fuse.hpp>
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
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

constexpr int operands = 20;
constexpr fuse::index_t side = 64;
std::vector<double> numbers_of_all;

/// The sum of `operands` matrices, of which one is transposed, by a thread.
template <int... I>
void add_all(std::integer_sequence<int, I...>) {
    const auto matrix = [](int i) { return fuse::view(numbers_of_all.data() + i * side * side, side, side); };
    const auto turned = matrix(operands);
    fuse::eval(fuse::host, matrix(operands + 1) = (matrix(I) + ... + transpose(turned)));
}
void* add_in_thread(void*) {
    add_all(std::make_integer_sequence<int, operands>{});
    return nullptr;
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

TEST_CASE("Angles of any size, whatever their neighbours are") {
    for_all_vectors([](const auto& executor, fuse::index_t columns) {
        std::vector<float> in = normal_numbers(rows * columns);
        for (float& x : in) {
            x *= 1500;
        }
        std::vector<float> first, sines(in.size()), tangents(in.size()), sums(static_cast<std::size_t>(rows));
        for (const float other : {0.F, 6144.F, -1e9F, 3e38F, HUGE_VALF, std::nanf("")}) {
            CAPTURE(other);
            for (std::size_t i = 3; i < in.size(); i += 500) {
                in[i] = other;
            }
            const auto x = fuse::view<"x">(in, rows, columns);
            fuse::eval(executor, fuse::view<"y">(sines, rows, columns) = sin(x) * cos(x),
                       fuse::view<"t">(tangents, rows, columns) = tan(x));
            fuse::eval(executor, fuse::view<"s">(sums) = sum(cos(x), axes<1>));
            first = first.empty() ? sines : first;
            double worst = 0;
            for (fuse::index_t row = 0; row < rows; ++row) {
                double sum = 0;
                for (fuse::index_t j = 0; j < columns; ++j) {
                    const auto i = static_cast<std::size_t>(row * columns + j);
                    const double v = static_cast<double>(in[i]);
                    sum += std::cos(v);
                    if (std::isfinite(v)) {
                        worst = std::max(worst, distance(sines[i], std::sin(v) * std::cos(v)));
                        worst = std::max(worst, distance(tangents[i], std::tan(v)));
                    } else {
                        REQUIRE(std::isnan(sines[i]));
                    }
                    REQUIRE((i % 500 == 3 || sines[i] == first[i]));
                }
                const double wrong = std::abs(static_cast<double>(sums[static_cast<std::size_t>(row)]) - sum);
                REQUIRE((std::isnan(sum) ? std::isnan(wrong) : wrong < 1e-6 * static_cast<double>(columns)));
            }
            CHECK(worst < 2e-7);
        }
    });
}

TEST_CASE("Sines of another type than float, and of what is known already") {
    for_all_vectors([](const auto& executor, fuse::index_t columns) {
        const std::vector<float> in = normal_numbers(rows * columns);
        std::vector<double> wide(in.size());
        std::vector<float> shares(in.size()), scaled(in.size());
        const auto x = fuse::view<"x">(in, rows, columns);
        fuse::eval(executor, fuse::view<"w">(wide, rows, columns) = fuse::map(fuse::Sin<double>{}, x));
        fuse::eval(executor, fuse::view<"p">(shares, rows, columns) = softmax(sin(x)));
        fuse::eval(executor, fuse::view<"q">(scaled, rows, columns) = x * cos(sum(x, axes<1>, fuse::keepdims)));
        for (fuse::index_t row = 0; row < rows; ++row) {
            double sum = 0, total = 0;
            const auto at = [&](fuse::index_t j) { return static_cast<std::size_t>(row * columns + j); };
            for (fuse::index_t j = 0; j < columns; ++j) {
                sum += static_cast<double>(in[at(j)]);
                total += std::exp(std::sin(static_cast<double>(in[at(j)])));
            }
            for (fuse::index_t j = 0; j < columns; ++j) {
                const double v = static_cast<double>(in[at(j)]);
                REQUIRE(std::abs(wide[at(j)] - std::sin(v)) < 1e-15);
                REQUIRE(std::abs(static_cast<double>(shares[at(j)]) - std::exp(std::sin(v)) / total) < 1e-6);
                REQUIRE(std::abs(static_cast<double>(scaled[at(j)]) - v * std::cos(sum)) <
                        2e-6 * static_cast<double>(columns) * std::abs(v));
            }
        }
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

TEST_CASE("A map of many operands fits the small stack that threads have elsewhere") {
    numbers_of_all.resize(static_cast<std::size_t>((operands + 2) * side * side));
    std::iota(numbers_of_all.begin(), numbers_of_all.end(), 0.0);
    pthread_attr_t attributes;
    pthread_t thread;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, 512 * 1024) == 0);
    REQUIRE(pthread_create(&thread, &attributes, add_in_thread, nullptr) == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
    pthread_attr_destroy(&attributes);
    const auto at = [](fuse::index_t matrix, fuse::index_t i, fuse::index_t j) {
        return static_cast<double>((matrix * side + i) * side + j);
    };
    for (fuse::index_t i = 0; i < side; ++i) {
        for (fuse::index_t j = 0; j < side; ++j) {
            double wanted = at(operands, j, i);
            for (int k = 0; k < operands; ++k) {
                wanted += at(k, i, j);
            }
            REQUIRE(numbers_of_all[static_cast<std::size_t>((((operands + 1) * side) + i) * side + j)] == wanted);
        }
    }
}
