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
inline constexpr bool passes_terms = false;
template <>
inline constexpr bool passes_terms<Mul<>> = true;
template <>
inline constexpr bool passes_terms<Div<>> = true;
template <>
inline constexpr bool passes_terms<Add<>> = true;
template <>
inline constexpr bool passes_terms<Sub<>> = true;
template <>
inline constexpr bool passes_terms<Neg<>> = true;

/// An expression of program P with terms by TermExponential, as far as these functors lead.
template <class P, class E>
struct of_terms {
    using type = E;
};
template <class P, class E, class Shift>
    requires(is_term<E, Shift>(sweeps_t<P, true>{}))
struct of_terms<P, kir::Call<Exp<>, -1, kir::Call<Sub<>, -1, E, Shift>>> {
    using type = kir::Call<TermExponential, -1, kir::Call<Sub<>, -1, E, Shift>>;
};
template <class P, class F, class... Args>
    requires passes_terms<F>
struct of_terms<P, kir::Call<F, -1, Args...>> {
    using type = kir::Call<F, -1, typename of_terms<P, Args>::type...>;
};

/// Whether exp(x - max) stands in an expression as it is, as a term that is none.
template <class P, class E>
inline constexpr bool has_exponential = false;
template <class P, class F, int Slot, class... Args>
inline constexpr bool has_exponential<P, kir::Call<F, Slot, Args...>> = (has_exponential<P, Args> || ...);
template <class P, class E, class Shift>
inline constexpr bool has_exponential<P, kir::Call<Exp<>, -1, kir::Call<Sub<>, -1, E, Shift>>> =
    is_term<E, Shift>(sweeps_t<P, true>{}) || has_exponential<P, E>;

/// A sum with terms.
template <class P, class R>
struct sum_of_terms {
    using type = R;
};
template <class P, class T, class Acc, class E, unsigned Along>
struct sum_of_terms<P, kir::Reduction<SumReduction<T, Acc>, E, Along>> {
    using type = kir::Reduction<SumReduction<T, Acc>, typename of_terms<P, E>::type, Along>;
};

/// Phases, sweeps and outputs of program P, and whether exponentials are left beside the terms.
template <class P, class Part>
struct with_terms;
template <class P, class... R>
struct with_terms<P, Phase<R...>> {
    using type = Phase<typename sum_of_terms<P, R>::type...>;
    static constexpr bool exponentials = (has_exponential<P, typename sum_of_terms<P, R>::type::expression> || ...);
};
template <class P, class... Ph, int... First, std::uint64_t... Leaves>
struct with_terms<P, type_list<Sweep<Ph, First, Leaves>...>> {
    using type = type_list<Sweep<typename with_terms<P, Ph>::type, First, Leaves>...>;
    static constexpr bool exponentials = (with_terms<P, Ph>::exponentials || ...);
};
template <class P, class... O>
struct with_terms<P, type_list<O...>> {
    template <class One>
    using expression =
        typename std::conditional_t<is_16_bits<typename One::storage>, of_terms<P, typename One::expression>,
                                    std::type_identity<typename One::expression>>::type;
    static constexpr bool exponentials = (has_exponential<P, expression<O>> || ...);
};

/// An epilogue takes what it folds as it is.
template <class P, class Epilogue>
inline constexpr bool epilogue_has_exponentials = false;
template <class P, class... R>
inline constexpr bool epilogue_has_exponentials<P, Phase<R...>> = (has_exponential<P, typename R::expression> || ...);

}  // namespace detail

/// Whether rows of program P that are held on chip are folded as terms.
template <class P>
inline constexpr bool folds_terms = [] {
    // One after the other: what decides most programs costs the compiler least.
    if constexpr (!online_program<P>) {
        return false;
    } else if constexpr (detail::with_terms<P, typename P::outputs>::exponentials) {
        return false;
    } else {
        return !detail::with_terms<P, sweeps_t<P, false>>::exponentials &&
               !detail::epilogue_has_exponentials<P, typename P::epilogue>;
    }
}();

/// A context for what is written of rows that are folded as terms.
template <class P, int V>
struct TermsContext : RowContext<P, V> {
    template <class E>
    using of_16_bits = typename detail::of_terms<P, E>::type;
};

namespace detail {

/// Rows that are held on chip: their sweeps, a phase each, as exp(x - max) is mostly held with the row, for the output that
/// it goes into; and the context of what they write.
template <class P, bool Terms>
struct held_program {
    using sweeps = sweeps_t<P, false>;
    template <int V>
    using context = RowContext<P, V>;
};
template <class P>
struct held_program<P, true> {
    using sweeps = typename with_terms<P, sweeps_t<P, false>>::type;
    template <int V>
    using context = TermsContext<P, V>;
};

}  // namespace detail

template <class P>
using held_program = detail::held_program<P, folds_terms<P>>;
template <class P, int V>
using HeldContext = typename held_program<P>::template context<V>;

FUSE_END_NAMESPACE
