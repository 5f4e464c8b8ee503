// SPDX-License-Identifier: Apache-2.0
//
// Where a thread of a row kernel (also map and split) finds its values: ways along a row, loads and stores of what a thread
// has of it (row_state.hpp), and RowContext, which joins that for Evaluate.
#pragma once

#include <bit>

#include "fuse/kernels/body/product.hpp"
#include "fuse/kernels/body/row_constants.hpp"
#include "fuse/kernels/body/row_state.hpp"
#include "fuse/kernels/body/run_place.hpp"
#include "fuse/kernels/body/unpack.hpp"
#include "fuse/ops/types/scattered.hpp"
#include "fuse/plan/leaf_sets.hpp"
#include "fuse/primitives/thread/read_data_bc.hpp"
#include "fuse/primitives/thread/write_data.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The elements of a row of an operand. Lie: but for rows that are gone through from their ends.
template <Packs Lie = Packs::any, bool Narrow = false, class P, class O>
FUSE_HD auto path_along(const Params<P>& p, const O& operand) {
    constexpr Packs lie = reverse_program<P> ? Packs::backwards : Lie;
    return ItemPath<Params<P>::traits::walked_rank, lie, Narrow>{p.walked, operand.walked, operand.x, operand.vector,
                                                                 operand.linear};
}

/// Where vectors begin: at multiples of V from the first element of a row on, as the launch has found them possible. Narrow:
/// of rows of fewer than 2^31 elements, or along one axis.
template <Packs Lie = Packs::any, bool Narrow = false>
struct LaidPaths {
    static constexpr bool narrow = Narrow;
    /// Held vectors are stored as vectors in some rows, item by item in others.
    static constexpr bool either_way = false;
    /// No vector reaches beyond the end of the row.
    static constexpr bool whole_vectors = Lie == Packs::vectors;
    /// Whether they may lie in every way.
    static constexpr bool any = Lie == Packs::any;

    template <int V, class P, class O, class T>
    FUSE_HD auto along(const Params<P>& p, const O& operand, const T*) const {
        return path_along<Lie, Narrow>(p, operand);
    }
};

}  // namespace detail

/// How many leaves in Set move along a row in memory.
template <leaf_set Set, class P>
inline constexpr int moving_leaves = std::popcount((leaf_sets<P>::moving) & Set);

/// Bytes of one element of each of them, together.
template <leaf_set Set, class P>
inline constexpr int moving_bytes = [] {
    int bytes = 0;
    for (int i = 0; i < P::leaves::size; ++i) {
        bytes +=
            (((leaf_sets<P>::moving & Set) >> i) & 1U) != 0 ? detail::leaf_sizes<typename P::leaves>::stored[i] : 0;
    }
    return bytes;
}();

/// Whether every one of them lies there in vectors.
template <leaf_set Set, class P>
FUSE_HD bool reads_vectors(const Params<P>& p) {
    bool all = true;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr ((((leaf_sets<P>::moving & Set) >> I) & 1U) != 0) {
            all = all && get<I>(p.leaves).vector;
        }
    });
    return all;
}

namespace detail {

/// Loads the V elements at a place (run_place.hpp).
template <leaf_set Set, class P, int V, class Paths, class Place>
FUSE_HD void load_at(const Paths& paths, RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row,
                     const Place& place) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto& operand = get<I>(p.leaves);
            if constexpr (kir::is_index<L>) {
                place.count(get<I>(items), get<I>(row.leaf), path_along(p, operand));
            } else {
                place.read(get<I>(items), get<I>(row.leaf), paths.template along<V>(p, operand, get<I>(row.leaf)));
            }
        }
    });
}

/// Whether a thread of a device finds the places of a vector for all operands together.
template <class P, int V, class Paths>
inline constexpr bool finds_places = Paths::any&& V > 1 && !host_vector<V> && (Params<P>::traits::walked_rank > 1);

}  // namespace detail

