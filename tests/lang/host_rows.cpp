// SPDX-License-Identifier: Apache-2.0
//
// Rows on the host, of every length up to a few vectors and around the pieces in which a thread takes longer ones, few
// rows and many, side by side in memory and not; beside loops in float64.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

using namespace fuse;

namespace {

/// Rows of a matrix, and where their elements lie.
struct Rows {
    index_t rows;
    index_t n;
    index_t apart;  ///< from row to row
    index_t step;   ///< from element to element
    index_t first;

    std::size_t place(index_t i, index_t j) const { return static_cast<std::size_t>(first + i * apart + j * step); }
};

/// Calls check(rows) for many shapes.
template <class Check>
void for_shapes(const Check& check) {
    const auto of_length = [&](index_t rows, index_t n) {
        check(Rows{rows, n, n, 1, 0});
        check(Rows{rows, n, 2 * n + 1, 2, 0});
        check(Rows{rows, n, 1, rows, 0});
        check(Rows{rows, n, n, -1, n - 1});
        check(Rows{rows, n, 0, 1, 0});
        check(Rows{rows, n, 1, 0, 0});
    };
    for (index_t n = 1; n <= 130; n += n < 70 ? 1 : 13) {
        for (const index_t rows : {1, 3, 64, 66}) {
            of_length(rows, n);
        }
    }
    for (const index_t n : {127, 128, 129, 1023, 1024, 1025, 1200, 16384, 16400, 33001}) {
        of_length(3, n);
    }
}

double random_value(std::uint32_t& state) {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 16) / 4096.0 - 8;
}

/// As many numbers as shapes ask for; every so many is one of `odd`.
template <class T>
std::vector<T> numbers(std::size_t count, index_t every, const std::vector<double>& odd) {
    std::vector<T> x(count);
    std::uint32_t state = 7;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_odd = every > 0 && i % static_cast<std::size_t>(every) == 0;
        x[i] = static_cast<T>(is_odd ? odd[i / static_cast<std::size_t>(every) % odd.size()] : random_value(state));
    }
    return x;
}
constexpr std::size_t enough = 200'000;

template <class T>
void check_reductions(const std::vector<T>& data, const Rows& r) {
    CAPTURE(r.rows, r.n, r.apart, r.step);
    using Sum = accumulator_t<T>;
    const auto size = static_cast<std::size_t>(r.rows);
    std::vector<Sum> sums(size), sums_of_numbers(size);
    std::vector<T> greatest(size), greatest_of_numbers(size), least(size);
    std::vector<index_t> at(size), at_number(size);
    const auto x = view<"x">(data.data() + r.first, shape(r.rows, r.n), strides(r.apart, r.step));
    const auto extreme = reduce(MinMax{}, x, axes<1>);
    eval(host, view<"s">(sums.data(), r.rows) = sum(x, axes<1>), view<"g">(greatest.data(), r.rows) = max(x, axes<1>),
         view<"l">(least.data(), r.rows) = map(TakeMin{}, extreme), view<"a">(at.data(), r.rows) = argmax(x, axes<1>),
         view<"n">(at_number.data(), r.rows) = reduce(ArgMaxIgnoreNan{}, x, axes<1>));
    // Of short rows nothing but numbers are folded in another way.
    eval(host, view<"s">(sums_of_numbers.data(), r.rows) = sum(x, axes<1>),
         view<"g">(greatest_of_numbers.data(), r.rows) = max(x, axes<1>));
    bool right = true;
    for (index_t i = 0; i < r.rows; ++i) {
        double total = 0;
        double size_of_terms = 0;
        index_t best = 0;
        index_t best_number = -1;
        bool has_nan = false;
        double smallest = std::numeric_limits<double>::infinity();
        for (index_t j = 0; j < r.n; ++j) {
            const auto v = static_cast<double>(data[r.place(i, j)]);
            const auto b = static_cast<double>(data[r.place(i, best)]);
            total += v;
            size_of_terms += std::fabs(v);
            has_nan = has_nan || std::isnan(v);
            best = !std::isnan(b) && !(v <= b) ? j : best;
            if (!std::isnan(v) && (best_number < 0 || v > static_cast<double>(data[r.place(i, best_number)]))) {
                best_number = j;
            }
            smallest = v < smallest ? v : smallest;
        }
        const auto k = static_cast<std::size_t>(i);
        const auto close = [&](double got) {
            return std::isnan(total) ? std::isnan(got)
                   : std::isinf(total)
                       ? got == total
                       : std::fabs(got - total) <= (std::is_same_v<Sum, float> ? 2e-6 : 1e-12) * size_of_terms;
        };
        const auto top = static_cast<double>(data[r.place(i, best)]);
        const auto is_top = [&](T got) {
            return std::isnan(top) ? std::isnan(static_cast<double>(got)) : static_cast<double>(got) == top;
        };
        const auto got_least = static_cast<double>(least[k]);
        right = right && close(static_cast<double>(sums[k])) && close(static_cast<double>(sums_of_numbers[k])) &&
                at[k] == best && at_number[k] == best_number && is_top(greatest[k]) && is_top(greatest_of_numbers[k]) &&
                (has_nan ? std::isnan(got_least) : got_least == smallest);
    }
    CHECK(right);
}

