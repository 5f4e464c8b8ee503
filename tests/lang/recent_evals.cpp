// SPDX-License-Identifier: Apache-2.0
//
// Evals of one type of statements, one after the other: those that equal one of the last two go straight to their launch,
// and all others are found to differ, whatever it is that differs.
#include <cmath>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fuse/stencil.hpp"
#include "support/catch.hpp"
#include "support/counting_executor.hpp"
#include "support/emulated_executor.hpp"

using namespace fuse;
using fuse::testing::CountingExecutor;
using fuse::testing::EmulatedExecutor;

namespace {

constexpr index_t most = 40;  // elements along an axis

/// All that the statements of a case may hold.
struct Ingredients {
    const float* x = nullptr;
    const float* v = nullptr;
    float* out = nullptr;
    index_t rows = 12;
    index_t columns = 30;
    index_t pitch = most;  ///< of x
    float number = 2.5F;
    float named = -0.75F;
    float captured = 3;
    index_t shift = 4;  ///< of x, along its columns

    double at(index_t row, index_t column) const { return x[row * pitch + column]; }
};

/// Leaves what it likes where the next call has its variables.
__attribute__((noinline)) void soil_the_stack(int value) {
    volatile unsigned char room[1 << 14];
    for (volatile unsigned char& byte : room) {
        byte = static_cast<unsigned char>(value);
    }
}

template <class E>
class Alternation {
public:
    using Result = std::vector<double>;

    Alternation() : data_(6 * most * most), out_(2 * most * most) {
        for (std::size_t i = 0; i < data_.size(); ++i) {
            data_[i] = 2 + std::sin(static_cast<float>(i));
        }
        first_.x = data_.data();
        first_.v = data_.data() + 2 * most * most;
        first_.out = out_.data();
        const auto differ = [this](const char* name, auto change) {
            Ingredients other = first_;
            change(other);
            others_.emplace_back(name, other);
        };
        differ("x", [](Ingredients& i) { i.x += 3 * most * most; });
        differ("x, aligned in another way", [](Ingredients& i) { i.x += 1; });
        differ("v", [](Ingredients& i) { i.v += 7; });
        differ("out", [](Ingredients& i) { i.out += most * most; });
        differ("rows", [](Ingredients& i) { i.rows = 13; });
        differ("columns", [](Ingredients& i) { i.columns = 32; });
        differ("strides", [](Ingredients& i) { i.pitch = most - 1; });
        differ("number", [](Ingredients& i) { i.number = -2.5F; });
        differ("named number", [](Ingredients& i) { i.named = 0.5F; });
        differ("captured number", [](Ingredients& i) { i.captured = 4; });
        differ("shift", [](Ingredients& i) { i.shift = 9; });
    }

