// SPDX-License-Identifier: Apache-2.0
//
// Outputs of a kernel that folds rows in online phases and computes exp(x - max) a second time, for what it writes. Of an
// output of 16 bits that need not be exact to the last bit of 32: it is a term of a sum, taken as it was when it was summed.
#pragma once

#include "fuse/kernels/body/online_product.hpp"
#include "fuse/kernels/body/row_context.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// exp(x) of a term, in three instructions instead of eight.
struct TermExponential {
    FUSE_HD float operator()(float x) const { return shifted_exponential(x); }
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

/// The expression of an output of 16 bits, for program P: with terms in products and quotients, where their relative error
/// stays as it is, by TermExponential.
template <class P, class E>
struct of_terms {
    using type = E;
};
template <class P, class E, class Shift>
    requires(is_term<E, Shift>(sweeps_t<P, true>{}))
struct of_terms<P, kir::Call<Exp<>, -1, kir::Call<Sub<>, -1, E, Shift>>> {
    using type = kir::Call<TermExponential, -1, kir::Call<Sub<>, -1, E, Shift>>;
};
template <class P, class A, class B>
struct of_terms<P, kir::Call<Mul<>, -1, A, B>> {
    using type = kir::Call<Mul<>, -1, typename of_terms<P, A>::type, typename of_terms<P, B>::type>;
};
template <class P, class A, class B>
struct of_terms<P, kir::Call<Div<>, -1, A, B>> {
    using type = kir::Call<Div<>, -1, typename of_terms<P, A>::type, typename of_terms<P, B>::type>;
};

}  // namespace detail

/// A context for what is written of rows that were folded in online phases.
template <class P, int V>
struct TermsContext : RowContext<P, V> {
    template <class E>
    using of_16_bits = typename detail::of_terms<P, E>::type;
};

FUSE_END_NAMESPACE
