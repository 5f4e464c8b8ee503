// SPDX-License-Identifier: Apache-2.0
//
// The part of a transposed input that lies in a block's tile, in shared memory. Threads copy it along y, as it lies in
// memory, and read it along x. Lines along y lie in the buffer as they do in memory relative to vectors of 16 bytes, so
// that lines that begin anywhere are copied in whole vectors. V lines are a group, and groups are an odd number of
// vectors long: threads that read V neighbours along x each do not meet in a bank.
#pragma once

#include "fuse/kernels/transpose/ladder.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

/// V: the neighbours along x that a thread reads, a power of two.
template <class T, int V>
class TurnedLeaf {
    static constexpr int threads = static_cast<int>(transpose_threads);
    static constexpr int item_bytes = static_cast<int>(sizeof(T));
    /// Items that are copied at a time: 16 bytes, of types whose items lie at multiples of their size.
    static constexpr int chunk = 16 % item_bytes == 0 && alignof(T) == sizeof(T) ? 16 / item_bytes : 1;
    /// Narrow items that a thread has in flight where they are copied one by one.
    static constexpr int together = 8;

    static FUSE_HD constexpr int chunks(int items) { return (items + chunk - 1) / chunk; }
    /// Items from one line to the next, and from one group of V lines to the next. Lines that are read as one have no room
    /// for others' beginnings.
    static FUSE_HD constexpr int line_pitch(const TileSides& tile) {
        return tile.flat_y ? tile.y : (chunks(tile.y) + 1) * chunk;
    }
    static FUSE_HD constexpr int group_pitch(const TileSides& tile) {
        return ((chunks(V * line_pitch(tile)) + (tile.flat_y ? 1 : 0)) | 1) * chunk;
    }

public:
    /// Of shared memory, a multiple of 16. What is copied as one line may begin off a vector.
    static FUSE_HD constexpr unsigned bytes(const TileSides& tile) {
        const int lines = tile.x + tile.lead;
        const int items = lines / V * group_pitch(tile) + lines % V * line_pitch(tile) + chunk;
        return static_cast<unsigned>(items * item_bytes + 15) / 16 * 16;
    }

#if FUSE_HAS_DEVICE_BODIES
    /// from: the first element of the tile.
    FUSE_HD TurnedLeaf(unsigned char* memory, const TileSides& tile, const T* from, index_t x_stride, index_t y_stride)
        : items_(reinterpret_cast<T*>(memory)), from_(from), x_stride_(x_stride), y_stride_(y_stride),
          line_(line_pitch(tile)), group_(group_pitch(tile)), shift_(0), shift_step_(0), as_one_(tile.flat_y) {
        if (chunk > 1 && y_stride == 1) {
            shift_ = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) / sizeof(T) % chunk);
            shift_step_ = static_cast<int>((tile.flat_y ? V * x_stride : x_stride) & (chunk - 1));
        }
    }

    /// Where element (x, y) of the tile lies; that of the same x and y + 1 comes next.
    FUSE_HD int place(int x, int y) const {
        // Groups of whole vectors begin as the first does.
        const int line = V % chunk != 0 && as_one_ ? x / V : x;
        return start_of(x) + y + ((shift_ + line * shift_step_) & (chunk - 1));
    }
    FUSE_HD const T& operator[](int place) const {
        return items_[place];
    }

    /// Starts to copy what exists of the tile: elements before first_x + x_left and first_y + y_left do.
    template <AsyncCopies B, class Place>
    FUSE_HD void copy(B& block, const Place& tile) const {
        const TileSides& sides = tile.tile();
        const auto to_int = [](index_t n, int most) { return n < most ? static_cast<int>(n) : most; };
        // Lines that are copied, and of a line what exists around it and how much of it is asked for.
        Lines l{};
        l.first = sides.flat_y || tile.first_x() >= 0 ? 0 : to_int(-tile.first_x(), sides.lead);
        l.step = x_stride_;
        const int lines = sides.x + sides.lead;
        if (sides.flat_y) {
            l.last = (lines + V - 1) / V;
            l.wanted = l.ahead = V * sides.y;
            l.step *= V;
            l.group = V;
            l.begin = -to_int(tile.first_x() * sides.y, chunk);
            l.end = to_int(tile.x_left() * sides.y, l.last * l.wanted);
        } else {
            l.last = to_int(tile.x_left(), lines);
            l.group = 1;
            l.wanted = to_int(tile.y_left(), sides.y);
            l.begin = -to_int(tile.first_y(), chunk);
            l.end = to_int(tile.y_left(), sides.y + chunk);
        }
        const unsigned thread = block.thread_x();
        if (chunk > 1 && y_stride_ == 1) {
            copy_chunks(block, l, thread);
        } else {
            copy_items(block, l, thread);
        }
    }