template <class T>
void check_elements(const std::vector<T>& data, const Rows& r, double tolerance) {
    CAPTURE(r.rows, r.n, r.apart, r.step);
    if (r.apart == 0 || (r.step == 0 && r.n > 1)) {
        return;  // several elements in one place cannot be written
    }
    // In place: the second output reads what the first overwrites.
    std::vector<T> x = data;
    std::vector<T> y(static_cast<std::size_t>(r.rows * r.n));
    const auto in = view<"x">(x.data() + r.first, shape(r.rows, r.n), strides(r.apart, r.step));
    const auto e = exp(in - max(in, axes<1>, keepdims));
    eval(host, in = e / sum(e, axes<1>, keepdims),
         view<"y">(y.data(), r.rows, r.n) =
             (in - mean(in, axes<1>, keepdims)) * rsqrt(mean(square(in), axes<1>, keepdims) + 1));
    bool right = true;
    for (index_t i = 0; i < r.rows; ++i) {
        double top = -std::numeric_limits<double>::infinity();
        double total = 0;
        double mean_of = 0;
        double squares = 0;
        const auto at = [&](index_t j) { return static_cast<double>(static_cast<float>(data[r.place(i, j)])); };
        for (index_t j = 0; j < r.n; ++j) {
            top = std::fmax(top, at(j));
            mean_of += at(j) / static_cast<double>(r.n);
            squares += at(j) * at(j) / static_cast<double>(r.n);
        }
        for (index_t j = 0; j < r.n; ++j) {
            total += std::exp(at(j) - top);
        }
        for (index_t j = 0; j < r.n; ++j) {
            const double probability = std::exp(at(j) - top) / total;
            const double scaled = (at(j) - mean_of) / std::sqrt(squares + 1);
            const auto got = static_cast<double>(static_cast<float>(x[r.place(i, j)]));
            const auto other = static_cast<double>(static_cast<float>(y[static_cast<std::size_t>(i * r.n + j)]));
            right = right && std::fabs(got - probability) <= tolerance && std::fabs(other - scaled) <= 4 * tolerance;
        }
    }
    CHECK(right);
}

}  // namespace

TEMPLATE_TEST_CASE("reductions of rows of any length on the host", "", float, double, std::int16_t) {
    for_shapes([&](const Rows& r) {
        static const std::vector<TestType> plain = numbers<TestType>(enough, 0, {});
        check_reductions(plain, r);
    });
}

TEST_CASE("rows on the host with what is no ordinary number") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::vector<double>> odd = {{nan}, {infinite, -infinite, nan}, {-infinite}, {0.0, -0.0}};
    for (const auto& values : odd) {
        for (const index_t every : {1, 5, 37, 1500}) {
            const std::vector<float> x = numbers<float>(enough, every, values);
            for (const Rows& r : {Rows{150, 17, 17, 1, 0}, Rows{3, 17, 17, 1, 0}, Rows{5, 700, 700, 1, 0},
                                  Rows{3, 3000, 3000, 1, 0}, Rows{64, 64, 1, 64, 0}, Rows{7, 65, 131, 2, 0}}) {
                check_reductions(x, r);
            }
        }
    }
}

