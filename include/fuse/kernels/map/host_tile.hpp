// SPDX-License-Identifier: Apache-2.0
//
// Maps with transposed inputs (plan/transposed.hpp) on a CPU. A row of the outputs takes one element of each cache line of
// such an input, and lines that lie a power of two apart push each other out of the cache before the next row asks for
// their next elements. So a thread takes a tile of x and y: it copies the transposed inputs line by line into a buffer that
// lies as the outputs do, and goes on with a map of the tile's elements, which reads the buffer. Buffers are no part of the
// thread's stack: a map of many operands, transposed or not, would need more of it than threads of some systems have.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/map/choose.hpp"

FUSE_BEGIN_NAMESPACE

template <class P>
class HostTile {
    static constexpr int x_dim = Params<P>::traits::walked_rank - 1;
    static constexpr int y_dim = x_dim - 1;

    using leaves = typename P::leaves;

    /// Of the elements of a tile.
    template <class L>
    static FUSE_HD constexpr std::size_t bytes() {
        if constexpr (kir::is_memory<L> && L::walked) {
            return sizeof(typename L::storage) * HostTiles::items;
        } else {
            return 0;
        }
    }
    template <class... L>
    static FUSE_HD constexpr std::size_t all_bytes(type_list<L...>) {
        return (bytes<L>() + ... + 0);
    }

public:
    /// The map of the tile, all of whose operands begin where the tile does.
    Params<P> params;
    RowState<P> row;

    /// Used: whether there are tiles, for which memory is needed.
    FUSE_HD HostTile(const Params<P>& p, bool used)
        : params(p), row(p, 0),
          buffers_(used ? static_cast<unsigned char*>(std::malloc(all_bytes(leaves{}))) : nullptr) {}
    FUSE_HD ~HostTile() { std::free(buffers_); }
    HostTile(const HostTile&) = delete;
    HostTile& operator=(const HostTile&) = delete;

    FUSE_HD static HostTiles tiles(const Params<P>& p) { return {extent(p, x_dim), extent(p, y_dim)}; }

    /// Turns to tile `number` of a map.
    FUSE_HD void move(const Params<P>& p, const RowState<P>& all, const HostTiles& tiles, index_t number) {
        const index_t plane = number / (tiles.across * tiles.down);
        const index_t x = number / tiles.down % tiles.across * tiles.x;
        const index_t y = number % tiles.down * tiles.y;
        const index_t columns = x + tiles.x < extent(p, x_dim) ? tiles.x : extent(p, x_dim) - x;
        const index_t lines = y + tiles.y < extent(p, y_dim) ? tiles.y : extent(p, y_dim) - y;
        const index_t first = (plane * extent(p, y_dim) + y) * extent(p, x_dim) + x;
        // Without memory for it transposed inputs are read where they lie.
        [[maybe_unused]] unsigned char* buffer = buffers_;
        bool flat = true;  // whether lines follow each other in all operands
        const auto follows = [&](auto& operand) FUSE_INLINE_LAMBDA {
            operand.linear = operand.walked[y_dim] == operand.walked[x_dim] * columns;
            flat = flat && operand.linear;
        };
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (L::walked) {
                const auto& operand = get<I>(p.leaves);
                auto& here = get<I>(params.leaves);
                get<I>(row.leaf) = get<I>(all.leaf) + offset_of(p.walked, operand.walked, first);
                if constexpr (kir::is_memory<L>) {
                    if (buffer != nullptr && is_transposed(operand.walked[y_dim], operand.walked[x_dim])) {
                        auto* to = reinterpret_cast<typename L::storage*>(buffer);
                        buffer += bytes<L>();
                        copy(to, get<I>(row.leaf), operand, columns, lines);
                        get<I>(row.leaf) = to;
                        here.walked[y_dim] = columns;
                        here.walked[x_dim] = here.x = 1;
                    }
                }
                follows(here);
            }
        });
        static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::outputs, O>::extent == kir::Extent::item) {
                const auto& operand = get<O>(p.outputs);
                auto& here = get<O>(params.outputs);
                here.data = operand.data + offset_of(p.walked, operand.walked, first);
                follows(here);
            }
        });
        params.walked_size = columns * lines;
        params.walked.count = flat ? 1 : 2;
        set_extent(x_dim, flat ? params.walked_size : columns);
        set_extent(y_dim, lines);
    }

private:
    static FUSE_HD index_t extent(const Params<P>& p, int dim) {
        return static_cast<index_t>(p.walked.extent[dim].divisor());
    }
    FUSE_HD void set_extent(int dim, index_t n) {
        if (extent(params, dim) != n) {
            params.walked.extent[dim] = FastDivMod<std::uint64_t>(static_cast<std::uint64_t>(n));
        }
    }
    /// Four lines at a time: what they bring to a line of the buffer lies side by side.
    template <class T, class Operand>
    static FUSE_HD void copy(T* to, const T* from, const Operand& operand, index_t columns, index_t lines) {
        const index_t next = operand.walked[x_dim];
        const index_t step = operand.walked[y_dim];
        index_t x = 0;
        for (; x + 4 <= columns; x += 4) {
            const T* line0 = from + x * next;
            const T* line1 = line0 + next;
            const T* line2 = line1 + next;
            const T* line3 = line2 + next;
            T* item = to + x;
            for (index_t y = 0; y < lines; ++y) {
                const T item0 = *line0, item1 = *line1, item2 = *line2, item3 = *line3;
                line0 += step;
                line1 += step;
                line2 += step;
                line3 += step;
                item[0] = item0;
                item[1] = item1;
                item[2] = item2;
                item[3] = item3;
                item += columns;
            }
        }
        for (; x < columns; ++x) {
            for (index_t y = 0; y < lines; ++y) {
                to[y * columns + x] = from[x * next + y * step];
            }
        }
    }

    unsigned char* buffers_;
};

FUSE_END_NAMESPACE
