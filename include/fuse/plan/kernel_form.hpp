// SPDX-License-Identifier: Apache-2.0
//
// From the array back to types, where kernels need them: expressions in which leaves, functor states and reductions are
// numbers, and the leaves themselves. Reductions are counted stage by stage.
#pragma once

#include "fuse/lang/no_element.hpp"
#include "fuse/plan/program.hpp"
#include "fuse/plan/stages.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A numbered program: its array, and how it is arranged.
template <int Rank, class... Root>
struct ArrangedNodes : NumberedNodes<Root...> {
    using base = NumberedNodes<Root...>;
    using base::nodes;
    static constexpr Arrangement arrangement = best_arrangement(nodes, rank_in_use(nodes, Rank));

    template <int I>
    static constexpr StageSets stage = stage_at(nodes, arrangement, I);
    /// The number of a reduction in the program. Not by a qualified call: nvcc works such a one out where it is written, too.
    template <class Reduction>
    static constexpr int number_in_program = place_in_program(nodes, arrangement, base::template number<Reduction>);
};

template <class G, class N>
struct kernel_form {
    using type = kir::Leaf<G::template number<N>>;
};
template <class G, class T, long Num, long Den>
struct kernel_form<G, ir::Constant<T, Num, Den>> {
    using type = kir::Constant<T, Num, Den>;
};
template <class G, class F, class Id, class... Args>
struct kernel_form<G, ir::Call<F, Id, Args...>> {
    using type = kir::Call<F, G::template number<ir::Call<F, Id, Args...>>, typename kernel_form<G, Args>::type...>;
};
template <class G, class F, class... Args>
struct kernel_form<G, ir::Call<F, stateless_id, Args...>> {
    using type = kir::Call<F, -1, typename kernel_form<G, Args>::type...>;
};
template <class G, class R, class E, std::uint32_t Mask>
struct kernel_form<G, ir::Reduction<R, E, Mask>> {
    using type = kir::Result<G::template number_in_program<ir::Reduction<R, E, Mask>>>;
};

/// The reductions of the array, in its order.
template <class G, class Sequence>
struct reduction_types;
template <class G, int... I>
struct reduction_types<G, std::integer_sequence<int, I...>> {
    using type = type_list<typename G::template type_of<G::nodes.reduction[I]>::type...>;
};

/// A reduction in the form for kernels.
template <class G, class Reduction>
struct kernel_reduction;
template <class G, class R, class E, std::uint32_t Mask>
struct kernel_reduction<G, ir::Reduction<R, E, Mask>> {
    using type = kir::Reduction<R, typename kernel_form<G, E>::type, G::arrangement.along(varies<E>)>;
};

template <class G, int I, class Sequence>
struct kernel_stage;
template <class G, int I, int... J>
struct kernel_stage<G, I, std::integer_sequence<int, J...>> {
    static constexpr StageSets sets = G::template stage<I>;
    template <int K>
    using reduction = typename G::template type_of<G::nodes.reduction[sets.at(K)]>::type;
    using type = Stage<G::arrangement.along(sets.axes), Reads<sets.leaves, sets.stages>,
                       Phase<typename kernel_reduction<G, reduction<J>>::type...>>;
};
template <class G, class Sequence>
struct kernel_stages;
template <class G, int... I>
struct kernel_stages<G, std::integer_sequence<int, I...>> {
    using type =
        type_list<typename kernel_stage<G, I, std::make_integer_sequence<int, G::template stage<I>.size()>>::type...>;
};

/// A leaf whose value varies along the sets of axes in Along.
template <class Leaf, unsigned Along>
struct kernel_leaf;
template <class Id, class T, std::uint64_t Axes, unsigned Along>
struct kernel_leaf<ir::Leaf<Id, T, Axes>, Along> {
    using type = kir::MemoryLeaf<T, (Along & kir::kept_axes) != 0, (Along & kir::walked_axes) != 0>;
};
/// Extents alone, whose element says nothing.
template <class Id, std::uint64_t Axes, unsigned Along>
struct kernel_leaf<ir::Leaf<Id, NoElement, Axes>, Along> {
    using type = kir::ScalarLeaf<NoElement>;
};
template <class Id, class T, unsigned Along>
struct kernel_leaf<ir::Scalar<Id, T>, Along> {
    using type = kir::ScalarLeaf<T>;
};
template <int Axis, class Leaves, unsigned Along>
struct kernel_leaf<ir::Index<Axis, Leaves>, Along> {
    using type = kir::IndexLeaf<(Along & kir::kept_axes) != 0, (Along & kir::walked_axes) != 0, true>;
};
template <std::uint64_t Axes, class... Leaves, unsigned Along>
struct kernel_leaf<ir::FlatIndex<Axes, Leaves...>, Along> {
    using type = kir::IndexLeaf<(Along & kir::kept_axes) != 0, (Along & kir::walked_axes) != 0, false>;
};
template <int Statement, unsigned Along>
struct kernel_leaf<ir::OutputFlatIndex<Statement>, Along> {
    using type = kir::OutputIndexLeaf;
};
template <int Statement, int Axis, unsigned Along>
struct kernel_leaf<ir::OutputIndex<Statement, Axis>, Along> {
    using type = kir::OutputIndexLeaf;
};

/// The leaves of the array as the intermediate form has them, and as kernels have them.
template <class G, class Sequence>
struct leaf_types;
template <class G, int... I>
struct leaf_types<G, std::integer_sequence<int, I...>> {
    template <int J>
    using leaf = typename G::template type_of<G::nodes.leaf[J]>::type;
    using ir = type_list<leaf<I>...>;
    using kernel =
        type_list<typename kernel_leaf<leaf<I>, G::arrangement.along(G::nodes.node[G::nodes.leaf[I]].varies)>::type...>;
};

template <class Call>
struct functor_of;
template <class F, class Id, class... Args>
struct functor_of<ir::Call<F, Id, Args...>> {
    using type = F;
};
template <class G, class Sequence>
struct functor_types;
template <class G, int... I>
struct functor_types<G, std::integer_sequence<int, I...>> {
    using type = type_list<typename functor_of<typename G::template type_of<G::array.state[I]>::type>::type...>;
};

}  // namespace detail

FUSE_END_NAMESPACE
