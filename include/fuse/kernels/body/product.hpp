// SPDX-License-Identifier: Apache-2.0
//
// The reductions of one phase as one reduction op: their accumulators side by side. A block folds them together, so a
// phase costs one collective however many reductions it has.
#pragma once

#include "fuse/kernels/body/evaluate.hpp"
#include "fuse/plan/sweeps.hpp"
#include "fuse/primitives/thread/item_folds.hpp"
#include "fuse/primitives/thread/reduce_local.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether a reduction op says of some vectors that they change nothing: `passes_over(first element, its index, count)`.
template <class R>
concept passes_over_vectors = requires(const R r, typename R::value_type v, index_t i) {
    { r.passes_over(v, i, i) } -> std::convertible_to<bool>;
};

/// Whether a program has one.
template <class Phases>
inline constexpr bool any_passes_over = false;
template <class... Ph>
inline constexpr bool any_passes_over<type_list<Ph...>> = (any_passes_over<Ph> || ...);
template <class... R>
inline constexpr bool any_passes_over<Phase<R...>> = (passes_over_vectors<typename R::reduction_op> || ...);

}  // namespace detail

template <class Ph, class Sequence = std::make_integer_sequence<int, Ph::size>>
struct Product;

template <class... R, int... I>
struct Product<Phase<R...>, std::integer_sequence<int, I...>> {
    using accumulator = Tuple<typename R::reduction_op::accumulator...>;
    static constexpr bool commutative = Phase<R...>::commutative;
    /// Whether elements are folded by themselves, a few at a time, before they join an accumulator. The compiler knows how
    /// many these are: what a user's op computes from counts, a division perhaps, is then a constant.
    static constexpr bool joins_runs = (... || (std::is_class_v<typename R::reduction_op::accumulator> &&
                                                !detail::passes_over_vectors<typename R::reduction_op>));

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
    /// The same where all elements of b come after those of a.
    FUSE_HD accumulator append(const accumulator& a, const accumulator& b) const {
        accumulator c;
        ((get<I>(c) = fuse::append(typename R::reduction_op{}, get<I>(a), get<I>(b))), ...);
        return c;
    }
    /// Takes in item v of a context, element number `index` of the reduction, which is larger than those before.
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
    /// Takes in items 0 .. V-1 of a context, elements index .. index + V - 1, each into an accumulator of its own.
    template <int V, class Context>
    FUSE_HD void accumulate_all(accumulator (&a)[V], const Context& c, index_t index) const {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, J>;
            if (!passes_over<One, V>(c, index)) {
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    accumulate_one<One>(get<J>(a[v]), c, v, index + v);
                }
            }
        });
    }
    /// Accumulator of item v of N contexts: with(j, take) calls take(context, index of the element) for context j.
    template <int N, class With>
    FUSE_HD accumulator of_run(const With& with, int v) const {
        accumulator a;
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, J>;
            using op = typename One::reduction_op;
            if constexpr (folds_runs<op>) {
                typename op::value_type items[N];
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    with(j, [&](const auto& c, index_t)
                                FUSE_INLINE_LAMBDA { items[j] = Evaluate<typename One::expression>::at(c, v); });
                }
                get<J>(a) = op{}.of_run(items);
            } else {
                get<J>(a) = run_of<One, N>(with, v);
            }
        });
        return a;
    }
    /// Whether some of them fold runs, which are closed before they are combined.
    static constexpr bool closes_runs = (... || folds_runs<typename R::reduction_op>);
    /// Takes item v of N contexts, as those of of_run, into a run; first: of the first run.
    template <int N, class With>
    FUSE_HD void take_run(accumulator& run, const With& with, int v, bool first) const {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, J>;
            using op = typename One::reduction_op;
            if constexpr (folds_runs<op>) {
                typename op::value_type items[N];
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    with(j, [&](const auto& c, index_t)
                                FUSE_INLINE_LAMBDA { items[j] = Evaluate<typename One::expression>::at(c, v); });
                }
                op{}.take_run(get<J>(run), items, first);
            } else if constexpr (N == 1) {
                with(0, [&](const auto& c, index_t index)
                            FUSE_INLINE_LAMBDA { accumulate_one<One>(get<J>(run), c, v, index); });
            } else {
                get<J>(run) = op{}.combine(get<J>(run), run_of<One, N>(with, v));
            }
        });
    }
    FUSE_HD accumulator closed(const accumulator& run) const {
        accumulator a;
        ((get<I>(a) = closed_one<typename R::reduction_op>(get<I>(run))), ...);
        return a;
    }
    /// An empty run behind a closed one.
    FUSE_HD accumulator behind(const accumulator& run) const {
        accumulator a;
        ((get<I>(a) = behind_one<typename R::reduction_op>(get<I>(run))), ...);
        return a;
    }
    /// Says that accumulators have taken in as many elements each.
    template <int V>
    FUSE_HD void count_alike(accumulator (&a)[V]) const {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA {
            using op = typename at_t<type_list<R...>, J>::reduction_op;
            if constexpr (folds_runs<op>) {
                FUSE_UNROLL
                for (int v = 1; v < V; ++v) {
                    get<J>(a[v]).count = get<J>(a[0]).count;
                }
            }
        });
    }
    /// Appends N vectors of V items, where all reductions find positions: with(j, take) calls
    /// take(context, first) for vector j, whose first item is element number `first`.
    template <int N, int V, class With>
    FUSE_HD void append_vectors(accumulator& a, const With& with) const {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, J>;
            typename One::reduction_op::value_type items[N * V];
            index_t first[N];
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                with(j, [&](const auto& c, index_t index) FUSE_INLINE_LAMBDA {
                    FUSE_UNROLL
                    for (int v = 0; v < V; ++v) {
                        items[j * V + v] = Evaluate<typename One::expression>::at(c, v);
                    }
                    first[j] = index;
                });
            }
            // Selects: a register has no address.
            const auto index_of = [&](int place) FUSE_INLINE_LAMBDA {
                index_t index = first[0] + place;
                FUSE_UNROLL
                for (int j = 1; j < N; ++j) {
                    index = place >= j * V ? first[j] + (place - j * V) : index;
                }
                return index;
            };
            get<J>(a) = typename One::reduction_op{}.append_items(get<J>(a), items, index_of);
        });
    }
    /// Accumulator of these items.
    template <int V, class Context>
    FUSE_HD accumulator gather(const Context& c, index_t index) const {
        accumulator a;
        ((get<I>(a) = gather_one<R, V>(c, index)), ...);
        return a;
    }
    /// Accumulator of N vectors of V items, as far as inside(j): with(j, take) calls take(context, first) for vector j, whose
    /// first item is element number `first`. All are evaluated.
    template <int N, int V, class With, class Inside>
    FUSE_HD accumulator of_group(const With& with, const Inside& inside) const {
        return of_group<N, V>(with, inside, [](int) { return true; });
    }
    /// The same of the vectors before the first for which has(j) is false.
    template <int N, int V, class With, class Inside, class Has>
    FUSE_HD accumulator of_group(const With& with, const Inside& inside, const Has& has) const {
        accumulator total = init();
        FUSE_UNROLL
        for (int j = 0; j < N && has(j); ++j) {
            with(j, [&](const auto& c, index_t first) FUSE_INLINE_LAMBDA {
                const accumulator joined = append(total, gather<V>(c, first));
                total = inside(j) ? joined : total;
            });
        }
        return total;
    }
    /// The fold of the parts of several threads; combined(a, r) is that of accumulators of any reduction r.
    template <class Combined>
    FUSE_HD accumulator fold(const accumulator& part, const Combined& combined) const {
        return combined(part, *this);
    }
    /// Writes the results, numbered from First; n: elements of a reduction that spans the domain.
    template <int First, class Parameters, class Count, class Results>
    FUSE_HD void project(const accumulator& a, const Parameters& p, Count n, Results& results) const {
        ((get<First + I>(results) = typename R::reduction_op{}.project(get<I>(a), elements_of<First + I>(p, n))), ...);
    }

