// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a row a thread holds: vectors, and, where rows do not begin and end with a vector, single elements
// of their ends. Positions beyond the row are moved back into it, so that every functor sees valid elements and
// evaluation needs no branch (a branch would keep the compiler from reusing exp(x - max) of one phase in the next);
// what was duplicated is masked where it is folded or written.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/rows/ladder.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The operand, leaves first, then outputs, that says where the vectors of a row begin: the narrowest of those that
/// differ from row to row, as a vector has 16 bytes of the narrowest; wider ones are then aligned if they are alike.
template <class... L, class... O>
constexpr int leading_operand(type_list<L...>, type_list<O...>) {
    int best = -1;
    int number = 0;
    int least = 0;
    const auto offer = [&](bool moves, bool kept, std::size_t bytes) {
        const int cost = static_cast<int>(bytes) + (kept ? 0 : 4096);
        if (moves && (best < 0 || cost < least)) {
            best = number;
            least = cost;
        }
        ++number;
    };
    (offer(kir::is_memory<L> && L::walked, L::kept, sizeof(typename L::storage)), ...);
    (offer(O::extent == kir::Extent::item, true, sizeof(typename O::storage)), ...);
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

/// Where vectors begin that do not begin with the row: `head` elements further on. Some operands are aligned there.
struct PeeledPaths {
    static constexpr bool either_way = true;

    int head;

    template <int V, class P, class O, class T>
    FUSE_HD auto along(const Params<P>& p, const O& operand, const T* row) const {
        auto path = path_along(p, operand);
        path.vector = path.one_axis() && path.step == 1 &&
                      reinterpret_cast<std::uintptr_t>(row + head) % alignof(Pack<T, V>) == 0;
        return path;
    }
};

template <class P>
inline constexpr int leading = leading_operand(typename P::leaves{}, typename P::outputs{});

/// Elements in front of the first vector of a row.
template <int V, class P>
FUSE_HD int row_head(const Params<P>& p, const RowState<P>& state, index_t row) {
    constexpr int number = leading<P>;
    const auto head = [&p](const auto& operand, const auto* first) FUSE_INLINE_LAMBDA {
        const auto path = path_along(p, operand);
        return path.one_axis() && path.step == 1 ? elements_to_vector<V>(first) : 0;
    };
    if constexpr (number < 0) {
        return 0;
    } else if constexpr (number < P::leaves::size) {
        return head(get<number>(p.leaves), get<number>(state.leaf));
    } else {
        const auto& operand = get<number - P::leaves::size>(p.outputs);
        return head(operand, operand.data + offset_of(p.kept, operand.kept, row));
    }
}

}  // namespace detail

/// Thread `thread` of `threads` that share a row of `size` elements: vectors of V in [head, end), `threads` of them
/// apart, and single elements of what is left at both ends. active: there is a row.
template <int V, bool Peeled>
struct HeldRow {
    /// Single elements per thread.
    static constexpr int singles = Peeled ? peeled_ends(V) : 0;

    int head;
    int end;
    int size;
    int first;
    int step;
    bool active;

    template <class P>
    FUSE_HD HeldRow(const Params<P>& p, const RowState<P>& state, index_t row, unsigned t, unsigned n, bool exists)
        : head(0), end(static_cast<int>(p.walked_size)), size(end), first(static_cast<int>(t) * V),
          step(static_cast<int>(n) * V), active(exists) {
        if constexpr (Peeled) {
            head = detail::row_head<V>(p, state, row);
            end = head + (size - head) / V * V;
        }
    }

    FUSE_HD detail::PeeledPaths paths() const { return {head}; }

    FUSE_HD int position(int j) const {
        const int s = own(j);
        return s < end ? s : end - V;
    }
    FUSE_HD bool inside(int j) const { return active && own(j) < end; }

    FUSE_HD int single_position(int j) const {
        const int s = own_single(j);
        return s < size ? s : size - 1;
    }
    FUSE_HD bool single_inside(int j) const { return active && own_single(j) < size; }

private:
    FUSE_HD int own(int j) const { return head + first + j * step; }
    FUSE_HD int own_single(int j) const {
        const int s = first / V + j * (step / V);
        return s < head ? s : s + (end - head);
    }
};

FUSE_END_NAMESPACE
