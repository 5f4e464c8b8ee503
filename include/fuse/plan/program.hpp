// SPDX-License-Identifier: Apache-2.0
//
// A program: what a kernel is compiled from, a list of stages and outputs, without data. Leaves, functors and
// reductions are numbered, so that expressions are small empty types and the mangled name of a kernel stays short.
#pragma once

#include <cstdint>

#include "fuse/ops/reductions/running.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

/// What a stage or an output reads itself: leaves, and results of earlier stages; bit i: leaf i, stage i.
template <std::uint64_t Leaves, std::uint64_t Stages>
struct Reads {
    static constexpr std::uint64_t leaves = Leaves;
    static constexpr std::uint64_t stages = Stages;
};

namespace kir {

/// The axes of the domain fall into sets that all stages treat alike. A mask of such sets says along which a value
/// varies or what a stage folds. Kernels know two: the walked axes, along which a sweep
/// goes and the phases fold, and the kept ones, all others.
inline constexpr unsigned kept_axes = 1;
inline constexpr unsigned walked_axes = 2;

/// The value of leaf I / the result of reduction I.
template <int I>
struct Leaf {};
template <int I>
struct Result {};
template <class T, long Num, long Den>
struct Constant {};
/// F applied to Args; Slot numbers the functor's state, -1 when it has none.
template <class F, int Slot, class... Args>
struct Call {};

/// Leaves. Kept / Walked: whether the leaf's axes include kept / walked axes of the domain.
template <class T, bool Kept, bool Walked>
struct MemoryLeaf {
    using storage = T;
    static constexpr bool kept = Kept;
    static constexpr bool walked = Walked;
};
template <class T>
struct ScalarLeaf {
    using storage = T;
    static constexpr bool kept = false;
    static constexpr bool walked = false;
};
/// Its "address" is its value: stride 1 along its axis, row-major strides where it counts along all. Coordinate: it has one.
template <bool Kept, bool Walked, bool Coordinate>
struct IndexLeaf {
    using storage = index_t;
    static constexpr bool kept = Kept;
    static constexpr bool walked = Walked;
};
/// A coordinate in an output that lies outside the domain.
struct OutputIndexLeaf {
    using storage = index_t;
    static constexpr bool kept = false;
    static constexpr bool walked = false;
};

/// The reduction by R of expression E, which varies along the sets in Along.
template <class R, class E, unsigned Along>
struct Reduction {
    using reduction_op = R;
    using expression = E;
    static constexpr unsigned along = Along;
};

/// How often an output is written: per item (every domain element), per index along the kept axes (one per row or
/// column), or once, when its value is known.
enum class Extent { item, kept, once };
constexpr Extent extent_along(unsigned along) {
    return (along & walked_axes) != 0 ? Extent::item : along != 0 ? Extent::kept : Extent::once;
}
/// Output of storage type T, which varies along the sets in Along. Filled: the axes of an output that is written once
/// and whose every element gets that value; they lie outside the domain. 0: it has one element.
template <class T, class E, unsigned Along, class Read, int Filled = 0>
struct Output {
    using storage = T;
    using expression = E;
    using reads = Read;
    static constexpr Extent extent = extent_along(Along);
    static constexpr int filled = Filled;
};

template <class T>
inline constexpr bool is_memory = false;
template <class T, bool K, bool R>
inline constexpr bool is_memory<MemoryLeaf<T, K, R>> = true;
template <class T>
inline constexpr bool is_index = false;
template <bool K, bool R, bool C>
inline constexpr bool is_index<IndexLeaf<K, R, C>> = true;
template <class O>
inline constexpr bool is_fill = O::extent == Extent::once&& O::filled > 0;

}  // namespace kir

/// The reductions of one stage.
template <class... R>
struct Phase {
    static constexpr int size = sizeof...(R);
    static constexpr bool commutative = (R::reduction_op::commutative && ...);
    template <int I>
    using at = at_t<type_list<R...>, I>;
    /// Bit i: reduction i folds every element, not one value per row.
    static constexpr std::uint64_t items = [] {
        constexpr bool item[] = {(R::along & kir::walked_axes) != 0 ..., false};
        std::uint64_t bits = 0;
        for (int i = 0; i < size; ++i) {
            bits |= item[i] ? std::uint64_t{1} << i : 0;
        }
        return bits;
    }();
};

