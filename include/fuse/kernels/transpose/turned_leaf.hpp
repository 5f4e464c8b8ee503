// SPDX-License-Identifier: Apache-2.0
//
// The part of a transposed input that lies in a block's tile, in shared memory. Threads copy it along y, as it lies in
// memory, and read it along x. Line x of the buffer holds the Y elements along y, at places that are permuted from line
// to line, so that neither neighbours along y nor neighbours along x meet in a bank.
#pragma once

#include <bit>

#include "fuse/kernels/transpose/ladder.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

/// Items of T. V: elements along x that a thread reads at a time.
template <class T, int X, int Y, int V>
class TurnedLeaf {
    static constexpr int threads = static_cast<int>(transpose_threads);
    static constexpr int item_bytes = static_cast<int>(sizeof(T));
    /// Items that are copied at a time: 4 bytes of narrow ones.
    static constexpr int word = item_bytes < 4 && 4 % item_bytes == 0 ? 4 / item_bytes : 1;
    /// Words of a line among which lines differ: as many as the banks hold, and a line has.
    static constexpr int places = detail::smallest(
        Y / word, static_cast<int>(std::bit_floor(128U / static_cast<unsigned>(detail::limited(item_bytes, 4, 128)))));
    /// Items that a thread copies one by one, and how many of them are in flight.
    static constexpr int turns = X * Y / threads;
    static constexpr int together = detail::smallest(turns, 16);

public:
    FUSE_HD explicit TurnedLeaf(unsigned char* memory) : items_(reinterpret_cast<T*>(memory)) {}

    /// Element x + v: of the V from x on where that is a multiple of V; v = 0 elsewhere.
    FUSE_HD const T& at(int x, int v, int y) const { return items_[place(x, y) + v * Y]; }

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
        constexpr int words = Y / word;
        const int y = static_cast<int>(block.thread_x()) % words * word;
        const int first = static_cast<int>(block.thread_x()) / words;
        const T* const line = from + y * y_stride;
        const T* word_of_line = line + first * x_stride;
        const int lines = y + word <= y_left ? x_left : 0;
        FUSE_UNROLL
        for (int turn = 0; turn < X * words / threads; ++turn) {
            const int x = first + turn * (threads / words);
            if (x < lines) {
                T& to = items_[place(x, y)];
                if constexpr (word > 1) {
                    copy_pack_async(block, reinterpret_cast<Pack<T, word>&>(to), word_of_line);
                } else {
                    copy_item_async(block, to, word_of_line);
                }
            }
            word_of_line += threads / words * x_stride;
        }
        if (word > 1 && y < y_left && y + word > y_left) {
            FUSE_NO_UNROLL
            for (int x = first; x < x_left; x += threads / words) {
                for_items<word>(y_left - y,
                                [&](int k) FUSE_INLINE_LAMBDA { items_[place(x, y + k)] = line[x * x_stride + k]; });
            }
        }
    }

private:
    static FUSE_HD int place(int x, int y) {
        const unsigned swap = static_cast<unsigned>(x) / V % places * word;
        return x * Y + (y ^ static_cast<int>(swap));
    }

    /// Narrow items that are no words of memory: through registers, several in flight.
    template <ThreadBlock B>
    FUSE_HD void copy_items(B& block, const T* from, index_t x_stride, index_t y_stride, int x_left, int y_left) {
        const int y = static_cast<int>(block.thread_x()) % Y;
        const int first = static_cast<int>(block.thread_x()) / Y;
        const T* const line = from + y * y_stride;
        FUSE_NO_UNROLL
        for (int turn = 0; turn < turns; turn += together) {
            T item[together];
            FUSE_UNROLL
            for (int k = 0; k < together; ++k) {
                const int x = first + (turn + k) * (threads / Y);
                if (x < x_left && y < y_left) {
                    item[k] = line[x * x_stride];
                }
            }
            FUSE_UNROLL
            for (int k = 0; k < together; ++k) {
                const int x = first + (turn + k) * (threads / Y);
                if (x < x_left && y < y_left) {
                    items_[place(x, y)] = item[k];
                }
            }
        }
    }

    T* items_;
};

FUSE_END_NAMESPACE
