// SPDX-License-Identifier: Apache-2.0
//
// A program: what a kernel is compiled from. Leaves, functors and reductions are numbered, so that expressions are
// small empty types and the mangled name of a kernel stays short. Nothing here holds data.
#pragma once

#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace kir {

/// The value of leaf I / of reduction I.
template <int I>
struct Leaf {};
template <int I>
struct Red {};
template <class T, long Num, long Den>
struct Constant {};
/// F applied to Args; Slot numbers the functor's state, -1 when it has none.
template <class F, int Slot, class... Args>
struct Call {};

/// Leaves. Kept / Reduced: whether the leaf's axes include kept / reduced axes of the domain.
template <class T, bool Kept, bool Reduced>
struct MemoryLeaf {
    using storage = T;
    static constexpr bool kept = Kept;
    static constexpr bool reduced = Reduced;
};
template <class T>
struct ScalarLeaf {
    using storage = T;
    static constexpr bool kept = false;
    static constexpr bool reduced = false;
};
/// Its "address" is its value: stride 1 along its axis.
template <bool Kept, bool Reduced>
struct IndexLeaf {
    using storage = index_t;
    static constexpr bool kept = Kept;
    static constexpr bool reduced = Reduced;
};

/// Reduction R of expression E.
template <class R, class E>
struct Reduction {
    using reduction = R;
    using expression = E;
};

/// How often an output is written.
enum class Extent { item, outer, once };
/// Output of storage type T: per item (every domain element), per outer index (one per row or column), or once, by
/// the last block, after an epilogue or a full reduction.
template <class T, class E, Extent W>
struct Output {
    using storage = T;
    using expression = E;
    static constexpr Extent extent = W;
};

template <class T>
inline constexpr bool is_memory = false;
template <class T, bool K, bool R>
inline constexpr bool is_memory<MemoryLeaf<T, K, R>> = true;
template <class T>
inline constexpr bool is_index = false;
template <bool K, bool R>
inline constexpr bool is_index<IndexLeaf<K, R>> = true;

}  // namespace kir

/// The reductions of one phase.
template <class... R>
struct Phase {
    static constexpr int size = sizeof...(R);
    static constexpr bool commutative = (R::reduction::commutative && ...);
    template <int I>
    using at = at_t<type_list<R...>, I>;
};

/// Everything a kernel template needs to know.
/// Phases: type_list<Phase<...>...> over the reduced axes, in order. Epilogue: a Phase over the rest (or over all),
/// finished by the last block. KeptRank / ReducedRank: axes of each kind before merging. EpilogueItems: the epilogue
/// folds every domain element, not one value per row.
template <class Leaves, class Functors, class Phases, class Epilogue, class Outputs, int KeptRank, int ReducedRank,
          bool EpilogueItems>
struct Program {
    using leaves = Leaves;
    using functors = Functors;
    using phases = Phases;
    using epilogue = Epilogue;
    using outputs = Outputs;
    static constexpr int kept_rank = KeptRank;
    static constexpr int reduced_rank = ReducedRank;
    static constexpr bool epilogue_items = EpilogueItems;
};

/// Whether a reduction of the phases depends on the order of its elements.
template <class P>
inline constexpr bool ordered_program = false;
template <class L, class F, class... Ph, class E, class O, int K, int R, bool I>
inline constexpr bool ordered_program<Program<L, F, type_list<Ph...>, E, O, K, R, I>> =
    (false || ... || !Ph::commutative);

/// Whether the one phase of a program is a scan: its results differ from element to element.
template <class P>
inline constexpr bool scan_program = false;
template <class L, class F, class... Red, class E, class O, int K, int R, bool I>
inline constexpr bool scan_program<Program<L, F, type_list<Phase<Red...>>, E, O, K, R, I>> =
    (requires { Red::reduction::exclusive; } || ...);

/// Whether it sorts instead.
template <class P>
inline constexpr bool sort_program = false;
template <class L, class F, class... Red, class E, class O, int K, int R, bool I>
inline constexpr bool sort_program<Program<L, F, type_list<Phase<Red...>>, E, O, K, R, I>> =
    (requires { Red::reduction::positions; } || ...);

FUSE_END_NAMESPACE