private:
    template <class One, int N, class With>
    static FUSE_HD typename One::reduction_op::accumulator run_of(const With& with, int v) {
        typename One::reduction_op::accumulator a{};  // which g++ does not see to be set at j == 0
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            with(j, [&](const auto& c, index_t index) FUSE_INLINE_LAMBDA {
                if (j == 0) {
                    a = typename One::reduction_op{}.leaf(Evaluate<typename One::expression>::at(c, v), index);
                } else {
                    accumulate_one<One>(a, c, v, index);
                }
            });
        }
        return a;
    }
    template <class One, int V, class Context>
    static FUSE_HD typename One::reduction_op::accumulator gather_one(const Context& c, index_t index) {
        if (passes_over<One, V>(c, index)) {
            return typename One::reduction_op{}.init();
        }
        auto a = typename One::reduction_op{}.leaf(Evaluate<typename One::expression>::at(c, 0), index);
        FUSE_UNROLL
        for (int v = 1; v < V; ++v) {
            accumulate_one<One>(a, c, v, index + v);
        }
        return a;
    }
    template <class Op>
    static FUSE_HD auto closed_one(const typename Op::accumulator& run) {
        if constexpr (folds_runs<Op>) {
            return Op{}.closed(run);
        } else {
            return run;
        }
    }
    template <class Op>
    static FUSE_HD auto behind_one(const typename Op::accumulator& run) {
        if constexpr (folds_runs<Op>) {
            return Op{}.behind(run);
        } else {
            return Op{}.init();
        }
    }
    template <class One, class Context>
    static FUSE_HD void accumulate_one(typename One::reduction_op::accumulator& a, const Context& c, int v,
                                       index_t index) {
        a = typename One::reduction_op{}.reduce(a, Evaluate<typename One::expression>::at(c, v), index);
    }
    template <class One, int V, class Context>
    static FUSE_HD bool passes_over(const Context& c, index_t index) {
        if constexpr (detail::passes_over_vectors<typename One::reduction_op>) {
            return typename One::reduction_op{}.passes_over(Evaluate<typename One::expression>::at(c, 0), index, V);
        } else {
            return false;
        }
    }
};

/// R for collectives that combine nothing but neighbours, the earlier first.
template <class R>
struct InOrder : R {
    static constexpr bool commutative = false;
    using accumulator = typename R::accumulator;

    FUSE_HD accumulator combine(const accumulator& a, const accumulator& b) const { return R::append(a, b); }
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

FUSE_END_NAMESPACE
