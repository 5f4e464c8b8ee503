// SPDX-License-Identifier: Apache-2.0
//
// From the intermediate form to a program: unique leaves and reductions, the depth of each reduction, which axes are
// reduced, the kernel family, and the refusal of what cannot be one kernel.
#pragma once

#include <boost/hana/filter.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unpack.hpp>

#include <bit>

#include "fuse/plan/family.hpp"
#include "fuse/plan/lower.hpp"
#include "fuse/plan/program.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Facts about an IR node. reads: distinct leaves; functors: distinct functors with state; reds: distinct reductions,
/// inner ones first; varies: domain axes along which the value changes.
template <class N>
struct facts;

template <class Id, class T, std::uint64_t Axes>
struct facts<ir::Leaf<Id, T, Axes>> {
    using reads = type_list<ir::Leaf<Id, T, Axes>>;
    using functors = type_list<>;
    using reds = type_list<>;
    static constexpr std::uint32_t varies = AxisMap::unpack(Axes).mask();
};
template <class Id, class T>
struct facts<ir::Scalar<Id, T>> {
    using reads = type_list<ir::Scalar<Id, T>>;
    using functors = type_list<>;
    using reds = type_list<>;
    static constexpr std::uint32_t varies = 0;
};
template <class T, long Num, long Den>
struct facts<ir::Constant<T, Num, Den>> {
    using reads = type_list<>;
    using functors = type_list<>;
    using reds = type_list<>;
    static constexpr std::uint32_t varies = 0;
};
template <int Axis>
struct facts<ir::Index<Axis>> {
    using reads = type_list<ir::Index<Axis>>;
    using functors = type_list<>;
    using reds = type_list<>;
    static constexpr std::uint32_t varies = 1U << Axis;
};

/// A functor with state and the identity of that state.
template <class F, class Id>
struct stateful {
    using functor = F;
};

template <class F, class Id, class... Args>
struct facts<ir::Call<F, Id, Args...>> {
    using own = std::conditional_t<std::is_same_v<Id, stateless_id>, type_list<>, type_list<stateful<F, Id>>>;
    using reads = unite_t<typename facts<Args>::reads...>;
    using functors = unite_t<own, typename facts<Args>::functors...>;
    using reds = unite_t<typename facts<Args>::reds...>;
    static constexpr std::uint32_t varies = (0U | ... | facts<Args>::varies);
};
template <class R, class E, std::uint32_t Mask>
struct facts<ir::Red<R, E, Mask>> {
    using reads = typename facts<E>::reads;
    using functors = typename facts<E>::functors;
    using reds = unite_t<typename facts<E>::reds, type_list<ir::Red<R, E, Mask>>>;
    static constexpr std::uint32_t varies = is_running<R> ? facts<E>::varies | Mask : facts<E>::varies & ~Mask;
};

template <class N>
struct red_traits;
template <class R, class E, std::uint32_t Mask>
struct red_traits<ir::Red<R, E, Mask>> {
    using reduction = R;
    using operand = E;
    static constexpr std::uint32_t mask = Mask;
};

template <class... Red>
constexpr bool any_running(type_list<Red...>) {
    return (is_running<typename red_traits<Red>::reduction> || ...);
}
/// Whether a reduction that is not a scan stands anywhere in N.
template <class N>
inline constexpr bool has_plain = false;
template <class F, class Id, class... Args>
inline constexpr bool has_plain<ir::Call<F, Id, Args...>> = (false || ... || has_plain<Args>);
template <class R, class E, std::uint32_t Mask>
inline constexpr bool has_plain<ir::Red<R, E, Mask>> = !is_running<R> || has_plain<E>;

template <class R>
inline constexpr bool is_sort = requires { R::positions; };
template <class... Red>
constexpr bool sorts_and_scans(type_list<Red...>) {
    constexpr int sorts = (0 + ... + (is_sort<typename red_traits<Red>::reduction> ? 1 : 0));
    return sorts > 0 && sorts < static_cast<int>(sizeof...(Red));
}

/// Number of reductions with mask S on the deepest path through N, N included.
template <class N, std::uint32_t S>
inline constexpr int depth = 0;
template <class F, class Id, class... Args, std::uint32_t S>
inline constexpr int depth<ir::Call<F, Id, Args...>, S> = largest(0, depth<Args, S>...);
template <class R, class E, std::uint32_t Mask, std::uint32_t S>
inline constexpr int depth<ir::Red<R, E, Mask>, S> = depth<E, S> + (Mask == S ? 1 : 0);

/// Whether a reduction with a mask other than S stands anywhere in N.
template <class N, std::uint32_t S>
inline constexpr bool has_other = false;
template <class F, class Id, class... Args, std::uint32_t S>
inline constexpr bool has_other<ir::Call<F, Id, Args...>, S> = (false || ... || has_other<Args, S>);
template <class R, class E, std::uint32_t Mask, std::uint32_t S>
inline constexpr bool has_other<ir::Red<R, E, Mask>, S> = Mask != S || has_other<E, S>;

template <class... Red>
constexpr bool splits_into(type_list<Red...>, std::uint32_t S, std::uint32_t all) {
    // With S as the reduced axes of the phases, every other reduction must be an epilogue: over all axes, or over the
    // kept ones of a value that is constant along S; and no phase may use its result.
    const bool epilogues_fit =
        ((red_traits<Red>::mask == S || red_traits<Red>::mask == all ||
          (red_traits<Red>::mask == (all & ~S) && (facts<typename red_traits<Red>::operand>::varies & S) == 0)) &&
         ...);
    return epilogues_fit;
}
template <std::uint32_t S, class... Red>
constexpr bool phases_free_of_epilogue(type_list<Red...>) {
    return (!has_other<typename red_traits<Red>::operand, S> && ...);
}

