// SPDX-License-Identifier: Apache-2.0
//
// Scans of rows of 1 to 2049 elements, which a few threads take in shared memory: all short lengths, in both directions,
// operands of several types, one row that all share, one element of each row, and results of whole rows beside them.
#pragma once

#include "lang/scan_cases.hpp"

namespace fuse::testing {

/// Every length up to 40, and those around the multiples of what a thread takes.
inline std::vector<Extent> short_scan_shapes() {
    std::vector<Extent> shapes{{1, 1, 5}, {1, 3, 7}, {1, 1000, 3}, {7, 31, 5}};
    for (index_t n = 1; n <= 40; ++n) {
        shapes.push_back({2, 35, n});
    }
    for (const index_t n : {48,  49,  63,  64,  65,  96,  127,  128,  129,  200,  255,  256, 257,
                            383, 384, 511, 512, 513, 600, 1000, 1024, 1025, 2047, 2048, 2049}) {
        shapes.push_back({1, 9, n});
    }
    return shapes;
}

/// Whole numbers whose sums stay below 100 from wherever they begin.
inline NdArray alternating(const Extent& extent) {
    NdArray a(extent);
    for (std::size_t i = 0; i < a.value.size(); ++i) {
        a.value[i] = static_cast<double>(i * i % 41) * (i % 2 == 0 ? 1 : -1);
    }
    return a;
}

/// y = a + the running sum of x w v from either end, bytes beside doubles, w one row, a one element of each row.
template <bool Backwards, class Target>
void check_mixed_scans(const Target& target, const std::vector<Extent>& shapes, Placement bytes, Placement doubles) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", backwards " << Backwards << ", placements " << static_cast<int>(bytes)
                      << ' ' << static_cast<int>(doubles));
        const index_t n = extent[2];
        Tensor<Target, std::int8_t> x_data(random_integers(extent, -9, 9, 21), bytes);
        Tensor<Target, double> v_data(random_integers(extent, -5, 5, 22), doubles);
        Tensor<Target, float> w_data(random_integers({n}, 1, 3, 23));
        Tensor<Target, double> a_data(random_integers({extent[0], extent[1], 1}, -100, 100, 24));
        const NdArray x = x_data.read(), v = v_data.read(), w = w_data.read(), a = a_data.read();
        NdArray wanted(extent), counted(extent);
        for (index_t row = 0; row < extent[0] * extent[1]; ++row) {
            double total = 0;
            double largest = -HUGE_VAL;
            for (index_t k = 0; k < n; ++k) {
                const index_t s = Backwards ? n - 1 - k : k;
                const auto at = static_cast<std::size_t>(row * n + s);
                total += x.value[at] * v.value[at] * w.value[static_cast<std::size_t>(s)];
                largest = largest > x.value[at] ? largest : x.value[at];
                wanted.value[at] = a.value[static_cast<std::size_t>(row)] + total;
                counted.value[at] = largest;
            }
        }
        Tensor<Target, double> y_data(extent, doubles);
        Tensor<Target, std::int8_t> most_data(extent, bytes);
        const auto X = x_data.template const_view<"x", 3>();
        const auto product = X * v_data.template const_view<"v", 3>() * w_data.template const_view<"w", 1>();
        const auto A = a_data.template const_view<"a", 3>();
        if constexpr (Backwards) {
            target.eval(y_data.template view<"y", 3>() = A + cumsum(product, axes<2>, reverse),
                        most_data.template view<"most", 3>() = cummax(X, axes<2>, reverse));
        } else {
            target.eval(y_data.template view<"y", 3>() = A + cumsum(product, axes<2>),
                        most_data.template view<"most", 3>() = cummax(X, axes<2>));
        }
        check_equal(y_data.read(), wanted);
        check_equal(most_data.read(), counted);
        CHECK(y_data.gaps_intact());
        CHECK(most_data.gaps_intact());
    }
}

/// y = the running sum of x from the end, exact in T.
template <class T, class Target>
void check_reverse_rows(const Target& target, const std::vector<Extent>& shapes, Placement placement) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
        Tensor<Target, T> x_data(alternating(extent), placement);
        Tensor<Target, T> y_data(extent, placement);
        target.eval(y_data.template view<"y", 3>() = cumsum(x_data.template const_view<"x", 3>(), axes<2>, reverse));
        const NdArray x = x_data.read();
        NdArray wanted(extent);
        const index_t n = extent[2];
        for (index_t row = 0; row < extent[0] * extent[1]; ++row) {
            double total = 0;
            for (index_t s = n; s-- > 0;) {
                const auto at = static_cast<std::size_t>(row * n + s);
                total += x.value[at];
                wanted.value[at] = total;
            }
        }
        check_equal(y_data.read(), wanted);
        CHECK(y_data.gaps_intact());
    }
}

/// Running sums beside whole ones, in one pass: running shares of each row.
template <class Target>
void check_scan_totals(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_integers(extent, 1, 9, 25);
        Tensor<Target, float> x_data(x), y_data(extent), t_data(Extent{extent[0], extent[1]});
        const auto X = x_data.template const_view<"x", 3>();
        target.eval(y_data.template view<"y", 3>() = cumsum(X, axes<2>, exclusive),
                    t_data.template view<"t", 2>() = sum(X, axes<2>));
        check_equal(y_data.read(), cumsum_reference(x, 2, true));
        check_equal(t_data.read(), reduce_reference(sum_reference, x, 0b100));
    }
}

template <class Target>
void check_short_scans(const Target& target) {
    const std::vector<Extent> shapes = short_scan_shapes();
    const std::vector<Extent> few{{1, 1, 5}, {1, 3, 5}, {2, 75, 8}, {1, 129, 11}, {2, 7, 64}, {1, 5, 129}, {2, 3, 512}};
    check_mixed_scans<false>(target, shapes, Placement::row_major, Placement::row_major);
    check_mixed_scans<true>(target, shapes, Placement::row_major, Placement::row_major);
    for (const Placement bytes : all_placements) {
        check_mixed_scans<false>(target, few, bytes, Placement::row_major);
        check_mixed_scans<true>(target, few, bytes, Placement::misaligned);
        check_mixed_scans<true>(target, few, Placement::misaligned, bytes);
    }
    // And longer ones, of whole vectors and not, few enough to be shared by blocks or not.
    const std::vector<Extent> longer{{1, 3, 4096},  {2, 40, 2304}, {1, 2, 4100},
                                     {1, 1, 20000}, {1, 1, 20001}, {1, 2, 32768}};
    for (const Placement placement : {Placement::row_major, Placement::wide, Placement::misaligned}) {
        check_mixed_scans<false>(target, longer, placement, placement);
        check_mixed_scans<true>(target, longer, placement, placement);
        check_reverse_rows<fuse::bfloat16>(target, longer, placement);
        check_reverse_rows<std::int64_t>(target, longer, placement);
    }
    check_scan_totals(target, shapes);
    check_scan_order<1>(target, {{70, 7}, {3, 129}, {300, 16}, {9, 512}});
}

}  // namespace fuse::testing
