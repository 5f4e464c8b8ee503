// SPDX-License-Identifier: Apache-2.0
//
// roll and pad of views and expressions against loops over the elements: every rank, layout and kind of kernel, and
// programs of users that are made of them.
#pragma once

#include "fuse/stencil.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// i - shift, counted round an extent.
inline index_t turned_round(index_t i, index_t shift, index_t extent) {
    const index_t at = (i - shift) % extent;
    return at < 0 ? at + extent : at;
}
/// numpy.roll along one axis.
inline NdArray roll_reference(const NdArray& x, index_t shift, std::size_t axis) {
    NdArray result(x.extent);
    for_each_coordinate(x.extent, [&](const Coordinate& at) {
        Coordinate from = at;
        from[axis] = turned_round(at[axis], shift, x.extent[axis]);
        result(at) = x(from);
    });
    return result;
}
/// numpy.pad along one axis.
inline NdArray pad_reference(const NdArray& x, index_t before, index_t after, std::size_t axis, double value = 0) {
    Extent extent = x.extent;
    extent[axis] += before + after;
    NdArray result(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        Coordinate from = at;
        from[axis] -= before;
        result(at) = from[axis] >= 0 && from[axis] < x.extent[axis] ? x(from) : value;
    });
    return result;
}

inline constexpr index_t shifts[] = {0, 1, -1, 2, -3, 64, -130, 1000003, -1000003};

/// Of one axis: every shift and padding of short and long arrays.
template <class Target>
void check_lines(const Target& target) {
    for (const index_t n : {0, 1, 2, 7, 64, 129, 4099}) {
        const NdArray plain = random_integers({n}, -99, 99, 3);
        Tensor<Target, float> x(plain);
        const auto v = x.template const_view<"x", 1>();
        for (const index_t s : shifts) {
            Tensor<Target, float> y({n});
            target.eval(y.template view<"y", 1>() = roll(v, s));
            check_equal(y.read(), n > 0 ? roll_reference(plain, s, 0) : plain);
        }
        for (const auto& [before, after] : {std::pair<index_t, index_t>{0, 0}, {1, 0}, {0, 3}, {2, 2}, {70, 65}}) {
            Tensor<Target, float> y({n + before + after});
            target.eval(y.template view<"y", 1>() = pad(v * 2 + 1, before, after, axes<0>, -5));
            check_equal(y.read(),
                        pad_reference(map_reference([](double a) { return 2 * a + 1; }, plain), before, after, 0, -5));
        }
    }
}

/// Of three axes in every layout, some of them shifted and padded.
template <class Target>
void check_boxes(const Target& target) {
    for (const Extent& extent : {Extent{3, 4, 5}, {1, 7, 65}, {4, 1, 6}, {5, 3, 1}, {2, 0, 3}, {2, 33, 8}}) {
        const NdArray plain = random_integers(extent, -99, 99, 5);
        const bool any = plain.size() > 0;
        for (const Placement placement : all_placements) {
            INFO(to_text(extent) << " " << static_cast<int>(placement));
            Tensor<Target, float> x(plain, placement);
            const auto v = x.template const_view<"x", 3>();
            Tensor<Target, float> y(extent, placement), turned({extent[2], extent[1], extent[0]});
            target.eval(y.template view<"y", 3>() = roll(v, {2, -1, 7}, axes<0, 1, -1>));
            target.eval(turned.template view<"y", 3>() = transpose(roll(v, 1, axes<1>)));
            const NdArray rolled = any ? roll_reference(plain, -1, 1) : plain;
            check_equal(y.read(), any ? roll_reference(roll_reference(rolled, 2, 0), 7, 2) : plain);
            CHECK(y.gaps_intact());
            NdArray back({extent[2], extent[1], extent[0]});
            const NdArray shifted = any ? roll_reference(plain, 1, 1) : plain;
            for_each_coordinate(back.extent, [&](const Coordinate& at) { back(at) = shifted({at[2], at[1], at[0]}); });
            check_equal(turned.read(), back);

            Tensor<Target, float> around({extent[0] + 2, extent[1] + 2, extent[2] + 2}, placement);
            Tensor<Target, float> ends({extent[0] + 3, extent[1], extent[2] + 1});
            target.eval(around.template view<"y", 3>() = pad(v, 1, 1));
            target.eval(ends.template view<"y", 3>() = pad(v, {1, 0}, {2, 1}, axes<0, 2>, 9));
            check_equal(around.read(), pad_reference(pad_reference(pad_reference(plain, 1, 1, 0), 1, 1, 1), 1, 1, 2));
            check_equal(ends.read(), pad_reference(pad_reference(plain, 1, 2, 0, 9), 0, 1, 2, 9));
        }
    }
}

