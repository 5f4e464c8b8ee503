// SPDX-License-Identifier: Apache-2.0
//
// Parts of arrays that are made of coordinates, arange(n)[i], flip(linspace(0, 1, n)): their coordinates begin elsewhere,
// go in other steps, or are those of another axis. Of what counts in another way, random numbers, there are none.
#pragma once

#include "fuse/lang/framed.hpp"
#include "fuse/lang/index.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/lang/turn.hpp"
#include "fuse/ops/functors/place_in_whole.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class N>
inline constexpr bool is_index = false;
template <int Axis>
inline constexpr bool is_index<Index<Axis>> = true;

/// Whether all that counts in N are index<>.
template <class N>
inline constexpr bool counts_by_index = !N::counts || is_index<N>;
template <class F, class... A>
inline constexpr bool counts_by_index<Map<F, A...>> = (counts_by_index<A> && ...);
template <int New, class E>
inline constexpr bool counts_by_index<ExpandDims<New, E>> = counts_by_index<E>;

/// n with f(index) for each index<> in it.
template <class N, class F>
auto with_indices(const N& n, const F& f) {
    if constexpr (!N::counts) {
        return n;
    } else if constexpr (is_index<N>) {
        return f(n);
    } else {
        return n.on_operands([&](const auto&... e) { return n.with(with_indices(e, f)...); });
    }
}
/// What of its operands stands in the way of a part is that of the same expression without coordinates.
struct NoIndex {
    template <int Axis>
    constexpr auto operator()(Index<Axis>) const {
        return Scalar<index_t, unnamed>(0);
    }
};
template <class E>
using without_indices = decltype(with_indices(std::declval<const E&>(), NoIndex{}));

template <class How>
inline constexpr Moving way_of = Moving::beyond;
template <Moving Way, int Time>
inline constexpr Moving way_of<how_moved<Way, Time>> = Way;

/// The indices of a frame of this rank, when axis number Axis is cut.
template <int Rank, int Axis, class How>
struct CutIndex {
    Cut cut;
    template <int I>
    auto operator()(Index<I>) const {
        constexpr int own = I < 0 ? I + Rank : I;
        if constexpr (own != Axis) {
            return Index<axis_after(own, Axis, How::drop)>{};
        } else if constexpr (How::drop) {
            return Scalar<index_t, unnamed>(cut.first);
        } else {
            using F = PlaceInWhole<way_of<How> == Moving::round, way_of<How> == Moving::apart>;
            return apply(F{cut.first, cut.step, cut.extent, cut.divisor}, Index<own>{});
        }
    }
};

template <class E>
struct Cutting<Framed<E>> {
    template <int Axis>
    static constexpr PartFault fault() {
        if constexpr (counts_by_index<E>) {
            return cut_fault<Axis, without_indices<E>>();
        } else {
            return PartFault::counts;
        }
    }
    template <int Axis, class How>
    static auto of(const Framed<E>& n, const Cut& c) {
        const bool own = !is_spared<Axis, How>(static_shape<E>) && shape_of(n.expression)[Axis] == c.extent;
        return framed(cut<Axis, How>(with_indices(n.expression, CutIndex<E::rank, Axis, How>{own ? c : Cut{}}), c));
    }
};

/// The same when its axes are put in order.
template <std::uint64_t Order>
struct TurnIndex {
    template <int I>
    constexpr auto operator()(Index<I>) const {
        return Index<place_of(Order, I < 0 ? I + AxisMap::unpack(Order).rank : I)>{};
    }
};
template <class E>
struct Turning<Framed<E>> {
    template <class How>
    static constexpr PartFault fault() {
        if constexpr (counts_by_index<E>) {
            return turn_fault<How, without_indices<E>>();
        } else {
            return PartFault::counts;
        }
    }
    template <class How>
    static auto of(const Framed<E>& n) {
        return framed(turn<How>(with_indices(n.expression, TurnIndex<How::order>{})));
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
