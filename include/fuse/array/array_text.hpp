// SPDX-License-Identifier: Apache-2.0
//
// An array as text, as numpy prints it: rows in brackets, columns aligned, and of more than 1000 elements the first and
// last three along each axis. No element types here: an element is given as text.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuse/lang/extents.hpp"
#include "fuse/text.hpp"

#if !FUSE_ON_DEVICE  // where nobody prints

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Which elements of an array are shown.
class ShownElements {
public:
    static constexpr index_t most = 1000;  ///< elements that are shown without leaving any out (numpy's threshold)
    static constexpr index_t edge = 3;     ///< of those left along an axis otherwise (numpy's edgeitems)

    explicit ShownElements(const Shape& shape) : shape_(shape), shortened_(shape.size() > most) {}

    const Shape& shape() const { return shape_; }
    /// Whether elements are left out along an axis.
    bool leaves_out(int axis) const { return shortened_ && shape_[axis] > 2 * edge; }
    /// The indices that are shown, and which index is number n of them.
    index_t count(int axis) const { return leaves_out(axis) ? 2 * edge : shape_[axis]; }
    index_t index(int axis, index_t n) const { return leaves_out(axis) && n >= edge ? shape_[axis] - 2 * edge + n : n; }

    /// Calls f(offset) for each shown element in row-major order; offset in elements.
    template <class F>
    FUSE_COLD void for_each(const Shape& stride, F&& f) const {
        walk(stride, 0, 0, f);
    }

private:
    template <class F>
    void walk(const Shape& stride, int axis, index_t offset, F& f) const {
        if (axis == shape_.rank) {
            f(offset);
            return;
        }
        for (index_t n = 0; n < count(axis); ++n) {
            walk(stride, axis + 1, offset + index(axis, n) * stride[axis], f);
        }
    }

    Shape shape_;
    bool shortened_;
};

/// The numbers of one array, all with as many digits behind the point; with exponents if one of them is 1e8 or larger, or
/// smaller than 1e-4, as in numpy.
class NumberTexts {
public:
    /// Digits: as many of v as are to be seen.
    FUSE_COLD void take_in(double v, int digits) {
        const double size = v < 0 ? -v : v;
        if (size - size != 0 || size == 0) {  // infinite or NaN
            return;
        }
        plain_ = plain_ && size < 1e8 && size >= 0.99999e-4;  // 1e-4 as a float is less than 1e-4
        std::snprintf(room_, sizeof(room_), "%.*e", digits - 1, v);
        const int behind = digits - 1 - std::atoi(std::strchr(room_, 'e') + 1);
        decimals_ = behind > decimals_ ? behind : decimals_;
        digits_ = digits > digits_ ? digits : digits_;
    }
    FUSE_COLD const char* of(double v) {
        if (v != v) {
            return "nan";  // whatever its sign
        }
        std::snprintf(room_, sizeof(room_), plain_ ? "%.*f" : "%.*g", plain_ ? decimals_ : digits_, v);
        return room_;
    }

private:
    int digits_ = 1;
    int decimals_ = 0;
    bool plain_ = true;
    char room_[64];
};

/// The fewest digits, `most` at most, that read(number) takes for v again.
template <class Read>
FUSE_COLD int digits_of(double v, int most, Read&& read) {
    for (int digits = 1; digits < most; ++digits) {
        char room[64];
        std::snprintf(room, sizeof(room), "%.*e", digits - 1, v);
        if (read(std::strtod(room, nullptr)) == v) {
            return digits;
        }
    }
    return most;
}

/// The brackets around the texts of the shown elements.
class ArrayWriter {
public:
    static constexpr std::size_t line = 75;  ///< characters, as in numpy

    ArrayWriter(Text& out, const ShownElements& shown, const std::vector<Text>& element)
        : out_(out), shown_(shown), element_(element) {
        for (const Text& e : element) {
            width_ = e.size() > width_ ? e.size() : width_;
        }
    }

    FUSE_COLD void write() {
        if (shown_.shape().rank == 0) {
            out_ << element_[0];
        } else if (shown_.shape().size() == 0) {
            out_ << "[]";
        } else {
            write_axis(0);
        }
    }

private:
    FUSE_COLD void write_axis(int axis) {
        const bool inner = axis + 1 == shown_.shape().rank;
        const index_t count = shown_.count(axis);
        out_ << "[";
        std::size_t column = static_cast<std::size_t>(axis) + 1;
        const auto begin_line = [&] {
            // One empty line more for each axis further out.
            for (int i = axis + 1; i < shown_.shape().rank || i == axis + 1; ++i) {
                out_ << "\n";
            }
            pad(static_cast<std::size_t>(axis) + 1);
            column = static_cast<std::size_t>(axis) + 1;
        };
        /// Between two elements of a row.
        const auto make_room = [&](std::size_t characters) {
            if (column + 1 + characters >= line) {
                begin_line();
            } else {
                out_ << " ";
                ++column;
            }
            column += characters;
        };
        for (index_t n = 0; n < count; ++n) {
            if (n == ShownElements::edge && shown_.leaves_out(axis)) {
                inner ? make_room(3) : begin_line();
                out_ << "...";
            }
            if (inner) {
                n > 0 ? make_room(width_) : static_cast<void>(column += width_);
                const Text& e = element_[next_++];
                pad(width_ - e.size());
                out_ << e;
            } else {
                if (n > 0) {
                    begin_line();
                }
                write_axis(axis + 1);
            }
        }
        out_ << "]";
    }
    void pad(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            out_ << " ";
        }
    }

    Text& out_;
    const ShownElements& shown_;
    const std::vector<Text>& element_;
    std::size_t width_ = 0;
    std::size_t next_ = 0;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif
