// SPDX-License-Identifier: Apache-2.0
//
// Evaluation of a kernel expression for one item. A context answers three questions: the value of leaf I for item v,
// the result of reduction I for item v, the state of functor S. Everything is inlined; the compiler sees plain code.
#pragma once

#include "fuse/kernels/body/params.hpp"
#include "fuse/kernels/body/unpack.hpp"
#include "fuse/ops/types/compute_type.hpp"
#include "fuse/primitives/thread/elementwise.hpp"

FUSE_BEGIN_NAMESPACE

template <class E>
struct Evaluate;

template <int I>
struct Evaluate<kir::Leaf<I>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c, int v) {
        return to_compute(c.template leaf<I>(v));
    }
};

template <int I>
struct Evaluate<kir::Result<I>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c, int v) {
        return c.template result<I>(v);
    }
};

template <class T, long Num, long Den>
struct Evaluate<kir::Constant<T, Num, Den>> {
    template <class Context>
    static FUSE_HD T at(const Context&, int) {
        constexpr T value = Num % Den == 0 ? static_cast<T>(Num / Den) : static_cast<T>(static_cast<double>(Num) / Den);
        return value;
    }
};

template <class F, int Slot, class... Args>
struct Evaluate<kir::Call<F, Slot, Args...>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c, int v) {
        if constexpr (Slot >= 0) {
            return to_compute(c.template functor<Slot>()(Evaluate<Args>::at(c, v)...));
        } else if constexpr (std::is_default_constructible_v<F>) {
            return to_compute(F{}(Evaluate<Args>::at(c, v)...));
        } else {
            // nvcc's stand-in for a lambda without captures: empty, but it cannot be made.
            const StoredFunctor<F> empty{};
            return to_compute(empty.load()(Evaluate<Args>::at(c, v)...));
        }
    }
};

/// An expression in a context, as an input of ElementwiseAny.
template <class E, class Context>
struct Evaluated {
    const Context& context;

    FUSE_HD auto at(int v) const { return Evaluate<E>::at(context, v); }
};

/// From what is computed to what an output holds.
template <class Storage>
struct ToStorage {
    template <class T>
    FUSE_HD Storage operator()(const T& value) const {
        return from_compute<Storage>(value);
    }
};

/// The first `valid` items of output O, as it holds them.
template <class O, int V, class Context>
FUSE_HD void evaluate(Pack<typename O::storage, V>& out, const Context& c, index_t valid) {
    using E = typename O::expression;
#if FUSE_ON_DEVICE
    if constexpr (packs_pairs<typename O::storage, decltype(Evaluate<E>::at(c, 0)), V>) {
        float value[V] = {};
        for_items<V>(valid, [&](int v) FUSE_INLINE_LAMBDA { value[v] = Evaluate<E>::at(c, v); });
        return pack_pairs(out, value);
    }
#endif
    ElementwiseAny(valid, out, ToStorage<typename O::storage>{}, Evaluated<E, Context>{c});
}

FUSE_END_NAMESPACE
