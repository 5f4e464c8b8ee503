// SPDX-License-Identifier: Apache-2.0
//
// How a kernel runs on a GPU: one launch runs all its stages, separated as its link says. The host executor runs them
// one after the other.
#pragma once

#include "fuse/kernels/body/params.hpp"
#include "fuse/kernels/launch/launch.hpp"
#include "fuse/primitives/grid/last_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class B, class K>
concept Linked = DeviceAtomics<B> ||(K::link == Link::none && ThreadBlock<B>);

template <class K, int Stage, DeviceAtomics B, class P>
FUSE_HD void run_synchronised(B& block, const P& params) {
    K::template stage<Stage>(block, params);
    if constexpr (Stage + 1 < K::stages) {
        grid_sync(block, params.counters, block.grid_x());
        run_synchronised<K, Stage + 1>(block, params);
    }
}

}  // namespace detail

/// The body of the CUDA kernel, and of an emulated one. Where blocks are linked they must reach each other.
template <class K, detail::Linked<K> B, class P>
FUSE_HD void run_kernel(B& block, const P& params) {
    if constexpr (requires { K::run(block, params); }) {
        K::run(block, params);
    } else if constexpr (K::link == Link::grid_sync) {
        detail::run_synchronised<K, 0>(block, params);
    } else {
        K::template stage<0>(block, params);
        if constexpr (K::link == Link::last_block) {
            // A group of one has nobody to wait for; the split kernel has then finished, and has no counter.
            const bool done = K::lone_link == Link::none && params.group == 1;
            const unsigned group = params.group == block.grid_x() ? 0 : block.block_x() / params.group;
            if (!done && last_block(block, params.counters + group, params.group)) {
                K::template stage<1>(block, params);
            }
        }
    }
}

FUSE_END_NAMESPACE
