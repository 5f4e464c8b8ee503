// SPDX-License-Identifier: Apache-2.0
//
// gumbel_softmax: a sample of a distribution over classes that has a gradient.
#pragma once

#include "fuse/nn/softmax.hpp"
#include "fuse/ops/functors/selection.hpp"
#include "fuse/random/random.hpp"

FUSE_BEGIN_NAMESPACE

/// hard=True of torch.nn.functional.gumbel_softmax.
struct hard_t {};
inline constexpr hard_t hard{};

namespace detail {

/// Number i of a seed with the standard Gumbel distribution, -log(-log(u)). Where u is 0, half of the next number that
/// it can be stands for it: the result is finite.
template <class T>
struct GumbelNumber {
    static constexpr const char* name = "gumbel";
    template <std::integral S>
    FUSE_HD T operator()(index_t i, S seed) const {
        constexpr T least = std::is_same_v<T, float> ? T(0x1p-25) : T(0x1p-54);
        const T u = UniformNumber<T>{}(i, seed);
        return -Log<>{}(-Log<>{}(u < least ? least : u));
    }
};

/// v with independent numbers of the Gumbel distribution added.
template <Expression V, class S>
auto with_gumbel_noise(const V& v, const S& seed) {
    return v + map(GumbelNumber<value_t<V>>{}, flat_index(), seed_node(seed));
}

}  // namespace detail

/// softmax((logits + g) / tau) over `axes` (default: the last), g independent numbers of the standard Gumbel
/// distribution, -log(-log(uniform(seed))): Jang, Gu, Poole, "Categorical Reparameterization with Gumbel-Softmax",
/// arXiv:1611.01144, eq. 2. As torch.nn.functional.gumbel_softmax with hard=False; its argmax is a sample of
/// softmax(logits). Numbers count in the logits, as those of uniform(seed). Shape and type of logits.
template <Expression X, SeedLike S, AxesOption A = axes_t<-1>>
auto gumbel_softmax(const X& logits, const S& seed, double tau = 1, A over = {}) {
    FUSE_CHECK_AXES(X::rank, A);
    return softmax(detail::with_gumbel_noise(detail::in_floating(logits), seed), over, tau);
}

/// The sample itself: 1 where that is largest along the axis, at the first of several such places, and 0 elsewhere. Its
/// derivative is that of the other (the straight-through estimator; sec. 2.2 there).
template <Expression X, SeedLike S, int Axis = -1>
auto gumbel_softmax(const X& logits, const S& seed, double tau, axes_t<Axis> over, hard_t) {
    FUSE_CHECK_AXES(X::rank, axes_t<Axis>);
    return let(detail::with_gumbel_noise(detail::in_floating(logits), seed), [over, tau](const auto& v) {
        using V = std::remove_cvref_t<decltype(v)>;
        constexpr int axis = Axis < 0 ? Axis + V::rank : Axis;
        const auto here = map(FirstOf{}, index<axis>(), v);
        return map(StraightThrough{}, cast<value_t<V>>(here == argmax(v, over, keepdims)), softmax(v, over, tau));
    });
}
template <Expression X, SeedLike S>
auto gumbel_softmax(const X& logits, const S& seed, double tau, hard_t) {
    return gumbel_softmax(logits, seed, tau, axes<-1>, hard);
}
template <Expression X, SeedLike S>
auto gumbel_softmax(const X& logits, const S& seed, hard_t) {
    return gumbel_softmax(logits, seed, 1, axes<-1>, hard);
}

FUSE_END_NAMESPACE
