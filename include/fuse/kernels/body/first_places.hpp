// SPDX-License-Identifier: Apache-2.0
//
// argmax and its kin over a row that threads hold: the best value first, which is a fold like that of max, and then its
// first place, for which those threads alone look whose elements have that value. A value and an index that went together
// from element to element, and from thread to thread, would take several times the instructions.
#pragma once

#include <limits>

#include "fuse/kernels/body/product.hpp"
#include "fuse/primitives/block/block_x_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Reduction R, or that of the values where R finds a position.
template <class R>
struct reduction_of_values {
    using type = R;
    static constexpr bool position = false;
};
template <class R>
    requires(R::reduction_op::finds_position)
struct reduction_of_values<R> {
    using type = kir::Reduction<typename R::reduction_op::of_values, typename R::expression, R::along>;
    static constexpr bool position = true;
};

/// Phase Ph with these, and whether it finds positions.
template <class Ph>
struct phase_of_values {
    using type = Ph;
    static constexpr bool positions = false;
};
template <class... R>
struct phase_of_values<Phase<R...>> {
    using type = Phase<typename reduction_of_values<R>::type...>;
    static constexpr bool positions = (reduction_of_values<R>::position || ...);
};

}  // namespace detail

/// The first places of the values that are the best of a row, as a fold of the elements that a thread holds.
template <class Ph>
struct FirstPlaces;

template <class... R>
struct FirstPlaces<Phase<R...>> {
    using Values = Product<typename detail::phase_of_values<Phase<R...>>::type>;
    using Place = std::int32_t;  // a row that is held has fewer than 2^31 elements
    static constexpr Place none = std::numeric_limits<Place>::max();

    struct accumulator {
        Place place[sizeof...(R)];
    };

    const typename Values::accumulator& best;

    FUSE_HD accumulator init() const {
        accumulator a;
        FUSE_UNROLL
        for (Place& place : a.place) {
            place = none;
        }
        return a;
    }
    FUSE_HD accumulator combine(accumulator a, const accumulator& b) const {
        FUSE_UNROLL
        for (std::size_t i = 0; i < sizeof...(R); ++i) {
            a.place[i] = b.place[i] < a.place[i] ? b.place[i] : a.place[i];
        }
        return a;
    }
    /// As those of Product. What is there twice has the same place both times: it is not asked what is inside.
    template <int N, int V, class With, class Inside>
    FUSE_HD accumulator of_group(const With& with, const Inside& inside) const {
        return of_group<N, V>(with, inside, [](int) { return true; });
    }
    template <int N, int V, class With, class Inside, class Has>
    FUSE_HD accumulator of_group(const With& with, const Inside&, const Has& has) const {
        accumulator a = init();
        // From the last to the first, which remains: places ascend.
        FUSE_UNROLL
        for (int j = N - 1; j >= 0; --j) {
            if (!has(j)) {
                continue;
            }
            with(j, [&](const auto& c, int first) FUSE_INLINE_LAMBDA {
                static_for<sizeof...(R)>([&]<int I>() FUSE_INLINE_LAMBDA {
                    using One = at_t<type_list<R...>, I>;
                    if constexpr (detail::reduction_of_values<One>::position) {
                        typename One::reduction_op::value_type items[V];
                        Product<Phase<One>>::template evaluate_items<One, V>(items, c);
                        const int place = One::reduction_op::place_of(get<I>(best), items);
                        a.place[I] = place < V ? first + place : a.place[I];
                    }
                });
            });
        }
        return a;
    }

    /// The fold over the threads along x, of the values of the row and the places that each thread has found.
    template <class B>
    FUSE_HD typename Product<Phase<R...>>::accumulator fold(B& block, const accumulator& found) const {
        typename Product<Phase<R...>>::accumulator total;
        static_for<sizeof...(R)>([&]<int I>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, I>;
            if constexpr (detail::reduction_of_values<One>::position) {
                const Place place = BlockXReduce(block, found.place[I], MinReduction<Place>{});
                // Of NaNs that are ignored none has the value.
                get<I>(total) = place == none ? typename One::reduction_op{}.init()
                                              : One::reduction_op::accumulator::at(get<I>(best), place);
            } else {
                get<I>(total) = get<I>(best);
            }
        });
        return total;
    }
    /// Whether a thread with these values has one of the best.
    FUSE_HD bool has_best(const typename Values::accumulator& own) const {
        bool has = false;
        static_for<sizeof...(R)>([&]<int I>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, I>;
            if constexpr (detail::reduction_of_values<One>::position) {
                has = has || One::reduction_op::place_of(get<I>(best), {get<I>(own)}) == 0;
            }
        });
        return has;
    }
};

FUSE_END_NAMESPACE