private:
    struct Lines {
        int first;
        int last;
        int wanted;  ///< items of a line
        int begin;   ///< items exist from here on, 0 being the first that is wanted
        int end;     ///< to here
        int ahead;   ///< from line to line, where begin and end are those of all lines together
        int group;   ///< what is copied as a line is this of a group of V: all, or one line
        index_t step;
    };

    /// Calls f(line, k) for k < count of all lines, the threads side by side.
    template <class F>
    static FUSE_HD void for_pieces(const Lines& l, int count, unsigned thread, F&& f) {
        const auto pieces = static_cast<unsigned>(count);
        const auto lines = static_cast<int>(transpose_threads / pieces);
        const int rest = threads - lines * count;
        int line = static_cast<int>(thread / pieces);
        int k = static_cast<int>(thread) - line * count;
        line += l.first;
        FUSE_NO_UNROLL
        while (line < l.last) {
            f(line, k);
            line += lines;
            k += rest;
            if (k >= count) {
                k -= count;
                ++line;
            }
        }
    }

    template <AsyncCopies B>
    FUSE_HD void copy_chunks(B& block, const Lines& l, unsigned thread) const {
        const bool shifted = (shift_ | shift_step_) != 0;
        for_pieces(l, chunks(l.wanted) + (shifted ? 1 : 0), thread, [&](int line, int k) FUSE_INLINE_LAMBDA {
            const int y = k * chunk - ((shift_ + line * shift_step_) & (chunk - 1));
            const int at = y + line * l.ahead;
            if (y >= l.wanted) {
                return;
            }
            T* const to = items_ + start_of(l, line) + k * chunk;
            const T* const from = from_ + (static_cast<unsigned>(line) * l.step + y);
            if (at >= l.begin && at + chunk <= l.end) {
                copy_pack_async(block, reinterpret_cast<Pack<T, chunk>&>(*to), from);
            } else {
                // One after the other into shared memory, each would wait for the one before.
                T item[chunk];
                const auto each = [&](auto&& f) FUSE_INLINE_LAMBDA {
                    FUSE_UNROLL
                    for (int i = 0; i < chunk; ++i) {
                        if (at + i >= l.begin && at + i < l.end) {
                            f(item[i], i);
                        }
                    }
                };
                each([&](T& one, int i) FUSE_INLINE_LAMBDA { one = from[i]; });
                each([&](T& one, int i) FUSE_INLINE_LAMBDA { to[i] = one; });
            }
        });
    }

    template <AsyncCopies B>
    FUSE_HD void copy_items(B& block, const Lines& l, unsigned thread) const {
        if constexpr (item_bytes >= 4) {
            for_pieces(l, l.wanted, thread, [&](int line, int y) FUSE_INLINE_LAMBDA {
                const int at = y + line * l.ahead;
                if (at >= l.begin && at < l.end) {
                    copy_item_async(block, items_[start_of(l, line) + y], from_ + (line * l.step + y * y_stride_));
                }
            });
        } else {
            // Through registers, several in flight.
            const int all = l.last * l.wanted;
            FUSE_NO_UNROLL
            for (int piece = static_cast<int>(thread); piece < all; piece += together * threads) {
                T item[together];
                const auto each = [&](auto&& f) FUSE_INLINE_LAMBDA {
                    FUSE_UNROLL
                    for (int i = 0; i < together; ++i) {
                        const int line = (piece + i * threads) / l.wanted;
                        const int y = piece + i * threads - line * l.wanted;
                        const int at = y + line * l.ahead;
                        if (line >= l.first && line < l.last && at >= l.begin && at < l.end) {
                            f(item[i], line, y);
                        }
                    }
                };
                each([&](T& i, int line, int y) FUSE_INLINE_LAMBDA { i = from_[line * l.step + y * y_stride_]; });
                each([&](T& i, int line, int y) FUSE_INLINE_LAMBDA { items_[start_of(l, line) + y] = i; });
            }
        }
    }

    FUSE_HD int start_of(int x) const {
        return static_cast<int>(static_cast<unsigned>(x) / V) * group_ + (x & (V - 1)) * line_;
    }
    /// Of what is copied as a line.
    FUSE_HD int start_of(const Lines& l, int line) const {
        return l.group == V ? line * group_ : start_of(line);
    }

    T* items_;
    const T* from_;
    index_t x_stride_;
    index_t y_stride_;
    int line_;
    int group_;
    int shift_;       ///< of the first line, from a vector's beginning to its first item
    int shift_step_;  ///< from line to line, or from group to group
    bool as_one_;     ///< a group is copied as one line
#endif
};

FUSE_END_NAMESPACE
