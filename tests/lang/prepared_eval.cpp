// SPDX-License-Identifier: Apache-2.0
//
// Evals that are prepared once and run many times, on the host and on the emulated device; and what rebind takes.
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "fuse/stencil.hpp"
#include "support/catch.hpp"
#include "support/counting_executor.hpp"
#include "support/emulated_executor.hpp"

using namespace fuse;
using fuse::testing::EmulatedExecutor;

namespace {

std::vector<float> numbers(std::size_t n, float first) {
    std::vector<float> v(n);
    std::iota(v.begin(), v.end(), first);
    return v;
}

double total(const std::vector<float>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
}

template <class E>
void runs_again(const E& executor) {
    constexpr std::size_t n = 1000;  // several blocks share the sum
    auto a = numbers(n, 1);
    std::vector<float> out(n);
    float sum_of = 0;
    const auto x = view<"x">(a);
    auto step = prepare(executor, view<"y">(out) = x * scalar<"k">(2.F), view<"s">(&sum_of, shape()) = sum(x));
    CHECK((out[3] == 0 && sum_of == 0));  // nothing has run
    for (int i = 0; i < 3; ++i) {
        step();
        CHECK((out[n - 1] == 2 * a[n - 1] && sum_of == static_cast<float>(total(a))));
        a[n - 1] -= 10;  // it reads what is there
    }
    const auto b = numbers(n + 1, -7);
    std::vector<float> other(n);
    step.rebind(view<"x">(b.data() + 1, n), scalar<"k">(3.F));  // not aligned as before
    step();
    CHECK((out[5] == 3 * b[6] && sum_of == static_cast<float>(total(b) + 7)));
    const auto copy = step;
    step.rebind(view<"y">(other));
    out[5] = 0;
    step();
    CHECK((out[5] == 0 && other[5] == 3 * b[6]));
    copy();
    CHECK(out[5] == 3 * b[6]);
}

template <class E>
void keeps_what_it_had(const E& executor) {
    auto a = numbers(20, 1);
    std::vector<float> out(20);
    auto x = view<"x">(a.data(), 4, 5);
    auto y = view<"y">(out.data(), 4, 5);
    auto step = prepare(executor, y = softmax(x) * 2.F);
    const float* const nothing = nullptr;
    CHECK_THROWS_WITH(step.rebind(view<"x">(a.data(), 5, 4)),
                      "rebind: x(5, 4) does not have the shape (4, 5) for which the eval was prepared");
    CHECK_THROWS_AS(step.rebind(view<"x">(nothing, 4, 5)), argument_error);
    CHECK_THROWS_WITH(step.rebind(view<"x">(out.data() + 1, shape(4, 5), strides(4, 1))),
                      Catch::Contains("output y overlaps input x"));
    // The second of the two is refused: the first has not been taken either.
    std::vector<float> other(20);
    CHECK_THROWS_AS(step.rebind(view<"y">(other.data(), 4, 5), view<"x">(nothing, 4, 5)), argument_error);
    step();
    CHECK(other[0] == 0);
    const double whole = 2 / (1 + std::exp(-1.0) + std::exp(-2.0) + std::exp(-3.0) + std::exp(-4.0));
    CHECK(std::fabs(out[4] - whole) < 1e-6);
    step.rebind(view<"y">(a.data(), 4, 5));  // in place
    step();
    CHECK(std::fabs(a[19] - whole) < 1e-6);
    auto none = prepare(executor, view<"z">(out.data(), 0) = view<"v">(nothing, 0) + 1.F);
    none();
}

using CountingExecutor = fuse::testing::CountingExecutor<EmulatedExecutor>;

int launches = 0;
double bytes = 0;

std::vector<float> column_softmax(const std::vector<float>& x, std::size_t columns) {
    std::vector<float> y(x.size());
    for (std::size_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (std::size_t i = c; i < x.size(); i += columns) {
            sum += std::exp(static_cast<double>(x[i]));
        }
        for (std::size_t i = c; i < x.size(); i += columns) {
            y[i] = static_cast<float>(std::exp(static_cast<double>(x[i])) / sum);
        }
    }
    return y;
}
bool is_close(const std::vector<float>& a, const std::vector<float>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float p, float q) { return std::fabs(p - q) <= 2e-5F * q; });
}

}  // namespace

TEST_CASE("a prepared eval runs again, of other data") {
    runs_again(host);
    runs_again(EmulatedExecutor());
}

TEST_CASE("what is refused changes nothing") {
    keeps_what_it_had(host);
    keeps_what_it_had(EmulatedExecutor());
}

