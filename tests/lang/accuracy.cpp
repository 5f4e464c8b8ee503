// SPDX-License-Identifier: Apache-2.0
//
// Accuracy of long sums: exact for whole numbers, within c * log2(n) * eps * sum |x| for others, on the host with its
// default blocks and for several splits.
#include <vector>

#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr index_t length = index_t{1} << 22;

/// Sum of n random numbers in [low, 1): its error in units of log2(n) * eps * sum |x|.
template <class T, class Executor>
double relative_error(const Executor& executor, double low, index_t n, unsigned seed) {
    const NdArray numbers = random_reals({n}, low, 1, seed);
    std::vector<T> data(numbers.value.begin(), numbers.value.end());
    long double exact = 0;
    long double magnitude = 0;
    for (const T v : data) {
        exact += v;
        magnitude += v < 0 ? -v : v;
    }
    const auto got = static_cast<long double>(value(executor, sum(view<"x">(data))));
    const long double unit = std::numeric_limits<T>::epsilon() * std::log2(static_cast<double>(n)) * magnitude;
    return static_cast<double>((got > exact ? got - exact : exact - got) / unit);
}

}  // namespace

TEST_CASE("sums of 2^22 whole numbers are exact") {
    std::vector<float> data(static_cast<std::size_t>(length));
    double exact = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
        exact += data[i];
    }
    CHECK(static_cast<double>(value(host, sum(view<"x">(data)))) == exact);
    CHECK(static_cast<double>(value(host, mean(view<"x">(data)))) == exact / static_cast<double>(length));
    std::vector<std::int8_t> small(data.begin(), data.end());
    CHECK(static_cast<double>(value(host, sum(view<"x">(small)))) == exact);
}

TEST_CASE("long sums are as accurate as a pairwise sum") {
    CHECK(relative_error<float>(host, 0, length, 1) < 0.5);
    CHECK(relative_error<float>(host, -1, length, 2) < 0.5);
    CHECK(relative_error<double>(host, -1, length, 3) < 0.5);
    for (const index_t n : {1000, 8191, 8193, 100000}) {
        INFO("elements " << n);
        CHECK(relative_error<float>(host, 0, n, 4) < 0.5);
        CHECK(relative_error<float>(EmulatedExecutor{}, 0, n, 5) < 1);
    }
}

TEST_CASE("a wider accumulator is more accurate") {
    std::vector<float> data(100000, 0.1F);
    const double exact = static_cast<double>(0.1F) * 100000;
    CHECK(std::fabs(value(host, sum(view<"x">(data), accumulate<double>)) - exact) < 1e-6);
}

TEST_CASE("the variance of data far from zero") {
    std::vector<float> data(10000);
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = 10000 + static_cast<float>(i % 2);
    }
    CHECK(value(host, var(view<"x">(data))) == Catch::Approx(0.25).epsilon(1e-3));
    CHECK(value(EmulatedExecutor{}, var<1>(view<"x">(data))) == Catch::Approx(0.25).epsilon(1e-3));
}

TEST_CASE("results on the host do not depend on the number of cores") {
    const NdArray numbers = random_reals({300000}, -1, 1, 9);
    std::vector<float> data(numbers.value.begin(), numbers.value.end());
    const auto x = view<"x">(data);
    Policy serial;
    serial.host_serial_bytes = index_t{1} << 40;
    Policy parallel;
    parallel.host_serial_bytes = 0;
    CHECK(value(host.with(serial), sum(x)) == value(host.with(parallel), sum(x)));
}

namespace {

/// Error of `got` in units in the last place of its exact value.
template <class T>
double ulps(T got, double exact) {
    return std::fabs(static_cast<double>(got) - exact) /
           (std::fabs(exact) * static_cast<double>(std::numeric_limits<T>::epsilon()));
}

}  // namespace

TEST_CASE("what is folded beside rows is as accurate as alone") {
    for (const index_t rows : {index_t{1}, index_t{2}, index_t{1024}, index_t{1} << 20, index_t{1} << 23}) {
        const index_t columns = (index_t{1} << 23) / rows;
        INFO("shape (" << rows << ", " << columns << ")");
        std::vector<float> data(static_cast<std::size_t>(rows * columns), 0.1F);
        std::vector<float> per_row(static_cast<std::size_t>(rows));
        float all = 0;
        float of_rows = 0;
        const auto x = view<"x">(data.data(), rows, columns);
        eval(host, view<"m">(per_row.data(), rows) = mean(x, axes<1>), view<"s">(&all, shape()) = mean(x),
             view<"t">(&of_rows, shape()) = mean(mean(x, axes<1>)));
        CHECK(ulps(all, static_cast<double>(0.1F)) < 16);
        CHECK(ulps(of_rows, static_cast<double>(0.1F)) < 16);
        CHECK(ulps(per_row[0], static_cast<double>(0.1F)) < 16);
    }
}

