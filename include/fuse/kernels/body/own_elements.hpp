// SPDX-License-Identifier: Apache-2.0
//
// Launches in which not everything spans the domain: c of shape (rows, 1) beside x of (rows, columns). A reduction of c
// counts its element once per row, not once per column; an output of c's shape is written once per row. Whether an
// extent is 1 is known when the program runs, so kernels of programs where it may happen (Program::stretches) ask
// stretched(p), and where it holds they go element by element (stretched.hpp). Domain axes of extent 0 are then walked
// as if they had one element: what does not span them is there, and what does owns nothing.
#pragma once

#include "fuse/primitives/thread/dims.hpp"

FUSE_BEGIN_NAMESPACE

/// The elements that a reduction folds, or an output holds. The strides give the position of a domain element among its
/// `count` own ones, in row-major order; elements that only repeat one of these, because the domain goes on where the
/// extent is 1, lie at count and beyond.
template <int KeptRank, int WalkedRank>
struct OwnElements {
    index_t count;
    index_t kept[KeptRank];
    index_t walked[WalkedRank];
    index_t x;
};

/// active: positions have to be looked at; else everything spans the domain.
template <int Reductions, int Outputs, int KeptRank, int WalkedRank>
struct Stretching {
    OwnElements<KeptRank, WalkedRank> reduction[Reductions > 0 ? Reductions : 1];
    OwnElements<KeptRank, WalkedRank> output[Outputs];
    bool active;
};
struct NeverStretched {
    static constexpr bool active = false;
};

/// Whether operands of a launch are stretched.
template <class Parameters>
FUSE_HD bool stretched(const Parameters& p) {
    return p.stretching.active;
}

/// Number of elements that reduction I folds; `all` where everything spans the domain.
template <int I, class Parameters, class Count>
FUSE_HD auto elements_of(const Parameters& p, Count all) {
    if constexpr (requires { p.stretching.reduction; }) {
        return p.stretching.reduction[I].count;
    } else {
        return all;
    }
}

/// Position of a domain element among the own ones: below count if it is one of them.
template <class Own, class Parameters>
FUSE_HD index_t position_in(const Own& own, const Parameters& p, index_t kept, index_t s, index_t x = 0) {
    return offset_of(p.kept, own.kept, kept) + offset_of(p.walked, own.walked, s) + x * own.x;
}

/// Whether output O has an element of its own there.
template <int O, class Parameters>
FUSE_HD bool output_owns(const Parameters& p, index_t kept, index_t s, index_t x = 0) {
    if constexpr (requires { p.stretching.output; }) {
        const auto& own = p.stretching.output[O];
        return position_in(own, p, kept, s, x) < own.count;
    } else {
        return true;
    }
}

FUSE_END_NAMESPACE
