// SPDX-License-Identifier: Apache-2.0
//
// Registers in and out along an ItemPath, and with one stride: every count of items from before the first one to after the
// last, where packs move in vectors, by a stride and item by item. Buffers have exactly the size that may be touched, so
// the sanitizers see one item too many.
#pragma once

#include <cstdint>
#include <vector>

#include "fuse/primitives/thread/read_pieces.hpp"
#include "primitives/fold_cases.hpp"

namespace fuse::testing {

/// Each thread moves the pack of items threads * V + 0 .. V - 1 of a path: `in` to `loaded` and `out`.
template <class T, int V, int N, Packs Lie, bool Narrow>
struct PathKernel {
    const T* in;
    T* out;
    T* loaded;   // all registers
    T* indices;  // where the items lie
    NarrowDims<N> dims;
    index_t strides[N];
    index_t step;
    bool vector;
    bool linear;
    index_t count;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const ItemPath<N, Lie, Narrow> path{dims, strides, step, vector, linear};
        const index_t first = striped_item<V>(block, 0);
        Pack<T, V> items;
        ReadData(items, in, path, first, count - first, T(101));
        store_pack(loaded + first, items, false);
        if (count - first >= V) {
            Pack<T, V> whole;
            ReadData(whole, in, path, first);
            items = whole;
        }
        if (step != 0) {  // else one item for all, which nothing is written to
            WriteData(out, path, items, first, count - first);
        }
        InitWithDataIndex(items, 7, path, first);
        store_pack(indices + first, items, false);
    }
};

