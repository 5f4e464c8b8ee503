// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of a thread's vector lie in a domain of several axes, found once for all operands: most lie as along one
// axis, and those that do not, a bias or a scale of channels, share the coordinates.
#pragma once

#include "fuse/ops/types/compute_type.hpp"
#include "fuse/primitives/thread/item_path.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What an operand that does not vary along the innermost axis has for the elements of a vector: one item for the first
/// `first_run`, another for those that lie in the next run.
template <class T>
struct RunItem {
    T one;
    T other;
    int first_run;
};
/// The same where they lie in one run: the compiler sees that what is made of it is the same for all.
template <class T>
struct UniformItem {
    T one;
};

template <class T>
FUSE_HD compute_t<T> unpack(const RunItem<T>& item, int v) {
    return to_compute(v < item.first_run ? item.one : item.other);
}
template <class T>
FUSE_HD compute_t<T> unpack(const UniformItem<T>& item, int) {
    return to_compute(item.one);
}

/// What an index counts for the elements of a vector in one or two runs.
struct RunCount {
    index_t start;       ///< at the first element of all
    std::int32_t one;    ///< from there to the first of the vector
    std::int32_t other;  ///< the same as if it lay in the second run
    std::int32_t step;
    int first_run;
};
/// Bytes of registers that it takes: most often start is 0, and the others of a vector have the same step and first_run.
template <class Count>
inline constexpr int registers_of_count = static_cast<int>(sizeof(Count));
template <>
inline constexpr int registers_of_count<RunCount> = 12;
FUSE_HD index_t unpack(const RunCount& count, int v) {
    return count.start + ((v < count.first_run ? count.one : count.other) + v * count.step);
}

/// Coordinates along N dimensions, numbers of type I that hold them.
template <int N, class I>
struct Coordinates {
    I along[N];

    /// Of element i. Narrow: all elements of the domain have positions below 2^31.
    FUSE_HD Coordinates(const NarrowDims<N>& dims, index_t i, bool narrow) {
        if (narrow) {
            auto rest = static_cast<std::uint32_t>(i);
            FUSE_UNROLL
            for (int d = N - 1; d > 0; --d) {
                const auto part = dims.narrow[d].divmod(rest);
                along[d] = static_cast<I>(part.remainder);
                rest = part.quotient;
            }
            along[0] = static_cast<I>(rest);
        } else {
            auto rest = static_cast<std::uint64_t>(i);
            FUSE_UNROLL
            for (int d = N - 1; d >= 0; --d) {
                // Of the outermost dimension all that is left; those before it have nothing.
                const bool inner = d > N - dims.count;
                const auto part = inner ? dims.extent[d].divmod(rest) : QuotientRemainder<std::uint64_t>{0, rest};
                along[d] = static_cast<I>(part.remainder);
                rest = part.quotient;
            }
        }
    }

    /// Goes on to the next element.
    FUSE_HD void step(const NarrowDims<N>& dims) {
        ++along[N - 1];
        FUSE_UNROLL
        for (int d = N - 1; d > 0; --d) {
            if (d > N - dims.count && static_cast<std::uint64_t>(along[d]) == dims.extent[d].divisor()) {
                along[d] = 0;
                ++along[d - 1];
            }
        }
    }

    /// Goes on to the first element behind its run along the innermost dimension.
    FUSE_HD void end_run(const NarrowDims<N>& dims) {
        along[N - 1] = static_cast<I>(dims.extent[N - 1].divisor() - 1);
        step(dims);
    }

    FUSE_HD index_t offset(const index_t (&strides)[N]) const {
        index_t offset = 0;
        FUSE_UNROLL
        for (int d = 0; d < N; ++d) {
            offset += static_cast<index_t>(along[d]) * strides[d];
        }
        return offset;
    }
    /// The same where it is known to have 32 bits.
    FUSE_HD index_t short_offset(const index_t (&strides)[N]) const {
        std::uint32_t offset = 0;
        FUSE_UNROLL
        for (int d = 0; d < N; ++d) {
            offset += static_cast<std::uint32_t>(along[d]) * static_cast<std::uint32_t>(strides[d]);
        }
        return static_cast<std::int32_t>(offset);
    }
};

}  // namespace detail

// Places of V elements from s on. A path (ItemPath) says how an operand's items lie; first: its first item.

/// Where all operands lie as along one axis.
template <int V>
class LinePlace {
public:
    using Count = Pack<index_t, V>;

    template <class D>
    FUSE_HD LinePlace(const D&, index_t s, bool) : s_(s) {}

    template <class T, class Path>
    FUSE_HD void read(Pack<T, V>& out, const T* first, const Path& path) const {
        const T* const from = first + s_ * path.step;
        if (V > 1 && path.vector) {
            load_pack(out, from, true);
        } else {
            load_strided(out, from, path.step);
        }
    }
    /// What an index counts.
    template <class Path>
    FUSE_HD void count(Pack<index_t, V>& out, index_t first, const Path& path) const {
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            out.item[k] = first + (s_ + k) * path.step;
        }
    }
    template <class T, class Path>
    FUSE_HD void write(T* first, const Path& path, const Pack<T, V>& in) const {
        T* const to = first + s_ * path.step;
        if (V > 1 && path.vector) {
            store_pack(to, in, true);
        } else {
            store_strided(to, in, path.step);
        }
    }

