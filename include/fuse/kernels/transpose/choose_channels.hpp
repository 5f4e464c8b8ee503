// SPDX-License-Identifier: Apache-2.0
//
// The launch of a map between few innermost channels and planes of them.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/transpose/channel_place.hpp"
#include "fuse/plan/transposed.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
Launch choose_channels(const Layout& layout, int vector, int channels);

#else

/// Where transposed inputs or the outputs have so many channels innermost, others planes of them.
FUSE_COLD inline Launch choose_channels(const Layout& layout, int vector, int channels) {
    if (layout.transposed == 0 || layout.stretched) {
        return no_launch("nothing is transposed");
    }
    const MergedDims& dims = layout.walked;
    const index_t x = dims.extent[dims.count - 1];
    const index_t y = dims.extent[dims.count - 2];
    const bool last = layout.flat_x && x == channels;
    if (!last && !(layout.flat_y && y == channels)) {
        return no_launch("another number of channels");
    }
    if (layout.all_places % static_cast<std::uintptr_t>(vector) != 0) {
        return no_launch("lines that begin between vectors: they go by way of shared memory");
    }
    // What a thread writes of more lies so far apart that no two of its neighbours' stores fill a sector.
    if (last && channels > 3) {
        return no_launch("too many channels that are written innermost");
    }
    const index_t positions = last ? y : x;
    const index_t vectors = ceil_div(positions, vector);
    const index_t planes = layout.walked_size / (x * y);
    if (!worth_turning(x, y) || planes > (narrow_end - 1) / vectors) {
        return no_launch("too few positions, or more than 32 bits number");
    }
    Launch l;
    l.name = "channels";
    l.vector = vector;
    l.vectors = channels;
    l.dim_x = 256;
    l.grid = ceil_div(planes * vectors, static_cast<index_t>(l.dim_x));
    l.share = ChannelShare{static_cast<unsigned>(vectors), static_cast<unsigned>(planes * vectors), last}.pack();
    l.why = "few channels, innermost in some operands and planes in others: turned round in registers";
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
