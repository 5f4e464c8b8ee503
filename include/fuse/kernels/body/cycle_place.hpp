// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of a thread's vector lie beside operands that come again after a few elements: the means of three
// colours that lie innermost, say. All others lie as along one axis.
#pragma once

#include "fuse/kernels/body/run_place.hpp"

FUSE_BEGIN_NAMESPACE

/// In a domain of N axes whose innermost has fewer than V elements, where operands lie as along one axis, or vary along the
/// innermost alone (note_cycles).
template <int N, int V>
class CyclePlace {
public:
    using Count = Pack<index_t, V>;

    FUSE_HD CyclePlace(const NarrowDims<N>& dims, index_t s, bool narrow)
        : s_(s), length_(static_cast<int>(dims.extent[N - 1].divisor())),
          phase_(narrow ? static_cast<int>(dims.narrow[N - 1].divmod(static_cast<std::uint32_t>(s)).remainder)
                        : static_cast<int>(dims.extent[N - 1].divmod(static_cast<std::uint64_t>(s)).remainder)) {}

    template <class T, class Path>
    FUSE_HD void read(Pack<T, V>& out, const T* first, const Path& path) const {
        if (path.linear) {
            LinePlace<V>(0, s_, true).read(out, first, path);
        } else if (V > 3 && length_ == 3) {
            read_threes(out, first, path.strides[N - 1]);
        } else {
            each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { out.item[k] = first[at]; });
        }
    }
    /// What an index counts, along the innermost axis.
    template <class Path>
    FUSE_HD void count(Pack<index_t, V>& out, index_t first, const Path& path) const {
        each(path, [&](int k, index_t at) FUSE_INLINE_LAMBDA { out.item[k] = first + at; });
    }
    /// Outputs lie as along one axis.
    template <class T, class Path>
    FUSE_HD void write(T* first, const Path& path, const Pack<T, V>& in) const {
        LinePlace<V>(0, s_, true).write(first, path, in);
    }

private:
    /// Calls f(k, offset) for all items.
    template <class Path, class F>
    FUSE_HD void each(const Path& path, F&& f) const {
        const index_t step = path.strides[N - 1];
        int at = phase_;
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            f(k, at * step);
            at = at + 1 == length_ ? 0 : at + 1;
        }
    }
    /// Each is loaded once, and which of them comes first is chosen once.
    template <class T>
    FUSE_HD void read_threes(Pack<T, V>& out, const T* first, index_t step) const {
        const T a = first[0];
        const T b = first[step];
        const T c = first[2 * step];
        const T one = phase_ == 0 ? a : phase_ == 1 ? b : c;
        const T two = phase_ == 0 ? b : phase_ == 1 ? c : a;
        const T three = phase_ == 0 ? c : phase_ == 1 ? a : b;
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            out.item[k] = k % 3 == 0 ? one : k % 3 == 1 ? two : three;
        }
    }

    index_t s_;
    int length_;  ///< of the innermost axis
    int phase_;   ///< of the first element along it
};

FUSE_END_NAMESPACE
