// SPDX-License-Identifier: Apache-2.0
//
// From the user's nodes to the intermediate form. Lower<Node, ...>::type is the IR type; Lower<...>::bind walks the
// same tree with the run-time objects, operands first, and hands each node to a sink, leaves under their IR type, so
// that the type-level and the run-time traversal cannot disagree.
//   Axes   packed AxisMap of the node            Space  what index<Axis> counts in: the enclosing operand
//   Scope, Base   where unnamed leaves count from   D   rank of the domain
#pragma once

#include <boost/hana/tuple.hpp>

#include "fuse/lang/statement.hpp"
#include "fuse/plan/index_space.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Name, class Scope, int Base>
using identity_t = std::conditional_t<is_named<Name>, Name, anonymous_id<typename Scope::identity, Base>>;

/// How many anonymous leaves and functors stand in the first N of these nodes.
template <int N, class... E>
inline constexpr int anonymous_before = [] {
    constexpr int count[] = {E::anonymous..., 0};
    int before = 0;
    for (int i = 0; i < N; ++i) {
        before += count[i];
    }
    return before;
}();

/// The let of function F around a node in Scope, and where its operand I stands.
template <class F, int I, class Scope>
struct let_around : let_around<F, I, typename Scope::outer> {};
template <class F, int I, class Outer, int... Bases>
struct let_around<F, I, let_scope<F, Outer, Bases...>> {
    using scope = Outer;
    static constexpr int base = std::array<int, sizeof...(Bases)>{Bases...}[I];
};
template <class F, int I>
struct let_around<F, I, root_scope> {
    static_assert(std::is_void_v<F>, "fuse: an operand of a let has been carried out of its function");
};

template <class N>
inline constexpr bool is_red = false;
template <class R, class E, std::uint32_t Mask>
inline constexpr bool is_red<ir::Red<R, E, Mask>> = true;

template <class R>
inline constexpr bool is_sort = requires {
    R::positions;
};

/// A reduction along axes of which none is left where its operand varies folds one element: a map.
template <class R, class E, std::uint32_t Mask>
struct reduce_node {
    using type = ir::Red<R, E, Mask>;
};
template <class R, class E>
struct reduce_node<R, E, 0> {
    using type = ir::Call<ReduceOne<R>, stateless_id, E>;
};
/// So does a scan. A sort keeps its kernel.
template <class R, class E, std::uint32_t Mask, bool Single = (varies<E> & Mask) == 0>
struct scan_node {
    using type = ir::Red<R, E, Mask>;
};
template <class R, bool Exclusive, class E, std::uint32_t Mask>
struct scan_node<Running<R, Exclusive>, E, Mask, true> {
    using type =
        std::conditional_t<is_sort<R>, ir::Red<Running<R, Exclusive>, E, Mask>,
                           ir::Call<std::conditional_t<Exclusive, ReduceNone<R>, ReduceOne<R>>, stateless_id, E>>;
};

template <bool Consistent, class Node>
struct check_axes {
    static_assert(Consistent,
                  "fuse: this cannot be one kernel: an operand's axis would have to lie along two different axes of "
                  "the kernel (a reduced value is broadcast along an axis other than its own: keepdims or "
                  "expand_dims puts it in place)");
};

}  // namespace detail

template <class T, class Name, index_t... E, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<View<T, Name, E...>, Axes, Space, Scope, Base, D> {
    using type = ir::Leaf<detail::identity_t<Name, Scope, Base>, typename View<T, Name, E...>::storage_type, Axes>;
    template <class Sink>
    static void bind(const View<T, Name, E...>& view, Sink& sink) {
        sink.template leaf<type>(view);
        sink.node(view);
    }
};

template <class T, class Name, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<Scalar<T, Name>, Axes, Space, Scope, Base, D> {
    using type = ir::Scalar<detail::identity_t<Name, Scope, Base>, T>;
    template <class Sink>
    static void bind(const Scalar<T, Name>& scalar, Sink& sink) {
        sink.template scalar<type>(scalar);
        sink.node(scalar);
    }
};

template <class T, long Num, long Den, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<Constant<T, Num, Den>, Axes, Space, Scope, Base, D> {
    using type = ir::Constant<T, Num, Den>;
    template <class Sink>
    static void bind(const Constant<T, Num, Den>& constant, Sink& sink) {
        sink.node(constant);
    }
};

