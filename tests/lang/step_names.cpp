// SPDX-License-Identifier: Apache-2.0
//
// One name for two different things, of which different steps of one eval know. Of two reductions of one type a single one
// is computed, so that the difference of two would be 0.
#include <array>
#include <string>

#include "fuse/nn.hpp"
#include "fuse/stencil.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

struct Plus {
    float k;
    float operator()(float v) const { return v + k; }
};

constexpr index_t rows = 5;
constexpr index_t columns = 6;

/// 0 to period - 1 over and over, and `more`.
std::array<float, rows * columns> counted(std::size_t period, float more) {
    std::array<float, rows * columns> a;
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i % period) + more;
    }
    return a;
}

/// What two steps see of a and b: the same reduction of both, and different ones.
enum class Way { same, other_axes, twice, scans, outputs };

template <Way W, class A, class B>
auto seen_by_two_steps(const A& a, const B& b) {
    if constexpr (W == Way::same) {
        return max(sum(a, axes<0>)) - max(sum(b, axes<0>));
    } else if constexpr (W == Way::other_axes) {
        return max(sum(a, axes<1>)) + max(sum(b, axes<0>));
    } else if constexpr (W == Way::twice) {
        return sum(square(a - sum(a, axes<0>))) - sum(square(b - sum(b, axes<0>)));
    } else {
        return max(cumsum(sum(a, axes<1>, keepdims) + cumsum(b, axes<0>), axes<1>));
    }
}

template <Way W, class Target, class A, class B>
void check_refused_way(const Target& target, const A& a, const B& b, const std::string& expected) {
    std::string said = "nothing thrown";
    try {
        if constexpr (W == Way::outputs) {
            // Beside outputs, which keep what they hold.
            std::array<float, rows> r;
            std::array<float, columns> c;
            r.fill(77);
            c.fill(77);
            try {
                target.eval(view<"r">(r) = sum(a, axes<1>), view<"c">(c) = sum(b, axes<0>));
            } catch (const argument_error&) {
                CHECK((r.front() == 77 && r.back() == 77 && c.front() == 77 && c.back() == 77));
                throw;
            }
        } else {
            target.value(seen_by_two_steps<W>(a, b));
        }
    } catch (const argument_error& error) {
        said = error.what();
    }
    CHECK(said == expected);
}
template <Way... W, class Target, class A, class B>
void check_refused(const Target& target, const A& a, const B& b, const std::string& expected) {
    (check_refused_way<W>(target, a, b, expected), ...);
}

/// In every way.
template <class Target, class A, class B>
void check_refused_in_all(const Target& target, const A& a, const B& b, const std::string& expected) {
    check_refused<Way::same, Way::other_axes, Way::twice, Way::scans, Way::outputs>(target, a, b, expected);
}

std::string two_views(const std::string& who) {
    return "the name " + who + " stands for two different views in one eval: a name is an identity";
}
std::string two(const std::string& who, const char* differ) {
    return who + " stands for two expressions with different " + differ + " in one eval: a name is an identity";
}

}  // namespace

TEMPLATE_TEST_CASE("one name for two different data in the steps of an eval", "", HostTarget, EmulatedTarget) {
    const TestType target;
    auto one = counted(7, 0);
    auto other = counted(4, 10);
    const auto x = view<"x">(one, rows, columns);

    check_refused_in_all(target, x, view<"x">(other, rows, columns), two_views("x"));
    check_refused_in_all(target, x, view<"x">(one.data(), shape(rows, columns), strides(1, rows)), two_views("x"));
}

// What else a name can stand for is compared before there is a kernel: on one target, in one or two ways each.
TEST_CASE("one name for two different numbers, functors and expressions in the steps of an eval") {
    const HostTarget target;
    auto one = counted(7, 0);
    auto other = counted(4, 10);
    const auto x = view<"x">(one, rows, columns);

    check_refused<Way::scans>(target, x * 2.0F, exp(view<"x">(other, rows, columns)), two_views("x"));
    check_refused<Way::same>(target, x * scalar<"k">(1.0F), x * scalar<"k">(2.0F),
                             "the name k stands for two different numbers in one eval");
    const auto h = [&](float k) { return named<"h">(x * k); };
    check_refused<Way::same, Way::outputs>(target, h(2), h(3), two("named<\"h\">", "numbers"));
    const auto g = [&](float k) { return named<"g">(map(Plus{k}, x)); };
    check_refused<Way::twice>(target, g(2), g(3), two("named<\"g\">", "functors"));
    const auto u = [](auto& data) { return named<"u">(square(view(data.data(), rows, columns))); };
    check_refused<Way::other_axes, Way::scans>(target, u(one), u(other), two("named<\"u\">", "views"));
    const auto w = [&](index_t k) { return named<"w">(roll(x, k, axes<1>)); };
    check_refused<Way::outputs>(target, w(1), w(2), two("one named<>", "views"));

    // Groups of other sizes have one name as well.
    CHECK_THROWS_AS(target.value(sum(max(unflatten<1>(x, 2, -1), axes<1>)) + sum(max(unflatten<1>(x, 3, -1), axes<1>))),
                    argument_error);
}

TEMPLATE_TEST_CASE("one name for one thing, and none for two, in the steps of an eval", "", HostTarget,
                   EmulatedTarget) {
    const TestType target;
    auto one = counted(7, 0);
    auto other = counted(4, 10);
    // The largest sum of a column, and the sum of the first row.
    const auto most = [](auto&& of) {
        double result = -1e30;
        for (std::size_t j = 0; j < columns; ++j) {
            double sum = 0;
            for (std::size_t i = 0; i < rows; ++i) {
                sum += of(i * columns + j);
            }
            result = std::max(result, sum);
        }
        return result;
    };
    const auto first = [&](std::size_t i) { return static_cast<double>(one[i]); };
    const auto second = [&](std::size_t i) { return static_cast<double>(other[i]); };
    const auto x = view<"x">(one, rows, columns);
    const auto again = view<"x">(one, rows, columns);
    const auto difference = [&](const auto& a, const auto& b) {
        return static_cast<double>(target.value(max(sum(a, axes<0>)) - max(sum(b, axes<0>))));
    };
    CHECK(difference(x, again * 2.0F) == -most(first));
    CHECK(difference(x, view<"y">(other, rows, columns)) == most(first) - most(second));
    // Which values are one is known before there is an executor: the others on the host.
    if constexpr (!std::is_same_v<TestType, EmulatedTarget>) {
        CHECK(difference(x * 3.0F, x * 2.0F) == most(first));
        CHECK(difference(view(one.data(), rows, columns), view(other.data(), rows, columns)) ==
              most(first) - most(second));
        CHECK(difference(map(Plus{1}, x), map(Plus{4}, x)) == -3 * rows);
        CHECK(difference(x * scalar<"k">(2.0F), again * scalar<"k">(2.0F) * 2.0F) == -2 * most(first));
        CHECK(difference(named<"h">(x * 2.0F), named<"g">(x * 3.0F)) == -most(first));
        const auto h = named<"h">(map(Plus{1}, x) * 2.0F);
        CHECK(difference(h * 3.0F, h) == 4 * (most(first) + rows));
        CHECK(difference(roll(x, 1, axes<0>), 2 * roll(x, 2, axes<1>)) == -most(first));
    }
}
