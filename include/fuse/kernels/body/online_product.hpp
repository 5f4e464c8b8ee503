// SPDX-License-Identifier: Apache-2.0
//
// The product of an online phase (plan/sweeps.hpp): maxima, and sums of exponentials that are shifted by them. A part
// of the elements has sums that are shifted by its own maxima; where parts are joined, the one with the smaller maximum is
// rescaled. Elements are taken in groups, as a group costs one exponential for rescaling.
//
// A maximum that is infinite does not shift: a part of -inf alone has sums of 0, as beside a finite element it must have,
// and exp(+inf) is infinite. What such a row has in the end, NaN for exp(x - m), is decided when all is folded.
#pragma once

#include "fuse/kernels/body/product.hpp"
#include "fuse/numeric.hpp"
#include "fuse/plan/sweeps.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What sums are shifted by whose largest element is `max`.
template <class F>
FUSE_HD F shift_of(F max) {
    return max < limits<F>::infinity && max > -limits<F>::infinity ? max : F(0);
}

/// The same where a maximum that is infinite has terms that are 0 or infinite in any case: one without a comparison.
template <class F>
FUSE_HD F finite_shift(F max) {
    return smaller(larger(max, limits<F>::lowest), limits<F>::max);
}

/// exp(x) of what is shifted, mostly not above 0, as a term or a factor of a sum that is at least 1. On the device in three
/// instructions instead of eight: with a relative error of 2^-22 + |x| 2^-24, and 0 below 2^-126 (PTX ISA, ex2.approx.ftz).
/// The larger |x|, the less a term counts; and of 0 it is 1.
template <class F>
FUSE_HD F shifted_exponential(F x) {
#if FUSE_ON_DEVICE
    if constexpr (std::is_same_v<F, float>) {
        float result;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * 1.442695041F));
        return result;
    }
#endif
    return exponential(x);
}

/// Results of phases alone, as a context.
template <class Results>
struct ResultsContext {
    const Results& results;

    template <int I>
    FUSE_HD auto result(int) const {
        return get<I>(results);
    }
};

}  // namespace detail

template <class Maxima, class... S, int First, class Sequence>
struct Product<OnlinePhase<Maxima, type_list<S...>, First>, Sequence> {
    using Sums = Product<Phase<S...>>;
    struct accumulator {
        typename Product<Maxima>::accumulator maxima;
        typename Sums::accumulator sums;
    };
    static constexpr bool commutative = Maxima::commutative;

