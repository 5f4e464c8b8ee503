// SPDX-License-Identifier: Apache-2.0
//
// What the choice of a launch needs to know about a program, as numbers that are read off its type for one target.
#pragma once

#include "fuse/plan/joined_rows.hpp"
#include "fuse/plan/outer_axes.hpp"
#include "fuse/plan/plan.hpp"
#include "fuse/plan/program_facts.hpp"
#include "fuse/plan/target.hpp"
#include "fuse/plan/unaligned_columns.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Sizes of the operands that vary along the direction of consecutive threads.
struct ItemSizes {
    int narrowest = 16;
    int widest = 1;
    int written = 1;   ///< the widest output of elements
    int leaves = 0;    ///< how many inputs among them
    int together = 0;  ///< bytes of one item of all inputs
};
template <bool Columns, class... L, class... O>
constexpr ItemSizes item_sizes(type_list<L...>, type_list<O...>) {
    ItemSizes sizes;
    const auto take = [&sizes](bool varies, std::size_t bytes) {
        if (varies) {
            sizes.narrowest = static_cast<int>(bytes) < sizes.narrowest ? static_cast<int>(bytes) : sizes.narrowest;
            sizes.widest = largest(sizes.widest, static_cast<int>(bytes));
        }
    };
    (take(kir::is_memory<L> && (Columns ? L::kept : L::walked), sizeof(typename L::storage)), ...);
    // What a sweep loads again and again: what is the same all along a column is not.
    sizes.leaves = (0 + ... + (kir::is_memory<L> && L::walked && (!Columns || L::kept) ? 1 : 0));
    sizes.together =
        static_cast<int>((std::size_t{0} + ... +
                          (kir::is_memory<L> && L::walked && (!Columns || L::kept) ? sizeof(typename L::storage) : 0)));
    sizes.written = static_cast<int>(
        largest(std::size_t{1}, (O::extent == kir::Extent::item ? sizeof(typename O::storage) : 1)...));
    (take(O::extent == kir::Extent::item || (Columns && O::extent == kir::Extent::kept), sizeof(typename O::storage)),
     ...);
    return sizes;
}

/// Bit i: operand i (leaves, then outputs) moves along a row in memory.
template <class... L, class... O>
constexpr std::uint64_t moving_along_rows(type_list<L...>, type_list<O...>) {
    constexpr bool moves[] = {(kir::is_memory<L> && L::walked)..., (O::extent == kir::Extent::item)...};
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < sizeof...(L) + sizeof...(O); ++i) {
        set |= moves[i] ? std::uint64_t{1} << i : 0;
    }
    return set;
}

/// An upper bound of the bytes of the accumulators of one phase, side by side.
template <class... R>
constexpr int accumulator_bytes(Phase<R...>) {
    std::size_t align = 1;
    ((align = alignof(typename R::reduction_op::accumulator) > align ? alignof(typename R::reduction_op::accumulator)
                                                                     : align),
     ...);
    return static_cast<int>(
        (std::size_t{0} + ... + ((sizeof(typename R::reduction_op::accumulator) + align - 1) / align * align)));
}
template <class Maxima, class... S, int First>
constexpr int accumulator_bytes(OnlinePhase<Maxima, type_list<S...>, First>) {
    return 2 * largest(accumulator_bytes(Maxima{}), accumulator_bytes(Phase<S...>{}));
}
template <class... Ph>
constexpr int widest_phase_bytes(type_list<Ph...>) {
    return largest(1, accumulator_bytes(Ph{})...);
}
template <class... S>
constexpr int widest_sweep_bytes(type_list<S...>) {
    return widest_phase_bytes(type_list<typename S::phase...>{});
}

}  // namespace detail

/// value: the facts about the program of plan `Pl` on a target.
template <class Pl, Target T>
struct program_facts {
    using program = typename Pl::program;
    static constexpr bool columns =
        Pl::family != Family::map && !innermost_reduced(Pl::planner::in_use, Pl::reduced_axes);
    static constexpr detail::ItemSizes sizes =
        detail::item_sizes<columns>(typename program::leaves{}, typename program::outputs{});
    static constexpr std::uint64_t moving =
        detail::moving_along_rows(typename program::leaves{}, typename program::outputs{});
    /// Rows along several axes on a device, which may lie in vectors, in halves of them or in none.
    static constexpr bool pieces = std::is_same_v<T, Device> && !columns && program::walked_rank > 1;
    static constexpr bool scan = scan_program<program>;
    /// Those that rows need not be alike with.
    static constexpr std::uint64_t beside = scan ? 0 : leaf_sets<program>::beside;
    static constexpr bool sort = sort_program<program>;
    /// A map goes through its domain as its outputs lie in memory (plan/transposed.hpp).
    static constexpr bool turns = Pl::family == Family::map && Pl::rank > 1;
    /// Whether kernels join phases to online ones (plan/sweeps.hpp): those of a device, and on the host those along rows.
    static constexpr bool online =
        online_program<program> && (std::is_same_v<T, Device> || (!columns && Pl::family != Family::full));
    /// Items that a thread takes together in an online phase: it holds them all until their maxima are known.
    static constexpr int online_items = columns ? 64 : 16;
    static constexpr int sweeps = online ? sweeps_t<program, true>::size : Pl::phases;
    /// A scan keeps the order anyway.
    static constexpr bool ordered = ordered_program<program> && !scan;

