// SPDX-License-Identifier: Apache-2.0
//
// Look-backs over rows of tiles, one value per tile, against a loop. Launches follow each other on one state, with other
// data, so that a message of the last launch taken for one of this would show.
#pragma once

#include "primitives/fold_cases.hpp"

namespace fuse::testing {

template <class A, class R, class Value>
struct LookbackKernel {
    std::uint64_t* state;
    index_t capacity;
    index_t tiles;
    index_t rows;
    std::uint64_t salt;
    A* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Lookback<A> lookback(state, capacity, tiles, rows);
        const LookbackTile tile = lookback.take(block);
        const std::size_t place = static_cast<std::size_t>(tile.row) * static_cast<std::size_t>(tiles) + tile.index;
        const A total = Value{}(place, salt);
        lookback.publish(block, tile, total);
        const A before = lookback.collect(block, R{}, tile, total);
        if (linear_thread(block) == block_threads(block) - 1) {  // the prefix reaches every thread
            out[place] = before;
        }
    }
};

struct AffineValue {
    FUSE_HD Affine operator()(std::uint64_t i, std::uint64_t salt) const {
        return {hash(i, salt) | 1, hash(i, salt + 1)};
    }
};
struct MatrixValue {
    FUSE_HD Matrix2 operator()(std::uint64_t i, std::uint64_t salt) const {
        return {hash(i, salt), hash(i, salt + 1), hash(i, salt + 2), hash(i, salt + 3)};
    }
};
/// Not exact in sums: every other order of additions gives other bits.
struct FloatValue {
    FUSE_HD float operator()(std::uint64_t i, std::uint64_t salt) const {
        return static_cast<float>(hash(i, salt) >> 40) * 0x1p-24F - 0.3F;
    }
};
struct SmallValue {
    FUSE_HD float operator()(std::uint64_t i, std::uint64_t salt) const { return static_cast<float>(hash(i, salt) % 100); }
};

/// The memory of a look-back that lives through several launches.
template <class Runner>
class LookbackState {
public:
    explicit LookbackState(index_t words) : state_(static_cast<std::size_t>(words)) {
        for (std::size_t i = 0; i < state_.size(); ++i) {
            state_[i] = 0;
        }
    }
    std::uint64_t& operator[](std::size_t i) { return state_[i]; }

    template <class A, class R, class Value>
    std::vector<A> launch(const Runner& run, unsigned threads, index_t tiles, index_t rows, std::uint64_t salt,
                          bool together) {
        const auto count = static_cast<std::size_t>(tiles * rows);
        typename Runner::template Buffer<A> out(count);
        const LookbackKernel<A, R, Value> kernel{state_.data(), static_cast<index_t>(state_.size()), tiles, rows, salt,
                                                 out.data()};
        run(Dim2{static_cast<unsigned>(count), 1}, Dim2{threads, 1}, 2 * Lookback<A>::scratch_bytes(threads, 1), kernel,
            together);
        return std::vector<A>(out.data(), out.data() + count);
    }

private:
    typename Runner::template Buffer<std::uint64_t> state_;
};

template <class A, class R, class Value>
unsigned count_wrong_prefixes(const std::vector<A>& out, index_t tiles, std::uint64_t salt) {
    unsigned wrong = 0;
    A running = R{}.init();
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i % static_cast<std::size_t>(tiles) == 0) {
            running = R{}.init();
        }
        wrong += !(out[i] == running);
        running = R{}.combine(running, Value{}(i, salt));
    }
    return wrong;
}

/// A large launch, a small one, the large one again with other data, another shape of the same size.
template <class A, class R, class Value, class Runner>
unsigned count_wrong_lookbacks(const Runner& run, unsigned threads, index_t tiles, index_t rows, bool together) {
    LookbackState<Runner> state(lookback_state_words(tiles, rows, threads, Lookback<A>::words));
    unsigned wrong = 0;
    std::uint64_t launches = 0;
    const auto launch = [&](index_t t, index_t r) {
        ++launches;
        wrong += count_wrong_prefixes<A, R, Value>(
            state.template launch<A, R, Value>(run, threads, t, r, 10 * launches, together), t, 10 * launches);
        wrong += state[0] != launches << 32;  // the ticket is back, the launches are counted
    };
    launch(tiles, rows);
    launch((tiles + 1) / 2, 1);
    launch(tiles, rows);
    launch(1, rows);
    launch(tiles, rows);
    return wrong;
}

}  // namespace fuse::testing
