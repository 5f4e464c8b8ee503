// SPDX-License-Identifier: Apache-2.0
//
// ReadDataReduce: a tile gathered through an index calculator, what a reduction reads of an operand whose reduced axes
// lie anywhere. Each register asks the calculator for its own index, so NX and NY are free; the functor (square,
// absolute value, ...) sees items that exist and no other, while the fill value is taken as it is: it is the identity
// of the reduction, not an item.
#pragma once

#include "fuse/primitives/thread/read_data_bc.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Index calculators return an offset or, like BroadcastConfig, a place that has one.
template <class Place>
FUSE_HD constexpr index_t item_offset(const Place& place) {
    if constexpr (std::is_integral_v<Place>) {
        return static_cast<index_t>(place);
    } else {
        return place.offset;
    }
}

}  // namespace detail

/// NX x NY items per thread: out.item[iy * NX + ix] = f(data[place_of(index)]) with index = first + x * tile.stride_x +
/// y * tile.stride_y for item (x, y) = (tx + ix * dim_x, ty + iy * dim_y).
///
/// `place_of` is any callable from a linear index to an item offset, for example a BroadcastConfig. f takes the compute
/// type of Tx (float for 16-bit floating point); its result is rounded once to Ty. Neither is called for an item beyond
/// an end of the tile: such registers get `fill`. With IsBoundary = false there are none. No barrier.
template <int NX, int NY, bool IsBoundary = true, class Ty, class Tx, ThreadBlock B, class IndexCal, class F>
FUSE_HD void ReadDataReduce(B& block, Pack<Ty, NX * NY>& out, const Tx* data, const IndexCal& place_of, index_t first,
                            const TileShape& tile, std::type_identity_t<Ty> fill, F&& f) {
    const auto valid = detail::count_items<NX, NY, IsBoundary>(block, tile.size_x, tile.size_y);
    FUSE_UNROLL
    for (int iy = 0; iy < NY; ++iy) {
        FUSE_UNROLL
        for (int ix = 0; ix < NX; ++ix) {
            Ty& item = out.item[iy * NX + ix];
            if (valid.holds(ix, iy)) {
                const index_t index = first + tile.offset(tile_x(block, ix), tile_y(block, iy));
                item = detail::convert_item<Ty>(f(to_compute(data[detail::item_offset(place_of(index))])));
            } else {
                item = fill;
            }
        }
    }
}

FUSE_END_NAMESPACE
