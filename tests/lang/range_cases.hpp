// SPDX-License-Identifier: Apache-2.0
//
// Arrays without memory: broadcast_to, arange and linspace as operands of maps, reductions over any axes, scans and
// steps, against plain loops.
#pragma once

#include "fuse/stencil.hpp"
#include "lang/random_cases.hpp"

namespace fuse::testing {

template <class F>
NdArray filled_by(const Extent& extent, F f) {
    NdArray a(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) { a(at) = f(at); });
    return a;
}

template <class Target>
void check_arange(const Target& target) {
    for (const index_t n : {0, 1, 2, 63, 64, 65, 257, 4099}) {
        const auto d = static_cast<double>(n);
        Tensor<Target, std::int64_t> y({n}), z({n});
        Tensor<Target, double> w({n}), l({n});
        Tensor<Target, float> f({n});
        target.eval(y.template view<"y", 1>() = arange(n), z.template view<"z", 1>() = arange(5, 5 - 3 * n, -3),
                    w.template view<"w", 1>() = arange(0.5, 0.5 + 0.25 * d, 0.25),
                    l.template view<"l", 1>() = linspace(-1, 2, n), f.template view<"f", 1>() = linspace(0.F, 1.F, n));
        check_equal(y.read(), filled_by({n}, [](const Coordinate& at) { return static_cast<double>(at[0]); }));
        check_equal(z.read(), filled_by({n}, [](const Coordinate& at) { return static_cast<double>(5 - 3 * at[0]); }));
        check_equal(w.read(),
                    filled_by({n}, [](const Coordinate& at) { return 0.5 + 0.25 * static_cast<double>(at[0]); }));
        const NdArray ends = l.read();
        check_close(
            ends,
            filled_by({n},
                      [&](const Coordinate& at) { return n > 1 ? -1 + 3 * static_cast<double>(at[0]) / (d - 1) : -1; }),
            1e-15, 1e-15);
        CHECK((n == 0 ||
               (ends.value.front() == -1 && (n == 1 || (ends.value.back() == 2 && f.read().value.back() == 1)))));

        CHECK(target.value(sum(arange(n))) == n * (n - 1) / 2);
        CHECK(target.value(sum(broadcast_to(2, n))) == 2 * n);
        CHECK(target.value(count_nonzero(arange(n) % 3 == 0)) == (n + 2) / 3);
    }
    CHECK(target.value(sum(arange(300001))) == index_t{300001} * 150000);
    CHECK(target.value(argmax(-abs(arange(100001) - 70003))) == 70003);
    // The integral of sin over half a turn, by the trapezoidal rule.
    const double pi = 3.14159265358979323846;
    CHECK(std::fabs(target.value(sum(sin(linspace(0.0, pi, 20001)))) * pi / 20000 - 2) < 1e-7);
}

/// Of a table of i * 100 + j without memory: over every set of axes, broadcast back, scanned, and beside arrays.
template <class Target>
void check_tables(const Target& target) {
    for (const auto& [m, n] :
         {std::pair<index_t, index_t>{3, 70}, {130, 5}, {1, 9}, {9, 1}, {0, 4}, {4, 0}, {40, 129}}) {
        const auto table = fuse::expand_dims<1>(arange(m)) * 100 + arange(n);
        const NdArray plain =
            filled_by({m, n}, [](const Coordinate& at) { return static_cast<double>(at[0] * 100 + at[1]); });
        Tensor<Target, std::int64_t> y({m, n}, Placement::transposed), r({m}), c({n}), s({m, n}), centred({m, n});
        target.eval(y.template view<"y", 2>() = table, r.template view<"r", 1>() = sum(table, axes<1>));
        target.eval(c.template view<"c", 1>() = sum(table, axes<0>),
                    s.template view<"s", 2>() = cumsum(table, axes<1>));
        target.eval(centred.template view<"d", 2>() =
                        table - sum(table, axes<0>, keepdims) + sum(table, axes<1>, keepdims));
        check_equal(y.read(), plain);
        const NdArray rows = reduce_reference(sum_reference, plain, 2, true);
        const NdArray columns = reduce_reference(sum_reference, plain, 1, true);
        check_equal(r.read(), reduce_reference(sum_reference, plain, 2));
        check_equal(c.read(), reduce_reference(sum_reference, plain, 1));
        check_equal(centred.read(),
                    map_reference([](double t, double k, double w) { return t - k + w; }, plain, columns, rows));
        double running = 0;
        check_equal(s.read(), filled_by({m, n}, [&](const Coordinate& at) {
                        return running = plain(at) + (at[1] == 0 ? 0 : running);
                    }));

        const NdArray values = random_integers({m, n}, -9, 9, 5);
        Tensor<Target, float> x(values), masked({m, n}), lower({m});
        const auto v = x.template view<"x", 2>();
        const auto mask = fuse::expand_dims<1>(arange(m)) >= arange(n);
        target.eval(masked.template view<"k", 2>() = where(mask, v, 0),
                    lower.template view<"t", 1>() = sum(where(mask, v, 0), axes<1>));
        const NdArray kept = filled_by({m, n}, [&](const Coordinate& at) { return at[0] >= at[1] ? values(at) : 0; });
        check_equal(masked.read(), kept);
        check_equal(lower.read(), reduce_reference(sum_reference, kept, 2));
    }
}