TEST_CASE("what blocks share is prepared once as well") {
    // Five columns in lines of several rows would be a cluster's, which leaves nothing in memory.
    fuse::Policy policy = CountingExecutor().policy();
    policy.joined_column_items = 1 << 30;
    const CountingExecutor executor = CountingExecutor().with(policy);
    for (const std::size_t rows :
         {std::size_t{6000}, std::size_t{40}}) {  // long columns, which blocks share; short ones
        INFO(rows << " rows");
        constexpr std::size_t columns = 5;
        std::vector<float> a(rows * columns);
        std::vector<float> b(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = std::sin(static_cast<float>(i));
            b[i] = std::cos(static_cast<float>(i));
        }
        std::vector<float> out(a.size());
        const auto n = static_cast<index_t>(rows);
        auto step = prepare(executor, view<"y">(out.data(), n, 5) = softmax(view<"x">(a.data(), n, 5), axes<0>));
        const int checks = CountingExecutor::checks;
        step();
        const auto copy = step;
        step();
        CHECK((is_close(out, column_softmax(a, columns)) && CountingExecutor::checks == checks));
        CHECK((CountingExecutor::launched == "columns shared") == (rows == 6000));
        step.rebind(view<"x">(b.data(), n, 5));
        const int bound = CountingExecutor::checks;
        CHECK(bound > checks);
        step();
        CHECK((is_close(out, column_softmax(b, columns)) && CountingExecutor::checks == bound));
        copy();
        CHECK(is_close(out, column_softmax(a, columns)));
        set_launch_hook([](const LaunchReport& report) { bytes = report.bytes; });
        step();
        set_launch_hook(nullptr);
        CHECK(bytes >= 2.0 * static_cast<double>(out.size() * sizeof(float)));
    }
}

TEST_CASE("views of const elements, static extents and lets are found") {
    const auto a = numbers(12, 1);
    const auto b = numbers(12, 100);
    std::vector<float> out(12);
    auto x = view<"x">(a.data(), extents<3, 4>());
    auto y = view<"y">(out.data(), 3, 4);
    auto step = prepare(host, y = softmax(x * 0.5F, axes<0>) + view<"row">(x[1]));
    auto c = b;
    step.rebind(view<"x">(c.data(), 3, 4));  // not the row, which has a name of its own
    step();
    const double high = 1 / (1 + std::exp(-2.0) + std::exp(-4.0));
    CHECK(std::fabs(out[8] - (high + a[4])) < 1e-5);
    step.rebind(x);
}

TEST_CASE("a view is not exchanged where parts of it would stay what they were") {
    auto a = numbers(12, 1);
    const auto b = numbers(12, 100);
    std::vector<float> out(12);
    const auto refuses = [&](auto expression) {
        auto step = prepare(host, view<"y">(out.data(), 4, 3) = expression);
        step();
        const auto before = out;
        CHECK_THROWS_WITH(step.rebind(view<"x">(b.data(), 4, 3)), Catch::Contains("is part of another x"));
        step();
        CHECK(out == before);
    };
    const auto x = view<"x">(a.data(), 4, 3);
    refuses(x - x[0]);
    refuses(x - slice<0>(x * 2.F, 0, 1));
    refuses(x + pad(diff(x, axes<0>), 0, 1, axes<0>));
    refuses(x - 0.1F * gradient(sum(square(diff(x, axes<0>))), x));
    refuses(x + roll(x[1], 1));
    refuses(sum(unflatten<1>(x, 3, 1), axes<2>) + x);
    // Whole views that are read elsewhere are exchanged.
    auto step = prepare(host, view<"y">(out.data(), 4, 3) = roll(x, 1, axes<0>) - x);
    step.rebind(view<"x">(b.data(), 4, 3));
    step();
    CHECK((out[0] == 9 && out[3] == -3));
}

TEST_CASE("what is rebound takes all places of its name or none") {
    std::vector<float> a = {1, 2}, out(2);
    auto step = prepare(host, view<"y">(out) = view<"x">(a) * scalar<"k">(2.0F) + scalar<"k">(3));
    CHECK_THROWS_AS(step.rebind(scalar<"k">(7.0F)), argument_error);
    CHECK_THROWS_AS(step.rebind(scalar<"k">(7)), argument_error);
    step();
    CHECK(out == std::vector<float>{5, 7});
    const float k = 2;
    auto mixed = prepare(host, view<"y">(out) = view<"x">(a) * scalar<"k">(2.0F) + view<"k">(&k, shape()));
    CHECK_THROWS_AS(mixed.rebind(scalar<"k">(7.0F)), argument_error);
    CHECK_THROWS_AS(mixed.rebind(view<"k">(a.data(), shape())), argument_error);
    mixed();
    CHECK(out == std::vector<float>{4, 6});
    auto same = prepare(host, view<"y">(out) = view<"x">(a) * scalar<"k">(2.0F) + scalar<"k">(2.0F));
    same.rebind(scalar<"k">(7.0F));
    same();
    CHECK(out == std::vector<float>{14, 21});
}

TEST_CASE("threads may call one prepared eval, and hooks are told") {
    auto a = numbers(5000, 1);
    std::vector<float> sums(4);
    const auto step = prepare(host, view<"s">(sums.data(), shape()) = sum(view<"x">(a), accumulate<double>));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < sums.size(); ++t) {
        threads.emplace_back([&, t] {
            auto own = step;
            own.rebind(view<"s">(&sums[t], shape()));
            for (int i = 0; i < 10; ++i) {
                own();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(sums == std::vector<float>(4, static_cast<float>(total(a))));
    set_launch_hook([](const LaunchReport& report) {
        ++launches;
        bytes = report.bytes;
    });
    step();
    set_launch_hook(nullptr);
    CHECK((launches == 1 && bytes == 5001 * sizeof(float)));
}
