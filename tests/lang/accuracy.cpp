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
