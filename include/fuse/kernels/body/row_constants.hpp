// SPDX-License-Identifier: Apache-2.0
//
// Parts of an output's expression that are the same for all items of a vector: 1 / sqrt(var + eps) of a row, say. nvcc
// moves them out of the loop over the items by itself. Host compilers do so only if they also double the loop for the
// branch that a call of sqrt has inside (g++ at -O3, clang++ not at all), so on the host they are computed first.
#pragma once

#include "fuse/kernels/body/evaluate.hpp"
#include "fuse/kernels/body/small_angles.hpp"
#include "fuse/plan/leaf_sets.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, class Items>
struct RowContext;

namespace detail {

/// Whether the results in a context are the same for all items of a vector, and some leaves: of a row, not of what adds
/// to its context, a scan say, whose results are of elements.
template <class Context>
inline constexpr bool row_valued = false;
template <class P, int V, class Items>
inline constexpr bool row_valued<RowContext<P, V, Items>> = true;
template <class Context, class Calls, class Values>
inline constexpr bool row_valued<WithValues<Context, Calls, Values>> = row_valued<Context>;

/// The largest calls in an expression that are, and give a number.
template <class E, class Context>
struct row_constants {
    using type = type_list<>;
};
template <class F, int Slot, class... Args, class Context>
struct row_constants<kir::Call<F, Slot, Args...>, Context> {
    using type = unite_t<type_list<>, typename row_constants<Args, Context>::type...>;
};
template <class F, int Slot, class... Args, class Context>
    requires same_for_all<kir::Call<F, Slot, Args...>, Context> &&
        std::is_arithmetic_v<decltype(Evaluate<kir::Call<F, Slot, Args...>>::at(std::declval<const Context&>(), 0))>
struct row_constants<kir::Call<F, Slot, Args...>, Context> {
    using type = type_list<kir::Call<F, Slot, Args...>>;
};

/// A context, and the values of some calls in it: each has at(v), the value for item v.
template <class Context, class Calls, class Values>
struct WithValues : Context {
    Values values;
};

/// The value of a call for all items.
template <class T>
struct OneValue {
    T value;

    FUSE_HD T at(int) const { return value; }
};

/// A context, and the values of calls in it that are the same for all items.
template <class Context, class... E>
FUSE_HD auto with_constants(const Context& c, type_list<E...>) {
    using Values = Tuple<OneValue<decltype(Evaluate<E>::at(c, 0))>...>;
    WithValues<Context, type_list<E...>, Values> result{c, {}};
    static_for<sizeof...(E)>([&]<int J>() FUSE_INLINE_LAMBDA {
        get<J>(result.values).value = Evaluate<at_t<type_list<E...>, J>>::at(c, 0);
    });
    return result;
}

/// What is computed for output O: of 16 bits a context may have a shorter way.
template <class Context, class O, bool Short = is_16_bits<typename O::storage>>
struct expression_for {
    using type = typename O::expression;
};
template <class Context, class O>
    requires requires {
        typename Context::template of_16_bits<typename O::expression>;
    }
struct expression_for<Context, O, true> {
    using type = typename Context::template of_16_bits<typename O::expression>;
};

struct no_constants {
    using type = type_list<>;
};

template <class E, int V, class T, class Context>
FUSE_HD void evaluate_items(T* to, const Context& c, index_t valid) {
    in_best_form<V, E>(c, valid, [&]<class Form>() FUSE_INLINE_LAMBDA {
        for_items<V, true>(valid, [&](int v) FUSE_INLINE_LAMBDA { to[v] = from_compute<T>(Evaluate<Form>::at(c, v)); });
    });
}

/// Whether outputs that vary along the walked axes hold numbers that the language has itself.
template <class Outputs>
inline constexpr bool holds_numbers = false;
template <class... O>
inline constexpr bool holds_numbers<type_list<O...>> = ((O::extent != kir::Extent::item ||
                                                         std::is_arithmetic_v<typename O::storage>)&&...);

/// Whether a host thread evaluates V items of an output where they are kept. Of two outputs the first may be what the other
/// reads. Of a class, as 16-bit floats are, g++ makes vectors in a local array alone.
template <class P, int V>
inline constexpr bool writes_in_place =
    host_vector<V>&& leaf_sets<P>::item_writers == 1 && holds_numbers<typename P::outputs>;

}  // namespace detail

/// On the host, to memory that no item reads but the one that is written there.
template <class O, int V, class Context>
FUSE_HD void evaluate_to(typename O::storage* to, const Context& c, index_t valid) {
    using E = typename O::expression;
    using calls = typename std::conditional_t<detail::row_valued<Context>, detail::row_constants<E, Context>,
                                              detail::no_constants>::type;
    if constexpr (calls::size > 0) {
        detail::evaluate_items<E, V>(to, detail::with_constants(c, calls{}), valid);
    } else {
        detail::evaluate_items<E, V>(to, c, valid);
    }
}

/// The first `valid` items of output O, as it holds them.
template <class O, int V, class Context>
FUSE_HD void evaluate(Pack<typename O::storage, V>& out, const Context& c, index_t valid) {
    using E = typename detail::expression_for<Context, O>::type;
#if FUSE_ON_DEVICE
    if constexpr (packs_pairs<typename O::storage, decltype(Evaluate<E>::at(c, 0)), V>) {
        float value[V] = {};
        for_items<V>(valid, [&](int v) FUSE_INLINE_LAMBDA { value[v] = Evaluate<E>::at(c, v); });
        return pack_pairs(out, value);
    }
#endif
    if constexpr (host_vector<V>) {
        evaluate_to<O, V>(out.item, c, valid);
    } else {
        ElementwiseAny(valid, out, AsItIs{}, Evaluated<typename O::storage, E, Context>{c});
    }
}

FUSE_END_NAMESPACE
