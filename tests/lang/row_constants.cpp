// SPDX-License-Identifier: Apache-2.0
//
// Outputs with parts that are the same along a row: of reductions, numbers, views without that axis, of functors with
// state and with results that are no numbers. The host computes such parts once for a vector.
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

struct Range {
    float low;
    float high;
};

struct Around {
    Range operator()(float centre) const { return {centre - 1, centre + 1}; }
};
struct Inside {
    bool operator()(float v, Range r) const { return v > r.low && v < r.high; }
};

}  // namespace

TEMPLATE_TEST_CASE("parts of outputs that are the same along a row", "", HostTarget, EmulatedTarget) {
    const TestType target;
    // Rows shorter than a vector of the host, of one, a few, and a piece more; one and no row.
    for (const auto& [rows, columns] : std::vector<std::pair<index_t, index_t>>{
             {3, 1}, {2, 7}, {4, 64}, {3, 200}, {1, 1000}, {5, 129}, {0, 4}, {4, 0}}) {
        CAPTURE(rows, columns);
        const index_t size = rows * columns;
        std::vector<float> x(static_cast<std::size_t>(size));
        std::vector<float> weight(static_cast<std::size_t>(rows));
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<float>(static_cast<int>(i * 7 % 19) - 9) / 4;
        }
        for (std::size_t i = 0; i < weight.size(); ++i) {
            weight[i] = static_cast<float>(i) + 0.5F;
        }
        std::vector<float> scaled(x.size(), -1);
        std::vector<char> inside(x.size(), 7);
        std::vector<index_t> place(x.size(), -1);

        const auto a = view<"a">(x.data(), rows, columns);
        const auto w = view<"w">(weight.data(), rows, 1);
        const float power = 3;
        const auto raised = [power](float s) { return s * s + power; };
        const auto total = sum(a, axes<1>, keepdims);
        target.eval(view<"s">(scaled.data(), rows, columns) = a / sqrt(map(raised, total) + w * 2) + exp(-w) * power,
                    view<"c">(reinterpret_cast<bool*>(inside.data()), rows, columns) =
                        map(Inside{}, a, map(Around{}, total / static_cast<float>(columns))),
                    view<"p">(place.data(), rows, columns) = index<1>() * 2 + cast<index_t>(w) + cast<index_t>(a * 0));
        for (index_t i = 0; i < rows; ++i) {
            double sum_of_row = 0;
            for (index_t j = 0; j < columns; ++j) {
                sum_of_row += x[static_cast<std::size_t>(i * columns + j)];
            }
            const double of_row = weight[static_cast<std::size_t>(i)];
            const double mean_of_row = sum_of_row / static_cast<double>(columns);
            for (index_t j = 0; j < columns; ++j) {
                const auto k = static_cast<std::size_t>(i * columns + j);
                CAPTURE(i, j);
                const double expected =
                    x[k] / std::sqrt(sum_of_row * sum_of_row + 3 + of_row * 2) + std::exp(-of_row) * 3;
                CHECK(std::abs(scaled[k] - expected) <= 1e-6 * (1 + std::abs(expected)));
                CHECK((inside[k] != 0) == (x[k] > mean_of_row - 1 && x[k] < mean_of_row + 1));
                CHECK(place[k] == j * 2 + static_cast<index_t>(of_row));
            }
        }
    }
}

TEMPLATE_TEST_CASE("the results of a scan are not the same along a row", "", HostTarget, EmulatedTarget) {
    const TestType target;
    for (const index_t columns : {3, 64, 200}) {
        CAPTURE(columns);
        std::vector<float> x(static_cast<std::size_t>(2 * columns));
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<float>(i % 5) - 1;
        }
        std::vector<float> negative(x.size()), scaled(x.size());
        std::vector<float> weight{2, 3};
        const auto a = view<"a">(x.data(), 2, columns);
        const auto w = view<"w">(weight.data(), 2, 1);
        target.eval(view<"n">(negative.data(), 2, columns) = -cumsum(a, axes<1>),
                    view<"s">(scaled.data(), 2, columns) = cumsum(a, axes<1>) * w + sqrt(w));
        for (index_t i = 0; i < 2; ++i) {
            float sum_to_here = 0;
            for (index_t j = 0; j < columns; ++j) {
                const auto k = static_cast<std::size_t>(i * columns + j);
                const float of_row = weight[static_cast<std::size_t>(i)];
                CAPTURE(i, j);
                sum_to_here += x[k];
                CHECK(negative[k] == -sum_to_here);
                CHECK(std::abs(scaled[k] - (sum_to_here * of_row + std::sqrt(of_row))) <= 1e-4F);
            }
        }
    }
}
