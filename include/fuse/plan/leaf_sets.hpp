// SPDX-License-Identifier: Apache-2.0
//
// Which sweep of a program uses which leaf, as bit sets. Loads follow from these: a leaf that two sweeps use is kept
// on chip between them when it fits.
#pragma once

#include "fuse/ops/compute_type.hpp"
#include "fuse/plan/program.hpp"

FUSE_BEGIN_NAMESPACE

/// Bit i is set when the expression uses leaf i itself, not through a reduction.
using leaf_set = std::uint64_t;

namespace detail {

template <class E>
inline constexpr leaf_set uses = 0;
template <int I>
inline constexpr leaf_set uses<kir::Leaf<I>> = leaf_set{1} << I;
template <class F, int Slot, class... Args>
inline constexpr leaf_set uses<kir::Call<F, Slot, Args...>> = (leaf_set{0} | ... | uses<Args>);

template <class List>
inline constexpr leaf_set phase_uses = 0;
template <class... R>
inline constexpr leaf_set phase_uses<Phase<R...>> = (leaf_set{0} | ... | uses<typename R::expression>);

template <class... O>
constexpr leaf_set fill_uses(type_list<O...>) {
    return (leaf_set{0} | ... | (kir::is_fill<O> ? uses<typename O::expression> : leaf_set{0}));
}
template <class... Ph>
constexpr leaf_set all_phase_uses(type_list<Ph...>) {
    return (leaf_set{0} | ... | phase_uses<Ph>);
}
template <class List, kir::Extent X>
inline constexpr leaf_set output_uses = 0;
template <class... O, kir::Extent X>
inline constexpr leaf_set output_uses<type_list<O...>, X> =
    (leaf_set{0} | ... | (O::extent == X ? uses<typename O::expression> : leaf_set{0}));

/// Whether an expression reads one of the first `Count` reductions.
template <class E, int Count>
inline constexpr bool reads_results = false;
template <int I, int Count>
inline constexpr bool reads_results<kir::Red<I>, Count> = I < Count;
template <class F, int Slot, class... Args, int Count>
inline constexpr bool reads_results<kir::Call<F, Slot, Args...>, Count> = (false || ... || reads_results<Args, Count>);
template <int Count, class... O>
constexpr bool any_once_reads(type_list<O...>) {
    return (false || ... || (O::extent == kir::Extent::once && reads_results<typename O::expression, Count>));
}

template <class... Ph>
constexpr int phase_sweeps([[maybe_unused]] leaf_set bit, type_list<Ph...>) {
    return (0 + ... + ((phase_uses<Ph> & bit) != 0 ? 1 : 0));
}
template <class... O>
constexpr bool has_item_output(type_list<O...>) {
    return ((O::extent == kir::Extent::item) || ...);
}

template <class Leaves>
struct leaf_masks;
template <class... L>
struct leaf_masks<type_list<L...>> {
    static_assert(sizeof...(L) <= 64, "fuse: at most 64 distinct leaves in one kernel");
    static constexpr leaf_set mask(bool (*predicate)(bool kept, bool reduced)) {
        constexpr bool along_kept[] = {L::kept..., false};
        constexpr bool along_reduced[] = {L::reduced..., false};
        leaf_set set = 0;
        for (std::size_t i = 0; i < sizeof...(L); ++i) {
            set |= predicate(along_kept[i], along_reduced[i]) ? leaf_set{1} << i : leaf_set{0};
        }
        return set;
    }
    static constexpr leaf_set reduced = mask([](bool, bool r) { return r; });
    static constexpr leaf_set kept = mask([](bool k, bool) { return k; });
};

/// Bytes of one element of each leaf, as it lies in memory and as computed with.
template <class Leaves>
struct leaf_sizes;
template <class... L>
struct leaf_sizes<type_list<L...>> {
    static constexpr int stored[sizeof...(L) + 1] = {static_cast<int>(sizeof(typename L::storage))..., 0};
    static constexpr int computed[sizeof...(L) + 1] = {static_cast<int>(sizeof(compute_t<typename L::storage>))..., 0};
};

}  // namespace detail

template <class P>
struct leaf_sets {
    static constexpr leaf_set reduced = detail::leaf_masks<typename P::leaves>::reduced;
    static constexpr leaf_set kept = detail::leaf_masks<typename P::leaves>::kept;

    template <int I>
    static constexpr leaf_set phase = detail::phase_uses<at_t<typename P::phases, I>>;
    /// The last sweep: outputs written per item, and an epilogue that folds items.
    static constexpr leaf_set items = detail::output_uses<typename P::outputs, kir::Extent::item> |
                                      (P::epilogue_items != 0 ? detail::phase_uses<typename P::epilogue> : leaf_set{0});
    static constexpr bool writes_items = detail::has_item_output(typename P::outputs{}) || P::epilogue_items != 0;

    /// Whether an output that is written once reads the result of a phase.
    static constexpr bool once_reads_phases =
        detail::any_once_reads<reduction_count<P> - P::epilogue::size>(typename P::outputs{});

    /// What the outputs that are written once are made of, and those among them that fill others.
    static constexpr leaf_set once = detail::output_uses<typename P::outputs, kir::Extent::once>;
    static constexpr leaf_set fills = detail::fill_uses(typename P::outputs{});
    /// What may still be read elsewhere when such an output is written. With an epilogue the last block writes, and nothing
    /// is. In a full reduction only the sweep that follows the phases is late; rows do not wait for each other, and a scan
    /// reads its elements again when it writes them.
    static constexpr leaf_set read_late = P::epilogue::size > 0
                                              ? leaf_set{0}
                                              : items | detail::output_uses<typename P::outputs, kir::Extent::outer> |
                                                    (P::kept_rank > 0 || scan_program<P>
                                                         ? detail::all_phase_uses(typename P::phases{})
                                                         : leaf_set{0});

    /// Number of sweeps that use leaf i; leaves that do not vary along the sweep are loaded once.
    static constexpr int sweeps(int i, bool resident) {
        const leaf_set bit = leaf_set{1} << i;
        int n = (items & bit) != 0 ? 1 : 0;
        n += detail::phase_sweeps(bit, typename P::phases{});
        return (resident || (reduced & bit) == 0) && n > 1 ? 1 : (n == 0 ? 1 : n);
    }

    /// Leaves that vary along the sweep and are used by more than one.
    static constexpr leaf_set shared = [] {
        leaf_set set = 0;
        for (int i = 0; i < P::leaves::size; ++i) {
            const leaf_set bit = leaf_set{1} << i;
            const int n = ((items & bit) != 0 ? 1 : 0) + detail::phase_sweeps(bit, typename P::phases{});
            set |= n > 1 ? bit & reduced : 0;
        }
        return set;
    }();
};

FUSE_END_NAMESPACE
