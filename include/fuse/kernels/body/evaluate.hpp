// SPDX-License-Identifier: Apache-2.0
//
// Evaluation of a kernel expression for one item. A context answers three questions: the value of leaf I for item v,
// the result of reduction I for item v, the state of functor S. Everything is inlined; the compiler sees plain code.
#pragma once

#include "fuse/kernels/body/params.hpp"
#include "fuse/ops/types/compute_type.hpp"

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
struct Evaluate<kir::Red<I>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c, int v) {
        return c.template red<I>(v);
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

FUSE_END_NAMESPACE