template <int Axis, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<Index<Axis>, Axes, Space, Scope, Base, D> {
    using type = typename Space::template coordinate<Axis>;
    template <class Sink>
    static void bind(const Index<Axis>& index, Sink& sink) {
        sink.node(index);
    }
};

template <class F, class... Args, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<Map<F, Args...>, Axes, Space, Scope, Base, D> {
    using node = Map<F, Args...>;
    static constexpr bool stateless = std::is_empty_v<F>;
    using id = std::conditional_t<stateless, stateless_id, anonymous_id<typename Scope::identity, Base>>;

    template <class Arg, int I>
    using child = Lower<Arg, AxisMap::unpack(Axes).last(Arg::rank).pack(), Space, Scope,
                        Base + (stateless ? 0 : 1) + detail::anonymous_before<I, Args...>, D>;

    template <class Sequence>
    struct children;
    template <int... I>
    struct children<std::integer_sequence<int, I...>> {
        using type = ir::Call<F, id, typename child<Args, I>::type...>;
        template <class Sink>
        static void bind(const node& n, Sink& sink) {
            (child<Args, I>::bind(std::get<static_cast<std::size_t>(I)>(n.args), sink), ...);
        }
    };
    using all = children<std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>>;
    using type = typename all::type;

    template <class Sink>
    static void bind(const node& n, Sink& sink) {
        if constexpr (!stateless) {
            sink.template functor<id>(n.functor);
        }
        all::bind(n, sink);
        sink.node(n);
    }
};

template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc, std::uint64_t Axes, class Space, class Scope,
          int Base, int D>
struct Lower<Reduce<Op, E, Mask, Keep, Acc>, Axes, Space, Scope, Base, D> {
    using node = Reduce<Op, E, Mask, Keep, Acc>;
    static constexpr AxisMap inner = operand_map<node, D>(AxisMap::unpack(Axes), natural_map<E, D>::value);
    static constexpr detail::check_axes<inner.consistent, node> check{};
    static constexpr std::uint32_t domain_mask = [] {
        std::uint32_t bits = 0;
        for (int i = 0; i < inner.rank; ++i) {
            bits |= ((Mask >> i) & 1U) << inner.axis[i];
        }
        return bits;
    }();
    using operand = Lower<E, inner.pack(), detail::operand_space_t<E, inner.pack(), Scope, Base, D>, Scope, Base, D>;
    using type = typename detail::reduce_node<typename node::reduction, typename operand::type,
                                              domain_mask & detail::varies<typename operand::type>>::type;
    template <class Sink>
    static void bind(const node& n, Sink& sink) {
        operand::bind(n.expression, sink);
        if constexpr (detail::is_red<type>) {
            sink.template reduction<type, inner.pack()>(n);
        }
        sink.node(n);
    }
};

/// A scan has the axes of its operand; in the intermediate form it is a reduction whose result varies along the axis.
template <class Op, class E, int Axis, bool Exclusive, class Acc, std::uint64_t Axes, class Space, class Scope,
          int Base, int D>
struct Lower<Scan<Op, E, Axis, Exclusive, Acc>, Axes, Space, Scope, Base, D> {
    using node = Scan<Op, E, Axis, Exclusive, Acc>;
    using operand = Lower<E, Axes, detail::operand_space_t<E, Axes, Scope, Base, D>, Scope, Base, D>;
    using type = typename detail::scan_node<typename node::reduction, typename operand::type,
                                            1U << AxisMap::unpack(Axes).axis[Axis]>::type;
    template <class Sink>
    static void bind(const node& n, Sink& sink) {
        operand::bind(n.expression, sink);
        if constexpr (detail::is_red<type>) {
            sink.template reduction<type, Axes>(n);
        }
        sink.node(n);
    }
};

template <class Name, class E, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<Named<Name, E>, Axes, Space, Scope, Base, D> {
    using operand = Lower<E, Axes, Space, named_scope<Name, Scope>, 0, D>;
    using type = typename operand::type;
    template <class Sink>
    static void bind(const Named<Name, E>& n, Sink& sink) {
        operand::bind(n.expression, sink);
        sink.node(n);
    }
};