/// What is shifted is folded, scanned and broadcast, in rows, columns and everything; operands broadcast.
template <class Target>
void check_shifted_folds(const Target& target) {
    for (const auto& [m, n] :
         {std::pair<index_t, index_t>{3, 70}, {130, 5}, {1, 9}, {9, 1}, {0, 4}, {40, 129}, {2, 5000}}) {
        const NdArray x_plain = random_integers({m, n}, -9, 9, 5);
        const NdArray w_plain = random_integers({n}, -3, 3, 6);
        Tensor<Target, float> x(x_plain), w(w_plain);
        const auto u = x.template const_view<"x", 2>();
        const auto v = w.template const_view<"w", 1>();
        const auto e = roll(u * v + 1, 3, axes<1>) * u;
        const NdArray scaled = map_reference([](double a, double b) { return a * b + 1; }, x_plain, w_plain);
        const NdArray plain = map_reference([](double a, double b) { return a * b; },
                                            m > 0 ? roll_reference(scaled, 3, 1) : scaled, x_plain);
        Tensor<Target, float> rows({m}), columns({n}), spread({m, n}), scan({m, n});
        target.eval(rows.template view<"r", 1>() = sum(e, axes<1>));
        target.eval(columns.template view<"c", 1>() = sum(e, axes<0>));
        target.eval(spread.template view<"s", 2>() = e - max(roll(u, -1, axes<1>), axes<1>, keepdims));
        target.eval(scan.template view<"t", 2>() = cumsum(roll(u, 1, axes<0>), axes<1>, reverse));
        check_equal(rows.read(), reduce_reference(sum_reference, plain, 2));
        check_equal(columns.read(), reduce_reference(sum_reference, plain, 1));
        if (m > 0) {
            const auto largest_of = [](const Numbers& a) { return *std::max_element(a.begin(), a.end()); };
            check_equal(spread.read(), map_reference([](double a, double b) { return a - b; }, plain,
                                                     reduce_reference(largest_of, x_plain, 2, true)));
            const NdArray down = roll_reference(x_plain, 1, 0);
            NdArray running({m, n});
            for (index_t r = 0; r < m; ++r) {
                for (index_t c = n; c-- > 0;) {
                    running({r, c}) = down({r, c}) + (c + 1 < n ? running({r, c + 1}) : 0);
                }
            }
            check_equal(scan.read(), running);
        }
        Tensor<Target, float> padded({m});
        target.eval(padded.template view<"p", 1>() = sum(pad(u, 2, 1, axes<1>, 4), axes<1>));
        check_equal(padded.read(), reduce_reference(sum_reference, pad_reference(x_plain, 2, 1, 1, 4), 2));
        CHECK(target.value(sum(e)) == static_cast<float>(sum_reference(plain.value)));
    }
}

