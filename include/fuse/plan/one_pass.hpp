// SPDX-License-Identifier: Apache-2.0
//
// Rows and columns in one pass: a step along columns that reads what a step along rows reads, and of results those of
// these rows, can be folded while the rows are walked (kernels/steps/one_pass.hpp). Here it is decided which steps of a
// device may, and what of their leaves the walk has at hand.
#pragma once

#include <bit>
#include <tuple>

#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Where a leaf of the columns is in the walk: the number of a leaf of the rows; or counted down from carried_from that of
/// an output, which carries a result of theirs; or nowhere.
inline constexpr int own_leaf = -1;
inline constexpr int carried_from = -2;

/// In two steps a name stands for one array, and a place in an expression does not.
template <class Leaf>
inline constexpr bool has_name = false;
template <char... C, class T, std::uint64_t Axes>
inline constexpr bool has_name<ir::Leaf<name<C...>, T, Axes>> = true;
template <class Leaf>
struct name_of_carried {
    using type = void;
};
template <char... C, class T, std::uint64_t Axes>
struct name_of_carried<ir::Leaf<name<'#', C...>, T, Axes>> {
    using type = name<'#', C...>;
};

template <class Rows, class Statements, class Columns>
struct leaves_in_walk;
template <class Rows, class... S, class Columns>
struct leaves_in_walk<Rows, std::tuple<S...>, Columns> {
    template <class Leaf>
    static constexpr int of() {
        using carried = typename name_of_carried<Leaf>::type;
        constexpr int output = index_of<type_list<typename S::view_type::name_type...>, carried>;
        if constexpr (output >= 0) {
            return carried_from - output;
        } else if constexpr (has_name<Leaf> && Rows::rank == Columns::rank) {
            return index_of<typename Rows::planner::ir_leaves, Leaf>;
        } else {
            return own_leaf;
        }
    }
    template <class... Leaf>
    static constexpr auto all(type_list<Leaf...>) {
        return std::integer_sequence<int, of<Leaf>()...>{};
    }
    using type = decltype(all(typename Columns::planner::ir_leaves{}));
};

/// Registers of a thread that accumulators of columns may take, and as many of them as leave it room for the next row.
inline constexpr int most_column_words = 64;
inline constexpr int good_column_words = 32;
/// Items of a row that a thread holds beside them; twice as many of 16 bits where all that a row has is one fold.
inline constexpr int most_held_items = 16;

template <class Steps, int I>
using plan_of_step_t = typename plan_of_step<typename Steps::template statements_t<I>>::type;

/// 32-bit words of the accumulators of a column of a step, if it can be folded in a walk along rows; else 0.
template <class Pl>
inline constexpr int column_words = [] {
    constexpr ProgramFacts f = program_facts<Pl, Device>::value;
    return f.one_phase() && !f.ordered ? (f.fold_bytes / f.vector + 3) / 4 : 0;
}();

/// The walk along the rows of step A, with the columns that are folded on the way.
template <class Steps, int A>
struct Walk {
    template <int I>
    static constexpr int words = [] {
        if constexpr (Steps::order.rows_of[I] == A) {
            return column_words<plan_of_step_t<Steps, I>>;
        } else {
            return 0;
        }
    }();
    static constexpr int all_words = []<int... I>(std::integer_sequence<int, I...>) { return (0 + ... + words<I>); }
    (std::make_integer_sequence<int, Steps::order.steps>{});
    /// Vectors of a row per thread; 0: there are no such columns, or their accumulators are too many.
    static constexpr int vectors = [] {
        if constexpr (all_words > 0) {
            constexpr ProgramFacts f = program_facts<plan_of_step_t<Steps, A>, Device>::value;
            constexpr int column = f.vector * all_words;
            return f.ordered || f.epilogue || column > most_column_words
                       ? 0
                       : static_cast<int>(std::bit_floor(static_cast<unsigned>(
                             limited(good_column_words / column, 1,
                                     (f.one_phase() && f.vector == 8 ? 2 : 1) * most_held_items / f.vector))));
        } else {
            return 0;
        }
    }();
};

/// The step in whose walk step I is folded; -1: none.
template <class Steps, int I>
struct walk_of_step {
    static constexpr int value = [] {
        constexpr int rows = Steps::order.rows_of[I];
        if constexpr (rows >= 0) {
            return Walk<Steps, rows>::vectors > 0 && Walk<Steps, rows>::template words<I> > 0 ? rows : -1;
        } else {
            return -1;
        }
    }();
};

}  // namespace detail

FUSE_END_NAMESPACE