    /// run(ingredients) evaluates; expected(ingredients) is what must then stand in out.
    template <class Run, class Expected>
    void check(const Run& run, const Expected& expected) {
        const auto once = [&](const Ingredients& i) {
            std::fill(out_.begin(), out_.end(), NAN);
            const int before = E::checks;
            soil_the_stack(++soil_);
            run(i);
            const Result wanted = expected(i);
            double worst = 0;
            for (std::size_t k = 0; k < wanted.size(); ++k) {
                const double error = std::fabs(i.out[k] - wanted[k]) / (1 + std::fabs(wanted[k]));
                worst = error <= worst ? worst : error;  // NaN as well
            }
            CHECK(worst < 1e-5);
            return E::checks > before;
        };
        Ingredients third = first_;  // differs in what all statements have
        third.out += most;
        for (const auto& [name, other] : others_) {
            INFO("another " << name);
            CHECK(once(first_));
            CHECK_FALSE(once(first_));
            const bool concerned = once(other);
            CHECK_FALSE(once(other));
            CHECK_FALSE(once(first_));
            CHECK_FALSE(once(other));
            concerned_ += concerned ? 1 : 0;
            for (int k = 0; k < 2; ++k) {  // so that both are forgotten
                ++third.out;
                CHECK(once(third));
            }
        }
    }
    /// How many of the ingredients statements had, of all that were checked.
    int concerned() const { return concerned_; }
    const Ingredients& first() const { return first_; }

private:
    std::vector<float> data_;
    std::vector<float> out_;
    Ingredients first_;
    std::vector<std::pair<std::string, Ingredients>> others_;
    int soil_ = 0;
    int concerned_ = 0;
};

auto matrix(const Ingredients& i) {
    return view<"x">(i.x, shape(i.rows, i.columns), strides(i.pitch, 1));
}

template <class E>
void one_kernel() {
    Alternation<E> alternation;
    alternation.check(
        [](const Ingredients& i) {
            const float c = i.captured;
            eval(E(), view<"out">(i.out, i.rows, i.columns) =
                          map([c](float a) { return c - a; }, roll(matrix(i), i.shift, axes<1>) * i.number) +
                          view(i.v, i.columns) * scalar<"named">(i.named));
        },
        [](const Ingredients& i) {
            std::vector<double> r;
            for (index_t row = 0; row < i.rows; ++row) {
                for (index_t k = 0; k < i.columns; ++k) {
                    const double rolled = i.at(row, (k - i.shift + i.columns) % i.columns);
                    r.push_back(i.captured - rolled * i.number + double{i.v[k]} * i.named);
                }
            }
            return r;
        });
    CHECK(alternation.concerned() == 11);
}

template <class E>
void several_statements() {
    Alternation<E> alternation;
    alternation.check(
        [](const Ingredients& i) {
            const auto x = matrix(i);
            eval(E(), view<"sums">(i.out, i.rows) = sum(x * i.number, axes<1>),
                 view<"most">(i.out + i.rows, i.rows) = max(x + view<"v">(i.v, i.columns), axes<1>));
        },
        [](const Ingredients& i) {
            std::vector<double> r(static_cast<std::size_t>(2 * i.rows));
            for (index_t row = 0; row < i.rows; ++row) {
                double sum = 0;
                double largest = -1e30;
                for (index_t k = 0; k < i.columns; ++k) {
                    sum += i.at(row, k) * i.number;
                    largest = std::fmax(largest, i.at(row, k) + i.v[k]);
                }
                r[static_cast<std::size_t>(row)] = sum;
                r[static_cast<std::size_t>(i.rows + row)] = largest;
            }
            return r;
        });
    CHECK(alternation.concerned() == 8);
}

template <class E>
void in_steps() {
    Alternation<E> alternation;
    alternation.check(
        [](const Ingredients& i) {
            const auto x = matrix(i);
            const float c = i.captured;
            const auto share = x / sum(map([c](float a) { return a + c; }, x * i.number), axes<0>, keepdims);
            eval(E(), view<"out">(i.out, i.rows, i.columns) =
                          share / (sum(share, axes<1>, keepdims) + scalar<"named">(i.named)));
        },
        [](const Ingredients& i) {
            std::vector<double> share(static_cast<std::size_t>(i.rows * i.columns));
            const auto each = [&i](auto f) {
                for (index_t row = 0; row < i.rows; ++row) {
                    for (index_t k = 0; k < i.columns; ++k) {
                        f(row, k, static_cast<std::size_t>(row * i.columns + k));
                    }
                }
            };
            std::vector<double> columns(static_cast<std::size_t>(i.columns));
            std::vector<double> rows(static_cast<std::size_t>(i.rows), double{i.named});
            each([&](index_t row, index_t k, std::size_t) {
                columns[static_cast<std::size_t>(k)] += i.at(row, k) * i.number + i.captured;
            });
            each([&](index_t row, index_t k, std::size_t at) {
                share[at] = i.at(row, k) / columns[static_cast<std::size_t>(k)];
                rows[static_cast<std::size_t>(row)] += share[at];
            });
            each([&](index_t row, index_t, std::size_t at) { share[at] /= rows[static_cast<std::size_t>(row)]; });
            return share;
        });
    CHECK(alternation.concerned() == 9);
}

template <class Inner>
void are_told_apart() {
    using E = CountingExecutor<Inner>;
    one_kernel<E>();
    several_statements<E>();
    in_steps<E>();
}

double reported = 0;

}  // namespace

TEST_CASE("evals that differ in anything are told apart") {
    are_told_apart<HostExecutor>();
    are_told_apart<EmulatedExecutor>();
}

TEST_CASE("an eval that is refused leaves nothing behind") {
    using E = CountingExecutor<HostExecutor>;
    std::vector<float> a(12, 1);
    std::vector<float> out(12);
    const auto run = [&out](const float* x, index_t n) {
        eval(E(), view<"y">(out.data(), 12) = view<"x">(x, n) * 2.F);
    };
    run(a.data(), 12);
    for (int again = 0; again < 2; ++again) {
        CHECK_THROWS_AS(run(nullptr, 12), argument_error);
        CHECK_THROWS_AS(run(a.data(), 11), shape_error);
    }
    a[3] = 5;
    run(a.data(), 12);
    CHECK((out[3] == 10 && out[11] == 2));
    CHECK_THROWS_AS(run(nullptr, 12), argument_error);
}

TEST_CASE("another policy, a hook and another thread are noticed") {
    using E = CountingExecutor<EmulatedExecutor>;
    const std::vector<float> a(6000, 1);
    float out = 0;
    const auto run = [&](const E& executor) {
        out = 0;
        eval(executor, view<"s">(&out, shape()) = sum(view<"x">(a)));
        CHECK(out == 6000);
        return std::exchange(E::checks, 0) > 0;
    };
    Policy other = E().policy();
    ++other.blocks_per_unit;
    CHECK(run(E()));
    CHECK_FALSE(run(E()));
    CHECK(run(E().with(other)));
    CHECK_FALSE(run(E().with(other)));
    CHECK_FALSE(run(E()));

    set_launch_hook([](const LaunchReport& report) { reported = report.bytes; });
    run(E());
    set_launch_hook(nullptr);
    CHECK(reported == 6001 * sizeof(float));

    CHECK_FALSE(run(E()));
    bool elsewhere = false;
    std::thread([&] { elsewhere = run(E()); }).join();
    CHECK(elsewhere);
}

TEST_CASE("an executor may have every eval checked") {
    using E = CountingExecutor<HostExecutor, true>;
    const std::vector<float> a(6, 1);
    float out = 0;
    for (int again = 1; again <= 3; ++again) {
        eval(E(), view<"s">(&out, shape()) = sum(view<"x">(a)));
        CHECK((out == 6 && E::checks == 2 * again));
    }
}
