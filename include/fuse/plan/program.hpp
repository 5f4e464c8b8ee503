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
/// A coordinate in an output that lies outside the domain.
struct OutputIndexLeaf {
    using storage = index_t;
    static constexpr bool kept = false;
    static constexpr bool reduced = false;
};

/// Reduction R of expression E.
template <class R, class E>
struct Reduction {
    using reduction = R;
    using expression = E;
};

/// How often an output is written.
enum class Extent { item, outer, once };
/// Output of storage type T: per item (every domain element), per outer index (one per row or column), or once, when its
/// value is known. Filled: the axes of an output that is written once and whose every element gets that value; they lie
/// outside the domain. 0: it has one element.
template <class T, class E, Extent W, int Filled = 0>
struct Output {
    using storage = T;
    using expression = E;
    static constexpr Extent extent = W;
    static constexpr int filled = Filled;
};

template <class T>
inline constexpr bool is_memory = false;
template <class T, bool K, bool R>
inline constexpr bool is_memory<MemoryLeaf<T, K, R>> = true;
template <class T>
inline constexpr bool is_index = false;
template <bool K, bool R>
inline constexpr bool is_index<IndexLeaf<K, R>> = true;
template <class O>
inline constexpr bool is_fill = O::extent == Extent::once&& O::filled > 0;

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
/// finished by the last block; bit i of EpilogueItems: its reduction i folds every domain element, not one value per row.
/// KeptRank / ReducedRank: axes of each kind before merging. Stretches: when it runs, an operand may turn out to have
/// extent 1 along an axis on which the kernel walks further (kernels/body/own_elements.hpp).
template <class Leaves, class Functors, class Phases, class Epilogue, class Outputs, int KeptRank, int ReducedRank,
          std::uint64_t EpilogueItems, bool Stretches>
struct Program {
    using leaves = Leaves;
    using functors = Functors;
    using phases = Phases;
    using epilogue = Epilogue;
    using outputs = Outputs;
    static constexpr int kept_rank = KeptRank;
    static constexpr int reduced_rank = ReducedRank;
    static constexpr std::uint64_t epilogue_items = EpilogueItems;
    static constexpr bool stretches = Stretches;
};

namespace detail {

template <class... Ph>
constexpr bool any_ordered(type_list<Ph...>) {
    return (false || ... || !Ph::commutative);
}
template <class... R>
constexpr bool scans(type_list<Phase<R...>>) {
    return (requires { R::reduction::exclusive; } || ...);
}
template <class... R>
constexpr bool sorts(type_list<Phase<R...>>) {
    return (requires { R::reduction::positions; } || ...);
}
template <class Other>
constexpr bool scans(Other) {
    return false;
}
template <class Other>
constexpr bool sorts(Other) {
    return false;
}
template <class... Ph>
constexpr int reductions_of(type_list<Ph...>) {
    return (0 + ... + Ph::size);
}
template <class... O>
constexpr bool any_fill(type_list<O...>) {
    return (false || ... || kir::is_fill<O>);
}

}  // namespace detail

/// Reductions of all phases and the epilogue.
template <class P>
inline constexpr int reduction_count = detail::reductions_of(typename P::phases{}) + P::epilogue::size;
/// Whether a reduction of the phases depends on the order of its elements.
template <class P>
inline constexpr bool ordered_program = detail::any_ordered(typename P::phases{});
/// Whether the one phase of a program is a scan: its results differ from element to element.
template <class P>
inline constexpr bool scan_program = detail::scans(typename P::phases{});
/// Whether it sorts instead.
template <class P>
inline constexpr bool sort_program = detail::sorts(typename P::phases{});
/// Whether a value fills an output outside the domain.
template <class P>
inline constexpr bool fill_program = detail::any_fill(typename P::outputs{});

FUSE_END_NAMESPACE
