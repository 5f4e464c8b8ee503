// SPDX-License-Identifier: Apache-2.0
//
// Registers in and out: striped tiles around every critical count, aligned and not, and broadcast operands
// against plain index arithmetic. Buffers have exactly the size that may be touched, so the sanitizers see
// one item too many.
#pragma once

#include <cstdint>
#include <vector>

#include "primitives/fold_cases.hpp"

namespace fuse::testing {

/// Notes when it is given the fill value, which no valid item has.
template <class T>
struct NegateValid {
    T fill;
    int* saw_fill;

    FUSE_HD T operator()(T value) const {
        if (value == fill) {
            *saw_fill = 1;
        }
        return static_cast<T>(-value);
    }
};

template <class T, int V, int N>
struct CopyTile {
    const T* in;
    T* out;      // the valid items again
    T* negated;  // through a functor that must not see invalid items
    T* loaded;   // all registers
    index_t count;
    bool aligned;
    T fill;
    int* saw_fill;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Pack<T, V> tile[N];
        ReadData(block, tile, in, count, aligned, fill);
        WriteData(block, out, tile, count, aligned);
        FUSE_UNROLL
        for (int i = 0; i < N; ++i) {
            const index_t first = striped_item<V>(block, i);
            const index_t left = count - first;
            Pack<T, V> result{};  // what WriteData leaves out is never read
            ElementwiseAny(left < V ? static_cast<int>(left) : V, result, NegateValid<T>{fill, saw_fill}, tile[i]);
            if (left > 0) {
                WriteData(negated + first, result, left, aligned);
            }
            store_pack(loaded + first, tile[i], false);
        }
    }
};

/// offset: items before the first one in memory, so 1 makes the address odd.
template <class T, int V, int N, class Runner>
unsigned count_wrong_tile(const Runner& run, Dim2 block, index_t count, index_t offset) {
    const T fill = T(101);
    const auto size = static_cast<std::size_t>(count + offset);
    const auto all = static_cast<std::size_t>(block.count()) * V * N;
    typename Runner::template Buffer<T> in(size), out(size), negated(size), loaded(all);
    typename Runner::template Buffer<int> saw_fill(1);
    for (std::size_t i = 0; i < size; ++i) {
        in[i] = static_cast<T>(i % 100);
    }
    run(Dim2{1, 1}, block, 0,
        CopyTile<T, V, N>{in.data() + offset, out.data() + offset, negated.data() + offset, loaded.data(), count,
                          offset == 0, fill, saw_fill.data()});
    unsigned wrong = saw_fill[0] != 0;
    for (std::size_t i = 0; i < all; ++i) {
        const bool valid = i < static_cast<std::size_t>(count);
        const std::size_t k = i + static_cast<std::size_t>(offset);
        wrong += loaded[i] != (valid ? in[k] : fill);
        wrong += valid && (out[k] != in[k] || negated[k] != static_cast<T>(-in[k]));
    }
    return wrong;
}

template <class T, int V, int N, class Runner>
unsigned count_wrong_tiles(const Runner& run) {
    unsigned wrong = 0;
    const Dim2 block{8, 5};
    const index_t whole = static_cast<index_t>(block.count()) * V * N;
    const index_t half = whole / 2;
    for (index_t offset : {0, 1}) {
        for (index_t count : {index_t(0), index_t(1), index_t(V - 1), index_t(V), index_t(V + 1), half - 1, half,
                              half + 1, whole - V, whole - 1, whole}) {
            wrong += count_wrong_tile<T, V, N>(run, block, count, offset);
        }
    }
    return wrong;
}

/// The vector widths that kernels use: 16 bytes and less, more than 16 bytes, odd ones.
template <class Runner>
unsigned count_wrong_tiles(const Runner& run) {
    return count_wrong_tiles<float, 4, 3>(run) + count_wrong_tiles<float, 1, 2>(run) +
           count_wrong_tiles<float, 3, 1>(run) + count_wrong_tiles<double, 4, 1>(run) +
           count_wrong_tiles<std::int8_t, 16, 2>(run) + count_wrong_tiles<std::int16_t, 4, 1>(run) +
           count_wrong_tiles<std::int64_t, 8, 1>(run);
}

template <int Rank>
struct BroadcastKernel {
    const int* in;
    int* out;
    BroadcastConfig<Rank> place_of;
    index_t count;
    bool aligned;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const index_t first = striped_item<4>(block, 0);
        Pack<int, 4> items;
        ReadDataBc(items, in, place_of, first, count - first, aligned, -1);
        store_pack(out + first, items, true);
    }
};

/// Row-major output `extents`, operand `strides`.
template <int Rank, class Runner>
unsigned count_wrong_broadcast(const Runner& run, const index_t (&extents)[Rank], const index_t (&strides)[Rank],
                               bool aligned) {
    const BroadcastConfig<Rank> place_of(extents, strides);
    index_t count = 1;
    index_t last = 0;
    for (int axis = 0; axis < Rank; ++axis) {
        count *= extents[axis];
        last += (extents[axis] - 1) * strides[axis];
    }
    const auto threads = static_cast<unsigned>((count + 3) / 4) + 1;  // one thread has nothing
    typename Runner::template Buffer<int> in(static_cast<std::size_t>(last) + 1);
    typename Runner::template Buffer<int> out(threads * 4);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<int>(hash(i, 1) % 100000);
    }
    run(Dim2{1, 1}, Dim2{threads, 1}, 0, BroadcastKernel<Rank>{in.data(), out.data(), place_of, count, aligned});

    unsigned wrong = 0;
    for (unsigned i = 0; i < threads * 4; ++i) {
        index_t rest = i;
        index_t offset = 0;
        for (int axis = Rank - 1; axis >= 0; --axis) {
            offset += rest % extents[axis] * strides[axis];
            rest /= extents[axis];
        }
        wrong += out[i] != (i < count ? in[static_cast<std::size_t>(offset)] : -1);
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_broadcasts(const Runner& run) {
    unsigned wrong = 0;
    wrong += count_wrong_broadcast<1>(run, {37}, {0}, false);             // scalar
    wrong += count_wrong_broadcast<1>(run, {37}, {1}, true);              // vector
    wrong += count_wrong_broadcast<1>(run, {37}, {3}, false);             // strided
    wrong += count_wrong_broadcast<2>(run, {5, 8}, {0, 1}, true);         // a row for every row
    wrong += count_wrong_broadcast<2>(run, {5, 8}, {1, 0}, false);        // a column for every column
    wrong += count_wrong_broadcast<2>(run, {8, 7}, {7, 1}, false);        // vectors straddle rows
    wrong += count_wrong_broadcast<2>(run, {9, 3}, {1, 9}, false);        // transposed, rows shorter than a vector
    wrong += count_wrong_broadcast<3>(run, {3, 5, 7}, {7, 0, 1}, false);  // middle axis broadcast
    wrong += count_wrong_broadcast<3>(run, {1, 6, 1}, {0, 2, 0}, false);
    return wrong;
}

}  // namespace fuse::testing
