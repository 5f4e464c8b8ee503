// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a tile a thread evaluates: vectors of V, one after the other, `step_y` lines apart. They begin where
// the first output's vectors do in memory. A tile of all of x whose lines follow each other in memory (flat) is divided
// as one line, and a vector goes on in the next; else each line is divided for itself.
#pragma once

#include "fuse/kernels/transpose/tile_place.hpp"

#if FUSE_HAS_DEVICE_BODIES

FUSE_BEGIN_NAMESPACE

template <int V>
class TileWriter {
    static constexpr int threads = static_cast<int>(transpose_threads);

public:
    /// output: where the first output has the first element of the tile.
    template <class Place, class T>
    FUSE_HD TileWriter(const Place& place, const T* output, index_t x_stride, index_t y_stride, int thread)
        : sides_(place.tile()), output_(reinterpret_cast<std::uintptr_t>(output) / sizeof(T)), y_stride_(y_stride),
          first_x_(place.first_x()), x_left_(place.x_left()) {
        const int y_left = place.y_left() < sides_.y ? static_cast<int>(place.y_left()) : sides_.y;
        if (sides_.flat_x) {
            divide_as_one(y_left, thread);
        } else {
            divide_lines(y_left, x_stride == 1, thread);
        }
    }

    FUSE_HD bool any() const { return at_ < end_; }
    /// Goes to the next vector; whether its elements lie at the same x as those of the last.
    FUSE_HD bool next() {
        at_ += step_;
        y_ += step_y_;
        if (sides_.flat_x) {
            if (any() || lane_ + (threads - 1) * V >= step_) {
                left_ = end_ - at_ < V ? end_ - at_ : V;
                return true;
            }
            lane_ += (threads - 1) * V;
            begin_at(in_front() + lane_);
            return false;
        }
        if (!any() && lane_ + threads * V < sides_.x) {
            lane_ += threads * V;
            at_ = y_ = first_y_;
        } else if (sides_.lead == 0 || step_y_ % V == 0 || !any()) {
            return true;
        }
        begin_line();
        return false;
    }
    /// Lines from a vector to the next.
    FUSE_HD int step_y() const { return step_y_; }

    /// The first element of the vector, from the first of the tile on, and how many exist.
    FUSE_HD int x() const { return x_; }
    FUSE_HD int y() const { return y_; }
    FUSE_HD int left() const { return left_; }
    /// Whether the elements are neighbours in an operand of these strides.
    FUSE_HD bool side_by_side(index_t x_stride, index_t y_stride) const {
        return x_stride == 1 && apart_ == 1 && (!sides_.flat_x || y_stride == sides_.x);
    }
    /// Whether the elements lie in one line.
    FUSE_HD bool in_one_line() const { return !sides_.flat_x || x_ + V <= sides_.x; }
    /// Element v of the vector.
    FUSE_HD int x_of(int v) const {
        return sides_.flat_x ? x_ + v - quotient(x_ + v, sides_.x) * sides_.x : x_ + v * apart_;
    }
    FUSE_HD int y_of(int v) const { return sides_.flat_x ? y_ + quotient(x_ + v, sides_.x) : y_; }

    /// Calls f(v, x, y) for all elements of the vector.
    template <class F>
    FUSE_HD void each(F&& f) const {
        int x = x_;
        int y = y_;
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            f(v, x, y);
            x += apart_;
            if (sides_.flat_x && x == sides_.x) {
                x = 0;
                ++y;
            }
        }
    }

private:
    /// Of numbers that are not negative.
    static FUSE_HD int quotient(int a, int b) {
        return static_cast<int>(static_cast<unsigned>(a) / static_cast<unsigned>(b));
    }
    /// Items from the beginning of an aligned vector to the first item of the tile's line y.
    FUSE_HD int ahead(int y) const {
        return static_cast<int>((output_ + static_cast<std::uintptr_t>(y * y_stride_)) & (V - 1));
    }

    FUSE_HD int in_front() const { return -ahead(0) & (V - 1); }
    /// The last thread takes what lies ahead of the first vector. As many of the others take vectors as go along whole
    /// lines together, so that a thread's elements lie at the same x every time. Where more vectors than there are threads
    /// go along whole lines, those beyond come after all others.
    FUSE_HD void divide_as_one(int y_left, int thread) {
        const int all = y_left * sides_.x;
        const int vectors_of_lines = sides_.x >> common_factor(sides_.x);
        const int times = quotient(threads - 1, vectors_of_lines);
        const int active = times > 0 ? times * vectors_of_lines : threads - 1;
        step_ = (times > 0 ? active : vectors_of_lines) * V;
        step_y_ = quotient(step_, sides_.x);
        apart_ = 1;
        if (thread == threads - 1) {
            lane_ = step_;
            end_ = in_front() < all ? in_front() : all;
            begin_at(0);
        } else {
            lane_ = thread * V;
            end_ = thread < active ? all : 0;
            begin_at(in_front() + lane_);
        }
    }
    FUSE_HD void begin_at(int at) {
        at_ = at;
        y_ = quotient(at_, sides_.x);
        x_ = at_ - y_ * sides_.x;
        left_ = end_ - at_ < V ? end_ - at_ : V;
    }
    /// The powers of two that n has in common with V.
    static FUSE_HD int common_factor(int n) {
        int k = 0;
        for (int v = V; v > 1 && (n & ((2 << k) - 1)) == 0; v /= 2) {
            ++k;
        }
        return k;
    }

    /// A line may have more vectors than there are threads: those beyond come after all others.
    /// whole: the elements of a vector are neighbours; else those of neighbouring threads are, so that threads fill sectors.
    FUSE_HD void divide_lines(int y_left, bool whole, int thread) {
        const int vectors = quotient(sides_.x + V - 1, V);
        const int width = vectors < threads ? vectors : threads;
        step_ = step_y_ = quotient(threads, width);
        at_ = y_ = first_y_ = quotient(thread, width);
        end_ = at_ < step_ ? y_left : 0;
        apart_ = whole ? 1 : width;
        lane_ = (thread - at_ * width) * (whole ? V : 1);
        begin_line();
    }
    FUSE_HD void begin_line() {
        x_ = lane_ + sides_.lead - (apart_ == 1 && sides_.lead > 0 ? ahead(y_) : 0);
        // Those before the first element of all do not exist, nor those of the next tile.
        const int begin = first_x_ + x_ < 0 ? -static_cast<int>(first_x_) : x_;
        const int own = apart_ == 1 ? x_ + V : sides_.x + sides_.lead;
        const int end = x_left_ < own ? static_cast<int>(x_left_) : own;
        left_ = apart_ == 1 ? end - begin : end > begin ? quotient(end - begin + apart_ - 1, apart_) : 0;
        left_ = left_ < V ? left_ : V;
        x_ = begin;
    }

    TileSides sides_;
    std::uintptr_t output_;
    index_t y_stride_;
    index_t first_x_;
    index_t x_left_;
    int at_;
    int end_;
    int step_;
    int step_y_;
    int x_;
    int y_;
    int apart_;
    int first_y_ = 0;
    int lane_ = 0;
    int left_;
};

FUSE_END_NAMESPACE

#endif