TEST_CASE("a sum of 2^25 ones beside a row mean is 2^25") {
    std::vector<float> ones(index_t{1} << 25, 1);
    float s = 0;
    float m = 0;
    const auto x = view<"x">(ones.data(), 1, index_t{1} << 25);
    eval(host, view<"m">(&m, 1) = mean(x, axes<1>), view<"s">(&s, shape()) = sum(x));
    CHECK(s == 33554432);
    CHECK(m == 1);
}

TEST_CASE("long columns and their variance") {
    const index_t rows = 70;
    const NdArray numbers = random_reals({rows, 5}, 0, 1, 3);
    std::vector<double> data(numbers.value.begin(), numbers.value.end());
    std::vector<double> out(5);
    eval(host, view<"v">(out.data(), 5) = var(view<"x">(data.data(), rows, 5), axes<0>));
    for (index_t column = 0; column < 5; ++column) {
        long double mean = 0;
        long double squares = 0;
        for (index_t row = 0; row < rows; ++row) {
            mean += numbers({row, column}) / rows;
        }
        for (index_t row = 0; row < rows; ++row) {
            const long double d = numbers({row, column}) - mean;
            squares += d * d / rows;
        }
        CHECK(ulps(out[static_cast<std::size_t>(column)], static_cast<double>(squares)) < 8);
    }
    std::vector<float> tall(index_t{1} << 24, 0.1F);
    float sum_of_column = 0;
    eval(host, view<"c">(&sum_of_column, 1) = mean(view<"x">(tall.data(), index_t{1} << 24, 1), axes<0>));
    CHECK(ulps(sum_of_column, static_cast<double>(0.1F)) < 16);
}

TEST_CASE("a running sum beside a stretched one") {
    const index_t n = index_t{1} << 22;
    std::vector<float> data(static_cast<std::size_t>(2 * n), 0.1F);
    std::vector<float> running(data.size());
    float ends[2] = {0, 0};
    float column[2] = {0, 0};
    float small[2] = {0, 0};
    const auto x = view<"x">(data.data(), 2, n);
    const auto c = view<"c">(column, 2, 1);
    eval(host, view<"y">(running.data(), 2, n) = cumsum(x, axes<1>), view<"z">(small, 2, 1) = cumsum(c, axes<1>),
         view<"m">(ends, 2) = sum(x, axes<1>));
    const double exact = static_cast<double>(0.1F) * static_cast<double>(n);
    CHECK(ulps(running[static_cast<std::size_t>(n - 1)], exact) < 256);
    CHECK(ulps(ends[0], exact) < 256);
}

TEST_CASE("running sums of long lines and of long columns") {
    const auto check = [](index_t rows, index_t columns) {
        INFO(rows << " rows, " << columns << " columns");
        const auto size = static_cast<std::size_t>(rows * columns);
        std::vector<float> data(size, 0.1F);
        std::vector<float> through(size), before(size), behind(size);
        const auto x = view<"x">(data.data(), rows, columns);
        eval(host, view<"y">(through.data(), rows, columns) = cumsum(x, axes<0>));
        eval(host, view<"z">(before.data(), rows, columns) = cumsum(x, axes<0>, exclusive));
        eval(host, view<"r">(behind.data(), rows, columns) = cumsum(x, axes<0>, reverse));
        double worst = 0;
        for (index_t i = 0; i < rows; ++i) {
            for (const index_t j : {index_t{0}, columns - 1}) {
                const auto at = static_cast<std::size_t>(i * columns + j);
                const double tenth = static_cast<double>(0.1F);
                worst = std::max(worst, ulps(through[at], tenth * static_cast<double>(i + 1)));
                worst = std::max(worst, i == 0 ? 0 : ulps(before[at], tenth * static_cast<double>(i)));
                worst = std::max(worst, ulps(behind[at], tenth * static_cast<double>(rows - i)));
            }
        }
        CHECK(worst < 256);
    };
    check(index_t{1} << 22, 1);
    check(index_t{1} << 20, 4);
    check(index_t{1} << 17, 9);
    check(3000, 130);
    check(512, 64);
}