    /// Bytes of an operand whose vectors should not be longer than 16 bytes: of what is written, but not where rows may be staged,
    /// as bulk copies take 16 bytes of each staged operand; and of all that a fold of everything reads where it has no straight
    /// code otherwise (kernels/body/sweep.hpp).
    static constexpr int dense = Pl::family == Family::full && 16 / sizes.narrowest * sizes.together > 32 ? sizes.widest
                                 : !columns && leaf_sets<program>::staged != 0                            ? 1
                                                                               : sizes.written;
    /// Items per vector. A sort, and an op that does not commute, takes elements one by one along a row.
    static constexpr int widest_vector =
        sort || (ordered && !columns) ? 1 : T::vector_items(sizes.narrowest, sizes.widest, dense);
    /// Of columns with several words each a thread has few, and more loads in flight instead.
    static constexpr int vector = [] {
        int v = widest_vector;
        if (columns && std::is_same_v<T, Device> && folds_runs_program<program>) {
            while (v > 1 && v * detail::widest_phase_bytes(typename program::phases{}) > 96) {
                v /= 2;
            }
        }
        return v;
    }();
    /// Of columns whose kernels have many registers (columns/shared_columns.hpp) twice as many, up to 128 bytes.
    static constexpr int loads = [] {
        int n = T::sweep_vectors(sizes.leaves, sweeps);
        const bool many = folds_runs_program<program> || Pl::phases > 1 || leaf_sets<program>::writes_items;
        if (columns && std::is_same_v<T, Device> && many && 2 * n * vector * sizes.together <= 128) {
            n *= 2;
        }
        // What is written on the way takes registers as well.
        while (columns && std::is_same_v<T, Device> && leaf_sets<program>::writes_early && n > 1 &&
               n * vector * sizes.together > 64) {
            n /= 2;
        }
        return n;
    }();

    static constexpr ProgramFacts value = {
        .reduces = Pl::family != Family::map,
        .columns = columns,
        .phases = Pl::phases,
        .writes_items = leaf_sets<program>::writes_items || fill_program<program>,
        .epilogue = Pl::epilogue,
        .ordered = ordered,
        .folds_runs = folds_runs_program<program>,
        .full = Pl::family == Family::full,
        .online = online,
        .read_once = online && sweeps == 1 && !leaf_sets<program>::writes_items,
        .one_sweep = one_sweep<program, online>,
        .scan = scan,
        .backwards = reverse_program<program>,
        .sort = sort,
        .scan_words = (detail::widest_phase_bytes(typename program::phases{}) + 3) / 4,
        .buffered_bytes = vector * sizes.together,
        .vector = vector,
        .sweep_vectors = detail::smallest(loads, online ? detail::largest(1, online_items / vector) : 8),
        .item_bytes = sizes.widest,
        .staged_bytes = leaf_sets<program>::staged_bytes,
        .rows_alone = leaf_sets<program>::rows_alone,
        .has_beside = leaf_sets<program>::beside != 0,
        .fold_bytes = vector * detail::widest_phase_bytes(typename program::phases{}),
        .sweep_bytes = vector * detail::widest_sweep_bytes(sweeps_t<program, true>{}),
        .finds_positions = !columns && Pl::phases == 1 && detail::finds_positions<typename program::phases>,
    };
    /// The operands on a device that do not vary along the last of several axes, scales of channels beside planes. Of folds of
    /// everything those that they read (note_runs), of rows what is read where elements are written alone (note_lines).
    static constexpr leaf_set uniform = [] {
        leaf_set set = 0;
        if constexpr (pieces && value.reduces && !scan && !sort &&
                      !(value.full && (ordered || vector == 1 || !value.one_phase()))) {
            using sets = leaf_sets<program>;
            set = leaves_of_outer_axes(Pl::planner::graph::nodes, Pl::rank) & sets::moving;
            set &= value.full ? sets::sweeps_of::folded_in(true) : sets::items & ~sets::sweeps_of::folded_in(true);
        }
        return set;
    }();
    /// Of maps on a device: whether some operands vary along the last axis alone (note_cycles).
    static constexpr bool cycles = turns && std::is_same_v<T, Device> && vector > 1 &&
                                   any_of_inner_axis(Pl::planner::graph::nodes, program::walked_rank);
    /// What may be read in pieces of vectors, of columns on a device that are folded once.
    static constexpr leaf_set unaligned =
        columns && std::is_same_v<T, Device> && value.one_phase() && !scan ? unaligned_leaves<program, vector> : 0;
    /// Whether columns on a device may have rows that are joined to lines.
    static constexpr bool joins = columns && std::is_same_v<T, Device> && value.reduces && !scan && !sort && !ordered &&
                                  !value.epilogue && vector > 1 &&
                                  detail::may_join_rows(typename program::leaves{}, typename program::outputs{});
    /// Whether the CPU may take rows as columns: many rows of few elements side by side.
    static constexpr bool rows_side_by_side = std::is_same_v<T, Cpu> && value.reduces && !columns && !sort &&
                                              !value.full && !value.ordered && !value.epilogue &&
                                              program::kept_rank > 0 && vector > 16;
};

FUSE_END_NAMESPACE
