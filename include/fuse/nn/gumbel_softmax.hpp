// SPDX-License-Identifier: Apache-2.0
//
// gumbel_softmax: a sample of a distribution over classes that has a gradient.
#pragma once

#include "fuse/nn/softmax.hpp"
#include "fuse/random/random.hpp"

FUSE_BEGIN_NAMESPACE

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

}  // namespace detail

/// softmax((logits + g) / tau) over `axes` (default: the last), g independent numbers of the standard Gumbel
/// distribution, -log(-log(uniform(seed))): Jang, Gu, Poole, "Categorical Reparameterization with Gumbel-Softmax",
/// arXiv:1611.01144, eq. 2. As torch.nn.functional.gumbel_softmax with hard=False; its argmax is a sample of
/// softmax(logits). Numbers count in the logits, as those of uniform(seed). Shape and type of logits.
template <Expression X, SeedLike S, AxesOption A = axes_t<-1>>
auto gumbel_softmax(const X& logits, const S& seed, double tau = 1, A over = {}) {
    FUSE_CHECK_AXES(X::rank, A);
    const auto v = detail::in_floating(logits);
    using F = value_t<decltype(v)>;
    const auto noise = map(detail::GumbelNumber<F>{}, flat_index(), detail::seed_node(seed));
    return softmax(v + noise, over, tau);
}

FUSE_END_NAMESPACE
