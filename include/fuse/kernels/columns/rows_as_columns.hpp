// SPDX-License-Identifier: Apache-2.0
//
// Rows of few elements that a host thread takes side by side. Column s of them lies in memory a row apart, which compilers
// read and write one element at a time: so neighbours along the rows are copied together, and parted by loops that are
// made of shuffles. All that follows has columns that lie side by side. nvcc's files do without, which every one of them would
// pay for.
#pragma once

#include <cstring>

#include "fuse/kernels/columns/column_context.hpp"

FUSE_BEGIN_NAMESPACE

#if defined(__CUDACC__)

template <class P, int V>
class RowsAsColumns {
public:
    FUSE_HD explicit RowsAsColumns(const Params<P>& p) : rows_(p) {}
    FUSE_HD const Params<P>& params() const { return rows_; }
    FUSE_HD const ColumnState<P, V>& load(const ColumnState<P, V>& tile) const { return tile; }
    FUSE_HD void store(const ColumnState<P, V>&) const {}

private:
    const Params<P>& rows_;
};

#else

namespace detail {

/// Elements of the longest rows that are copied.
inline constexpr index_t copied_row = 32;

/// Calls f(v) for the rows v < left of a tile. One that is not whole is rare: vectors of it are not worth compiling.
template <int V, class F>
FUSE_HD void for_rows(index_t left, F&& f) {
    if (left >= V) {
        for (index_t v = 0; v < V; ++v) {
            f(v);
        }
    } else {
        FUSE_NO_UNROLL
        for (index_t v = 0; v < left; ++v) {
            f(v);
        }
    }
}

/// N neighbours of each of `left` rows, which lie to_pitch and from_pitch apart. A loop of its own: with what goes on around it,
/// g++ -O3 -march=native keeps its addresses in vector registers, which takes as long as all the rest.
template <int N, class T>
FUSE_HOST_DEVICE FUSE_HOT_APART void copy_neighbours(T* to, index_t to_pitch, const T* from, index_t from_pitch,
                                                     index_t left) {
    for (index_t v = 0; v < left; ++v) {
        std::memcpy(to + v * to_pitch, from + v * from_pitch, N * sizeof(T));
    }
}
/// Neighbours of `left` rows that lie `pitch` apart, from `from` on, to columns of V items.
template <int V, class T, int... K>
FUSE_HD void rows_to_columns(T* to, const T* from, index_t pitch, index_t left, std::integer_sequence<int, K...>) {
    constexpr index_t n = sizeof...(K);
    T rows[n * V];
    copy_neighbours<n>(rows, n, from, pitch, left);
    for_rows<V>(left, [&](index_t v) FUSE_INLINE_LAMBDA { ((to[K * V + v] = rows[n * v + K]), ...); });
}
/// And back.
template <int V, class T, int... K>
FUSE_HD void columns_to_rows(T* to, const T* from, index_t pitch, index_t left, std::integer_sequence<int, K...>) {
    constexpr index_t n = sizeof...(K);
    T rows[n * V];
    for_rows<V>(left, [&](index_t v) FUSE_INLINE_LAMBDA { ((rows[n * v + K] = from[K * V + v]), ...); });
    copy_neighbours<n>(to, pitch, rows, n, left);
}

/// Column s of V rows, as item s.
template <class T, int V>
struct alignas(64) CopiedRows {
    T item[copied_row * V];
};

template <int V>
struct copied_rows {
    template <class L>
    struct leaf {
        using type = Nothing;
    };
    template <class T>
    struct leaf<kir::MemoryLeaf<T, true, true>> {
        using type = CopiedRows<T, V>;
    };
    template <class O>
    struct output {
        using type = std::conditional_t<O::extent == kir::Extent::item, CopiedRows<typename O::storage, V>, Nothing>;
    };
};

}  // namespace detail

