// SPDX-License-Identifier: Apache-2.0
//
// Taking a part of an expression along one axis, as the same expression of parts of its operands: elementwise functions
// commute with it, and so do reductions, as the axes of their result are those that they do not fold. What counts
// positions or runs along the axis does not. Each kind of node has its rule here, Cutting.
#pragma once

#include <bit>

#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/let.hpp"
#include "fuse/lang/named.hpp"
#include "fuse/lang/no_element.hpp"
#include "fuse/lang/part.hpp"
#include "fuse/lang/reduce.hpp"
#include "fuse/lang/scan.hpp"
#include "fuse/lang/stop_gradient.hpp"
#include "fuse/lang/view_parts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Which elements along an axis of this extent: `count` of them, from `first` on. An operand of extent 1 that the others
/// stretch is not cut: its element stands for all.
struct Cut {
    index_t first = 0;
    index_t step = 1;
    index_t count = 1;
    index_t extent = 1;
    index_t divisor = 1;  ///< of a move (lang/window_read.hpp), as is the next one
    bool wraps = false;   ///< what is beyond the end comes round again

    FUSE_COLD Strided of(Strided x, int axis) const {
        if (x.shape[axis] == extent) {
            x.offset += count > 0 ? first * x.stride[axis] : 0;
            x.stride[axis] *= count > 1 ? step : 1;
            x.shape[axis] = count;
        }
        return x;
    }
};

/// Drop: the axis goes, of which the cut has one element. Time: how often the Part around has been cut before; what is
/// cut at another time is cut elsewhere. Spares: leaves whose type says that they have one element along the axis stay as
/// they are, and stretched, in the part as in the whole.
template <bool Drop, int Time, bool Spares = false>
struct how_cut {
    static constexpr bool drop = Drop;
    static constexpr bool moves = false;
    static constexpr bool spares = Spares;
    template <int Later>
    using at = how_cut<Drop, Later, Spares>;
};
/// Where elements go: round, with the same extent; beyond the ends; or apart, by a divisor.
enum class Moving { round, beyond, apart };
/// The elements stand elsewhere, or are none: the views become windows (lang/window.hpp).
template <Moving Way, int Time>
struct how_moved {
    static constexpr bool drop = false;
    static constexpr bool moves = true;
    static constexpr bool spares = true;
    static constexpr Moving way = Way;
    template <int Later>
    using at = how_moved<Way, Later>;
};
template <int Axis, class How, class V>
auto moved_view(const V& x, const Cut& c);
/// Whether a cut leaves what has these static extents as it is.
template <int Axis, class How>
constexpr bool is_spared(const Shape& known) {
    return How::spares && known[Axis] == 1;
}

template <class N>
struct Cutting;

/// An operand that does not have the axis is as it was.
template <int Axis, class N>
constexpr PartFault cut_fault() {
    if constexpr (Axis < 0) {
        return N::counts ? PartFault::counts : PartFault::none;
    } else {
        return Cutting<N>::template fault<Axis>();
    }
}
/// How: how_cut<...>.
template <int Axis, class How, class N>
auto cut(const N& n, const Cut& c) {
    if constexpr (Axis < 0) {
        return n;
    } else {
        return Cutting<N>::template of<Axis, How>(n, c);
    }
}

/// Where axis number k of the operand goes when `axis` is dropped.
constexpr int axis_after(int k, int axis, bool drop) {
    return drop && k > axis ? k - 1 : k;
}
constexpr std::uint32_t mask_after(std::uint32_t mask, int axis, bool drop) {
    return drop ? (mask & ((1U << axis) - 1U)) | ((mask >> (axis + 1)) << axis) : mask;
}

/// e with new axes of extent 1 where bits of Places are.
template <std::uint32_t Places, class E>
auto with_axes(const E& e) {
    if constexpr (Places == 0) {
        return e;
    } else {
        constexpr int last = std::bit_width(Places) - 1;
        return expand_dims<last>(with_axes<(Places & ~(1U << last))>(e));
    }
}

template <class T, class Name, index_t... E>
struct Cutting<View<T, Name, E...>> {
    using V = View<T, Name, E...>;
    template <int Axis>
    static constexpr PartFault fault() {
        return PartFault::none;
    }
    template <int Axis, class How>
    static auto of(const V& x, const Cut& c) {
        const auto result = [&] {
            if constexpr (is_spared<Axis, How>(V::static_shape)) {
                return x;
            } else if constexpr (How::moves && !std::is_same_v<T, NoElement>) {
                return moved_view<Axis, How>(x, c);
            } else if constexpr (How::drop) {
                const Strided s = c.of(x.strided(), Axis);
                return part<ExtentsWithout<V, Axis>>(
                    x, {without(s.shape, Axis), without(s.stride, Axis), s.offset, s.name});
            } else {
                return part<DynamicAt<V, Axis>>(x, c.of(x.strided(), Axis));
            }
        }();
        if constexpr (is_named<Name> && !is_spared<Axis, How>(V::static_shape)) {
            return PartOperand<part_id<Name, Axis, How>, std::remove_const_t<decltype(result)>>(result);
        } else {
            return result;
        }
    }
};

