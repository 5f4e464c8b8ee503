// SPDX-License-Identifier: Apache-2.0
//
// The reductions of one phase as one reduction op: their accumulators side by side. A block folds them together, so a
// phase costs one collective however many reductions it has.
#pragma once

#include "fuse/kernels/body/evaluate.hpp"
#include "fuse/primitives/thread/item_folds.hpp"
#include "fuse/primitives/thread/reduce_local.hpp"

FUSE_BEGIN_NAMESPACE

template <class Ph, class Sequence = std::make_integer_sequence<int, Ph::size>>
struct Product;

template <class... R, int... I>
struct Product<Phase<R...>, std::integer_sequence<int, I...>> {
    using accumulator = Tuple<typename R::reduction_op::accumulator...>;
    static constexpr bool commutative = Phase<R...>::commutative;

    FUSE_HD accumulator init() const {
        accumulator a;
        ((get<I>(a) = typename R::reduction_op{}.init()), ...);
        return a;
    }
    FUSE_HD accumulator combine(const accumulator& a, const accumulator& b) const {
        accumulator c;
        ((get<I>(c) = typename R::reduction_op{}.combine(get<I>(a), get<I>(b))), ...);
        return c;
    }
    /// Takes in item v of a context, element number `index` of the reduction.
    template <class Context>
    FUSE_HD void accumulate(accumulator& a, const Context& c, int v, index_t index) const {
        ((get<I>(a) = typename R::reduction_op{}.reduce(get<I>(a), Evaluate<typename R::expression>::at(c, v), index)),
         ...);
    }
    /// Accumulator of item v of a context alone.
    template <class Context>
    FUSE_HD accumulator leaf(const Context& c, int v, index_t index) const {
        accumulator a;
        ((get<I>(a) = typename R::reduction_op{}.leaf(Evaluate<typename R::expression>::at(c, v), index)), ...);
        return a;
    }
    /// Accumulator of items 0 .. V-1 of a context, elements index .. index + V - 1.
    template <int V, class Context>
    FUSE_HD accumulator gather(const Context& c, index_t index) const {
        accumulator a = leaf(c, 0, index);
        FUSE_UNROLL
        for (int v = 1; v < V; ++v) {
            accumulate(a, c, v, index + v);
        }
        return a;
    }
    /// Writes the results, numbered from First; n: elements of a reduction that spans the domain.
    template <int First, class Parameters, class Results>
    FUSE_HD void project(const accumulator& a, const Parameters& p, index_t n, Results& results) const {
        ((get<First + I>(results) = typename R::reduction_op{}.project(get<I>(a), elements_of<First + I>(p, n))), ...);
    }
};

namespace detail {

template <class T>
struct plain {
    using type = T;
};
template <class Ph>
struct phase_results;
template <class... R>
struct phase_results<Phase<R...>> {
    using type = type_list<typename R::reduction_op::result...>;
};
template <class Phases, class Epilogue>
struct all_results;
template <class... Ph, class Epilogue>
struct all_results<type_list<Ph...>, Epilogue> {
    using type = concat_t<type_list<>, typename phase_results<Ph>::type..., typename phase_results<Epilogue>::type>;
};

}  // namespace detail

/// Results of all reductions of a program, in the order of their numbers.
template <class P>
struct results_of {
    using types = typename detail::all_results<typename P::phases, typename P::epilogue>::type;
    using tuple = typename map_tuple<types, detail::plain>::type;
};
template <class P>
using results_t = typename results_of<P>::tuple;

/// Number of the first reduction of phase I; I = number of phases gives that of the epilogue.
template <class P, int I>
inline constexpr int first_result = [] {
    if constexpr (I == 0) {
        return 0;
    } else {
        return first_result<P, I - 1> + at_t<typename P::phases, I - 1>::size;
    }
}();

FUSE_END_NAMESPACE