/// A path over `extents`, the innermost last, as many of its first `count` items as there are.
template <class T, int V, Packs Lie, bool Narrow, int N, class Runner>
unsigned count_wrong_path_with(const Runner& run, const index_t (&extents)[N], const index_t (&strides)[N], bool vector,
                               index_t count) {
    PathKernel<T, V, N, Lie, Narrow> kernel{};
    for (int axis = 0; axis < N; ++axis) {
        kernel.dims.count += extents[axis] > 1;
    }
    index_t reach = 0;
    for (int axis = 0; axis < N; ++axis) {
        kernel.dims.extent[axis] = FastDivMod<std::uint64_t>(static_cast<std::uint64_t>(extents[axis]));
        if constexpr (N > 1) {
            const bool divides = axis > N - kernel.dims.count;
            kernel.dims.narrow[axis] =
                FastDivMod<std::uint32_t>(divides ? static_cast<std::uint32_t>(extents[axis]) : 1U << 31U);
        }
        kernel.strides[axis] = strides[axis];
        reach += (extents[axis] - 1) * strides[axis];
    }
    const auto place_of = [&](index_t i) {
        index_t offset = 0;
        for (int axis = N - 1; axis >= 0; --axis) {
            offset += (axis > 0 ? i % extents[axis] : i) * strides[axis];
            i = axis > 0 ? i / extents[axis] : 0;
        }
        return offset;
    };
    constexpr unsigned threads = 6;  // those beyond the end take part
    const auto size = static_cast<std::size_t>(reach + 1);
    typename Runner::template Buffer<T> in(size), out(size), loaded(threads * V), indices(threads * V);
    for (std::size_t i = 0; i < size; ++i) {
        in[i] = static_cast<T>(i % 100);
        out[i] = T(102);
    }
    kernel.in = in.data();
    kernel.out = out.data();
    kernel.loaded = loaded.data();
    kernel.indices = indices.data();
    kernel.step = strides[N - 1];
    kernel.vector = vector;
    kernel.linear = true;
    for (int axis = 0; axis + 1 < N; ++axis) {
        kernel.linear = kernel.linear && (extents[axis] == 1 || strides[axis] == strides[axis + 1] * extents[axis + 1]);
    }
    kernel.count = count;
    run(Dim2{1, 1}, Dim2{threads, 1}, 0, kernel);

    unsigned wrong = 0;
    std::vector<bool> written(size);
    for (index_t i = 0; i < static_cast<index_t>(threads) * V; ++i) {
        const auto k = static_cast<std::size_t>(i);
        wrong += indices[k] != static_cast<T>(7 + place_of(i));
        if (i < count) {
            const auto place = static_cast<std::size_t>(place_of(i));
            wrong += loaded[k] != in[place] || (kernel.step != 0 && out[place] != in[place]);
            written[place] = kernel.step != 0;
        } else {
            wrong += loaded[k] != T(101);
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        wrong += !written[i] && out[i] != T(102);
    }
    return wrong;
}
/// The same with wide and with narrow divisors.
template <class T, int V, Packs Lie, int N, class Runner>
unsigned count_wrong_path(const Runner& run, const index_t (&extents)[N], const index_t (&strides)[N], bool vector,
                          index_t count) {
    return count_wrong_path_with<T, V, Lie, false>(run, extents, strides, vector, count) +
           count_wrong_path_with<T, V, Lie, true>(run, extents, strides, vector, count);
}

/// Rows of 24 items: contiguous, strided, merged of several axes.
template <class T, class Runner>
unsigned count_wrong_paths(const Runner& run) {
    unsigned wrong = 0;
    for (index_t count : {index_t(0), index_t(1), index_t(3), index_t(4), index_t(5), index_t(20), index_t(23)}) {
        wrong += count_wrong_path<T, 4, Packs::any, 1>(run, {24}, {1}, false, count);
        wrong += count_wrong_path<T, 4, Packs::any, 1>(run, {24}, {1}, true, count);
        wrong += count_wrong_path<T, 4, Packs::any, 1>(run, {24}, {3}, false, count);
        wrong += count_wrong_path<T, 1, Packs::any, 1>(run, {6}, {2}, false, count < 6 ? count : 6);
        wrong += count_wrong_path<T, 3, Packs::any, 1>(run, {18}, {1}, false, count < 18 ? count : 18);
        wrong += count_wrong_path<T, 4, Packs::any, 2>(run, {1, 24}, {0, 2}, false, count);  // one axis in use
        wrong += count_wrong_path<T, 4, Packs::any, 2>(run, {3, 8}, {12, 1}, true, count);   // vectors within an axis
        wrong +=
            count_wrong_path<T, 4, Packs::any, 2>(run, {8, 3}, {5, 1}, false, count);  // packs over the end of an axis
        wrong += count_wrong_path<T, 4, Packs::any, 2>(run, {8, 3}, {3, 1}, true, count);  // that are as one
        wrong += count_wrong_path<T, 4, Packs::any, 2>(run, {8, 3}, {6, 2}, false, count);
        wrong += count_wrong_path<T, 4, Packs::any, 3>(run, {2, 4, 3}, {1, 2, 8}, false, count);
        wrong += count_wrong_path<T, 1, Packs::any, 2>(run, {2, 3}, {1, 2}, false, count < 6 ? count : 6);
    }
    // Packs of eight in runs of half a pack, of about one, and of less than half: in one, two and more of them.
    for (index_t count : {index_t(0), index_t(8), index_t(21), index_t(40), index_t(48)}) {
        for (index_t run_items :
             {index_t(2), index_t(3), index_t(4), index_t(5), index_t(7), index_t(9), index_t(12)}) {
            const index_t runs = 48 / run_items + 1;
            wrong += count_wrong_path<T, 8, Packs::any, 2>(run, {runs, run_items}, {run_items + 2, 1}, false, count);
            wrong += count_wrong_path<T, 8, Packs::any, 2>(run, {runs, run_items}, {16, 1}, false, count);
            wrong += count_wrong_path<T, 8, Packs::any, 2>(run, {runs, run_items}, {1, runs}, false, count);
            wrong += count_wrong_path<T, 8, Packs::any, 2>(run, {runs, run_items}, {run_items, 1}, true, count);
            wrong += count_wrong_path<T, 8, Packs::any, 3>(run, {1, runs, run_items}, {0, 16, 1}, false, count);
        }
    }
    // All packs are inside or outside.
    for (index_t count : {index_t(0), index_t(4), index_t(20), index_t(24)}) {
        wrong += count_wrong_path<T, 4, Packs::whole, 1>(run, {24}, {1}, false, count);
        wrong += count_wrong_path<T, 4, Packs::whole, 2>(run, {3, 8}, {12, 1}, true, count);
        wrong += count_wrong_path<T, 4, Packs::whole, 2>(run, {3, 8}, {5, 0}, false, count);  // one item for each pack
        wrong += count_wrong_path<T, 4, Packs::whole, 2>(run, {3, 8}, {0, 0}, false, count);  // and for all of them
        wrong += count_wrong_path<T, 4, Packs::whole, 3>(run, {2, 3, 4}, {0, 0, 0}, false, count);
        wrong += count_wrong_path<T, 4, Packs::vectors, 1>(run, {24}, {1}, true, count);
        wrong += count_wrong_path<T, 4, Packs::vectors, 2>(run, {3, 8}, {12, 1}, true, count);
        wrong += count_wrong_path<T, 4, Packs::vectors, 3>(run, {1, 3, 8}, {0, 12, 1}, true, count);
        wrong += count_wrong_path<T, 4, Packs::vectors, 3>(run, {1, 1, 24}, {0, 0, 1}, true, count);
    }
    return wrong;
}

/// A vector that begins anywhere.
template <class T, int V>
struct PiecesKernel {
    const T* at;
    T* out;

    template <class B>
    FUSE_HD void operator()(B&) const {
        Pack<T, V> items;
        ReadPieces(items, at);
        store_pack(out, items, false);
    }
};

/// Vectors at every place between aligned ones, of memory with V elements on either side and none besides.
template <class T, int V, class Runner>
unsigned count_wrong_pieces(const Runner& run) {
    unsigned wrong = 0;
    for (index_t before = 0; before * static_cast<index_t>(sizeof(T)) < 16; ++before) {
        for (index_t size = 3 * V; size <= 4 * V + 1; ++size) {
            typename Runner::template Buffer<T> in(static_cast<std::size_t>(before + size));
            for (std::size_t i = 0; i < in.size(); ++i) {
                in[i] = static_cast<T>(i + 1);
            }
            for (index_t first = V; first + 2 * V <= size; ++first) {
                typename Runner::template Buffer<T> out(V);
                run(Dim2{1, 1}, Dim2{1, 1}, 0, PiecesKernel<T, V>{in.data() + before + first, out.data()});
                for (index_t k = 0; k < V; ++k) {
                    wrong += out[static_cast<std::size_t>(k)] != static_cast<T>(before + first + k + 1);
                }
            }
        }
    }
    return wrong;
}

/// Columns: a pack of neighbours `stride` apart, of which `left` exist.
template <class T, int V>
struct StrideKernel {
    const T* in;
    T* out;
    index_t stride;
    index_t left;
    bool aligned;

    template <class B>
    FUSE_HD void operator()(B&) const {
        Pack<T, V> items;
        ReadDataBc(items, in, stride, left, aligned, T(101));
        WriteData(out, items, stride, left, aligned);
    }
};

template <class T, int V, class Runner>
unsigned count_wrong_stride(const Runner& run, index_t stride, index_t left, bool aligned) {
    const index_t items = left < V ? left : V;
    const auto size = static_cast<std::size_t>(items > 0 ? (items - 1) * stride + 1 : 1);
    typename Runner::template Buffer<T> in(size), out(size);
    for (std::size_t i = 0; i < size; ++i) {
        in[i] = static_cast<T>(i + 1);
        out[i] = T(102);
    }
    run(Dim2{1, 1}, Dim2{1, 1}, 0, StrideKernel<T, V>{in.data(), out.data(), stride, left, aligned});
    unsigned wrong = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto k = static_cast<index_t>(i);
        wrong += out[i] != (k % stride == 0 && k / stride < items ? in[i] : T(102));
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_strides(const Runner& run) {
    unsigned wrong = 0;
    for (index_t left = 0; left <= 9; ++left) {
        wrong += count_wrong_stride<float, 4>(run, 1, left, true);
        wrong += count_wrong_stride<float, 4>(run, 1, left, false);
        wrong += count_wrong_stride<float, 4>(run, 5, left, true);
        wrong += count_wrong_stride<std::int16_t, 8>(run, 2, left, true);
        wrong += count_wrong_stride<double, 1>(run, 3, left, true);
    }
    return wrong + count_wrong_stride<float, 4>(run, 3, std::int64_t(1) << 33, true);
}

}  // namespace fuse::testing