/// Of views of every rank: elements, sums that count what is repeated, and parts.
template <class Target>
void check_broadcast_to(const Target& target) {
    const auto check = [&]<int Rank>(const Extent& own, const Extent& wanted, std::integral_constant<int, Rank>) {
        const NdArray values = random_integers(own, -9, 9, 7);
        const NdArray plain = map_reference([](double a, double) { return a; }, values, NdArray(wanted));
        for (const Placement placement : {Placement::row_major, Placement::transposed, Placement::reversed}) {
            Tensor<Target, float> x(values, placement), y(wanted, placement), first({wanted[1], wanted[2]}),
                turned({wanted[2], wanted[1], wanted[0]});
            Tensor<Target, float> over0({wanted[1], wanted[2]}), over12({wanted[0]});
            const auto b = broadcast_to(x.template view<"x", Rank>(), wanted[0], wanted[1], wanted[2]);
            target.eval(y.template view<"y", 3>() = b);
            target.eval(over0.template view<"a", 2>() = sum(b, axes<0>));
            target.eval(over12.template view<"b", 1>() = sum(b, axes<1, 2>));
            check_equal(y.read(), plain);
            CHECK(y.gaps_intact());
            check_equal(over0.read(), reduce_reference(sum_reference, plain, 1));
            check_equal(over12.read(), reduce_reference(sum_reference, plain, 6));
            CHECK(target.value(sum(b)) == static_cast<float>(sum_reference(plain.value)));
            if (wanted[0] > 0) {
                target.eval(first.template view<"f", 2>() = b[-1]);
                target.eval(turned.template view<"t", 3>() = transpose(b));
                check_equal(first.read(), filled_by({wanted[1], wanted[2]}, [&](const Coordinate& at) {
                                return plain({wanted[0] - 1, at[0], at[1]});
                            }));
                check_equal(turned.read(), filled_by({wanted[2], wanted[1], wanted[0]}, [&](const Coordinate& at) {
                                return plain({at[2], at[1], at[0]});
                            }));
            }
        }
    };
    check({3, 4, 5}, {3, 4, 5}, std::integral_constant<int, 3>());
    check({3, 1, 65}, {3, 4, 65}, std::integral_constant<int, 3>());
    check({1, 33, 1}, {7, 33, 6}, std::integral_constant<int, 3>());
    check({7}, {2, 40, 7}, std::integral_constant<int, 1>());
    check({1}, {2, 3, 70}, std::integral_constant<int, 1>());
    check({}, {5, 1, 9}, std::integral_constant<int, 0>());
    check({4, 1}, {0, 4, 3}, std::integral_constant<int, 2>());
}

