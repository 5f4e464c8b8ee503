// SPDX-License-Identifier: Apache-2.0
//
// Sort against std::stable_sort: any number of keys, more or fewer than the block has threads, in global memory and in
// scratch, with a comparison written out here in which NaN stands last.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "fuse/ops/types/bfloat16.hpp"
#include "fuse/ops/types/float16.hpp"
#include "fuse/primitives/block/sort.hpp"
#include "primitives/fold_cases.hpp"

namespace fuse::testing {

/// A key with an order of its own, 24 bytes.
struct Record {
    double key;
    std::int64_t x;
    std::int64_t y;

    FUSE_HD friend constexpr bool operator<(const Record& a, const Record& b) { return a.key < b.key; }
};

enum class Keys { random, few, sorted, reversed, equal, special };
inline constexpr Keys all_keys[] = {Keys::random, Keys::few, Keys::sorted, Keys::reversed, Keys::equal, Keys::special};

template <class T>
T special_key(unsigned which) {
    if constexpr (std::is_integral_v<T>) {
        constexpr T keys[] = {0, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), 1};
        return keys[which % 4];
    } else {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float infinity = std::numeric_limits<float>::infinity();
        const float keys[] = {nan, 0.0f, -infinity, -0.0f, 1.0f, infinity, -nan, -2.5f};
        return static_cast<T>(keys[which % 8]);
    }
}

template <class T>
T make_key(unsigned i, unsigned num, Keys kind) {
    const std::uint64_t random = hash(i, 42);
    if constexpr (std::is_same_v<T, Record>) {
        return {make_key<double>(i, num, kind == Keys::special ? Keys::few : kind), i, -std::int64_t{i}};
    } else {
        switch (kind) {
        case Keys::random:
            return static_cast<T>(static_cast<int>(random % 20000) - 10000);
        case Keys::few:
            return static_cast<T>(static_cast<int>(random % 5));
        case Keys::sorted:
            return static_cast<T>(static_cast<int>(i / 30));
        case Keys::reversed:
            return static_cast<T>(static_cast<int>((num - i) / 30));
        case Keys::equal:
            return static_cast<T>(3);
        case Keys::special:
            break;
        }
        return special_key<T>(static_cast<unsigned>(random % 64));
    }
}

template <class T>
bool is_nan_reference(const T& key) {
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, Record>) {
        return false;
    } else {
        return std::isnan(static_cast<double>(key));
    }
}

template <class T>
bool stands_before(const T& a, const T& b, bool descending) {
    if (is_nan_reference(a) || is_nan_reference(b)) {
        return !is_nan_reference(a);  // in front of a NaN, unless it is one
    }
    return descending ? b < a : a < b;
}

/// Keys that no order tells apart.
template <class T>
bool ties(const T& a, const T& b) {
    return is_nan_reference(a) || is_nan_reference(b) ? is_nan_reference(a) && is_nan_reference(b)
                                                      : !(a < b) && !(b < a);
}

template <class T, class Direction>
struct SortKernel {
    T* keys;
    T* pair_keys;
    std::int32_t* indices;
    unsigned num;
    bool in_scratch;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const Comparator<Direction> before{};
        if (in_scratch) {
            T* shared = block.template scratch<T>(num);
            copy(block, shared, keys);
            Sort(block, shared, num, before);
            copy(block, keys, shared);
        } else {
            Sort(block, keys, num, before);
        }
        // No barrier in between: the indices are written right before the call.
        for (unsigned i = linear_thread(block); i < num; i += block_threads(block)) {
            indices[i] = static_cast<std::int32_t>(i);
        }
        Sort(block, pair_keys, indices, num, before);
    }

    template <class B>
    FUSE_HD void copy(B& block, T* to, const T* from) const {
        for (unsigned i = linear_thread(block); i < num; i += block_threads(block)) {
            to[i] = from[i];
        }
    }
};

/// Positions with a wrong key or index.
template <class T, class Direction, class Runner>
unsigned count_wrong_keys(const Runner& run, Dim2 block, unsigned num, Keys kind, bool in_scratch) {
    constexpr bool descending = std::is_same_v<Direction, Descending>;
    typename Runner::template Buffer<T> keys(num);
    typename Runner::template Buffer<T> pair_keys(num);
    typename Runner::template Buffer<std::int32_t> indices(num);
    std::vector<T> original(num);
    for (unsigned i = 0; i < num; ++i) {
        keys[i] = pair_keys[i] = original[i] = make_key<T>(i, num, kind);
    }
    const std::size_t shared = in_scratch ? 2 * scratch_round_up(num * sizeof(T)) : 0;
    run(Dim2{1, 1}, block, shared,
        SortKernel<T, Direction>{keys.data(), pair_keys.data(), indices.data(), num, in_scratch});

    std::vector<std::int32_t> expected(num);
    std::iota(expected.begin(), expected.end(), 0);
    const auto key_of = [&original](std::int32_t i) { return original[static_cast<std::size_t>(i)]; };
    std::stable_sort(expected.begin(), expected.end(), [&key_of](std::int32_t i, std::int32_t j) {
        return stands_before(key_of(i), key_of(j), descending);
    });
    unsigned wrong = 0;
    for (unsigned i = 0; i < num; ++i) {
        const T key = key_of(expected[i]);
        const T& pair_key = pair_keys[i];
        wrong += !ties<T>(keys[i], key);
        wrong += indices[i] != expected[i];
        wrong += std::memcmp(&pair_key, &key, sizeof(T)) != 0;
    }
    return wrong;
}

/// Both directions, in global memory and in scratch.
template <class T, class Runner>
unsigned count_wrong_keys(const Runner& run, Dim2 block, unsigned num, Keys kind) {
    return count_wrong_keys<T, Ascending>(run, block, num, kind, false) +
           count_wrong_keys<T, Descending>(run, block, num, kind, true);
}

template <class Runner>
unsigned count_wrong_key_types(const Runner& run, Dim2 block, unsigned num, Keys kind) {
    return count_wrong_keys<std::int8_t>(run, block, num, kind) +
           count_wrong_keys<std::uint16_t>(run, block, num, kind) +
           count_wrong_keys<std::int32_t>(run, block, num, kind) +
           count_wrong_keys<std::uint64_t>(run, block, num, kind) + count_wrong_keys<float16>(run, block, num, kind) +
           count_wrong_keys<bfloat16>(run, block, num, kind) + count_wrong_keys<double>(run, block, num, kind) +
           count_wrong_keys<Record>(run, block, num, kind);
}

inline constexpr Dim2 sort_shapes[] = {{1, 1}, {7, 3}, {33, 2}, {48, 1}, {256, 1}, {32, 32}};
inline constexpr unsigned sort_nums[] = {0, 1, 2, 3, 7, 31, 32, 33, 100, 255, 256, 257, 1000, 1023, 1024, 1025, 3000};

}  // namespace fuse::testing