/// Parts of what is shifted, and shifts of parts.
template <class Target>
void check_shifted_parts(const Target& target) {
    const index_t n = 23;
    const NdArray plain = random_integers({n}, -99, 99, 8);
    Tensor<Target, float> x(plain);
    const auto v = x.template const_view<"x", 1>();
    const auto expect = [&](const auto& e, index_t count, auto at) {
        Tensor<Target, float> y({count});
        target.eval(y.template view<"y", 1>() = e);
        NdArray wanted({count});
        for (index_t i = 0; i < count; ++i) {
            wanted({i}) = at(i);
        }
        check_equal(y.read(), wanted);
    };
    const auto element = [&](index_t i) { return i >= 0 && i < n ? plain({i}) : 0; };
    for (const index_t s : {0, 5, -4, 22, 100}) {
        expect(slice<0>(roll(v, s), 2, 20, 3), 6, [&](index_t i) { return plain({turned_round(2 + 3 * i, s, n)}); });
        expect(flip(roll(v * 1, s)), n, [&](index_t i) { return plain({turned_round(n - 1 - i, s, n)}); });
        expect(roll(slice<0>(v, 20, 2, -3), s), 6, [&](index_t i) { return plain({20 - 3 * turned_round(i, s, 6)}); });
        expect(roll(slice<0>(roll(v, s), 1, 12), -s), 11,
               [&](index_t i) { return plain({turned_round(1 + turned_round(i, -s, 11), s, n)}); });
        expect(slice<0>(pad(roll(v, s), 3, 4), {}, {}, -2), 15, [&](index_t i) {
            const index_t at = 29 - 2 * i - 3;
            return at >= 0 && at < n ? plain({turned_round(at, s, n)}) : 0;
        });
        expect(roll(pad(v, 2, 1), s), 26, [&](index_t i) { return element(turned_round(i, s, 26) - 2); });
    }
    expect(pad(pad(v, 1, 0, axes<0>, 5), 0, 2, axes<0>, 6), n + 3, [&](index_t i) {
        return i == 0 ? 5 : i > n ? 6 : plain({i - 1});
    });
    const auto m = reshape(slice<0>(v, 0, 20), 4, 5);
    expect(roll(m, 1, axes<0>)[0] + column(transpose(roll(m, 2, axes<1>)), 3), 5,
           [&](index_t i) { return plain({15 + i}) + plain({15 + turned_round(i, 2, 5)}); });
    expect(pad(m, 1, 2)[-1] + pad(m, 1, 2)[1], 8, [&](index_t i) { return i > 0 && i < 6 ? plain({i - 1}) : 0; });
}

/// Elements of T come out as they are.
template <class T, class Target>
void check_shifted_type(const Target& target) {
    const NdArray plain = random_integers({3, 37}, 0, std::is_same_v<T, bool> ? 1 : 99, 8);
    Tensor<Target, T> x(plain), y({3, 37}), z({3, 40});
    const auto v = x.template const_view<"x", 2>();
    target.eval(y.template view<"y", 2>() = roll(v, {1, 9}, axes<0, 1>));
    target.eval(z.template view<"z", 2>() = pad(v, 1, 2, axes<1>, 1));
    check_equal(y.read(), roll_reference(roll_reference(plain, 1, 0), 9, 1));
    check_equal(z.read(), pad_reference(plain, 1, 2, 1, 1));
}

/// Neighbours along both axes, round the ends and beyond them, in one map.
template <class T, class Target>
void check_neighbours(const Target& target, const Extent& extent, Placement placement = Placement::row_major) {
    const NdArray plain = random_integers(extent, 0, 9, 12);
    Tensor<Target, T> x(plain, placement), ring(extent, placement), plate(extent);
    const auto v = x.template const_view<"x", 2>();
    target.eval(ring.template view<"r", 2>() =
                    v + 2 * roll(v, 1, axes<0>) + 3 * roll(v, -1, axes<1>) - roll(v, {-1, 2}, axes<0, 1>));
    const auto around = pad(v, 1, 1, axes<0, 1>, 5);
    const index_t m = extent[0];
    const index_t n = extent[1];
    target.eval(plate.template view<"p", 2>() = slice<1>(slice<0>(around, 0, m), 1, n + 1) -
                                                2 * slice<1>(slice<0>(around, 1, m + 1), 2, n + 2) + v);
    const auto rolled = [&](index_t down, index_t right) {
        return roll_reference(roll_reference(plain, down, 0), right, 1);
    };
    check_equal(ring.read(),
                map_reference([](double c, double d, double r, double both) { return c + 2 * d + 3 * r - both; }, plain,
                              rolled(1, 0), rolled(0, -1), rolled(-1, 2)));
    NdArray expected(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        const auto cell = [&](index_t i, index_t j) { return i < 0 || j >= n ? 5.0 : plain({i, j}); };
        expected(at) = cell(at[0] - 1, at[1]) - 2 * cell(at[0], at[1] + 1) + plain(at);
    });
    check_equal(plate.read(), expected);
}