/// Parts of what is made of coordinates, which are those of the whole.
template <class Target>
void check_range_parts(const Target& target) {
    for (const index_t n : {1, 2, 65, 300}) {
        Tensor<Target, std::int64_t> back({n}), odd({n / 2}), round({n}), around({n + 3}), one({1});
        Tensor<Target, double> down({n});
        target.eval(back.template view<"b", 1>() = flip(arange(n)),
                    round.template view<"r", 1>() = roll(arange(n) * 10, 1),
                    down.template view<"d", 1>() = flip(linspace(0, 1, n)));
        target.eval(odd.template view<"o", 1>() = slice<0>(slice<0>(arange(-5, 3 * n), 5, 5 + n), 1, {}, 2));
        target.eval(around.template view<"a", 1>() = pad(arange(1, n + 1), 1, 2));
        target.eval(one.template view<"1", 1>() = arange(n)[-1]);
        const auto at = [](auto f) { return [f](const Coordinate& c) { return static_cast<double>(f(c[0])); }; };
        check_equal(back.read(), filled_by({n}, at([n](index_t i) { return n - 1 - i; })));
        check_equal(round.read(), filled_by({n}, at([n](index_t i) { return (i + n - 1) % n * 10; })));
        check_equal(odd.read(), filled_by({n / 2}, at([](index_t i) { return 2 * i + 1; })));
        check_equal(around.read(), filled_by({n + 3}, at([n](index_t i) { return i > n ? 0 : i; })));
        check_equal(one.read(), filled_by({1}, at([n](index_t) { return n - 1; })));
        check_close(down.read(),
                    filled_by({n},
                              [n](const Coordinate& c) {
                                  return n > 1 ? static_cast<double>(n - 1 - c[0]) / static_cast<double>(n - 1) : 0;
                              }),
                    1e-15, 1e-15);
        CHECK(target.value(sum(slice<0>(arange(n), {}, {}, -1))) == n * (n - 1) / 2);
    }
    // A grid, and one that is stretched along an axis of extent 1.
    const auto grid = broadcast_to(fuse::index<0>() * 100 + fuse::index<-1>(), 4, 7);
    const auto row = broadcast_to(fuse::index<1>() + 10 * fuse::index<0>(), 1, 7) + fuse::expand_dims<1>(arange(3)) * 0;
    Tensor<Target, std::int64_t> turned({7, 4}), column({4}), last({7}), part({2, 3}), stretched({2, 7});
    target.eval(turned.template view<"t", 2>() = transpose(grid));
    target.eval(column.template view<"c", 1>() = fuse::column(grid, 5));
    target.eval(last.template view<"l", 1>() = grid[-1]);
    target.eval(part.template view<"p", 2>() = slice<1>(slice<0>(grid, 1, 3), 6, 0, -2));
    target.eval(stretched.template view<"s", 2>() = slice<0>(row, 1, 3));
    const auto plain = [](auto f) { return [f](const Coordinate& c) { return static_cast<double>(f(c)); }; };
    check_equal(turned.read(), filled_by({7, 4}, plain([](const Coordinate& c) { return c[1] * 100 + c[0]; })));
    check_equal(column.read(), filled_by({4}, plain([](const Coordinate& c) { return c[0] * 100 + 5; })));
    check_equal(last.read(), filled_by({7}, plain([](const Coordinate& c) { return 300 + c[0]; })));
    check_equal(part.read(),
                filled_by({2, 3}, plain([](const Coordinate& c) { return (c[0] + 1) * 100 + 6 - 2 * c[1]; })));
    check_equal(stretched.read(), filled_by({2, 7}, plain([](const Coordinate& c) { return c[1]; })));
}

/// Random numbers count in the shape that they are given, whatever stands around it.
template <class Target>
void check_random_arrays(const Target& target) {
    const Extent extent{3, 41};
    const NdArray numbers = plain_numbers<Uniform<double>>(7, extent);
    const auto u = broadcast_to(fuse::uniform<double>(7), fuse::extents<fuse::dynamic, 41>{3});
    Tensor<Target, double> y({2, 3, 41}), x(random_reals({2, 1, 1}, 1, 2, 3)), m({41});
    target.eval(y.template view<"y", 3>() = u * x.template view<"x", 3>(),
                m.template view<"m", 1>() = mean(u, axes<0>));
    check_equal(y.read(), map_reference([](double a, double b) { return a * b; }, x.read(), numbers));
    check_close(m.read(), reduce_reference(mean_reference, numbers, 1), 1e-15);
    // A quarter of a circle, within five standard deviations.
    const auto inside = square(fuse::uniform(1)) + square(fuse::uniform(2)) < 1;
    CHECK(std::fabs(4 * target.value(mean(broadcast_to(cast<float>(inside), 40000))) - 3.14159F) < 0.041F);
}

}  // namespace fuse::testing
