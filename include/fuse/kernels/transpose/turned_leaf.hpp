// SPDX-License-Identifier: Apache-2.0
//
// The part of a transposed input that lies in a block's tile, in shared memory. Threads copy it along y, as it lies in
// memory, and read it along x. Line x of the buffer holds the elements along y, at places that are permuted from line
// to line, so that neither neighbours along y nor neighbours along x meet in a bank.
#pragma once

#include <bit>

#include "fuse/kernels/transpose/ladder.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

/// Elements of T, as many as a tile has. V: those along either axis that a thread reads at a time.
template <class T, int Elements, int V>
class TurnedLeaf {
    static constexpr int threads = static_cast<int>(transpose_threads);
    static constexpr int item_bytes = static_cast<int>(sizeof(T));
    /// Items that are copied at a time: 4 bytes of narrow ones.
    static constexpr int word = item_bytes < 4 && 4 % item_bytes == 0 ? 4 / item_bytes : 1;
    /// Words of a line among which lines differ: as many as the banks hold, and a line has.
    static constexpr int places =
        static_cast<int>(std::bit_floor(128U / static_cast<unsigned>(detail::limited(item_bytes, 4, 128))));
    /// Items that a thread copies one by one, and how many of them are in flight.
    static constexpr int turns = Elements / threads;
    static constexpr int together = detail::smallest(turns, 16);

public:
    FUSE_HD TurnedLeaf(unsigned char* memory, const TileSides& tile)
        : items_(reinterpret_cast<T*>(memory)), tile_(tile) {}

    /// The V elements from y on, a multiple of V, of line x + v: of the V from x on where that is a multiple of V; v = 0
    /// elsewhere. By words: half or a quarter of what single items would take to read.
    FUSE_HD Pack<T, V> along_y(int x, int v, int y) const {
        static_assert(V % word == 0);
        Pack<T, V> items;
        FUSE_UNROLL
        for (int k = 0; k < V; k += word) {
            Pack<T, word> part;
            load_pack(part, items_ + place(x, y + k) + (v << tile_.log_y), true);
            FUSE_UNROLL
            for (int i = 0; i < word; ++i) {
                items.item[k + i] = part.item[i];
            }
        }
        return items;
    }

    /// Starts to copy what exists of the tile, x_left by y_left elements. `from`: its first element.
    template <AsyncCopies B>
    FUSE_HD void copy(B& block, const T* from, index_t x_stride, index_t y_stride, int x_left, int y_left) {
        if constexpr (word > 1) {
            const bool aligned =
                (reinterpret_cast<std::uintptr_t>(from) | static_cast<std::uintptr_t>(x_stride * item_bytes)) % 4 == 0;
            if (y_stride != 1 || !aligned) {
                copy_items(block, from, x_stride, y_stride, x_left, y_left);
                return;
            }
        }
        const int thread = static_cast<int>(block.thread_x());
        const int y = (thread * word) & (tile_.y() - 1);
        const int first = (thread * word) >> tile_.log_y;
        const int step = (threads * word) >> tile_.log_y;
        const T* const line = from + y * y_stride;
        const T* word_of_line = line + first * x_stride;
        const int lines = y + word <= y_left ? x_left : 0;
        FUSE_UNROLL
        for (int turn = 0; turn < turns / word; ++turn) {
            const int x = first + turn * step;
            if (x < lines) {
                T& to = items_[place(x, y)];
                if constexpr (word > 1) {
                    copy_pack_async(block, reinterpret_cast<Pack<T, word>&>(to), word_of_line);
                } else {
                    copy_item_async(block, to, word_of_line);
                }
            }
            word_of_line += step * x_stride;
        }
        if (word > 1 && y < y_left && y + word > y_left) {
            FUSE_NO_UNROLL
            for (int x = first; x < x_left; x += step) {
                for_items<word>(y_left - y,
                                [&](int k) FUSE_INLINE_LAMBDA { items_[place(x, y + k)] = line[x * x_stride + k]; });
            }
        }
    }

private:
    FUSE_HD int place(int x, int y) const {
        const unsigned swap = static_cast<unsigned>(x) / V % places * word;
        return (x << tile_.log_y) + (y ^ (static_cast<int>(swap) & (tile_.y() - 1)));
    }

    /// Narrow items that are no words of memory: through registers, several in flight.
    template <ThreadBlock B>
    FUSE_HD void copy_items(B& block, const T* from, index_t x_stride, index_t y_stride, int x_left, int y_left) {
        const int y = static_cast<int>(block.thread_x()) & (tile_.y() - 1);
        const int first = static_cast<int>(block.thread_x()) >> tile_.log_y;
        const int step = threads >> tile_.log_y;
        const T* const line = from + y * y_stride;
        FUSE_NO_UNROLL
        for (int turn = 0; turn < turns; turn += together) {
            T item[together];
            FUSE_UNROLL
            for (int k = 0; k < together; ++k) {
                const int x = first + (turn + k) * step;
                if (x < x_left && y < y_left) {
                    item[k] = line[x * x_stride];
                }
            }
            FUSE_UNROLL
            for (int k = 0; k < together; ++k) {
                const int x = first + (turn + k) * step;
                if (x < x_left && y < y_left) {
                    items_[place(x, y)] = item[k];
                }
            }
        }
    }

    T* items_;
    TileSides tile_;
};

FUSE_END_NAMESPACE