namespace detail {

/// Whether reduction R finds a position, as argmax, and whether all of some phases do.
template <class R>
inline constexpr bool finds_position = false;
template <class R>
requires R::reduction_op::finds_position inline constexpr bool finds_position<R> = true;
template <class Phases>
inline constexpr bool finds_positions = false;
template <class... R>
inline constexpr bool finds_positions<type_list<Phase<R...>>> = (finds_position<R> && ...);

}  // namespace detail

/// One sweep that folds: the sets of axes in Axes, for all its reductions, which do not read each other.
template <unsigned Axes, class Read, class Reductions>
struct Stage {
    using reads = Read;
    using reductions = Reductions;
    static constexpr unsigned axes = Axes;
};

namespace detail {

template <bool Phases, class... S>
constexpr auto stages_that_keep(type_list<S...>) {
    return concat_t<type_list<>, std::conditional_t<(S::axes == kir::walked_axes) == Phases,
                                                    type_list<typename S::reductions>, type_list<>>...>{};
}
template <class List>
struct first_or_none {
    using type = Phase<>;
};
template <class First, class... Rest>
struct first_or_none<type_list<First, Rest...>> {
    using type = First;
};

}  // namespace detail

/// Everything a kernel template needs to know. Stages: in an order in which each reads earlier ones; reductions are
/// counted through them. KeptRank / WalkedRank: axes of each set before merging. Stretches: when it runs, an operand
/// may turn out to have extent 1 along an axis on which the kernel walks further (kernels/body/own_elements.hpp).
template <class Leaves, class Functors, class Stages, class Outputs, int KeptRank, int WalkedRank, bool Stretches>
struct Program {
    using leaves = Leaves;
    using functors = Functors;
    using stages = Stages;
    using outputs = Outputs;
    static constexpr int kept_rank = KeptRank;
    static constexpr int walked_rank = WalkedRank;
    static constexpr bool stretches = Stretches;

    /// The stages over the walked axes, in order: type_list<Phase<...>...>.
    using phases = decltype(detail::stages_that_keep<true>(Stages{}));
    /// The last stage if it folds the kept axes, too: finished by the last block.
    using epilogue = typename detail::first_or_none<decltype(detail::stages_that_keep<false>(Stages{}))>::type;
    static constexpr std::uint64_t epilogue_items = epilogue::items;
};

namespace detail {

template <class... Ph>
constexpr bool any_ordered(type_list<Ph...>) {
    return (false || ... || !Ph::commutative);
}
template <class... R>
constexpr bool any_folds_runs(Phase<R...>) {
    return (false || ... || folds_runs<typename R::reduction_op>);
}
template <class... Ph>
constexpr bool any_folds_runs(type_list<Ph...>) {
    return (false || ... || any_folds_runs(Ph{}));
}
template <class... R>
constexpr bool scans(type_list<Phase<R...>>) {
    return (requires { R::reduction_op::exclusive; } || ...);
}
template <class... R>
constexpr bool scans_backwards(type_list<Phase<R...>>) {
    return (runs_backwards<typename R::reduction_op> || ...);
}
template <class... R>
constexpr bool sorts(type_list<Phase<R...>>) {
    return (requires { R::reduction_op::positions; } || ...);
}
template <class Other>
constexpr bool scans(Other) {
    return false;
}
template <class Other>
constexpr bool scans_backwards(Other) {
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
/// Whether one folds runs of elements at once.
template <class P>
inline constexpr bool folds_runs_program = detail::any_folds_runs(typename P::phases{});
/// Whether the one phase of a program is a scan: its results differ from element to element.
template <class P>
inline constexpr bool scan_program = detail::scans(typename P::phases{});
/// Whether it goes along the scanned axis from its end: bind.hpp turns the operands round, and kernels need not know.
template <class P>
inline constexpr bool reverse_program = detail::scans_backwards(typename P::phases{});
/// Whether it sorts instead.
template <class P>
inline constexpr bool sort_program = detail::sorts(typename P::phases{});
/// Whether a value fills an output outside the domain.
template <class P>
inline constexpr bool fill_program = detail::any_fill(typename P::outputs{});

FUSE_END_NAMESPACE