    FUSE_HD accumulator init() const {
        accumulator a;
        a.maxima = Product<Maxima>{}.init();
        for_sums([&]<int I, class Sum>() FUSE_INLINE_LAMBDA { get<I>(a.sums) = typename Sum::reduction_op{}.init(); });
        return a;
    }
    FUSE_HD accumulator combine(const accumulator& a, const accumulator& b) const {
        accumulator c;
        c.maxima = Product<Maxima>{}.combine(a.maxima, b.maxima);
        for_sums([&]<int I, class Sum>() FUSE_INLINE_LAMBDA {
            const auto max_a = get<Sum::max>(a.maxima);
            const auto max_b = get<Sum::max>(b.maxima);
            using F = std::remove_const_t<decltype(max_a)>;
            // Equal ones, infinite ones among them, are not subtracted.
            const F distance = max_a == max_b ? F(0) : max_a - max_b;
            const bool first = distance >= F(0);
            const auto larger = first ? get<I>(a.sums) : get<I>(b.sums);
            const auto smaller = first ? get<I>(b.sums) : get<I>(a.sums);
            const F scale = detail::shifted_exponential(first ? -distance : distance);
            get<I>(c.sums) = larger + smaller * static_cast<std::remove_const_t<decltype(larger)>>(scale);
        });
        return c;
    }
    /// Accumulator of item v of a context alone, element number `index`.
    template <class Context>
    FUSE_HD accumulator leaf(const Context& c, int v, index_t index) const {
        const auto with = [&](int, auto&& take) FUSE_INLINE_LAMBDA { take(c, index); };
        const auto inside = [](int) FUSE_INLINE_LAMBDA { return true; };
        return with_sums<1, 1>(Product<Maxima>{}.leaf(c, v, index), with, inside, v);
    }
    template <class Context>
    FUSE_HD void accumulate(accumulator& a, const Context& c, int v, index_t index) const {
        a = combine(a, leaf(c, v, index));
    }
    /// As Product's. Elements are shifted by the maximum with them, and what was there before is rescaled.
    static constexpr bool closes_runs = false;
    template <int N, class With>
    FUSE_HD void take_run(accumulator& run, const With& with, int v, bool) const {
        const auto before = run.maxima;
        Product<Maxima>{}.template take_run<N>(run.maxima, with, v, false);
        for_sums([&]<int I, class Sum>() FUSE_INLINE_LAMBDA {
            const typename Sum::reduction_op op;
            const auto shift = detail::finite_shift(get<Sum::max>(run.maxima));
            auto sum = op.init();
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                with(j, [&](const auto& c, index_t) FUSE_INLINE_LAMBDA {
                    const auto item = Evaluate<typename Sum::expression>::at(c, v);
                    sum = op.combine(sum, op.leaf(detail::shifted_exponential(item - shift), 0));
                });
            }
            const auto scale = detail::shifted_exponential(detail::finite_shift(get<Sum::max>(before)) - shift);
            get<I>(run.sums) = sum + get<I>(run.sums) * static_cast<decltype(sum)>(scale);
        });
    }
    FUSE_HD accumulator closed(const accumulator& run) const { return run; }
    FUSE_HD accumulator behind(const accumulator&) const { return init(); }
    template <int V>
    FUSE_HD void count_alike(accumulator (&)[V]) const {}
    /// As Product's.
    template <int N, int V, class With, class Inside>
    FUSE_HD accumulator of_group(const With& with, const Inside& inside) const {
        return with_sums<N, V>(Product<Maxima>{}.template of_group<N, V>(with, inside), with, inside, 0);
    }
    /// Maxima first: then a thread rescales its sums once, and not at each step.
    template <class Combined>
    FUSE_HD accumulator fold(const accumulator& part, const Combined& combined) const {
        accumulator total{combined(part.maxima, Product<Maxima>{}), part.sums};
        for_sums([&]<int I, class Sum>() FUSE_INLINE_LAMBDA {
            const auto own = get<Sum::max>(part.maxima);
            const auto scale = detail::shifted_exponential(own - detail::shift_of(get<Sum::max>(total.maxima)));
            get<I>(total.sums) *= static_cast<typename Sum::reduction_op::accumulator>(scale);
        });
        total.sums = combined(total.sums, Sums{});
        return total;
    }
    template <class Bytes>
    static constexpr std::size_t largest_fold(const Bytes& bytes) {
        return detail::largest(bytes(sizeof(accumulator)), bytes(sizeof(typename Product<Maxima>::accumulator)),
                               bytes(sizeof(typename Sums::accumulator)));
    }
    /// Writes the results, numbered from First; n: elements of a reduction that spans the domain.
    template <int Number, class Parameters, class Results>
    FUSE_HD void project(const accumulator& a, const Parameters& p, index_t n, Results& results) const {
        static_assert(Number == First);
        Product<Maxima>{}.template project<First>(a.maxima, p, n, results);
        for_sums([&]<int I, class Sum>() FUSE_INLINE_LAMBDA {
            constexpr int number = First + Maxima::size + I;
            const auto shift = Evaluate<typename Sum::shift>::at(detail::ResultsContext<Results>{results}, 0);
            const auto own = detail::shift_of(get<Sum::max>(a.maxima));
            using A = typename Sum::reduction_op::accumulator;
            const A sum = get<I>(a.sums) * static_cast<A>(detail::exponential(own - shift));
            get<number>(results) = typename Sum::reduction_op{}.project(sum, elements_of<number>(p, n));
        });
    }

private:
    template <class F>
    static FUSE_HD void for_sums(F&& f) {
        static_for<sizeof...(S)>([&]<int I>()
                                     FUSE_INLINE_LAMBDA { f.template operator()<I, at_t<type_list<S...>, I>>(); });
    }
    /// The accumulator of items v0 .. v0 + V - 1 of N contexts, with these maxima.
    template <int N, int V, class With, class Inside>
    static FUSE_HD accumulator with_sums(const typename Product<Maxima>::accumulator& maxima, const With& with,
                                         const Inside& inside, int v0) {
        accumulator a;
        a.maxima = maxima;
        for_sums([&]<int I, class Sum>() FUSE_INLINE_LAMBDA {
            const typename Sum::reduction_op op;
            const auto shift = detail::shift_of(get<Sum::max>(maxima));
            auto sum = op.init();
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                with(j, [&](const auto& c, index_t) FUSE_INLINE_LAMBDA {
                    auto part = op.init();
                    FUSE_UNROLL
                    for (int v = 0; v < V; ++v) {
                        const auto item = Evaluate<typename Sum::expression>::at(c, v0 + v);
                        part = op.combine(part, op.leaf(detail::shifted_exponential(item - shift), 0));
                    }
                    sum = inside(j) ? op.combine(sum, part) : sum;
                });
            }
            get<I>(a.sums) = sum;
        });
        return a;
    }
};

FUSE_END_NAMESPACE
