// SPDX-License-Identifier: Apache-2.0
//
// The host executor and OpenMP: any number of threads, more than there are cores among them, evals inside parallel
// regions and evals of several threads at once give the bits of one thread, and none waits for another.
#include <stdexcept>
#include <thread>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "support/catch.hpp"
#include "support/host_target.hpp"
#include "support/ndarray.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr index_t rows = 70;
constexpr index_t columns = 1003;

/// The results of a map, sums of rows, of columns and of everything, a softmax and two scans, side by side.
template <class Executor>
std::vector<float> results(const Executor& executor, const float* items) {
    const auto size = static_cast<std::size_t>(rows * columns);
    std::vector<float> all(4 * size + static_cast<std::size_t>(rows + columns) + 1);
    float* out = all.data();
    const auto x = view<"x">(items, rows, columns);
    eval(executor, view<"map">(out, rows, columns) = erf(x) * 2);
    eval(executor, view<"softmax">(out + size, rows, columns) = softmax(x));
    eval(executor, view<"scan">(out + 2 * size, rows, columns) = cumsum(x, axes<1>));
    eval(executor, view<"down">(out + 3 * size, rows, columns) = cumsum(x, axes<0>));
    eval(executor, view<"row">(out + 4 * size, rows) = sum(x, axes<1>));
    eval(executor, view<"column">(out + 4 * size + rows, columns) = sum(x, axes<0>));
    all.back() = value(executor, sum(view<"flat">(items, rows * columns)));
    return all;
}

Policy policy_of(index_t serial_bytes) {
    Policy policy;
    policy.host_serial_bytes = serial_bytes;
    policy.host_block_items = 512;
    return policy;
}

const auto serial = host.with(policy_of(index_t{1} << 40));
const auto parallel = host.with(policy_of(0));

std::vector<float> make_items() {
    const NdArray numbers = random_reals({rows, columns}, -1, 1, 9);
    return {numbers.value.begin(), numbers.value.end()};
}

}  // namespace

TEST_CASE("what a functor throws reaches the caller, and the next eval has the cores") {
    std::vector<float> items(static_cast<std::size_t>(rows * columns), 1);
    items[items.size() / 2] = -1;
    std::vector<float> out(items.size());
    const auto x = view<"x">(items);
    const auto y = view<"y">(out);
    const auto checked = map(
        [](float v) {
            if (v < 0) {
                throw std::domain_error("a negative number");
            }
            return v;
        },
        x);
    for (const auto& executor : {serial, parallel}) {
        CHECK_THROWS_AS(eval(executor, y = checked), std::domain_error);
        CHECK_THROWS_AS(value(executor, sum(checked)), std::domain_error);
        CHECK_THROWS_AS(eval(executor, y = cumsum(checked)), std::domain_error);
        CHECK_THROWS_AS(eval(executor, y = cumsum(x) / sum(checked)), std::domain_error);
        const auto step = prepare(executor, y = checked * 2);
        CHECK_THROWS_AS(step(), std::domain_error);
        items[items.size() / 2] = 1;
        step();
        CHECK(out == std::vector<float>(items.size(), 2));
        CHECK(value(executor, sum(x)) == static_cast<float>(items.size()));
        items[items.size() / 2] = -1;
    }
}

TEST_CASE("several threads at once evaluate on all cores or on their own") {
    const std::vector<float> items = make_items();
    const std::vector<float> expected = results(serial, items.data());
    std::vector<int> right(5);
    std::vector<std::thread> threads;
    for (int& result : right) {
        threads.emplace_back([&] {
            for (int again = 0; again < 10; ++again) {
                result += results(parallel, items.data()) == expected ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(right == std::vector<int>(5, 10));
}

#if defined(_OPENMP)
TEST_CASE("any number of threads of OpenMP gives the same bits") {
    const std::vector<float> items = make_items();
    const std::vector<float> expected = results(serial, items.data());
    for (const int threads : {1, 2, 7, 2 * omp_get_num_procs()}) {
        omp_set_num_threads(threads);
        INFO(threads << " threads");
        CHECK(results(parallel, items.data()) == expected);
    }
    omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("evals inside parallel regions stay on their thread") {
    const std::vector<float> items = make_items();
    const std::vector<float> expected = results(serial, items.data());
    for (const int levels : {1, 3}) {
        omp_set_max_active_levels(levels);
        int right = 0;
        int team = 0;
#pragma omp parallel num_threads(4) reduction(+ : right, team)
        {
            right += results(parallel, items.data()) == expected ? 1 : 0;
            team += 1;
        }
        INFO(levels << " levels");
        CHECK(right == team);
    }
    omp_set_max_active_levels(1);
}
#endif
