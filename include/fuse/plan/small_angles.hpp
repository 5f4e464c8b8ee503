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
    requires(std::is_void_v<T> || std::is_same_v<T, float>)
struct OfSmallAngle<Sin<T>> {
    static constexpr bool exists = true;
    FUSE_HD float operator()(float x) const { return host_sin<true>(x); }
};
template <class T>
    requires(std::is_void_v<T> || std::is_same_v<T, float>)
struct OfSmallAngle<Cos<T>> {
    static constexpr bool exists = true;
    FUSE_HD float operator()(float x) const { return host_cos<true>(x); }
};
template <class T>
    requires(std::is_void_v<T> || std::is_same_v<T, float>)
struct OfSmallAngle<Tan<T>> {
    static constexpr bool exists = true;
    FUSE_HD float operator()(float x) const { return host_tan<true>(x); }
};

/// That form, and the angles, which cost little to evaluate twice. Known<E>: E has been computed before, and stays.
template <class E, template <class> class Known>
struct small_angles {
    using form = E;
    using angles = type_list<>;
};
template <class F, int Slot, class... Args, template <class> class Known>
    requires(!Known<kir::Call<F, Slot, Args...>>::value)
struct small_angles<kir::Call<F, Slot, Args...>, Known> {
    using form = kir::Call<F, Slot, typename small_angles<Args, Known>::form...>;
    using angles = unite_t<type_list<>, typename small_angles<Args, Known>::angles...>;
};
template <class F, class A, template <class> class Known>
    requires(!Known<kir::Call<F, -1, A>>::value && OfSmallAngle<F>::exists && costly_calls<A>::type::size == 0)
struct small_angles<kir::Call<F, -1, A>, Known> {
    using form = kir::Call<OfSmallAngle<F>, -1, A>;
    using angles = type_list<A>;
};

}  // namespace detail

FUSE_END_NAMESPACE
