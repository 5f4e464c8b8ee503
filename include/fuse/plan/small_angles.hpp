// SPDX-License-Identifier: Apache-2.0
//
// The form of an expression in which sines, cosines and tangents are those of small angles
// (ops/functors/host_trigonometric.hpp), which cost a host less than half of what those of any angle do.
#pragma once

#include "fuse/ops/functors/trigonometric.hpp"
#include "fuse/plan/costly_calls.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class F>
struct OfSmallAngle {
    static constexpr bool exists = false;
};
template <class T>
struct OfSmallAngle<Sin<T>> {
    static constexpr bool exists = true;
    FUSE_HD float operator()(float x) const { return host_sin<true>(x); }
};
template <class T>
struct OfSmallAngle<Cos<T>> {
    static constexpr bool exists = true;
    FUSE_HD float operator()(float x) const { return host_cos<true>(x); }
};
template <class T>
struct OfSmallAngle<Tan<T>> {
    static constexpr bool exists = true;
    FUSE_HD float operator()(float x) const { return host_tan<true>(x); }
};

/// That form, and the angles, which cost little to evaluate twice.
template <class E>
struct small_angles {
    using form = E;
    using angles = type_list<>;
};
template <class F, int Slot, class... Args>
struct small_angles<kir::Call<F, Slot, Args...>> {
    using form = kir::Call<F, Slot, typename small_angles<Args>::form...>;
    using angles = unite_t<type_list<>, typename small_angles<Args>::angles...>;
};
template <class F, class A>
    requires(OfSmallAngle<F>::exists&& costly_calls<A>::type::size == 0)
struct small_angles<kir::Call<F, -1, A>> {
    using form = kir::Call<OfSmallAngle<F>, -1, A>;
    using angles = type_list<A>;
};

}  // namespace detail

FUSE_END_NAMESPACE