template <int Axis, class E, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<ExpandDims<Axis, E>, Axes, Space, Scope, Base, D> {
    static constexpr AxisMap inner = [] {
        constexpr AxisMap outer = AxisMap::unpack(Axes);
        AxisMap m = AxisMap::all_open(outer.rank - 1);
        for (int i = 0; i < m.rank; ++i) {
            m.axis[i] = outer.axis[i + (i >= Axis ? 1 : 0)];
        }
        return m;
    }();
    using operand = Lower<E, inner.pack(), Space, Scope, Base, D>;
    using type = typename operand::type;
    template <class Sink>
    static void bind(const ExpandDims<Axis, E>& n, Sink& sink) {
        operand::bind(n.expression, sink);
        sink.node(n);
    }
};

/// One value: the operand as it is outside of the let, along the axes that it has at this place.
template <class F, int I, class E, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<Bound<F, I, E>, Axes, Space, Scope, Base, D> {
    using place = detail::let_around<F, I, Scope>;
    using space = typename std::conditional_t<(E::rank > 0),
                                              detail::operand_space<E, Axes, typename place::scope, place::base, D>,
                                              std::type_identity<Space>>::type;
    using operand = Lower<E, Axes, space, typename place::scope, place::base, D>;
    using type = typename operand::type;
    template <class Sink>
    static void bind(const Bound<F, I, E>& n, Sink& sink) {
        operand::bind(n.expression, sink);
        sink.node(n);
    }
};

template <class F, class Body, class... E, std::uint64_t Axes, class Space, class Scope, int Base, int D>
struct Lower<Let<F, Body, E...>, Axes, Space, Scope, Base, D> {
    template <int... I>
    static auto scope_of(std::integer_sequence<int, I...>)
        -> let_scope<F, Scope, Base + detail::anonymous_before<I, E...>...>;
    static constexpr int operands = static_cast<int>(sizeof...(E));
    using scope = decltype(scope_of(std::make_integer_sequence<int, operands>{}));
    using body = Lower<Body, Axes, Space, scope, Base + detail::anonymous_before<operands, E...>, D>;
    using type = typename body::type;
    template <class Sink>
    static void bind(const Let<F, Body, E...>& n, Sink& sink) {
        body::bind(n.expression, sink);
        sink.node(n);
    }
};

/// A set of statements in one domain: the IR of each expression, and the axes of each output.
template <class... S>
struct LowerStatements {
    static constexpr int domain_rank = detail::largest(0, deepest_rank<typename S::expression_type>...);

    template <class Statement>
    static constexpr AxisMap root_map() {
        using E = typename Statement::expression_type;
        AxisMap m = natural_map<E, domain_rank>::value;
        m.fill(domain_rank);
        return m;
    }
    template <int I>
    static constexpr int base_of = detail::anonymous_before<I, typename S::expression_type...>;
    /// What index<Axis> counts in: the axes of the expression, or of the output that a scalar expression fills.
    template <class Statement, int I>
    using root_space = typename std::conditional_t<
        Statement::expression_type::rank == 0, std::type_identity<detail::filled_space<I, Statement::view_type::rank>>,
        detail::operand_space<typename Statement::expression_type, root_map<Statement>().pack(), root_scope, base_of<I>,
                              domain_rank>>::type;
    template <class Statement, int I>
    using root = Lower<typename Statement::expression_type, root_map<Statement>().pack(), root_space<Statement, I>,
                       root_scope, base_of<I>, domain_rank>;

    template <class Sequence>
    struct each;
    template <int... I>
    struct each<std::integer_sequence<int, I...>> {
        using types = type_list<typename root<S, I>::type...>;
        template <class Sink>
        static void bind(const boost::hana::tuple<S...>& statements, Sink& sink) {
            (bind_one<S, I>(boost::hana::at_c<I>(statements), sink), ...);
        }
        template <class Statement, int J, class Sink>
        static void bind_one(const Statement& s, Sink& sink) {
            [[maybe_unused]] constexpr detail::check_axes<root_map<Statement>().consistent, Statement> check{};
            root<Statement, J>::bind(s.expression, sink);
            sink.template statement<J>(s);
        }
    };
    using all = each<std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>>;
    using expressions = typename all::types;
};

FUSE_END_NAMESPACE