template <class F, class... A>
struct Cutting<Map<F, A...>> {
    template <class Arg>
    static constexpr int shift = Map<F, A...>::rank - Arg::rank;
    template <int Axis>
    static constexpr PartFault fault() {
        PartFault first = PartFault::none;
        ((first = first != PartFault::none ? first : cut_fault<Axis - shift<A>, A>()), ...);
        return first;
    }
    template <int Axis, class How>
    static auto of(const Map<F, A...>& m, const Cut& c) {
        return m.on_operands([&](const A&... a) { return m.with(cut<Axis - shift<A>, How>(a, c)...); });
    }
};

/// A node of one operand that has its axes.
template <class N>
struct CuttingUnary {
    using E = decltype(N::expression);
    template <int Axis>
    static constexpr PartFault fault() {
        return cut_fault<Axis, E>();
    }
};
/// One that stays around the part of its operand.
template <class N>
struct CuttingInside : CuttingUnary<N> {
    template <int Axis, class How>
    static auto of(const N& n, const Cut& c) {
        return n.with(cut<Axis, How>(n.expression, c));
    }
};
template <class F, class E>
struct Cutting<Let<F, E>> : CuttingInside<Let<F, E>> {};
template <class E>
struct Cutting<StopGradient<E>> : CuttingInside<StopGradient<E>> {};
template <class E, int Cuts>
struct Cutting<Part<E, Cuts>> : CuttingUnary<Part<E, Cuts>> {
    template <int Axis, class How>
    static auto of(const Part<E, Cuts>& n, const Cut& c) {
        return make_part<Cuts + 1>(cut<Axis, typename How::template at<Cuts>>(n.expression, c));
    }
};

/// A node that identifies its operand: the part of it is another value, identified by the Part around it.
template <class N, class Id>
struct CuttingIdentified : CuttingUnary<N> {
    template <int Axis, class How>
    static auto of(const N& n, const Cut& c) {
        const auto operand = cut<Axis, How>(n.expression, c);
        return PartOperand<part_id<Id, Axis, How>, std::remove_const_t<decltype(operand)>>(operand);
    }
};
template <class Name>
struct named_id {};
template <class Name, class E>
struct Cutting<Named<Name, E>> : CuttingIdentified<Named<Name, E>, named_id<Name>> {};
template <class F, int I, class E>
struct Cutting<Bound<F, I, E>> : CuttingIdentified<Bound<F, I, E>, bound_id<F, I>> {};
template <class Id, class E>
struct Cutting<PartOperand<Id, E>> : CuttingIdentified<PartOperand<Id, E>, Id> {};

template <int New, class E>
struct Cutting<ExpandDims<New, E>> {
    template <int Axis>
    static constexpr int own = Axis == New ? -1 : Axis - (Axis > New ? 1 : 0);
    template <int Axis>
    static constexpr PartFault fault() {
        return cut_fault<own<Axis>, E>();
    }
    template <int Axis, class How>
    static auto of(const ExpandDims<New, E>& n, const Cut& c) {
        if constexpr (Axis != New) {
            return expand_dims<axis_after(New, Axis, How::drop)>(cut<own<Axis>, How>(n.expression, c));
        } else if constexpr (How::drop) {
            return n.expression;
        } else {
            return n;
        }
    }
};

template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct Cutting<Reduce<Op, E, Mask, Keep, Acc>> {
    using N = Reduce<Op, E, Mask, Keep, Acc>;
    static constexpr bool folds(int axis) { return ((Mask >> axis) & 1U) != 0; }
    /// The operand's axis that is axis number k of the result.
    static constexpr int own(int k) {
        int axis = 0;
        for (int left = k; Keep ? axis < k : left > 0 || folds(axis); ++axis) {
            left -= folds(axis) ? 0 : 1;
        }
        return axis;
    }
    template <int Axis>
    static constexpr PartFault fault() {
        constexpr int axis = folds(own(Axis)) ? -1 : own(Axis);
        return cut_fault<axis, E>();
    }
    template <int Axis, class How>
    static auto of(const N& n, const Cut& c) {
        constexpr int axis = own(Axis);
        if constexpr (!folds(axis)) {
            const auto e = cut<axis, How>(n.expression, c);
            return Reduce<Op, std::remove_const_t<decltype(e)>, mask_after(Mask, axis, How::drop), Keep, Acc>(e);
        } else if constexpr (How::drop) {
            return with_axes<mask_after(Mask, axis, true)>(Reduce<Op, E, Mask, false, Acc>(n.expression));
        } else {
            return n;
        }
    }
};

template <class Op, class E, int Along, bool Exclusive, bool Reverse, class Acc>
struct Cutting<Scan<Op, E, Along, Exclusive, Reverse, Acc>> {
    template <int Axis>
    static constexpr PartFault fault() {
        return Axis == Along ? PartFault::runs : cut_fault<Axis, E>();
    }
    template <int Axis, class How>
    static auto of(const Scan<Op, E, Along, Exclusive, Reverse, Acc>& n, const Cut& c) {
        const auto e = cut<Axis, How>(n.expression, c);
        return Scan<Op, std::remove_const_t<decltype(e)>, axis_after(Along, Axis, How::drop), Exclusive, Reverse, Acc>(
            e);
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