/// The masks among a list of reductions: the first, and the first that differs from it (or the same again).
struct Masks {
    std::uint32_t first = 0;
    std::uint32_t other = 0;
    int first_index = 0;
    int other_index = 0;
};
template <class... Red>
constexpr Masks masks(type_list<Red...>) {
    constexpr std::uint32_t all[] = {red_traits<Red>::mask..., 0};
    Masks m;
    m.first = m.other = all[0];
    for (int i = 0; i < static_cast<int>(sizeof...(Red)); ++i) {
        if (m.other == m.first && all[i] != m.first) {
            m.other = all[i];
            m.other_index = i;
        }
    }
    return m;
}

/// Printed by the compiler when two reductions exclude each other.
template <class R, class Axes>
struct reduction_over {};
template <std::uint32_t Mask, class Sequence = std::make_integer_sequence<int, max_rank>>
struct axes_of_mask;
template <std::uint32_t Mask, int... I>
struct axes_of_mask<Mask, std::integer_sequence<int, I...>> {
    template <int J>
    using one = std::conditional_t<((Mask >> J) & 1U) != 0, type_list<std::integral_constant<int, J>>, type_list<>>;
    template <class... A>
    static axes_t<A::value...> to_axes(type_list<A...>);
    using type = decltype(to_axes(concat_t<type_list<>, one<I>...>{}));
};
template <class First, class Second, bool Fits>
struct these_two_reductions_cannot_be_one_kernel {
    static_assert(Fits,
                  "fuse: two reductions over different axes cannot be one kernel (unless the second folds the results "
                  "of the first to a scalar, as the mean of a per-row loss): evaluate one of them into a view first. "
                  "The two reductions and their axes are named in this template's arguments");
};
template <class Red>
using named_reduction =
    reduction_over<typename red_traits<Red>::reduction, typename axes_of_mask<red_traits<Red>::mask>::type>;

/// Position of the leaves and reductions in their lists, applied to an expression.
template <class N, class Leaves, class Functors, class Reds>
struct number;
template <class Id, class T, std::uint64_t Axes, class L, class F, class R>
struct number<ir::Leaf<Id, T, Axes>, L, F, R> {
    using type = kir::Leaf<index_of<L, ir::Leaf<Id, T, Axes>>>;
};
template <class Id, class T, class L, class F, class R>
struct number<ir::Scalar<Id, T>, L, F, R> {
    using type = kir::Leaf<index_of<L, ir::Scalar<Id, T>>>;
};
template <int Axis, class L, class F, class R>
struct number<ir::Index<Axis>, L, F, R> {
    using type = kir::Leaf<index_of<L, ir::Index<Axis>>>;
};
template <class T, long Num, long Den, class L, class F, class R>
struct number<ir::Constant<T, Num, Den>, L, F, R> {
    using type = kir::Constant<T, Num, Den>;
};
template <class G, class Id, class... Args, class L, class F, class R>
struct number<ir::Call<G, Id, Args...>, L, F, R> {
    static constexpr int slot = index_of<F, stateful<G, Id>>;
    using type = kir::Call<G, slot, typename number<Args, L, F, R>::type...>;
};
template <class Op, class E, std::uint32_t Mask, class L, class F, class R>
struct number<ir::Red<Op, E, Mask>, L, F, R> {
    using type = kir::Red<index_of<R, ir::Red<Op, E, Mask>>>;
};

template <class Leaf, std::uint32_t S>
struct kernel_leaf;
template <class Id, class T, std::uint64_t Axes, std::uint32_t S>
struct kernel_leaf<ir::Leaf<Id, T, Axes>, S> {
    static constexpr std::uint32_t mask = AxisMap::unpack(Axes).mask();
    using type = kir::MemoryLeaf<T, (mask & ~S) != 0, (mask & S) != 0>;
};
template <class Id, class T, std::uint32_t S>
struct kernel_leaf<ir::Scalar<Id, T>, S> {
    using type = kir::ScalarLeaf<T>;
};
template <int Axis, std::uint32_t S>
struct kernel_leaf<ir::Index<Axis>, S> {
    using type = kir::IndexLeaf<((1U << Axis) & ~S) != 0, ((1U << Axis) & S) != 0>;
};

/// Hana groups reductions by a compile-time predicate.
template <std::uint32_t S, int Depth>
struct at_depth {
    template <class Red>
    constexpr auto operator()(Red) const {
        using N = typename Red::type;
        return boost::hana::bool_c<red_traits<N>::mask == S && depth<N, S> == Depth>;
    }
};
template <std::uint32_t S>
struct not_over {
    template <class Red>
    constexpr auto operator()(Red) const {
        return boost::hana::bool_c<red_traits<typename Red::type>::mask != S>;
    }
};
struct to_list {
    template <class... T>
    constexpr auto operator()(T...) const {
        return type_list<typename T::type...>{};
    }
};
template <class List>
struct as_hana;
template <class... T>
struct as_hana<type_list<T...>> {
    static constexpr auto value = boost::hana::tuple_t<T...>;
};
template <class List, class Predicate>
using select_t = decltype(boost::hana::unpack(boost::hana::filter(as_hana<List>::value, Predicate{}), to_list{}));

}  // namespace detail

FUSE_END_NAMESPACE
