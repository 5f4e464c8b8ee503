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
/// inner ones first.
template <class N>
struct facts;

template <class Id, class T, std::uint64_t Axes>
struct facts<ir::Leaf<Id, T, Axes>> {
    using reads = type_list<ir::Leaf<Id, T, Axes>>;
    using functors = type_list<>;
    using reds = type_list<>;
};
template <class Id, class T>
struct facts<ir::Scalar<Id, T>> {
    using reads = type_list<ir::Scalar<Id, T>>;
    using functors = type_list<>;
    using reds = type_list<>;
};
template <class T, long Num, long Den>
struct facts<ir::Constant<T, Num, Den>> {
    using reads = type_list<>;
    using functors = type_list<>;
    using reds = type_list<>;
};
template <int Axis, class Leaves>
struct facts<ir::Index<Axis, Leaves>> {
    using reads = type_list<ir::Index<Axis, Leaves>>;
    using functors = type_list<>;
    using reds = type_list<>;
};
template <int Statement, int Axis>
struct facts<ir::OutputIndex<Statement, Axis>> {
    using reads = type_list<ir::OutputIndex<Statement, Axis>>;
    using functors = type_list<>;
    using reds = type_list<>;
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
};
template <class R, class E, std::uint32_t Mask>
struct facts<ir::Red<R, E, Mask>> {
    using reads = typename facts<E>::reads;
    using functors = typename facts<E>::functors;
    using reds = unite_t<typename facts<E>::reds, type_list<ir::Red<R, E, Mask>>>;
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

template <class... Red>
constexpr bool sorts_and_scans(type_list<Red...>) {
    constexpr int sorts = (0 + ... + (is_sort<typename red_traits<Red>::reduction> ? 1 : 0));
    return sorts > 0 && sorts < static_cast<int>(sizeof...(Red));
}

/// With S as the reduced axes of the phases, a reduction over some of S belongs to a phase, any other one to the epilogue.
constexpr bool in_phase(std::uint32_t mask, std::uint32_t S) {
    return (mask & ~S) == 0;
}

/// Number of phase reductions on the deepest path through N, N included.
template <class N, std::uint32_t S>
inline constexpr int depth = 0;
template <class F, class Id, class... Args, std::uint32_t S>
inline constexpr int depth<ir::Call<F, Id, Args...>, S> = largest(0, depth<Args, S>...);
template <class R, class E, std::uint32_t Mask, std::uint32_t S>
inline constexpr int depth<ir::Red<R, E, Mask>, S> = depth<E, S> + (in_phase(Mask, S) ? 1 : 0);

/// Whether an epilogue reduction stands anywhere in N.
template <class N, std::uint32_t S>
inline constexpr bool reads_epilogue = false;
template <class F, class Id, class... Args, std::uint32_t S>
inline constexpr bool reads_epilogue<ir::Call<F, Id, Args...>, S> = (false || ... || reads_epilogue<Args, S>);
template <class R, class E, std::uint32_t Mask, std::uint32_t S>
inline constexpr bool reads_epilogue<ir::Red<R, E, Mask>, S> = !in_phase(Mask, S) || reads_epilogue<E, S>;

/// Whether N reads the result of a phase itself, not through an epilogue reduction.
template <class N, std::uint32_t S>
inline constexpr bool reads_phase = false;
template <class F, class Id, class... Args, std::uint32_t S>
inline constexpr bool reads_phase<ir::Call<F, Id, Args...>, S> = (false || ... || reads_phase<Args, S>);
template <class R, class E, std::uint32_t Mask, std::uint32_t S>
inline constexpr bool reads_phase<ir::Red<R, E, Mask>, S> = in_phase(Mask, S);

/// How a reduction fits a kernel whose phases reduce S, in a domain with axes `all`.
enum class Fit {
    no,
    stretched,  ///< its operand has extent 1 along axes that the kernel walks: elements there count once
    exact
};
template <class Red>
constexpr Fit fit(std::uint32_t S, std::uint32_t all) {
    constexpr std::uint32_t mask = red_traits<Red>::mask;
    constexpr std::uint32_t along = varies<typename red_traits<Red>::operand>;
    if (is_running<typename red_traits<Red>::reduction>) {
        return mask == S ? Fit::exact : Fit::no;
    }
    if (in_phase(mask, S)) {
        return (along & S & ~mask) != 0 ? Fit::no : mask == S ? Fit::exact : Fit::stretched;
    }
    // An epilogue has one result. It folds one value per row, or every element.
    const std::uint32_t walked = (along & S) == 0 ? all & ~S : all;
    return (along & ~mask) != 0 ? Fit::no : mask == walked ? Fit::exact : Fit::stretched;
}

/// The worst fit of a list of reductions; no where one reads the result of an epilogue, or where there is an epilogue and
/// the kernel does not go row by row.
template <std::uint32_t S, std::uint32_t All, bool Rows, class... Red>
constexpr Fit fit_all(type_list<Red...>) {
    constexpr bool epilogue = (!in_phase(red_traits<Red>::mask, S) || ...);
    if constexpr ((reads_epilogue<typename red_traits<Red>::operand, S> || ...) || (epilogue && !Rows)) {
        return Fit::no;
    } else {
        Fit worst = Fit::exact;
        ((worst = fit<Red>(S, All) < worst ? fit<Red>(S, All) : worst), ...);
        return worst;
    }
}

/// The masks among a list of reductions: the first, the first that differs from it (or the same again), all together.
struct Masks {
    std::uint32_t first = 0;
    std::uint32_t other = 0;
    std::uint32_t together = 0;
    int first_index = 0;
    int other_index = 0;
};
template <class... Red>
constexpr Masks masks(type_list<Red...>) {
    constexpr std::uint32_t all[] = {red_traits<Red>::mask..., 0};
    Masks m;
    m.first = m.other = all[0];
    for (int i = 0; i < static_cast<int>(sizeof...(Red)); ++i) {
        m.together |= all[i];
        if (m.other == m.first && all[i] != m.first) {
            m.other = all[i];
            m.other_index = i;
        }
    }
    return m;
}

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
template <int Axis, class Leaves, class L, class F, class R>
struct number<ir::Index<Axis, Leaves>, L, F, R> {
    using type = kir::Leaf<index_of<L, ir::Index<Axis, Leaves>>>;
};
template <int Statement, int Axis, class L, class F, class R>
struct number<ir::OutputIndex<Statement, Axis>, L, F, R> {
    using type = kir::Leaf<index_of<L, ir::OutputIndex<Statement, Axis>>>;
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
template <int Axis, class Leaves, std::uint32_t S>
struct kernel_leaf<ir::Index<Axis, Leaves>, S> {
    using type = kir::IndexLeaf<((1U << Axis) & ~S) != 0, ((1U << Axis) & S) != 0>;
};
template <int Statement, int Axis, std::uint32_t S>
struct kernel_leaf<ir::OutputIndex<Statement, Axis>, S> {
    using type = kir::OutputIndexLeaf;
};

/// Hana groups reductions by a compile-time predicate.
template <std::uint32_t S, int Depth>
struct at_depth {
    template <class Red>
    constexpr auto operator()(Red) const {
        using N = typename Red::type;
        return boost::hana::bool_c < in_phase(red_traits<N>::mask, S) && depth<N, S> == Depth > ;
    }
};
template <std::uint32_t S>
struct not_in_phase {
    template <class Red>
    constexpr auto operator()(Red) const {
        return boost::hana::bool_c<!in_phase(red_traits<typename Red::type>::mask, S)>;
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
