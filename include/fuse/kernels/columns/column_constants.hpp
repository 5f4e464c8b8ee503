// SPDX-License-Identifier: Apache-2.0
//
// Parts of expressions that are the same all along a column: 1 / sqrt(var + eps), say. A host thread computes them once for
// its columns, before it goes along them; see body/row_constants.hpp.
#pragma once

#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/kernels/columns/column_views.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Such calls in the reductions of a phase.
template <class P, int V, class Ph>
struct phase_constants;
template <class P, int V, class... R>
struct phase_constants<P, V, Phase<R...>> {
    using type =
        unite_t<type_list<>,
                typename row_constants<typename R::expression, ColumnContext<P, V, ColumnViews<P, V>>>::type...>;
};
/// In the outputs that are written per item.
template <class P, int V, class Output, bool Item = Output::extent == kir::Extent::item>
struct constants_of_output {
    using type = type_list<>;
};
template <class P, int V, class Output>
struct constants_of_output<P, V, Output, true>
    : row_constants<typename Output::expression, ColumnContext<P, V, ColumnViews<P, V>>> {};
template <class P, int V, class Outputs = typename P::outputs>
struct output_constants;
template <class P, int V, class... O>
struct output_constants<P, V, type_list<O...>> {
    using type = unite_t<type_list<>, typename constants_of_output<P, V, O>::type...>;
};

}  // namespace detail

/// The values of the calls in a list.
template <class P, int V, class List>
class ColumnConstants;
template <class P, int V, class... E>
class ColumnConstants<P, V, type_list<E...>> {
    using Context = ColumnContext<P, V, ColumnViews<P, V>>;

public:
    FUSE_HD ColumnConstants(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results) {
        if constexpr (sizeof...(E) > 0) {
            const ColumnViews<P, V> none{};
            const Context context{p, state, none, results};
            for_items<V>(state.evaluated, [&](int v) FUSE_INLINE_LAMBDA {
                static_for<sizeof...(E)>([&]<int J>() FUSE_INLINE_LAMBDA {
                    get<J>(values_).item[v] = Evaluate<at_t<type_list<E...>, J>>::at(context, v);
                });
            });
        }
    }
    /// A context that has them.
    FUSE_HD auto in(const Context& c) const {
        if constexpr (sizeof...(E) > 0) {
            return values_in(c, std::make_integer_sequence<int, static_cast<int>(sizeof...(E))>{});
        } else {
            return c;
        }
    }

private:
    template <int... J>
    FUSE_HD auto values_in(const Context& c, std::integer_sequence<int, J...>) const {
        using Values = Tuple<detail::ItemValues<detail::call_value_t<P, E>>...>;
        return detail::WithValues<Context, type_list<E...>, Values>{c, Values{{get<J>(values_).item}...}};
    }

    Tuple<Pack<detail::call_value_t<P, E>, V>...> values_;
};

FUSE_END_NAMESPACE
