// SPDX-License-Identifier: Apache-2.0
//
// The sweep that writes columns, backwards: it begins with what the sweep before it has read last, which is still in the cache.
#pragma once

#include "fuse/kernels/body/span.hpp"
#include "fuse/kernels/columns/column_context.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Writes the outputs of the elements of a span, N at a time.
template <int N, ColumnLoads Loads, class P, int V>
FUSE_HD void write_backwards(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                             const Span& span) {
    constexpr leaf_set read = leaf_sets<P>::items;
    index_t left = span.first < span.end ? (span.end - span.first - 1) / span.step + 1 : 0;
    index_t s = span.first + (left - 1) * span.step;
    const auto visit = [&]<int Rows>(std::integral_constant<int, Rows>) FUSE_INLINE_LAMBDA {
        ColumnItems<P, V> items[Rows];
        FUSE_UNROLL
        for (int j = 0; j < Rows; ++j) {
            load_column<read, Loads, P, V>(items[j], p, state, s - j * span.step);
        }
        FUSE_UNROLL
        for (int j = 0; j < Rows; ++j) {
            write_column<kir::Extent::item, V>(p, ColumnContext<P, V>{p, state, items[j], results}, s - j * span.step);
        }
        s -= Rows * span.step;
        left -= Rows;
    };
    while (left >= N) {
        visit(std::integral_constant<int, N>{});
    }
    if constexpr (Loads == ColumnLoads::lines) {
        by_halves<N>([&]<int Rows>(std::integral_constant<int, Rows> rows) FUSE_INLINE_LAMBDA {
            if (left >= Rows) {
                visit(rows);
            }
        });
    }
    FUSE_NO_UNROLL
    while (left > 0) {
        visit(std::integral_constant<int, 1>{});
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
