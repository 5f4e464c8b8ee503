// SPDX-License-Identifier: Apache-2.0
//
// Test data in memory: an NdArray rounded to an element type and laid out with some strides in a buffer of exactly the
// size needed, whose gaps are filled with a sentinel that must survive.
#pragma once

#include <memory>
#include <utility>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/ndarray.hpp"

namespace fuse::testing {

/// A number as an element of type T, and back.
template <class T>
T to_element(double v) {
    return from_compute<T>(static_cast<compute_t<T>>(v));
}
template <class T>
double from_element(const T& v) {
    return static_cast<double>(to_compute(v));
}

/// Memory of the host, exactly `count` items, so that AddressSanitizer sees the first item beyond.
template <class T>
class HostArray {
public:
    explicit HostArray(std::size_t count) : items_(new T[count]), count_(count) {}
    T* data() { return items_.get(); }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t i) { return items_[i]; }
    const T& operator[](std::size_t i) const { return items_[i]; }

private:
    std::unique_ptr<T[]> items_;
    std::size_t count_;
};

enum class Placement {
    row_major,
    padded,      ///< rows apart by three elements more than their length
    wide,        ///< rows apart by twice their length: as aligned as the first one
    misaligned,  ///< row-major, from the second element of the buffer on
    transposed,  ///< column-major
    reversed,    ///< row-major with negative strides
    spaced       ///< every second element
};
inline constexpr Placement all_placements[] = {Placement::row_major,  Placement::padded,     Placement::wide,
                                               Placement::misaligned, Placement::transposed, Placement::reversed,
                                               Placement::spaced};

template <fixed_name N, class T, int... I>
auto strided_view(T* data, const Shape& extent, const Shape& stride, std::integer_sequence<int, I...>) {
    return View<T, name_t<N>, (static_cast<void>(I), dynamic)...>(data, extent, stride);
}

template <class Target, class T>
class Tensor {
public:
    explicit Tensor(const NdArray& values, Placement placement = Placement::row_major)
        : extent_(values.extent), strides_(values.extent.size()), row_major_(placement == Placement::row_major),
          buffer_(lay_out(placement)) {
        for (std::size_t i = 0; i < buffer_.size() && has_gaps(); ++i) {
            buffer_[i] = sentinel();
        }
        for_each_element([&](std::size_t i, std::size_t place) { buffer_[place] = to_element<T>(values.value[i]); });
    }
    /// An output.
    explicit Tensor(const Extent& extent, Placement placement = Placement::row_major)
        : Tensor(NdArray(extent, 77), placement) {}

    /// The view of this name; Rank must be that of the data.
    template <fixed_name N, int Rank>
    auto view() {
        return make<N, Rank>(origin());
    }
    template <fixed_name N, int Rank>
    auto const_view() {
        return make<N, Rank>(static_cast<const T*>(origin()));
    }
    T* origin() { return buffer_.data() + origin_; }

    /// The elements as numbers: rounded to T.
    NdArray read() const {
        NdArray result(extent_);
        for_each_element([&](std::size_t i, std::size_t place) { result.value[i] = from_element(buffer_[place]); });
        return result;
    }
    /// Whether all that lies between the elements is as it was.
    bool gaps_intact() const {
        if (!has_gaps()) {
            return true;
        }
        std::vector<bool> used(buffer_.size(), false);
        for_each_element([&](std::size_t, std::size_t place) { used[place] = true; });
        bool intact = true;
        for (std::size_t i = 0; i < buffer_.size(); ++i) {
            intact = intact && (used[i] || from_element(buffer_[i]) == from_element(sentinel()));
        }
        return intact;
    }

private:
    using Array = typename Target::template Array<T>;

    static T sentinel() { return to_element<T>(1); }

    /// Chooses strides_ and origin_; returns the number of elements of the buffer.
    std::size_t lay_out(Placement placement) {
        const std::size_t rank = extent_.size();
        index_t stride = placement == Placement::spaced ? 2 : 1;
        for (std::size_t i = 0; i < rank; ++i) {
            const std::size_t axis = placement == Placement::transposed ? i : rank - 1 - i;
            strides_[axis] = stride;
            stride *= extent_[axis];
            stride += placement == Placement::padded && i == 0 ? 3 : 0;
            stride *= placement == Placement::wide && i == 0 ? 2 : 1;
        }
        index_t last = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            last += (extent_[axis] - 1) * strides_[axis];
        }
        if (size_of(extent_) == 0) {
            return 0;
        }
        if (placement == Placement::reversed) {
            origin_ = last;
            for (index_t& s : strides_) {
                s = -s;
            }
        }
        if (placement == Placement::misaligned) {
            origin_ = 1;
        }
        return static_cast<std::size_t>(last + 1 + (placement == Placement::misaligned ? 1 : 0));
    }

    bool has_gaps() const { return static_cast<std::size_t>(size_of(extent_)) != buffer_.size(); }

    /// Calls f(i, place) for each element: its number in row-major order, and where it is in the buffer.
    template <class F>
    void for_each_element(F&& f) const {
        std::size_t i = 0;
        if (row_major_) {
            for (const auto n = static_cast<std::size_t>(size_of(extent_)); i < n; ++i) {
                f(i, i);
            }
            return;
        }
        const index_t* const stride = strides_.data();
        const std::size_t rank = extent_.size();
        for_each_coordinate(extent_, [&](const Coordinate& at) {
            index_t place = origin_;
            const index_t* const here = at.data();
            for (std::size_t axis = 0; axis < rank; ++axis) {
                place += here[axis] * stride[axis];
            }
            f(i++, static_cast<std::size_t>(place));
        });
    }

    template <fixed_name N, int Rank, class Element>
    auto make(Element* data) const {
        REQUIRE(static_cast<int>(extent_.size()) == Rank);
        Shape shape{Rank, {}};
        Shape stride{Rank, {}};
        for (int axis = 0; axis < Rank; ++axis) {
            shape[axis] = extent_[static_cast<std::size_t>(axis)];
            stride[axis] = strides_[static_cast<std::size_t>(axis)];
        }
        return strided_view<N>(data, shape, stride, std::make_integer_sequence<int, Rank>{});
    }

    Extent extent_;
    std::vector<index_t> strides_;
    index_t origin_ = 0;
    bool row_major_;
    Array buffer_;
};

/// Fails at the first element that differs from the expected one by more than absolute + relative * |expected|.
inline void check_close(const NdArray& got, const NdArray& expected, double relative, double absolute = 0) {
    REQUIRE(got.extent == expected.extent);
    const auto is_close = [&](double g, double e) {
        return g == e || (std::isnan(g) && std::isnan(e)) || std::fabs(g - e) <= absolute + relative * std::fabs(e);
    };
    std::string first;
    for (std::size_t i = 0; i < got.value.size() && first.empty(); ++i) {
        const double g = got.value[i];
        const double e = expected.value[i];
        if (!is_close(g, e)) {
            std::size_t position = 0;
            for_each_coordinate(got.extent, [&](const Coordinate& at) {
                if (position++ == i) {
                    first = "at " + to_text(at) + " got " + std::to_string(g) + ", expected " + std::to_string(e);
                }
            });
        }
    }
    CHECK(first == "");
}
inline void check_equal(const NdArray& got, const NdArray& expected) {
    check_close(got, expected, 0);
}

}  // namespace fuse::testing