private:
    index_t s_;
};

/// In a domain of N axes, none of 2^31 elements or more, whose innermost has V elements or more: in one or two runs along it.
/// Short: nor have operands that do not lie as along one axis offsets of so many, and what an index counts is less.
template <int N, int V, bool Short = false>
class RunPlace {
public:
    using Count = std::conditional_t<Short && (V > 1), detail::RunCount, Pack<index_t, V>>;

    FUSE_HD RunPlace(const NarrowDims<N>& dims, index_t s, bool narrow)
        : s_(s), one_(dims, s, narrow), other_(one_), first_run_(V) {
        const index_t left =
            static_cast<index_t>(dims.extent[N - 1].divisor()) - static_cast<index_t>(one_.along[N - 1]);
        if (left < V) {
            first_run_ = static_cast<int>(left);
            other_.end_run(dims);
        }
    }

    /// Of an operand that has one item along a run.
    template <class T, class Path>
    FUSE_HD void read(detail::RunItem<T>& out, const T* first, const Path& path) const {
        out.one = out.other = first[offset(one_, path)];
        out.first_run = first_run_;
        if (!in_one_run()) {
            out.other = first[offset(other_, path)];
        }
    }
    template <class T, class Path>
    FUSE_HD void read(Pack<T, V>& out, const T* first, const Path& path) const {
        if (path.linear) {
            LinePlace<V>(0, s_, true).read(out, first, path);
        } else if (path.vector) {
            load_pack(out, first + offset(one_, path), true);
        } else {
            each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { out.item[k] = first[at]; });
        }
    }
    template <class Path>
    FUSE_HD void count(Pack<index_t, V>& out, index_t first, const Path& path) const {
        if (path.linear) {
            LinePlace<V>(0, s_, true).count(out, first, path);
        } else {
            each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { out.item[k] = first + at; });
        }
    }
    template <class Path>
    FUSE_HD void count(detail::RunCount& out, index_t first, const Path& path) const {
        out.start = first;
        out.first_run = first_run_;
        if (path.linear) {
            out.step = static_cast<std::int32_t>(path.step);
            out.one = out.other = static_cast<std::int32_t>(s_) * out.step;
        } else {
            out.step = static_cast<std::int32_t>(path.strides[N - 1]);
            out.one = static_cast<std::int32_t>(offset(one_, path));
            out.other = out.one;
            if (!in_one_run()) {
                out.other = static_cast<std::int32_t>(offset(other_, path)) - first_run_ * out.step;
            }
        }
    }
    template <class T, class Path>
    FUSE_HD void write(T* first, const Path& path, const Pack<T, V>& in) const {
        if (path.vector) {
            store_pack(first + offset(one_, path), in, true);
        } else {
            each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { first[at] = in.item[k]; });
        }
    }

private:
    using Coordinates = detail::Coordinates<N, std::uint32_t>;

    FUSE_HD bool in_one_run() const { return first_run_ == V; }
    template <class Path>
    static FUSE_HD index_t offset(const Coordinates& at, const Path& path) {
        if constexpr (Short) {
            return at.short_offset(path.strides);
        } else {
            return at.offset(path.strides);
        }
    }
    /// Calls f(k, offset) for all items.
    template <class Path, class F>
    FUSE_HD void each(const Path& path, F&& f) const {
        const index_t step = path.strides[N - 1];
        const index_t one = offset(one_, path);
        index_t other = one;
        if (!in_one_run()) {
            other = offset(other_, path) - first_run_ * step;
        }
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            f(k, (k < first_run_ ? one : other) + k * step);
        }
    }

    index_t s_;
    Coordinates one_;    // of the first element
    Coordinates other_;  // of the first in the second run, if there is one
    int first_run_;
};

/// In any domain of N axes.
template <int N, int V>
class StepPlace {
public:
    using Count = Pack<index_t, V>;

    FUSE_HD StepPlace(const NarrowDims<N>& dims, index_t s, bool narrow) : dims_(dims), s_(s), one_(dims, s, narrow) {}

    template <class T, class Path>
    FUSE_HD void read(Pack<T, V>& out, const T* first, const Path& path) const {
        if (path.linear) {
            LinePlace<V>(0, s_, true).read(out, first, path);
        } else {
            each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { out.item[k] = first[at]; });
        }
    }
    template <class Path>
    FUSE_HD void count(Pack<index_t, V>& out, index_t first, const Path& path) const {
        each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { out.item[k] = first + at; });
    }
    template <class T, class Path>
    FUSE_HD void write(T* first, const Path& path, const Pack<T, V>& in) const {
        each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { first[at] = in.item[k]; });
    }

private:
    template <class Path, class F>
    FUSE_HD void each(const Path& path, F&& f) const {
        auto at = one_;
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            f(k, at.offset(path.strides));
            at.step(dims_);
        }
    }

    const NarrowDims<N>& dims_;
    index_t s_;
    detail::Coordinates<N, index_t> one_;
};

FUSE_END_NAMESPACE
