// SPDX-License-Identifier: Apache-2.0
//
// Columns on the host that are swept several times, as many as a strip has, fewer and more, of a few rows and many, side by
// side in memory and not; beside loops in float64.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "fuse/fuse.hpp"
#include "fuse/nn.hpp"
#include "support/catch.hpp"

using namespace fuse;

namespace {

/// Matrices one behind the other, and how far apart their elements lie.
struct Columns {
    index_t outer;
    index_t rows;
    index_t columns;
    index_t apart;  ///< from row to row
    index_t step;   ///< from column to column

    index_t size() const { return outer * rows * apart; }
    index_t place(index_t k, index_t i, index_t j) const { return (k * rows + i) * apart + j * step; }
};

template <class Check>
void for_shapes(const Check& check) {
    for (const index_t columns : {1, 2, 17, 31, 32, 33, 63, 64, 65, 96, 100, 130}) {
        for (const index_t rows : {1, 2, 4, 5, 9, 130}) {
            check(Columns{1, rows, columns, columns, 1});
            check(Columns{1, rows, columns, columns + 3, 1});
            check(Columns{1, rows, columns, 2 * columns, 2});
            check(Columns{3, rows, columns, columns, 1});
        }
    }
    check(Columns{1, 700, 512, 512, 1});
}

template <class T>
std::vector<T> numbers(index_t count) {
    std::vector<T> x(static_cast<std::size_t>(count));
    std::uint32_t state = 11;
    for (T& one : x) {
        state = state * 1664525U + 1013904223U;
        one = static_cast<T>(static_cast<double>(state >> 16U) / 8192.0 - 4);
    }
    return x;
}

template <class T>
auto view_of(T* data, const Columns& c) {
    return view(data, shape(c.outer, c.rows, c.columns), strides(c.rows * c.apart, c.apart, c.step));
}

template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 2e-6 : 1e-14;

/// Softmax of each column, in float64; the mean of squares of a column goes to `squares`.
template <class T>
std::vector<double> expected(const std::vector<T>& x, const Columns& c, std::vector<double>& squares) {
    std::vector<double> y;
    squares.clear();
    for (index_t k = 0; k < c.outer; ++k) {
        for (index_t j = 0; j < c.columns; ++j) {
            double most = -std::numeric_limits<double>::infinity(), total = 0, square = 0;
            const auto at = [&](index_t i) {
                return static_cast<double>(x[static_cast<std::size_t>(c.place(k, i, j))]);
            };
            for (index_t i = 0; i < c.rows; ++i) {
                most = std::isnan(at(i)) || at(i) > most ? at(i) : most;
            }
            for (index_t i = 0; i < c.rows; ++i) {
                total += std::exp(at(i) - most);
                square += at(i) * at(i);
            }
            for (index_t i = 0; i < c.rows; ++i) {
                y.push_back(std::exp(at(i) - most) / total);
            }
            squares.push_back(square / static_cast<double>(c.rows));
        }
    }
    return y;
}

}  // namespace

TEMPLATE_TEST_CASE("softmax and norms of columns of any number on the host", "", float, double) {
    for_shapes([](const Columns& c) {
        const auto x = numbers<TestType>(c.size());
        std::vector<TestType> y(x.size(), TestType(7)), z = y;
        eval(host, view_of(y.data(), c) = softmax(view_of(x.data(), c), axes<1>));
        eval(host, view_of(z.data(), c) =
                       view_of(x.data(), c) * rsqrt(mean(square(view_of(x.data(), c)), axes<1>, keepdims)));
        std::vector<double> squares;
        const auto right = expected(x, c, squares);
        double worst = 0;
        std::size_t at = 0;
        std::vector<char> written(x.size());
        for (index_t k = 0; k < c.outer; ++k) {
            for (index_t j = 0; j < c.columns; ++j) {
                for (index_t i = 0; i < c.rows; ++i, ++at) {
                    const auto place = static_cast<std::size_t>(c.place(k, i, j));
                    const double norm =
                        static_cast<double>(x[place]) / std::sqrt(squares[at / static_cast<std::size_t>(c.rows)]);
                    worst = std::max(worst, std::abs(static_cast<double>(y[place]) - right[at]));
                    worst = std::max(worst, std::abs(static_cast<double>(z[place]) - norm) / 8);
                    written[place] = 1;
                }
            }
        }
        CAPTURE(c.outer, c.rows, c.columns, c.apart, c.step);
        CHECK(worst <= tolerance<TestType>);
        bool kept = true;
        for (std::size_t i = 0; i < x.size(); ++i) {
            kept = kept && (written[i] != 0 || (y[i] == TestType(7) && z[i] == TestType(7)));
        }
        CHECK(kept);
    });
}

TEST_CASE("columns on the host that are folded once, in matrices larger than a cache") {
    const index_t rows = 1100, columns = 300;
    const auto x = numbers<float>(rows * columns);
    std::vector<float> y(static_cast<std::size_t>(columns));
    eval(host, view<"y">(y.data(), columns) = sum(view<"x">(x.data(), rows, columns), axes<0>));
    double worst = 0;
    for (index_t j = 0; j < columns; ++j) {
        double total = 0;
        for (index_t i = 0; i < rows; ++i) {
            total += static_cast<double>(x[static_cast<std::size_t>(i * columns + j)]);
        }
        worst = std::max(worst, std::abs(static_cast<double>(y[static_cast<std::size_t>(j)]) - total));
    }
    CHECK(worst < 1e-3);
}

TEST_CASE("a NaN stays in its column on the host, and no columns are none") {
    const Columns c{1, 6, 70, 70, 1};
    auto x = numbers<float>(c.size());
    x[static_cast<std::size_t>(c.place(0, 5, 33))] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> y(x.size());
    eval(host, view<"y">(y.data(), c.rows, c.columns) = softmax(view<"x">(x.data(), c.rows, c.columns), axes<0>));
    for (index_t j = 0; j < c.columns; ++j) {
        for (index_t i = 0; i < c.rows; ++i) {
            CHECK(std::isnan(y[static_cast<std::size_t>(c.place(0, i, j))]) == (j == 33));
        }
    }
    const std::vector<float> before = y;
    eval(host, view<"y">(y.data(), shape(c.rows, 0)) = softmax(view<"x">(x.data(), shape(c.rows, 0)), axes<0>));
    eval(host, view<"y">(y.data(), shape(0, c.columns)) = softmax(view<"x">(x.data(), shape(0, c.columns)), axes<0>));
    CHECK(std::memcmp(before.data(), y.data(), y.size() * sizeof(float)) == 0);
}