/// Distances that 32 bits do not hold: the window is narrow, what lies around it is not.
template <class Target>
void check_far_ends(const Target& target) {
    const index_t far = index_t{1} << 31U;
    const NdArray plain = random_integers({6, 43}, 1, 9, 13);
    Tensor<Target, float> x(plain), y({6, 50});
    const auto around = pad(roll(x.template const_view<"x", 2>(), 1, axes<0>), far, far, axes<1>);
    target.eval(y.template view<"y", 2>() = slice<1>(roll(around, 3 - far, axes<1>), 0, 50));
    check_equal(y.read(), pad_reference(roll_reference(plain, 1, 0), 3, 4, 1));
}

/// The heat equation on a ring, by steps that are prepared once and exchange their arrays; on a plate with cold edges; a
/// filter of three taps.
template <class Target>
void check_stencils(const Target& target) {
    const index_t n = 1000;
    NdArray heat = random_reals({n}, 0, 1, 4);
    Tensor<Target, double> a(heat), b({n});
    auto u = a.template view<"u", 1>();
    auto next = b.template view<"next", 1>();
    for (int step = 0; step < 5; ++step) {
        target.eval(next = u + 0.2 * (roll(u, 1) - 2 * u + roll(u, -1)));
        target.eval(u = next + 0.2 * (roll(next, 1) - 2 * next + roll(next, -1)));
    }
    for (int step = 0; step < 10; ++step) {
        heat = map_reference([](double c, double l, double r) { return c + 0.2 * (l - 2 * c + r); }, heat,
                             roll_reference(heat, 1, 0), roll_reference(heat, -1, 0));
    }
    check_close(a.read(), heat, 1e-14, 1e-14);

    const NdArray plate = random_reals({19, 67}, 0, 1, 4);
    Tensor<Target, double> p(plate), laplacian({19, 67});
    const auto q = p.template const_view<"p", 2>();
    const auto around = pad(q, 1, 1);
    target.eval(laplacian.template view<"l", 2>() =
                    slice<1>(slice<0>(around, 0, 19), 1, 68) + slice<1>(slice<0>(around, 2, 21), 1, 68) +
                    slice<0>(slice<1>(around, 0, 67), 1, 20) + slice<0>(slice<1>(around, 2, 69), 1, 20) - 4 * q);
    NdArray expected({19, 67});
    for_each_coordinate(expected.extent, [&](const Coordinate& at) {
        const auto cell = [&](index_t i, index_t j) {
            return i < 0 || i >= 19 || j < 0 || j >= 67 ? 0.0 : plate({i, j});
        };
        const index_t i = at[0];
        const index_t j = at[1];
        expected(at) = cell(i - 1, j) + cell(i + 1, j) + cell(i, j - 1) + cell(i, j + 1) - 4 * cell(i, j);
    });
    check_close(laplacian.read(), expected, 1e-14, 1e-14);

    const auto smooth = [](const auto& x) { return 0.25 * roll(x, 1) + 0.5 * x + 0.25 * roll(x, -1); };
    Tensor<Target, double> twice({n});
    target.eval(twice.template view<"y", 1>() = smooth(smooth(a.template const_view<"u", 1>())));
    for (int pass = 0; pass < 2; ++pass) {
        heat = map_reference([](double c, double l, double r) { return 0.25 * l + 0.5 * c + 0.25 * r; }, heat,
                             roll_reference(heat, 1, 0), roll_reference(heat, -1, 0));
    }
    check_close(twice.read(), heat, 1e-14, 1e-14);
}

}  // namespace fuse::testing