/// Loads V elements from s on, all inside the row, of the leaves in Set. Paths say where vectors lie.
template <leaf_set Set, class P, int V, class Paths>
FUSE_HD void load_along(const Paths& paths, RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row,
                        index_t s) {
    if constexpr (detail::finds_places<P, V, Paths>) {
        constexpr int rank = Params<P>::traits::walked_rank;
        const bool narrow = Paths::narrow || p.walked_size <= narrow_end;
        if (p.walked.count <= 1) {
            detail::load_at<Set, P, V>(paths, items, p, row, LinePlace<V>(p.walked, s, narrow));
        } else if (narrow && p.walked.extent[rank - 1].divisor() >= V) {
            detail::load_at<Set, P, V>(paths, items, p, row, RunPlace<rank, V>(p.walked, s, true));
        } else {
            detail::load_at<Set, P, V>(paths, items, p, row, StepPlace<rank, V>(p.walked, s, narrow));
        }
    } else {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
                const auto& operand = get<I>(p.leaves);
                if constexpr (kir::is_index<L>) {
                    InitWithDataIndex(get<I>(items), get<I>(row.leaf),
                                      detail::path_along<Packs::any, Paths::narrow>(p, operand), s);
                } else {
                    ReadData(get<I>(items), get<I>(row.leaf), paths.template along<V>(p, operand, get<I>(row.leaf)), s);
                }
            }
        });
    }
}

/// The same as the launch has laid them. AllVector: it promises that every operand vectorises.
template <leaf_set Set, bool AllVector, class P, int V>
FUSE_HD void load_whole(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row, index_t s) {
    constexpr Packs lie = AllVector ? Packs::whole : Packs::any;
    load_along<Set, P, V>(detail::LaidPaths<lie>{}, items, p, row, s);
}

/// The same of leaves that are one element for all of a vector, of a row along several axes with fewer than 2^31 elements.
template <leaf_set Set, class P, int V>
FUSE_HD void load_splat(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row, int s) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (((Set >> I) & 1U) != 0) {
            const auto& stride = get<I>(p.leaves).walked;
            const auto place = detail::offset_by(p.walked.narrow, stride, static_cast<std::uint32_t>(s));
            load_strided(get<I>(items), get<I>(row.leaf) + place, 0);
        }
    });
}

/// The same where only `left` elements, fewer than V, are inside the row: items beyond them are never evaluated.
template <leaf_set Set, class P, int V>
FUSE_HD void load_some(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row, index_t s, index_t left) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto path = detail::path_along(p, get<I>(p.leaves));
            if constexpr (kir::is_index<L>) {
                InitWithDataIndex(get<I>(items), get<I>(row.leaf), path, s);
            } else {
                ReadData(get<I>(items), get<I>(row.leaf), path, s, left, {});
            }
        }
    });
}

/// Whichever of the two it is.
template <leaf_set Set, class P, int V>
FUSE_HD void load_items(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row, index_t s, index_t left) {
    if (left >= V) {
        load_whole<Set, false, P, V>(items, p, row, s);
    } else {
        load_some<Set, P, V>(items, p, row, s, left);
    }
}

template <class P, int V, class Items = RowItems<P, V>>
struct RowContext {
    template <int I>
    static constexpr bool same_leaf = !at_t<typename P::leaves, I>::walked;
    /// Whether leaf I is a position in the row, of which a vector has the first.
    template <int I>
    static constexpr bool positioned =
        std::is_same_v<std::remove_cvref_t<decltype(get<I>(std::declval<const Items&>()))>, Positioned>;
    static constexpr bool narrow_windows = requires { requires Items::narrow_windows; };

    const Params<P>& params;
    const RowState<P>& row;
    const Items& items;
    const results_t<P>& results;

