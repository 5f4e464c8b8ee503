// SPDX-License-Identifier: Apache-2.0
//
// Random registers: the generator against the known answers of its authors, every number of an array against its
// formula evaluated here, for any launch shape, pack width and first index. Statistics have a fixed seed, so they
// cannot fail by chance, and bounds of five standard deviations.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fuse/primitives/thread/elementwise_random.hpp"
#include "primitives/fold_cases.hpp"

namespace fuse::testing {

struct PhiloxAnswer {
    RandomWords counter;
    Pack<std::uint32_t, 2> key;
    RandomWords words;
};

/// Lines "philox4x32 10" of tests/kat_vectors in Random123 (github.com/DEShawResearch/random123).
inline constexpr PhiloxAnswer philox_answers[] = {
    {{{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
    {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
     {{0xffffffff, 0xffffffff}},
     {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
    {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
     {{0xa4093822, 0x299f31d0}},
     {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
};

constexpr bool same_words(const RandomWords& a, const RandomWords& b) {
    return a.item[0] == b.item[0] && a.item[1] == b.item[1] && a.item[2] == b.item[2] && a.item[3] == b.item[3];
}

struct AnswerPhilox {
    const PhiloxAnswer* questions;
    RandomWords* words;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        words[thread] = philox4x32(questions[thread].counter, questions[thread].key);
    }
};

template <class Runner>
unsigned count_wrong_answers(const Runner& run) {
    const auto count = static_cast<unsigned>(std::size(philox_answers));
    typename Runner::template Buffer<PhiloxAnswer> questions(count);
    typename Runner::template Buffer<RandomWords> words(count);
    for (unsigned i = 0; i < count; ++i) {
        questions[i] = philox_answers[i];
    }
    run(Dim2{1, 1}, Dim2{count, 1}, 0, AnswerPhilox{questions.data(), words.data()});
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; ++i) {
        wrong += !same_words(words[i], philox_answers[i].words);
    }
    return wrong;
}

/// Word `index` of a sequence by the paper's text: round function, then key schedule, on plain 64-bit numbers.
inline std::uint32_t plain_philox_word(const PhiloxState& state, std::uint64_t index) {
    const std::uint64_t low = 0xffffffffu;
    const std::uint64_t group = state.offset + index / 4;
    std::array<std::uint64_t, 4> x{group & low, group >> 32, state.subsequence & low, state.subsequence >> 32};
    std::uint64_t key0 = state.seed & low;
    std::uint64_t key1 = state.seed >> 32;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t left = x[0] * 0xd2511f53u;
        const std::uint64_t right = x[2] * 0xcd9e8d57u;
        x = {(right >> 32) ^ x[1] ^ key0, right & low, (left >> 32) ^ x[3] ^ key1, left & low};
        key0 = (key0 + 0x9e3779b9u) & low;
        key1 = (key1 + 0xbb67ae85u) & low;
    }
    return static_cast<std::uint32_t>(x[index % 4]);
}

/// What number i of a distribution must be, and how far the library's may be off.
template <class D>
struct PlainNumber;

template <>
struct PlainNumber<RandomBits> {
    using type = std::uint32_t;
    static constexpr double tolerance = 0;
    static double at(const PhiloxState& s, std::uint64_t i) { return plain_philox_word(s, i); }
};

template <>
struct PlainNumber<Uniform<float>> {
    using type = float;
    static constexpr double tolerance = 0;
    static double at(const PhiloxState& s, std::uint64_t i) { return (plain_philox_word(s, i) / 256) / 16777216.0; }
};

template <>
struct PlainNumber<Uniform<double>> {
    using type = double;
    static constexpr double tolerance = 0;
    static double at(const PhiloxState& s, std::uint64_t i) {
        const std::uint64_t high = plain_philox_word(s, 2 * i + 1);
        return static_cast<double>((high << 21) + plain_philox_word(s, 2 * i) / 2048) / 9007199254740992.0;
    }
};

template <>
struct PlainNumber<Normal<float>> {
    using type = float;
    static constexpr double tolerance = 4e-6;  // the angle 2 pi u is rounded to a float, the radius is below 7
    static double at(const PhiloxState& s, std::uint64_t i) {
        const std::uint64_t pair = i / 2 * 2;
        const double u = (plain_philox_word(s, pair) + 0.5) / 4294967296.0;
        const double turn = (plain_philox_word(s, pair + 1) / 256) / 16777216.0;
        const double angle = 2 * 3.14159265358979323846 * turn;
        return std::sqrt(-2 * std::log(u)) * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
    }
};

template <>
struct PlainNumber<Normal<double>> {
    using type = double;
    static constexpr double tolerance = 1e-14;
    static double at(const PhiloxState& s, std::uint64_t i) {
        const std::uint64_t pair = i / 2 * 2;
        const double u = PlainNumber<Uniform<double>>::at(s, pair) + 1 / 9007199254740992.0;
        const double angle = 2 * 3.14159265358979323846 * PlainNumber<Uniform<double>>::at(s, pair + 1);
        return std::sqrt(-2 * std::log(u)) * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
    }
};

enum class RandomForm { consecutive, indexed, subsequences };

/// Fills out[0 .. count) with the elements first, first + 1, ... of a long array.
template <class D, int V, RandomForm Form>
struct FillRandom {
    using T = typename PlainNumber<D>::type;

    T* out;
    index_t first;
    index_t count;
    PhiloxState state;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const index_t threads = static_cast<index_t>(block.grid_x()) * block_threads(block);
        index_t k = (static_cast<index_t>(block.block_x()) * block_threads(block) + linear_thread(block)) * V;
        for (; k < count; k += threads * V) {
            Pack<T, V> items;
            if constexpr (Form == RandomForm::consecutive) {
                ElementwiseRandom(items, state, first + k, D{});
            } else if constexpr (Form == RandomForm::indexed) {
                Pack<index_t, V> index;
                InitWithDataIndex(index, first + k);
                ElementwiseRandom(items, state, index, D{});
            } else {
                // Element i is a pack of its own: V numbers of subsequence i, in two calls.
                PhiloxState mine{state.seed, static_cast<std::uint64_t>(first + k / V), state.offset};
                ElementwiseRandom(items, mine, D{});
                ElementwiseRandom(items, mine, D{});
            }
            store_guarded(out + k, items, 1, count - k < V ? static_cast<int>(count - k) : V);
        }
    }
};

template <class D, int V, RandomForm Form, class Runner>
unsigned count_wrong_random(const Runner& run, Dim2 grid, Dim2 block, index_t first, const PhiloxState& state) {
    const index_t count = 1003;
    typename Runner::template Buffer<typename PlainNumber<D>::type> out(static_cast<std::size_t>(count));
    run(grid, block, 0, FillRandom<D, V, Form>{out.data(), first, count, state});
    unsigned wrong = 0;
    for (index_t i = 0; i < count; ++i) {
        double expected = 0;
        if (Form == RandomForm::subsequences) {
            constexpr int used = (V + D::items - 1) / D::items * D::items;  // of the first call
            const PhiloxState mine{state.seed, static_cast<std::uint64_t>(first + i / V), state.offset};
            expected = PlainNumber<D>::at(mine, static_cast<std::uint64_t>(used + i % V));
        } else {
            expected = PlainNumber<D>::at(state, static_cast<std::uint64_t>(first + i));
        }
        const double off = std::abs(static_cast<double>(out[static_cast<std::size_t>(i)]) - expected);
        wrong += !(off <= PlainNumber<D>::tolerance);
    }
    return wrong;
}

template <class D, int V, class Runner>
unsigned count_wrong_random(const Runner& run) {
    const PhiloxState state{0x123456789abcdef0u, 0xfedcba9876543210u, 0xfffffffeu};  // the counter carries
    unsigned wrong = 0;
    // One array, whatever the grid, the block and the first index.
    for (Dim2 block : {Dim2{1, 1}, Dim2{7, 3}, Dim2{32, 8}, Dim2{33, 2}}) {
        for (index_t first : {index_t(0), index_t(1), index_t(6), (index_t(1) << 40) + 3}) {
            const Dim2 grid{block.count() % 2 + 1, 1};
            wrong += count_wrong_random<D, V, RandomForm::consecutive>(run, grid, block, first, state);
            wrong += count_wrong_random<D, V, RandomForm::indexed>(run, grid, block, first, state);
            wrong += count_wrong_random<D, V, RandomForm::subsequences>(run, grid, block, first, state);
        }
    }
    return wrong;
}

template <class D, class Runner>
unsigned count_wrong_random(const Runner& run) {
    return count_wrong_random<D, 1>(run) + count_wrong_random<D, 3>(run) + count_wrong_random<D, 4>(run) +
           count_wrong_random<D, 8>(run);
}

/// The first `count` numbers of a seed, made by the library in packs of four.
template <class D, class Runner>
std::vector<double> random_sample(const Runner& run, std::size_t count, std::uint64_t seed) {
    typename Runner::template Buffer<typename PlainNumber<D>::type> out(count);
    run(Dim2{4, 1}, Dim2{128, 1}, 0,
        FillRandom<D, 4, RandomForm::consecutive>{out.data(), 0, static_cast<index_t>(count), PhiloxState{seed}});
    std::vector<double> sample(count);
    for (std::size_t i = 0; i < count; ++i) {
        sample[i] = static_cast<double>(out[i]);
    }
    return sample;
}

}  // namespace fuse::testing
