// SPDX-License-Identifier: Apache-2.0
//
// Where the extents of an expression come from: for each axis the leaves that have it. By them it is known, mostly
// while a program is compiled, whether a derivative has the shape of its node or is the same along an axis.
#pragma once

#include "fuse/gradient/flatten.hpp"
#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/reduce.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The axis of a leaf that has so many behind it.
template <class Leaf, int Behind>
struct leaf_axis {};

template <class E, int Behind, class... Operands>
auto sources_of(operand_types<Operands...>);
/// A type_list of leaf_axis: those that give E its extent along the axis with Behind axes behind it.
template <class E, int Behind, bool Has = (Behind < E::rank)>
struct extent_sources {
    using type = decltype(sources_of<E, Behind>(typename E::operands{}));
};
template <class E, int Behind>
struct extent_sources<E, Behind, false> {
    using type = type_list<>;
};

/// A view without a name is known by where it stands: others of its type may have other extents.
template <class Tag, class Id, class E, int Behind>
    requires(E::reads)
struct extent_sources<Pinned<Tag, Id, E>, Behind, true> {
    using type = std::conditional_t<E::static_shape[E::rank - 1 - Behind] == 1, type_list<>,
                                    type_list<leaf_axis<Pinned<Tag, Id, E>, Behind>>>;
};

/// How many axes are behind the same axis of the operand; -1 if the operand has none there.
template <class E, int Behind>
inline constexpr int behind_in_operand = Behind;
template <int Axis, class E, int Behind>
inline constexpr int behind_in_operand<ExpandDims<Axis, E>, Behind> = Behind == E::rank - Axis  ? -1
                                                                      : Behind > E::rank - Axis ? Behind - 1
                                                                                                : Behind;
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc, int Behind>
inline constexpr int behind_in_operand<Reduce<Op, E, Mask, Keep, Acc>, Behind> = [] {
    const auto folds = [](int behind) { return ((Mask >> (E::rank - 1 - behind)) & 1U) != 0; };
    if (Keep) {
        return folds(Behind) ? -1 : Behind;
    }
    int behind = 0;
    for (int left = Behind; folds(behind) || left-- > 0; ++behind) {
    }
    return behind;
}();

template <class E, int Behind, class... Operands>
auto sources_of(operand_types<Operands...>) {
    if constexpr (E::reads) {
        return std::conditional_t<E::static_shape[E::rank - 1 - Behind] == 1, type_list<>,
                                  type_list<leaf_axis<E, Behind>>>{};
    } else if constexpr (sizeof...(Operands) != 1) {
        return unite_t<typename extent_sources<Operands, Behind>::type...>{};
    } else if constexpr (behind_in_operand<E, Behind> < 0) {
        return type_list<>{};
    } else {
        return unite_t<typename extent_sources<Operands, behind_in_operand<E, Behind>>::type...>{};
    }
}

template <class List, class... T>
constexpr int count_among(type_list<T...>) {
    return (0 + ... + (contains<List, T> ? 1 : 0));
}

/// Whether A, which broadcasts to the shape of N, has that shape.
enum class Spanning {
    no,
    likely,  ///< along each axis a leaf gives both their extent, but others have a say in that of N
    surely
};
template <class A, class N, int Behind>
constexpr Spanning spanning_along() {
    if constexpr (Behind >= A::rank) {
        return Spanning::no;
    } else {
        constexpr index_t own = static_shape<A>[A::rank - 1 - Behind];
        if constexpr (own != dynamic && own == static_shape<N>[N::rank - 1 - Behind]) {
            return Spanning::surely;
        } else {
            using Sources = typename extent_sources<N, Behind>::type;
            constexpr int common = count_among<typename extent_sources<A, Behind>::type>(Sources{});
            return common == 0 ? Spanning::no : common == Sources::size ? Spanning::surely : Spanning::likely;
        }
    }
}
template <class A, class N>
inline constexpr Spanning spanning_of = []<int... Behind>(std::integer_sequence<int, Behind...>) {
    Spanning least = Spanning::surely;
    ((least = spanning_along<A, N, Behind>() < least ? spanning_along<A, N, Behind>() : least), ...);
    return least;
}
(std::make_integer_sequence<int, N::rank>{});

}  // namespace detail

FUSE_END_NAMESPACE
