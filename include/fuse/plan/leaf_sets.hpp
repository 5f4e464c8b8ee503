// SPDX-License-Identifier: Apache-2.0
//
// Which sweep of a program uses which leaf, as bit sets. Loads follow from these: a leaf that two sweeps use is kept
// on chip between them when it fits.
#pragma once

#include <bit>

#include "fuse/ops/types/compute_type.hpp"
#include "fuse/plan/sweeps.hpp"

FUSE_BEGIN_NAMESPACE

/// Bit i is set when something uses leaf i itself, not through a reduction.
using leaf_set = std::uint64_t;

namespace detail {

/// What the stages and the outputs of a program read.
template <class Stages, class Outputs>
struct sweep_sets;
template <class... S, class... O>
struct sweep_sets<type_list<S...>, type_list<O...>> {
    static constexpr int stages = sizeof...(S);
    static constexpr leaf_set stage[stages + 1] = {S::reads::leaves..., 0};
    static constexpr bool phase[stages + 1] = {S::axes == kir::walked_axes..., false};

    static constexpr int outputs = sizeof...(O);
    static constexpr leaf_set output[outputs + 1] = {O::reads::leaves..., 0};
    static constexpr std::uint64_t results[outputs + 1] = {O::reads::stages..., 0};
    static constexpr kir::Extent extent[outputs + 1] = {O::extent..., kir::Extent::once};
    static constexpr bool fill[outputs + 1] = {kir::is_fill<O>..., false};

    /// Of all phases, or of what is none.
    static constexpr leaf_set folded_in(bool phases) {
        leaf_set set = 0;
        for (int i = 0; i < stages; ++i) {
            set |= phase[i] == phases ? stage[i] : 0;
        }
        return set;
    }
    static constexpr leaf_set written(kir::Extent wanted) {
        leaf_set set = 0;
        for (int i = 0; i < outputs; ++i) {
            set |= extent[i] == wanted ? output[i] : 0;
        }
        return set;
    }
    static constexpr leaf_set filling() {
        leaf_set set = 0;
        for (int i = 0; i < outputs; ++i) {
            set |= fill[i] ? output[i] : 0;
        }
        return set;
    }
    static constexpr int item_outputs() {
        int n = 0;
        for (int i = 0; i < outputs; ++i) {
            n += extent[i] == kir::Extent::item ? 1 : 0;
        }
        return n;
    }
    static constexpr bool once_reads_phases() {
        bool any = false;
        for (int i = 0; i < outputs; ++i) {
            for (int s = 0; s < stages; ++s) {
                any = any || (extent[i] == kir::Extent::once && phase[s] && ((results[i] >> s) & 1U) != 0);
            }
        }
        return any;
    }
    /// Whether an item output reads results of stage s.
    static constexpr bool items_read(int s) {
        bool any = false;
        for (int i = 0; i < outputs; ++i) {
            any = any || (extent[i] == kir::Extent::item && ((results[i] >> s) & 1U) != 0);
        }
        return any;
    }
    /// In how many sweeps, of the phases and of `items`, a leaf is used.
    static constexpr int uses(int leaf, leaf_set items) {
        int n = static_cast<int>((items >> leaf) & 1U);
        for (int i = 0; i < stages; ++i) {
            n += phase[i] ? static_cast<int>((stage[i] >> leaf) & 1U) : 0;
        }
        return n;
    }
};

template <class Leaves>
struct leaf_masks;
template <class... L>
struct leaf_masks<type_list<L...>> {
    static constexpr leaf_set set_of(const bool* member) {
        leaf_set set = 0;
        for (int i = 0; i < static_cast<int>(sizeof...(L)); ++i) {
            set |= member[i] ? leaf_set{1} << i : leaf_set{0};
        }
        return set;
    }
    static constexpr bool along_kept[sizeof...(L) + 1] = {L::kept..., false};
    static constexpr bool along_walked[sizeof...(L) + 1] = {L::walked..., false};
    static constexpr bool in_memory[sizeof...(L) + 1] = {kir::is_memory<L>..., false};
    static constexpr leaf_set memory = set_of(in_memory);
    static constexpr leaf_set kept = set_of(along_kept);
    static constexpr leaf_set walked = set_of(along_walked);
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
    using sweeps_of = detail::sweep_sets<typename P::stages, typename P::outputs>;
    static constexpr leaf_set walked = detail::leaf_masks<typename P::leaves>::walked;
    static constexpr leaf_set kept = detail::leaf_masks<typename P::leaves>::kept;
    static constexpr leaf_set memory = detail::leaf_masks<typename P::leaves>::memory;
    /// What lies in memory along the sweep.
    static constexpr leaf_set moving = walked & memory;