TEMPLATE_TEST_CASE("elements of rows of any length on the host", "", float, float16) {
    const double tolerance = std::is_same_v<TestType, float> ? 2e-6 : 2e-3;
    std::vector<TestType> data(enough);
    const std::vector<float> plain = numbers<float>(enough, 0, {});
    for (std::size_t i = 0; i < enough; ++i) {
        data[i] = TestType(plain[i]);
    }
    for_shapes([&](const Rows& r) {
        const auto last = r.place(r.rows - 1, r.step < 0 ? 0 : r.n - 1);
        if (r.n <= 1200 && last < enough) {
            check_elements(std::vector<TestType>(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(last) + 1), r,
                           tolerance);
        }
    });
}

TEMPLATE_TEST_CASE("short rows on the host are written between what lies beside them", "", float, double, std::int16_t,
                   std::uint8_t) {
    const auto gap = TestType(77);
    for (index_t n = 1; n <= 33; ++n) {
        for (const index_t rows : {63, 64, 65, 130}) {
            for (const Rows& r : {Rows{rows, n, n + 3, 1, 2}, Rows{rows, n, n, 1, 0}, Rows{rows, n, 2 * n, 2, 0},
                                  Rows{rows, n, 1, rows, 0}, Rows{rows, n, n, -1, n - 1}}) {
                CAPTURE(r.rows, r.n, r.apart, r.step);
                const auto size = static_cast<std::size_t>(rows * (2 * n + 3) + 2);
                std::vector<TestType> data(size, gap), running(size, gap), away(size, gap), got(size, gap);
                std::vector<TestType> totals(static_cast<std::size_t>(rows)), got_totals(totals);
                for (index_t i = 0; i < rows; ++i) {
                    int sum = 0;
                    int top = 0;
                    for (index_t j = 0; j < n; ++j) {
                        const auto value = static_cast<int>((i * 5 + j * 3) % 7);  // whose sums are exact
                        sum += value;
                        top = std::max(top, value);
                        data[r.place(i, j)] = static_cast<TestType>(value);
                        running[r.place(i, j)] = static_cast<TestType>(sum);
                    }
                    for (index_t j = 0; j < n; ++j) {
                        away[r.place(i, j)] = static_cast<TestType>(top - static_cast<int>(data[r.place(i, j)]));
                    }
                    totals[static_cast<std::size_t>(i)] = static_cast<TestType>(sum);
                }
                const auto in = [&](std::vector<TestType>& memory) {
                    return view(memory.data() + r.first, shape(r.rows, r.n), strides(r.apart, r.step));
                };
                const auto x = in(data);
                eval(host, in(got) = cast<TestType>(cumsum(x, axes<1>)));
                CHECK(got == running);
                eval(host, in(got) = cast<TestType>(max(x, axes<1>, keepdims) - x),
                     view(got_totals.data(), rows) = cast<TestType>(sum(x, axes<1>)));
                CHECK(got == away);
                CHECK(got_totals == totals);
                eval(host, x = cast<TestType>(cumsum(x, axes<1>)));
                CHECK(data == running);
            }
        }
    }
}

TEST_CASE("an eval within a functor of another, both of which keep costly values of long rows") {
    constexpr std::size_t n = 20000;
    std::vector<float> x(n);
    std::vector<float> w(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i * 7919 % 1000) / 250.F - 2;
        w[i] = static_cast<float>(i * 104729 % 1000) / 200.F - 3;
    }
    std::vector<float> y(n);
    std::vector<float> z(n);
    const auto softmax_of = [](const auto& e) {
        const auto p = exp(e - max(e));
        return p / sum(p);
    };
    int calls = 0;
    const auto nested = [&w, &z, &calls, softmax_of](float v) {
        if (++calls % 5000 == 0) {
            eval(host, view<"z">(z) = softmax_of(view<"w">(w)));
        }
        return v;
    };
    eval(
        host, view<"y">(y.data(), 1, n) = [&] {
            const auto e = map(nested, view<"x">(x.data(), 1, n));
            const auto p = exp(e - max(e, axes<1>, keepdims));
            return p / sum(p, axes<1>, keepdims);
        }());
    const auto check = [](const std::vector<float>& in, const std::vector<float>& out) {
        double total = 0;
        for (const float v : in) {
            total += std::exp(static_cast<double>(v));
        }
        double worst = 0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const double expected = std::exp(static_cast<double>(in[i])) / total;
            worst = std::max(worst, std::abs(out[i] - expected) / expected);
        }
        CHECK(worst < 2e-6);
    };
    CHECK(calls > 5000);
    check(x, y);
    check(w, z);
}
