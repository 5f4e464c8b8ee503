// SPDX-License-Identifier: Apache-2.0
//
// Rows whose vectors do not begin with the row, as it begins anywhere in memory: how many elements lie in front of the
// first address at which a vector may begin, and which operands are aligned there.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/primitives/thread/read_pieces.hpp"

FUSE_BEGIN_NAMESPACE

/// Where vectors begin that do not begin with the row: `head` elements further on. Some operands are aligned there.
template <bool Narrow>
struct PeeledPathsOf {
    static constexpr bool narrow = Narrow;
    static constexpr bool either_way = true;
    static constexpr bool whole_vectors = true;
    static constexpr bool any = true;

    int head;

    template <int V, class P, class O, class T>
    FUSE_HD auto along(const Params<P>& p, const O& operand, const T* row) const {
        auto path = detail::path_along<Packs::any, Narrow>(p, operand);
        path.vector =
            (head == 0 && path.vector) || (path.one_axis() && path.step == 1 &&
                                           reinterpret_cast<std::uintptr_t>(row + head) % alignof(Pack<T, V>) == 0);
        return path;
    }
};
using PeeledPaths = PeeledPathsOf<false>;

namespace detail {

/// The same where the last vector may reach beyond the end of the row.
struct ShiftedPaths : PeeledPaths {
    static constexpr bool whole_vectors = false;
};

/// The operand, leaves first, then outputs, that says where the vectors of a row begin: the narrowest of those that
/// differ from row to row, as a vector has 16 bytes of the narrowest; wider ones are then aligned if they are alike.
/// Of several an output, if asked for: single elements cost more to write than to read.
template <class... L, class... O>
constexpr int leading_operand(type_list<L...>, type_list<O...>, [[maybe_unused]] bool writes) {
    int best = -1;
    int number = 0;
    int least = 0;
    const auto offer = [&](bool moves, bool kept, std::size_t bytes, bool preferred) {
        const int cost = 2 * static_cast<int>(bytes) + (kept ? 0 : 4096) - (preferred ? 1 : 0);
        if (moves && (best < 0 || cost < least)) {
            best = number;
            least = cost;
        }
        ++number;
    };
    (offer(kir::is_memory<L> && L::walked, L::kept, sizeof(typename L::storage), false), ...);
    (offer(O::extent == kir::Extent::item, true, sizeof(typename O::storage), writes), ...);
    return best;
}

/// Elements from `first` on before the first at which a vector of V is aligned, if one is.
template <int V, class T>
FUSE_HD int elements_to_vector(const T* first) {
    constexpr bool divides = alignof(Pack<T, V>) % sizeof(T) == 0;
    constexpr unsigned alignments = divides ? alignof(Pack<T, V>) / sizeof(T) : 1;
    return static_cast<int>((0U - static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(first) / sizeof(T))) %
                            alignments);
}

template <class P, bool Writes>
inline constexpr int leading = leading_operand(typename P::leaves{}, typename P::outputs{}, Writes);
template <class P>
inline constexpr int leading_leaf = leading_operand(typename P::leaves{}, type_list<>{}, false);

/// Elements in front of the first vector of a row.
template <int V, bool Writes = false, class P>
FUSE_HD int row_head(const Params<P>& p, index_t row) {
    constexpr int number = leading<P, Writes>;
    const auto head = [&](const auto& operand) FUSE_INLINE_LAMBDA {
        const auto path = path_along(p, operand);
        return path.one_axis() && path.step == 1
                   ? elements_to_vector<V>(operand.data +
                                           offset_by_size(p.kept, operand.kept, row, operand.kept_linear))
                   : 0;
    };
    if constexpr (number < 0) {
        return 0;
    } else if constexpr (number < P::leaves::size) {
        return head(get<number>(p.leaves));
    } else {
        return head(get<number - P::leaves::size>(p.outputs));
    }
}

/// The same of a row of a program that reads alone.
template <int V, class P>
FUSE_HD int row_head(const Params<P>& p, const RowState<P>& row) {
    constexpr int number = leading_leaf<P>;
    if constexpr (number >= 0) {
        const auto path = path_along(p, get<number>(p.leaves));
        return path.one_axis() && path.step == 1 ? elements_to_vector<V>(get<number>(row.leaf)) : 0;
    } else {
        return 0;
    }
}

}  // namespace detail

/// Loads V elements from s on of the leaves in Set, the items of which lie side by side, with a vector more on either side.
template <leaf_set Set, class P, int V>
FUSE_HD void load_pieces(RowItems<P, V>& items, const RowState<P>& row, index_t s) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0) {
            if constexpr (detail::may_read_pieces<typename L::storage, V>) {
                ReadPieces(get<I>(items), get<I>(row.leaf) + s);
            } else {
                load_strided(get<I>(items), get<I>(row.leaf) + s, 1);
            }
        }
    });
}

FUSE_END_NAMESPACE
