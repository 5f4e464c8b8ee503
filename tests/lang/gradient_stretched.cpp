// SPDX-License-Identifier: Apache-2.0
//
// Extents of 1 that only at run time turn out to be stretched, beside operands of all kinds: the derivative with respect to
// what is stretched is refused, that with respect to what is not is right. Views without a name have one type and
// several extents.
#include <vector>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

using Catch::Matchers::Contains;
using fuse::index_t;
using fuse::view;

namespace {

using Numbers = std::vector<double>;

constexpr index_t columns = 3;

Numbers numbers(index_t rows, double first) {
    Numbers n;
    for (index_t i = 0; i < rows * columns; ++i) {
        n.push_back(first + 0.5 * static_cast<double>(i % 7));
    }
    return n;
}

// Rows of numbers as operands of several kinds: with a name, without, as parts of larger arrays, and computed.
template <fuse::fixed_name N>
auto named(const Numbers& n, index_t rows) {
    return view<N>(n.data(), rows, columns);
}
auto unnamed(const Numbers& n, index_t rows) {
    return view(n.data(), rows, columns);
}
template <fuse::fixed_name N>
auto part(const Numbers& n, index_t rows) {
    return fuse::slice<0>(view<N>(n.data(), static_cast<index_t>(n.size()) / columns, columns), 0, rows);
}
auto unnamed_part(const Numbers& n, index_t rows) {
    return fuse::slice<0>(view(n.data(), static_cast<index_t>(n.size()) / columns, columns), 0, rows);
}

double at(const Numbers& n, index_t rows, index_t i, index_t k) {
    return n[static_cast<std::size_t>((rows == 1 ? 0 : i) * columns + k)];
}

/// sum((x q + r)^2) of x and q with one row or several, and r with several.
template <class MakeQ, class MakeR>
void check(const char* kinds, MakeQ&& make_q, MakeR&& make_r) {
    constexpr index_t most = 4;
    const Numbers xs = numbers(most, 0.5);
    const Numbers qs = numbers(most, -2);
    const Numbers rs = numbers(most, 1);
    for (const index_t x_rows : {index_t{1}, most}) {
        for (const index_t q_rows : {index_t{1}, most}) {
            INFO(kinds << ", x of " << x_rows << " rows, q of " << q_rows);
            const auto x = named<"x">(xs, x_rows);
            const auto loss = sum(square(x * make_q(qs, q_rows) + make_r(rs, most)));
            if (x_rows == 1) {
                CHECK_THROWS_WITH(gradient(loss, x), Contains("is stretched to (4, 3)"));
                continue;
            }
            Numbers got(static_cast<std::size_t>(most * columns));
            eval(fuse::host, view<"dx">(got.data(), most, columns) = gradient(loss, x));
            for (index_t i = 0; i < most; ++i) {
                for (index_t k = 0; k < columns; ++k) {
                    const double q = at(qs, q_rows, i, k);
                    const double wanted = 2 * (at(xs, most, i, k) * q + at(rs, most, i, k)) * q;
                    CHECK(at(got, most, i, k) == Approx(wanted));
                }
            }
        }
    }
}

/// The same with every kind of r.
template <class MakeQ>
void check_all(const char* kind, MakeQ&& make_q) {
    INFO(kind);
    check("r with a name", make_q, [](const Numbers& n, index_t rows) { return named<"r">(n, rows); });
    check("r without", make_q, [](const Numbers& n, index_t rows) { return unnamed(n, rows); });
    check("r a part", make_q, [](const Numbers& n, index_t rows) { return part<"rr">(n, rows); });
    check("r a part of what has no name", make_q, [](const Numbers& n, index_t rows) { return unnamed_part(n, rows); });
    check("r computed", make_q, [](const Numbers& n, index_t rows) { return exp(log(unnamed(n, rows))); });
}

}  // namespace

TEST_CASE("the gradient of what is stretched at run time is refused whatever stands beside it") {
    check_all("q with a name", [](const Numbers& n, index_t rows) { return named<"q">(n, rows); });
    check_all("q without", [](const Numbers& n, index_t rows) { return unnamed(n, rows); });
    check_all("q a part", [](const Numbers& n, index_t rows) { return part<"qq">(n, rows); });
    check_all("q a part of what has no name", [](const Numbers& n, index_t rows) { return unnamed_part(n, rows); });
    check_all("q computed", [](const Numbers& n, index_t rows) { return unnamed(n, rows) * 1.0; });
}

TEST_CASE("operands that do not fit each other are named as without a gradient") {
    const Numbers n = numbers(4, 1);
    const auto x = named<"x">(n, 4);
    const auto shorter = named<"r">(n, 3);
    const auto narrow = view<"r">(n.data(), 4, 2);
    CHECK_THROWS_WITH(gradient(sum(x * shorter), x), Contains("cannot broadcast x(4, 3) with r(3, 3) on axis 0"));
    CHECK_THROWS_WITH(gradient(sum(exp(x * narrow) + x), x),
                      Contains("cannot broadcast x(4, 3) with r(4, 2) on axis 1"));
    CHECK_THROWS_WITH(gradient(sum(x * (unnamed(n, 3) + shorter)), x), Contains("cannot broadcast x(4, 3) with"));
    CHECK_THROWS_WITH(vjp(x * sum(shorter * narrow, fuse::axes<1>, fuse::keepdims), x, x),
                      Contains("cannot broadcast r"));
}
