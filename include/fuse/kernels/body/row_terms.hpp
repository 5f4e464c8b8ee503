// SPDX-License-Identifier: Apache-2.0
//
// exp(x - max) as a term of a sum that is at least 1: on a device in three instructions instead of eight
// (online_product.hpp). What is written in 16 bits need not be exact to the last bit of 32 either. So
//   rows that were folded in online phases, and compute exp(x - max) a second time for what they write, take terms where
//   that has 16 bits;
//   rows that are held on chip fold terms where nothing else asks for these exponentials, or what does may take terms, too.
#pragma once

#include "fuse/kernels/body/online_product.hpp"
#include "fuse/kernels/body/row_context.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// exp(x) of a term.
struct TermExponential {
    template <class F>
    FUSE_HD F operator()(F x) const {
        return shifted_exponential(x);
    }
};

/// Whether a program sums exp(E - Shift) in an online phase.
template <class E, class Shift, class Sweep>
inline constexpr bool sums_term = false;
template <class E, class Shift, class Maxima, class... S, int First, int Number, std::uint64_t Leaves>
inline constexpr bool sums_term<E, Shift, Sweep<OnlinePhase<Maxima, type_list<S...>, First>, Number, Leaves>> =
    ((std::is_same_v<typename S::expression, E> && std::is_same_v<typename S::shift, Shift>) || ...);
template <class E, class Shift, class... S>
constexpr bool is_term(type_list<S...>) {
    return (sums_term<E, Shift, S> || ...);
}

/// Functors that pass the error of a term on as it is: that of a result is within that of its terms, each 2^-22 of at most 1.
template <class F>
inline constexpr bool passes_terms = index_of<type_list<Mul<>, Div<>, Add<>, Sub<>, Neg<>>, F> >= 0;

/// An expression of program P with terms by TermExponential, as far as these functors lead; whether it has any, and whether
/// exponentials that are terms elsewhere are left as they are.
template <class P, class E>
struct of_terms {
    using type = E;
    static constexpr bool terms = false;
    static constexpr bool left = false;
};
template <class P, class E, class Shift>
    requires(is_term<E, Shift>(sweeps_t<P, true>{}))
struct of_terms<P, kir::Call<Exp<>, -1, kir::Call<Sub<>, -1, E, Shift>>> {
    using type = kir::Call<TermExponential, -1, kir::Call<Sub<>, -1, E, Shift>>;
    static constexpr bool terms = true;
    static constexpr bool left = false;
};
template <class P, class F, int Slot, class... Args>
struct of_terms<P, kir::Call<F, Slot, Args...>> {
    static constexpr bool passes = passes_terms<F>;
    using type = std::conditional_t<passes, kir::Call<F, Slot, typename of_terms<P, Args>::type...>,
                                    kir::Call<F, Slot, Args...>>;
    static constexpr bool terms = passes && (of_terms<P, Args>::terms || ...);
    static constexpr bool left = (of_terms<P, Args>::left || ...) || (!passes && (of_terms<P, Args>::terms || ...));
};
/// Where all stay as they are.
template <class P, class E>
inline constexpr bool has_exponentials = of_terms<P, E>::terms || of_terms<P, E>::left;

/// A reduction, of terms if it is a sum.
template <class P, class R>
struct fold_of_terms {
    using type = R;
    static constexpr bool left = has_exponentials<P, typename R::expression>;
};
template <class P, class T, class Acc, class E, unsigned Along>
struct fold_of_terms<P, kir::Reduction<SumReduction<T, Acc>, E, Along>> : of_terms<P, E> {
    using type = kir::Reduction<SumReduction<T, Acc>, typename of_terms<P, E>::type, Along>;
};
template <class P, class... R>
Phase<typename fold_of_terms<P, R>::type...> phase_of_terms(Phase<R...>);
template <class P, class... Ph, int... First, std::uint64_t... Leaves>
type_list<Sweep<decltype(phase_of_terms<P>(Ph{})), First, Leaves>...>
    sweeps_of_terms(type_list<Sweep<Ph, First, Leaves>...>);

/// Whether outputs, phases and what is folded as it is leave exponentials.
template <class P, class... O>
constexpr bool outputs_leave(type_list<O...>) {
    return ((is_16_bits<typename O::storage> ? of_terms<P, typename O::expression>::left
                                             : has_exponentials<P, typename O::expression>) ||
            ...);
}
template <class P, class... R>
constexpr bool sums_leave(Phase<R...>) {
    return (fold_of_terms<P, R>::left || ...);
}
template <class P, class... Ph>
constexpr bool phases_leave(type_list<Ph...>) {
    return (sums_leave<P>(Ph{}) || ...);
}
template <class P, class... R>
constexpr bool epilogue_leaves(Phase<R...>) {
    return (has_exponentials<P, typename R::expression> || ...);
}

}  // namespace detail

/// Whether rows of program P that are held on chip are folded as terms.
template <class P>
inline constexpr bool folds_terms = [] {
    // One after the other: what decides most programs costs the compiler least.
    if constexpr (!online_program<P>) {
        return false;
    } else if constexpr (detail::outputs_leave<P>(typename P::outputs{})) {
        return false;
    } else {
        return !detail::phases_leave<P>(typename P::phases{}) && !detail::epilogue_leaves<P>(typename P::epilogue{});
    }
}();

/// A context for what is written of rows that are folded as terms.
template <class P, int V>
struct TermsContext : RowContext<P, V> {
    template <class E>
    using of_16_bits = typename detail::of_terms<P, E>::type;
};

namespace detail {

template <class P>
constexpr auto held_sweeps() {
    if constexpr (folds_terms<P>) {
        return decltype(sweeps_of_terms<P>(sweeps_t<P, false>{})){};
    } else {
        return sweeps_t<P, false>{};
    }
}

}  // namespace detail

/// Of rows that are held on chip: their sweeps, a phase each, as exp(x - max) is mostly held with the row, for the output
/// that it goes into; and the context of what they write.
template <class P>
using held_sweeps_t = decltype(detail::held_sweeps<P>());
template <class P, int V>
using HeldContext = std::conditional_t<folds_terms<P>, TermsContext<P, V>, RowContext<P, V>>;

FUSE_END_NAMESPACE
