// SPDX-License-Identifier: Apache-2.0
//
// argmax and its kin over a row that threads hold: the best value first, which is a fold like that of max, and then its
// first place, for which those threads alone look whose elements have that value. A value and an index that went together
// from element to element, and from thread to thread, would take several times the instructions.
#pragma once

#include "fuse/kernels/body/product.hpp"
#include "fuse/primitives/block/block_x_reduce.hpp"

#if FUSE_HAS_DEVICE_BODIES

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Reduction R, or that of the values where R finds a position.
template <class R>
struct value_reduction {
    using type = R;
};
template <class R>
    requires finds_position<R>
struct value_reduction<R> {
    using type = kir::Reduction<typename R::reduction_op::of_values, typename R::expression, R::along>;
};
template <class... R>
Phase<typename value_reduction<R>::type...> with_values(Phase<R...>);
template <class Ph>
Ph with_values(Ph);

/// Phase Ph with these.
template <class Ph>
using values_of_phase = decltype(with_values(Ph{}));

}  // namespace detail

/// The first places of the values that are the best of a row.
template <class Ph>
class FirstPlaces;

template <class... R>
class FirstPlaces<Phase<R...>> {
    using Place = std::int32_t;  // a row that is held has fewer than 2^31 elements
    static constexpr Place none = limits<Place>::greatest;

public:
    using Best = typename Product<detail::values_of_phase<Phase<R...>>>::accumulator;

    FUSE_HD explicit FirstPlaces(const Best& best) : best_(best) {
        FUSE_UNROLL
        for (Place& place : found_) {
            place = none;
        }
    }

    /// Whether a thread with these values has one of the best.
    FUSE_HD bool has_best(const Best& own) const {
        bool has = false;
        for_positions([&]<int I, class Op>()
                          FUSE_INLINE_LAMBDA { has = has || Op::place_of(get<I>(best_), {get<I>(own)}) == 0; });
        return has;
    }
    /// Looks at items 0 .. V-1 of a context, elements first .. first + V - 1.
    template <int V, class Context>
    FUSE_HD void look(const Context& c, Place first) {
        for_positions([&]<int I, class Op>() FUSE_INLINE_LAMBDA {
            typename Op::value_type items[V];
            FUSE_UNROLL
            for (int v = 0; v < V; ++v) {
                items[v] = Evaluate<typename at_t<type_list<R...>, I>::expression>::at(c, v);
            }
            const Place place = Op::place_of(get<I>(best_), items);
            found_[I] = place < V && first + place < found_[I] ? first + place : found_[I];
        });
    }
    /// What the row's threads along x have found, as the phase has it.
    template <class B>
    FUSE_HD typename Product<Phase<R...>>::accumulator fold(B& block) const {
        typename Product<Phase<R...>>::accumulator total;
        static_for<sizeof...(R)>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (!detail::finds_position<at_t<type_list<R...>, I>>) {
                get<I>(total) = get<I>(best_);
            }
        });
        for_positions([&]<int I, class Op>() FUSE_INLINE_LAMBDA {
            const Place place = BlockXReduce(block, found_[I], MinReduction<Place>{});
            // Of NaNs that are ignored none is the value.
            get<I>(total) = place == none ? Op{}.init() : Op::accumulator::at(get<I>(best_), place);
        });
        return total;
    }

private:
    /// Calls f<I, its op>() for the reductions that find a position.
    template <class F>
    static FUSE_HD void for_positions(F&& f) {
        static_for<sizeof...(R)>([&]<int I>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, I>;
            if constexpr (detail::finds_position<One>) {
                f.template operator()<I, typename One::reduction_op>();
            }
        });
    }

    const Best best_;
    Place found_[sizeof...(R)];
};

FUSE_END_NAMESPACE

#endif