/// The parameters of a launch for columns that lie side by side, and room for a tile of them. Rows are copied where their
/// elements are neighbours, unless columns are.
template <class P, int V>
class RowsAsColumns {
public:
    FUSE_HD explicit RowsAsColumns(const Params<P>& p)
        : rows_(p), columns_(p), few_(p.walked_size > 1 && p.walked_size <= detail::copied_row && p.walked.count <= 1) {
        for_leaves([&]<int I>() FUSE_INLINE_LAMBDA { lay_side_by_side(get<I>(columns_.leaves)); });
        for_outputs([&]<int I>() FUSE_INLINE_LAMBDA {
            auto& operand = get<I>(columns_.outputs);
            if (lay_side_by_side(operand)) {
                operand.data = get<I>(outputs_).item;
                operand.vector = false;
            }
        });
    }

    FUSE_HD const Params<P>& params() const { return columns_; }

    /// Copies the leaves of a tile of rows; returns the state of the columns.
    FUSE_HD ColumnState<P, V> load(const ColumnState<P, V>& tile) {
        ColumnState<P, V> state = tile;
        for_leaves([&]<int I>() FUSE_INLINE_LAMBDA {
            const auto& operand = get<I>(rows_.leaves);
            if (copied(operand)) {
                auto* const to = get<I>(leaves_).item;
                const auto* const from = get<I>(tile.leaf);
                for_neighbours([&]<int... K>(index_t s, std::integer_sequence<int, K...> k) FUSE_INLINE_LAMBDA {
                    detail::rows_to_columns<V>(to + s * V, from + s, operand.x, tile.left, k);
                });
                get<I>(state.leaf) = to;
            }
        });
        for_outputs([&]<int I>() FUSE_INLINE_LAMBDA {
            get<I>(state.output) = copied(get<I>(rows_.outputs)) ? 0 : get<I>(tile.output);
        });
        return state;
    }

    /// Copies the outputs of that tile to where they belong.
    FUSE_HD void store(const ColumnState<P, V>& tile) const {
        for_outputs([&]<int I>() FUSE_INLINE_LAMBDA {
            const auto& operand = get<I>(rows_.outputs);
            if (copied(operand)) {
                auto* const to = operand.data + get<I>(tile.output);
                const auto* const from = get<I>(outputs_).item;
                for_neighbours([&]<int... K>(index_t s, std::integer_sequence<int, K...> k) FUSE_INLINE_LAMBDA {
                    detail::columns_to_rows<V>(to + s, from + s * V, operand.x, tile.left, k);
                });
            }
        });
    }

private:
    static constexpr int last = Params<P>::traits::walked_rank - 1;

    /// Calls copy(s, sequence of N numbers) for N neighbours from element s of the rows on, until all have been copied, some
    /// of them twice.
    template <class Copy>
    FUSE_HD void for_neighbours(Copy&& copy) const {
        constexpr int many = 4;
        const index_t n = rows_.walked_size;
        const auto all = [&]<int N>(std::integral_constant<int, N>) FUSE_INLINE_LAMBDA {
            for (index_t s = 0; s < n; s += N) {
                copy(s + N <= n ? s : n - N, std::make_integer_sequence<int, N>{});
            }
        };
        if (n >= many) {
            all(std::integral_constant<int, many>{});
        } else if (n == 3) {
            all(std::integral_constant<int, 3>{});
        } else {
            all(std::integral_constant<int, 2>{});
        }
    }
    template <class F>
    static FUSE_HD void for_leaves(F&& f) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (kir::is_memory<L> && L::kept && L::walked) {
                f.template operator()<I>();
            }
        });
    }
    template <class F>
    static FUSE_HD void for_outputs(F&& f) {
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
                f.template operator()<I>();
            }
        });
    }

    template <class O>
    FUSE_HD bool copied(const O& operand) const {
        return few_ && operand.x != 1 && operand.walked[last] == 1;
    }
    template <class O>
    FUSE_HD bool lay_side_by_side(O& operand) const {
        const bool copies = copied(operand);
        if (copies) {
            operand.x = 1;
            operand.walked[last] = V;
        }
        return copies;
    }

    const Params<P>& rows_;
    Params<P> columns_;
    bool few_;
    typename map_tuple<typename P::leaves, detail::copied_rows<V>::template leaf>::type leaves_;
    typename map_tuple<typename P::outputs, detail::copied_rows<V>::template output>::type outputs_;
};

#endif

FUSE_END_NAMESPACE