    template <int I>
    static constexpr leaf_set phase = sweeps_of::stage[I];
    /// The last sweep: outputs written per item, and an epilogue that folds items.
    static constexpr leaf_set items =
        sweeps_of::written(kir::Extent::item) | (P::epilogue_items != 0 ? sweeps_of::folded_in(false) : leaf_set{0});
    /// How many read the elements one after the other there.
    static constexpr int item_writers = sweeps_of::item_outputs() + (P::epilogue_items != 0 ? 1 : 0);
    static constexpr bool writes_items = item_writers > 0;

    /// Whether an output that is written once reads the result of a phase.
    static constexpr bool once_reads_phases = sweeps_of::once_reads_phases();

    /// What the outputs that are written once are made of, and those among them that fill others.
    static constexpr leaf_set once = sweeps_of::written(kir::Extent::once);
    static constexpr leaf_set fills = sweeps_of::filling();
    /// What may still be read elsewhere when such an output is written. With an epilogue the last block writes, and
    /// nothing is. In a full reduction only the sweep that follows the phases is late; rows do not wait for each other,
    /// and a scan reads its elements again when it writes them.
    static constexpr leaf_set read_late = P::epilogue::size > 0
                                              ? leaf_set{0}
                                              : items | sweeps_of::written(kir::Extent::kept) |
                                                    (P::kept_rank > 0 || scan_program<P> ? sweeps_of::folded_in(true)
                                                                                         : leaf_set{0});

    /// Whether outputs per element do not wait for the last phase, as a gradient beside a sum of squares: they are written where
    /// that is folded, and not in a sweep behind it.
    static constexpr bool writes_early = sweeps_of::item_outputs() > 0 && P::epilogue_items == 0 &&
                                         P::phases::size > 0 && !scan_program<P> && !online_program<P> &&
                                         !sweeps_of::items_read(P::phases::size - 1);

    /// Number of sweeps that use leaf i; leaves that do not vary along the sweep are loaded once.
    static constexpr int sweeps(int i, bool resident) {
        const leaf_set early = writes_early ? sweeps_of::stage[P::phases::size - 1] : leaf_set{0};
        const int n = sweeps_of::uses(i, items & ~early);
        return (resident || ((walked >> i) & 1U) == 0) && n > 1 ? 1 : (n == 0 ? 1 : n);
    }

    /// Leaves that vary along the sweep and are used by more than one.
    static constexpr leaf_set shared = [] {
        leaf_set set = 0;
        for (int i = 0; i < P::leaves::size; ++i) {
            set |= sweeps_of::uses(i, items) > 1 ? walked & (leaf_set{1} << i) : 0;
        }
        return set;
    }();
    /// What a kernel with online phases holds on chip between its sweeps: what several of them read, as far as it lies in
    /// memory and differs from row to row. Without what is one byte wide, whose vectors may be less than a bulk copy, and
    /// structs of other sizes than powers of two, whose vectors are no whole ones.
    static constexpr leaf_set staged = []<class... S>(type_list<S...>) {
        const leaf_set reads[] = {S::leaves..., items};
        leaf_set once = 0;
        leaf_set again = 0;
        for (const leaf_set read : reads) {
            again |= once & read;
            once |= read;
        }
        for (int i = 0; i < P::leaves::size; ++i) {
            const auto bytes = static_cast<unsigned>(detail::leaf_sizes<typename P::leaves>::stored[i]);
            again &= bytes > 1 && std::has_single_bit(bytes) ? ~leaf_set{0} : ~(leaf_set{1} << i);
        }
        return again & moving & kept;
    }(sweeps_t<P, true>{});
    /// Bytes of one element of those before leaf number i.
    static FUSE_HD constexpr int staged_bytes_before(int i) {
        int bytes = 0;
        for (int leaf = 0; leaf < i; ++leaf) {
            bytes += ((staged >> leaf) & 1U) != 0 ? detail::leaf_sizes<typename P::leaves>::stored[leaf] : 0;
        }
        return bytes;
    }
    static constexpr int staged_bytes = staged_bytes_before(P::leaves::size);

    /// Whether one operand alone differs from row to row, and others that move along rows, a scale, a shift, are read where
    /// items are written alone: they lie otherwise than most rows of odd length.
    static constexpr bool rows_alone = []<class... S>(type_list<S...>) {
        constexpr leaf_set same = moving & ~kept;
        return std::popcount(moving & kept) == 1 && (same & (S::leaves | ... | leaf_set{0})) == 0;
    }(sweeps_t<P, true>{});
    /// Those others.
    static constexpr leaf_set beside = rows_alone ? moving & ~kept : 0;
};

/// Whether one sweep reads all that is read: it folds, and may write. Online: of phases that are joined (plan/sweeps.hpp).
template <class P, bool Online>
inline constexpr bool one_sweep = sweeps_t<P, Online>::size == 1 &&
                                  (!leaf_sets<P>::writes_items || leaf_sets<P>::writes_early);

FUSE_END_NAMESPACE
