// SPDX-License-Identifier: Apache-2.0
//
// Where the tile of a block lies in the domain: x is the last dimension, y the one before, all others are planes.
#pragma once

#include "fuse/kernels/body/params.hpp"
#include "fuse/kernels/transpose/ladder.hpp"

FUSE_BEGIN_NAMESPACE

template <class P>
class TilePlace {
    static constexpr int rank = Params<P>::traits::walked_rank;
    static_assert(rank >= 2);

public:
    /// Tiles are numbered along x first: neighbours then write neighbouring pieces of the same lines of memory.
    FUSE_HD TilePlace(const Params<P>& p, const TileSides& tile, unsigned number) : tile_(tile) {
        const auto extent_of = [&](int d) { return static_cast<index_t>(p.walked.extent[d].divisor()); };
        const unsigned x_tiles = tile.x_tiles(static_cast<unsigned>(extent_of(rank - 1)));
        const unsigned line = number / x_tiles;
        const unsigned plane = line / tile.y_tiles;
        first_[rank - 1] = static_cast<index_t>(number - line * x_tiles) * tile.x - tile.lead;
        first_[rank - 2] = static_cast<index_t>(line - plane * tile.y_tiles) * tile.y;
        x_left_ = extent_of(rank - 1) - first_[rank - 1];
        y_left_ = extent_of(rank - 2) - first_[rank - 2];
        std::uint64_t rest = plane;
        FUSE_UNROLL
        for (int d = rank - 3; d >= 0; --d) {
            // Of the outermost dimension all that is left; those before it have nothing.
            const bool inner = d > rank - p.walked.count;
            const auto part = inner ? p.walked.extent[d].divmod(rest) : QuotientRemainder<std::uint64_t>{0, rest};
            first_[d] = static_cast<index_t>(part.remainder);
            rest = part.quotient;
        }
    }

    FUSE_HD const TileSides& tile() const { return tile_; }
    /// The first element's coordinates. That along x may be negative: tiles have `lead` elements more.
    FUSE_HD index_t first_x() const { return first_[rank - 1]; }
    FUSE_HD index_t first_y() const { return first_[rank - 2]; }
    /// From there to the end of the plane.
    FUSE_HD index_t x_left() const { return x_left_; }
    FUSE_HD index_t y_left() const { return y_left_; }

    /// From an operand's first item to that of element (x, y) of the tile.
    template <class O>
    FUSE_HD index_t offset(const O& operand, int x, int y) const {
        index_t offset = (first_[rank - 1] + x) * operand.walked[rank - 1];
        offset += (first_[rank - 2] + y) * operand.walked[rank - 2];
        FUSE_UNROLL
        for (int d = 0; d < rank - 2; ++d) {
            offset += first_[d] * operand.walked[d];
        }
        return offset;
    }

    template <class O>
    static FUSE_HD index_t x_stride(const O& operand) {
        return operand.walked[rank - 1];
    }
    template <class O>
    static FUSE_HD index_t y_stride(const O& operand) {
        return operand.walked[rank - 2];
    }

private:
    TileSides tile_;
    index_t first_[rank];
    index_t x_left_;
    index_t y_left_;
};

FUSE_END_NAMESPACE
