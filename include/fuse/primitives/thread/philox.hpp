// SPDX-License-Identifier: Apache-2.0
//
// Philox4x32-10, a counter-based random generator (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011; constants from there). Random words are a function of (key, counter) and nothing else: there is
// no state to store or to advance in order, every thread computes the words of its own item, and the result cannot
// depend on the shape of the launch. Below it, the numbers that are made of random words.
#pragma once

#include <cmath>

#include "fuse/primitives/machine/arithmetic.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

using RandomWords = Pack<std::uint32_t, 4>;

/// Ten rounds: four random words for a counter of 128 bits and a key of 64, words from low to high.
FUSE_HD constexpr RandomWords philox4x32(RandomWords counter, Pack<std::uint32_t, 2> key) {
    FUSE_UNROLL
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xd2511f53} * counter.item[0];
        const std::uint64_t b = std::uint64_t{0xcd9e8d57} * counter.item[2];
        counter = RandomWords{
            {static_cast<std::uint32_t>(b >> 32) ^ counter.item[1] ^ key.item[0], static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(a >> 32) ^ counter.item[3] ^ key.item[1], static_cast<std::uint32_t>(a)}};
        key.item[0] += 0x9e3779b9;
        key.item[1] += 0xbb67ae85;
    }
    return counter;
}

/// A position in a random sequence. The seed is the key; a seed has 2^64 subsequences of 2^64 groups of four words, and
/// `offset` counts groups. The layout is cuRAND's, whose offset counts words: a multiple of four there.
struct PhiloxState {
    std::uint64_t seed = 0;
    std::uint64_t subsequence = 0;
    std::uint64_t offset = 0;

    /// The group `ahead` groups after the current one.
    FUSE_HD constexpr RandomWords words(std::uint64_t ahead = 0) const {
        const std::uint64_t group = offset + ahead;
        return philox4x32(
            RandomWords{{static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(group >> 32),
                         static_cast<std::uint32_t>(subsequence), static_cast<std::uint32_t>(subsequence >> 32)}},
            {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
    }
};

/// In [0, 1): one of the 2^24 multiples of 2^-24, all equally likely and exact.
FUSE_HD constexpr float uniform_float(std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-24f;
}

/// In [0, 1): one of the 2^53 multiples of 2^-53, all equally likely and exact.
FUSE_HD constexpr double uniform_double(std::uint32_t low, std::uint32_t high) {
    const std::uint64_t word = static_cast<std::uint64_t>(high) << 32 | low;
    return static_cast<double>(word >> 11) * 0x1p-53;
}

/// In (0, 1], for logarithms: (word + 1/2) / 2^32 rounded, so that small values keep all 32 bits.
FUSE_HD constexpr float positive_uniform_float(std::uint32_t word) {
    return static_cast<float>(word) * 0x1p-32f + 0x1p-33f;
}

/// In (0, 1]: one of the 2^53 multiples of 2^-53 above 0.
FUSE_HD constexpr double positive_uniform_double(std::uint32_t low, std::uint32_t high) {
    return uniform_double(low, high) + 0x1p-53;
}

/// Two independent standard normal numbers by Box and Muller's method, from `u` in (0, 1] for the radius and `turn` in
/// [0, 1) for the angle. The last digits differ between host and device, whose functions are not the same.
template <class F>
FUSE_HD Pack<F, 2> box_muller(F u, F turn) {
    const F radius = std::sqrt(F(-2) * std::log(u));
    F sine;
    F cosine;
    detail::sine_and_cosine(turn, sine, cosine);
    return {{radius * cosine, radius * sine}};
}

// Distributions: `items` numbers from each group of four words.

/// The words themselves.
struct RandomBits {
    static constexpr int items = 4;
    FUSE_HD constexpr Pack<std::uint32_t, 4> operator()(const RandomWords& words) const { return words; }
};

/// Uniform in [0, 1), T = float or double.
template <class T>
struct Uniform;
template <>
struct Uniform<float> {
    static constexpr int items = 4;
    FUSE_HD constexpr Pack<float, 4> operator()(const RandomWords& words) const {
        return {{uniform_float(words.item[0]), uniform_float(words.item[1]), uniform_float(words.item[2]),
                 uniform_float(words.item[3])}};
    }
};
template <>
struct Uniform<double> {
    static constexpr int items = 2;
    FUSE_HD constexpr Pack<double, 2> operator()(const RandomWords& words) const {
        return {{uniform_double(words.item[0], words.item[1]), uniform_double(words.item[2], words.item[3])}};
    }
};

/// Standard normal, T = float (up to 6.8 deviations) or double (up to 8.6).
template <class T>
struct Normal;
template <>
struct Normal<float> {
    static constexpr int items = 4;
    FUSE_HD Pack<float, 4> operator()(const RandomWords& words) const {
        const auto a = box_muller(positive_uniform_float(words.item[0]), uniform_float(words.item[1]));
        const auto b = box_muller(positive_uniform_float(words.item[2]), uniform_float(words.item[3]));
        return {{a.item[0], a.item[1], b.item[0], b.item[1]}};
    }
};
template <>
struct Normal<double> {
    static constexpr int items = 2;
    FUSE_HD Pack<double, 2> operator()(const RandomWords& words) const {
        return box_muller(positive_uniform_double(words.item[0], words.item[1]),
                          uniform_double(words.item[2], words.item[3]));
    }
};

FUSE_END_NAMESPACE
