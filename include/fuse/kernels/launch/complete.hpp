// SPDX-License-Identifier: Apache-2.0
//
// From a chosen geometry to a whole launch, by what kernel K says of itself.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/primitives/block/scratch_fold.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Two halves, each large enough for the largest collective, and the kernel's own.
constexpr std::size_t shared_bytes_of(std::size_t scratch, std::size_t own) {
    return 2 * scratch_round_up(scratch) + own;
}

}  // namespace detail

/// Bytes of dynamic shared memory of a launch of K.
template <class K>
constexpr std::size_t shared_bytes(const Launch& l) {
    return detail::shared_bytes_of(K::scratch_bytes(l), K::own_bytes(l.threads(), l.share));
}

namespace detail {

/// How many blocks share each of `rows` rows so that waves of `fit` blocks are full: one wave, or where its last blocks
/// would be too few for another group, up to `waves`.
constexpr index_t group_of_waves(index_t rows, index_t fit, index_t waves) {
    constexpr index_t all = 1000;   // thousandths of the waves
    constexpr index_t better = 50;  // each wave begins with nothing in flight
    index_t best = 0;
    index_t used = 0;
    const index_t most = largest<index_t>(1, waves * fit / rows);
    for (index_t group = largest<index_t>(1, fit / rows); group <= most && used + better < all; ++group) {
        const index_t blocks = group * rows;
        const index_t share = blocks * all / (ceil_div(blocks, fit) * fit);
        if (best == 0 || share > used + better) {
            best = group;
            used = share;
        }
    }
    return best;
}

/// Blocks that share one long row are all resident, `fit` of them at a time: to wait for each other, or to have no
/// partial second wave. Very long rows take several whole waves, unless blocks wait for each other.
FUSE_COLD inline void share_in_waves(Launch& l, index_t fit, bool waits) {
    const index_t rows = l.grid / l.group;
    const index_t wave = group_of_waves(rows, fit, waits ? 1 : 4);
    l.group = l.least_group > wave ? round_up(l.least_group, wave) : smallest(l.group, wave);
    l.grid = l.group * rows;
    l.share = ceil_div(l.row, l.group);
}

}  // namespace detail

/// Fills in the second half of a launch of K, whose geometry stands. On a device Residents::of<K>(launch, shared bytes)
/// says how many blocks of K it holds at a time; asked only for kernels that need to know.
template <class K, class Residents = void>
FUSE_COLD void complete(Launch& l) {
    if constexpr (!std::is_void_v<Residents> && K::in_waves) {
        if (l.group > 1) {
            const index_t fit = Residents::template of<K>(l, shared_bytes<K>(l));
            detail::share_in_waves(l, fit, K::link != Link::last_block);
        }
    } else if constexpr (!std::is_void_v<Residents> && K::resident) {
        l.grid = detail::smallest(l.grid, Residents::template of<K>(l, shared_bytes<K>(l)));
        l.group = l.group > 1 ? l.grid : 1;
    }
    l.own_bytes = K::own_bytes(l.threads(), l.share);
    l.shared_bytes = detail::shared_bytes_of(K::scratch_bytes(l), l.own_bytes);
    // A group of one has nobody to wait for, and no memory to leave anything in.
    const bool alone = K::lone_link != K::link && l.group == 1;
    l.link = alone ? K::lone_link : K::link;
    l.partial_bytes = alone && l.link == Link::none ? 0 : K::partial_bytes(l);
}

FUSE_END_NAMESPACE
