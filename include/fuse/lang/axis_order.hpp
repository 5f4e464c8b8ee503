// SPDX-License-Identifier: Apache-2.0
//
// Orders of axes: how those of an expression come in another one, and how those of its operands and of the domain come then.
#pragma once

#include <bit>

#include "fuse/lang/natural_map.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

// An order is an AxisMap, packed: axis i of the result is axis number axis[i] of the operand.

constexpr bool is_identity(std::uint64_t order) {
    const AxisMap o = AxisMap::unpack(order);
    return o.pack() == AxisMap::trailing(o.rank, o.rank).pack();
}
/// The order of those axes that are `first` and later ones, or not `left_out`, counted without the others.
constexpr std::uint64_t order_from(std::uint64_t order, int first, int left_out = -1) {
    const AxisMap o = AxisMap::unpack(order);
    AxisMap result;
    for (int i = 0; i < o.rank; ++i) {
        const int axis = o.axis[i];
        if (axis >= first && axis != left_out) {
            result.axis[result.rank++] = axis - first - (left_out >= 0 && axis > left_out ? 1 : 0);
        }
    }
    return result.pack();
}
/// Where axes below `first` go, as a mask; those in front of all others are left to broadcasting.
constexpr std::uint32_t places_before(std::uint64_t order, int first) {
    const AxisMap o = AxisMap::unpack(order);
    std::uint32_t mask = 0;
    int place = 0;
    for (int i = 0; i < o.rank; ++i) {
        const bool later = o.axis[i] >= first;
        mask |= !later && place > 0 ? 1U << place : 0U;
        place += later || place > 0 ? 1 : 0;
    }
    return mask;
}
constexpr int place_of(std::uint64_t order, int axis) {
    const AxisMap o = AxisMap::unpack(order);
    int i = 0;
    while (o.axis[i] != axis) {
        ++i;
    }
    return i;
}
/// The order of a reduction's operand from that of its result: folded axes stay in their order among each other, which an
/// argmax counts in. Of those that are kept, with extent 1, any may stand for any other.
constexpr std::uint64_t order_of_operand(std::uint64_t order, std::uint32_t mask, bool keep, int rank) {
    const AxisMap o = AxisMap::unpack(order);
    AxisMap result = AxisMap::trailing(rank, rank);
    int kept[max_rank] = {};
    int folded[max_rank] = {};
    for (int axis = 0, k = 0, f = 0; axis < rank; ++axis) {
        (((mask >> axis) & 1U) != 0 ? folded[f++] : kept[k++]) = axis;
    }
    int next = 0;
    for (int i = 0, f = 0; i < rank; ++i) {
        if (keep) {
            result.axis[i] = ((mask >> o.axis[i]) & 1U) != 0 ? folded[f++] : o.axis[i];
        } else if (((mask >> i) & 1U) == 0) {
            result.axis[i] = kept[o.axis[next++]];
        }
    }
    return result.pack();
}
constexpr std::uint32_t mask_in_order(std::uint64_t order, std::uint32_t mask) {
    const AxisMap o = AxisMap::unpack(order);
    std::uint32_t result = 0;
    for (int i = 0; i < o.rank; ++i) {
        result |= ((mask >> o.axis[i]) & 1U) << i;
    }
    return result;
}

/// Those of `order` that `mask` does not have, counted without the others.
constexpr std::uint64_t order_without(std::uint64_t order, std::uint32_t mask) {
    const AxisMap o = AxisMap::unpack(order);
    AxisMap result;
    for (int i = 0; i < o.rank; ++i) {
        const int axis = o.axis[i];
        if (((mask >> axis) & 1U) == 0) {
            result.axis[result.rank++] = axis - std::popcount(mask & ((1U << axis) - 1U));
        }
    }
    return result.pack();
}

/// `order` with those axes that `mask` has in their own order, in the places of such.
constexpr std::uint64_t with_ascending(std::uint64_t order, std::uint32_t mask) {
    AxisMap o = AxisMap::unpack(order);
    int next = 0;
    for (int i = 0; i < o.rank; ++i) {
        if (((mask >> o.axis[i]) & 1U) != 0) {
            while (((mask >> next) & 1U) == 0) {
                ++next;
            }
            o.axis[i] = next++;
        }
    }
    return o.pack();
}
/// Whether R asks in which order elements are, not only which.
template <class R>
inline constexpr bool counts_or_chains = R::has_index || !R::commutative;

/// What E knows by itself of where its axes lie in a domain of rank D; inconsistent if that is not all of them.
template <class E, int D>
inline constexpr AxisMap known_axes = [] {
    AxisMap m = AxisMap::all_open(E::rank);
    if constexpr (deepest_rank<E> <= D) {
        m = natural_map<E, D>::value;
    }
    for (int i = 0; i < m.rank; ++i) {
        m.consistent = m.consistent && m.axis[i] != AxisMap::open;
    }
    return m;
}();
/// The order of E's axes where those of the domain come in the order Domain.
template <class E, std::uint64_t Domain>
inline constexpr std::uint64_t order_in_domain = [] {
    const AxisMap domain = AxisMap::unpack(Domain);
    const AxisMap known = known_axes<E, AxisMap::unpack(Domain).rank>;
    AxisMap result;
    for (int i = 0; i < domain.rank && known.consistent; ++i) {
        for (int axis = 0; axis < known.rank; ++axis) {
            if (known.axis[axis] == domain.axis[i]) {
                result.axis[result.rank++] = axis;
            }
        }
    }
    return result.pack();
}();
/// The order of the axes of the deepest node in E, where its own come in the order Order; Order if E does not know where
/// they lie.
template <std::uint64_t Order, class E>
inline constexpr std::uint64_t domain_order = [] {
    const AxisMap order = AxisMap::unpack(Order);
    const AxisMap known = known_axes<E, deepest_rank<E>>;
    AxisMap domain = AxisMap::trailing(deepest_rank<E>, deepest_rank<E>);
    for (int i = 0; i < order.rank && known.consistent; ++i) {
        domain.axis[known.axis[i]] = known.axis[order.axis[i]];
    }
    return known.consistent ? domain.pack() : Order;
}();

}  // namespace detail

FUSE_END_NAMESPACE
