// SPDX-License-Identifier: Apache-2.0
//
// What a thread has of a vector that lies in one or two runs along the innermost axis of a domain (RunPlace): of the leaves
// that do not vary along that axis one item for each run.
#pragma once

#include <bit>

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/body/run_place.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class P, int W, leaf_set Uniform, template <class> class UniformItem, class Count>
struct run_items {
    template <int I>
    using item_of_row = std::remove_cvref_t<decltype(get<I>(std::declval<RowItems<P, W>&>()))>;
    template <int I>
    using item =
        std::conditional_t<((Uniform >> I) & 1U) != 0, UniformItem<typename at_t<typename P::leaves, I>::storage>,
                           std::conditional_t<std::is_same_v<item_of_row<I>, Pack<index_t, W>> &&
                                                  kir::is_index<at_t<typename P::leaves, I>>,
                                              Count, item_of_row<I>>>;
    template <int... I>
    static Tuple<item<I>...> all(std::integer_sequence<int, I...>);
    using type = decltype(all(std::make_integer_sequence<int, P::leaves::size>{}));
};

template <leaf_set Uniform>
inline constexpr int first_of_set = std::countr_zero(Uniform);

}  // namespace detail

/// W elements of every leaf that moves, of those in Uniform an item for each run, of what counts a Count.
template <class P, int W, leaf_set Uniform, class Count>
using RunItems = typename detail::run_items<P, W, Uniform, detail::RunItem, Count>::type;
/// The same of elements that lie in one run.
template <class P, int W, leaf_set Uniform, class Count>
using UniformItems = typename detail::run_items<P, W, Uniform, detail::UniformItem, Count>::type;

/// The elements with what the leaves in Uniform have in their first run, or in the second.
template <class P, int W, leaf_set Uniform, class Count, bool Second = false>
FUSE_HD UniformItems<P, W, Uniform, Count> of_run(const RunItems<P, W, Uniform, Count>& items) {
    UniformItems<P, W, Uniform, Count> same;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (((Uniform >> I) & 1U) != 0) {
            get<I>(same).one = Second ? get<I>(items).other : get<I>(items).one;
        } else {
            get<I>(same) = get<I>(items);
        }
    });
    return same;
}

/// How many of the elements lie in the first run.
template <leaf_set Uniform, class Items>
FUSE_HD int first_run(const Items& items) {
    return get<detail::first_of_set<Uniform>>(items).first_run;
}

/// Loads the W elements at a place, of the leaves in Set.
template <leaf_set Set, class P, class Items, class Place>
FUSE_HD void load_run(Items& items, const Params<P>& p, const RowState<P>& row, const Place& place) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto path = detail::path_along(p, get<I>(p.leaves));
            if constexpr (kir::is_index<L>) {
                place.count(get<I>(items), get<I>(row.leaf), path);
            } else {
                place.read(get<I>(items), get<I>(row.leaf), path);
            }
        }
    });
}

FUSE_END_NAMESPACE