    template <int I>
    FUSE_HD auto leaf(int v) const {
        using L = at_t<typename P::leaves, I>;
        if constexpr (L::walked) {
            return unpack(get<I>(items), v);
        } else if constexpr (kir::is_memory<L> || kir::is_index<L>) {
            return get<I>(row.leaf);
        } else {
            return get<I>(params.leaves).value;
        }
    }
    template <int I>
    FUSE_HD index_t position() const {
        return get<I>(items).first;
    }
    template <int I>
    FUSE_HD auto result(int) const {
        return get<I>(results);
    }
    template <int S>
    FUSE_HD const auto& functor() const {
        return get<S>(params.functors).load();
    }
};

namespace detail {

/// Writes V elements of output O from s on, `left` of them inside the row; base: the row's first.
template <bool Held, class O, class P, int V, class Context, class Operand, class Paths>
FUSE_HD void write_vector(const Params<P>& p, const Context& c, const Operand& operand, typename O::storage* base,
                          index_t s, index_t left, const Paths& paths) {
    if constexpr (V == 1 && !Held) {
        if (left < 1) {
            return;
        }
    }
    auto path = paths.template along<V>(p, operand, base);
    Pack<typename O::storage, V> pack;
    if constexpr (writes_in_place<P, V>) {
        const bool neighbours = path.one_axis() && path.step == 1;
        evaluate_to<O, V>(neighbours ? base + s : pack.item, c, left);
        if (neighbours) {
            return;
        }
    } else {
        evaluate<O>(pack, c, Held ? V : left);
    }
    if constexpr (Held && Paths::either_way && V > 1) {
        if (left < V) {
            return;
        }
        if (path.vector) {
            store_aligned<fuse::pack_alignment<typename O::storage, V>>(base + path.of_vector(s), pack.item);
            return;
        }
        // The compiler need not look at it again, nor at the end for each item.
        path.vector = false;
        left = V;
    }
    WriteData(base, path, pack, s, left);
}

}  // namespace detail

/// Writes V elements of item output I from s on, `left` of them inside the row. Held: the elements are held in registers,
/// so all V can be evaluated, and all are inside the row or none; the store alone is conditional, and the compiler may
/// interleave the vectors of a thread.
template <int I, class P, int V, bool Held = false, class Context,
          class Paths = detail::LaidPaths<Held ? Packs::whole : Packs::any>>
FUSE_HD void write_item(const Params<P>& p, const Context& c, index_t row, index_t s, index_t left,
                        const Paths& paths = {}) {
    using O = at_t<typename P::outputs, I>;
    const auto& operand = get<I>(p.outputs);
    typename O::storage* base = operand.data;
    if constexpr (P::kept_rank > 0) {
        base += offset_by_size(p.kept, operand.kept, row, operand.kept_linear);
    }
    if constexpr (is_scattered<decltype(Evaluate<typename O::expression>::at(c, 0))>) {
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
            const auto item = Evaluate<typename O::expression>::at(c, v);
            if (item.kept) {
                base[detail::path_along(p, operand)(item.position)] = from_compute<typename O::storage>(item.value);
            }
        });
    } else {
        detail::write_vector<Held, O, P, V>(p, c, operand, base, s, left, paths);
    }
}

/// Writes all item outputs of V elements.
template <bool Held, class P, int V, class Context, class Paths = detail::LaidPaths<Held ? Packs::whole : Packs::any>>
FUSE_HD void write_items(const Params<P>& p, const Context& c, index_t row, index_t s, index_t left,
                         const Paths& paths = {}) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
            write_item<I, P, V, Held>(p, c, row, s, left, paths);
        }
    });
}

/// Writes the outputs that hold a single value per row.
template <class P, class Context>
FUSE_HD void write_kept(const Params<P>& p, const Context& c, index_t row) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using O = at_t<typename P::outputs, I>;
        if constexpr (O::extent == kir::Extent::kept) {
            if (!stretched(p) || output_owns<I>(p, row, 0)) {
                const auto& operand = get<I>(p.outputs);
                operand.data[offset_by_size(p.kept, operand.kept, row, operand.kept_linear)] =
                    from_compute<typename O::storage>(Evaluate<typename O::expression>::at(c, 0));
            }
        }
    });
}

FUSE_END_NAMESPACE
