// SPDX-License-Identifier: Apache-2.0
//
// Look-backs over rows of tiles, one value per tile, against a loop. Launches follow each other on one state, with
// other data, so that a message of the last launch taken for one of this would show.
#pragma once

#include <cstring>
#include <vector>

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
    int ahead = 0;  ///< tiles that a block publishes before it collects: 0 or 1

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Lookback<A> lookback(state, capacity, tiles, rows);
        LookbackTile tile = lookback.take(block);
        if (ahead == 0) {
            for (; lookback.exists(tile); tile = lookback.take(block)) {
                const A published = lookback.publish(block, R{}, tile, total(block, tile));
                collect(block, lookback, tile, published);
            }
            return;
        }
        A published = lookback.exists(tile) ? lookback.publish(block, R{}, tile, total(block, tile)) : R{}.init();
        while (lookback.exists(tile)) {  // publishes a tile before it collects the one before
            const LookbackTile next = lookback.take(block);
            A next_published = R{}.init();
            if (lookback.exists(next)) {
                lookback.request(block);
                next_published = lookback.publish(block, R{}, next, total(block, next));
            }
            collect(block, lookback, tile, published);
            if (!lookback.exists(next)) {
                return;
            }
            tile = next;
            published = next_published;
        }
    }

private:
    FUSE_HD std::size_t place(const LookbackTile& tile) const {
        return static_cast<std::size_t>(tile.row) * static_cast<std::size_t>(tiles) + tile.index;
    }
    /// Only the one of thread 0 counts.
    template <class B>
    FUSE_HD A total(B& block, const LookbackTile& tile) const {
        return Value{}(linear_thread(block) == 0 ? place(tile) : ~place(tile), salt);
    }
    template <class B>
    FUSE_HD void collect(B& block, const Lookback<A>& lookback, const LookbackTile& tile, const A& published) const {
        out[place(tile) * block_threads(block) + linear_thread(block)] = lookback.collect(block, R{}, tile, published);
    }
};

/// x -> factor * x + term modulo the width of T: 4 bytes with 16-bit numbers, 8 with 32-bit ones.
template <class T>
struct Line {
    T factor;
    T term;

    bool operator==(const Line&) const = default;
};

template <class T>
struct ComposeLine {
    static constexpr bool commutative = false;
    FUSE_HD constexpr Line<T> init() const { return {1, 0}; }
    FUSE_HD constexpr Line<T> combine(Line<T> a, Line<T> b) const {
        const std::uint64_t factor = b.factor;
        return {static_cast<T>(a.factor * factor), static_cast<T>(a.term * factor + b.term)};
    }
};

template <class T>
struct LineValue {
    FUSE_HD Line<T> operator()(std::uint64_t i, std::uint64_t salt) const {
        return {static_cast<T>(hash(i, salt) | 1), static_cast<T>(hash(i, salt + 1))};
    }
};

/// The matrix (a b; 0 d): 24 bytes with 64-bit numbers, 6 (no multiple of a message's 4) with 16-bit ones.
template <class T>
struct Triangle {
    T a, b, d;

    bool operator==(const Triangle&) const = default;
};

template <class T>
struct MultiplyTriangle {
    static constexpr bool commutative = false;
    FUSE_HD constexpr Triangle<T> init() const { return {1, 0, 1}; }
    FUSE_HD constexpr Triangle<T> combine(Triangle<T> m, Triangle<T> n) const {
        const std::uint64_t a = m.a;
        const std::uint64_t b = m.b;
        return {static_cast<T>(a * n.a), static_cast<T>(a * n.b + b * n.d), static_cast<T>(std::uint64_t{m.d} * n.d)};
    }
};

template <class T>
struct TriangleValue {
    FUSE_HD Triangle<T> operator()(std::uint64_t i, std::uint64_t salt) const {
        return {static_cast<T>(hash(i, salt) | 1), static_cast<T>(hash(i, salt + 1)),
                static_cast<T>(hash(i, salt + 2) | 1)};
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
struct ChampionValue {
    FUSE_HD Champion operator()(std::uint64_t i, std::uint64_t salt) const {
        return {static_cast<double>(hash(i, salt) % 50), static_cast<std::int64_t>(i), 1};
    }
};
/// Not exact in sums: every other order of additions gives other bits.
struct FloatValue {
    FUSE_HD float operator()(std::uint64_t i, std::uint64_t salt) const {
        return static_cast<float>(hash(i, salt) >> 40) * 0x1p-24F - 0.3F;
    }
};
struct SmallValue {
    FUSE_HD float operator()(std::uint64_t i, std::uint64_t salt) const {
        return static_cast<float>(hash(i, salt) % 100);
    }
};

/// A strip of dim_x columns per row, whose carries each thread of a column gets.
template <class A, class R, class Value>
struct ColumnLookbackKernel {
    std::uint64_t* state;
    index_t capacity;
    index_t tiles;
    index_t strips;
    std::uint64_t salt;
    A* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Lookback<A, LookbackOver::columns> lookback(state, capacity, tiles, strips);
        for (LookbackTile tile = lookback.take(block); lookback.exists(tile); tile = lookback.take(block)) {
            const auto width = static_cast<std::size_t>(strips) * block.dim_x();
            const std::size_t place = tile.index * width + std::size_t{tile.row} * block.dim_x() + block.thread_x();
            const A total = Value{}(block.thread_y() == 0 ? place : ~place, salt);
            lookback.request(block);
            const A published = lookback.publish(block, R{}, tile, total);
            out[place * block.dim_y() + block.thread_y()] = lookback.collect(block, R{}, tile, published);
        }
    }
};

/// Three launches on one state.
template <class A, class R, class Value, class Runner>
unsigned count_wrong_column_lookbacks(const Runner& run, Dim2 block, index_t tiles, index_t strips, bool together) {
    using Columns = Lookback<A, LookbackOver::columns>;
    const auto width = static_cast<std::size_t>(strips * block.x);
    const index_t words = lookback_state_words(tiles, strips * block.x, block.y, Columns::words);
    typename Runner::template Buffer<std::uint64_t> state(static_cast<std::size_t>(words));
    typename Runner::template Buffer<A> out(static_cast<std::size_t>(tiles) * width * block.y);
    for (std::size_t i = 0; i < static_cast<std::size_t>(words); ++i) {
        state[i] = 0;
    }
    unsigned wrong = 0;
    for (const std::uint64_t launch : {1U, 2U, 3U}) {
        const ColumnLookbackKernel<A, R, Value> kernel{state.data(), words, tiles, strips, 10 * launch, out.data()};
        const auto blocks = static_cast<unsigned>(launch == 2 ? tiles * strips + 3 : (tiles * strips + 2) / 3);
        run(Dim2{blocks, 1}, block, 2 * Columns::scratch_bytes(block.x, block.y), kernel, together);
        for (std::size_t column = 0; column < width; ++column) {
            A running = R{}.init();
            for (std::size_t tile = 0; tile < static_cast<std::size_t>(tiles); ++tile) {
                const std::size_t place = tile * width + column;
                for (unsigned y = 0; y < block.y; ++y) {
                    wrong += !(out[place * block.y + y] == running);
                }
                running = R{}.combine(running, Value{}(place, 10 * launch));
            }
        }
    }
    return wrong;
}

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
    std::size_t size() const { return state_.size(); }

    /// What each thread of each block learnt.
    template <class A, class R, class Value>
    std::vector<A> launch(const Runner& run, unsigned threads, index_t tiles, index_t rows, std::uint64_t salt,
                          bool together) {
        const auto all = static_cast<unsigned>(tiles * rows);
        const std::size_t count = std::size_t{all} * threads;
        typename Runner::template Buffer<A> out(count);
        const LookbackKernel<A, R, Value> kernel{state_.data(), static_cast<index_t>(state_.size()), tiles, rows, salt,
                                                 out.data(),    static_cast<int>(launches_ / 3 % 2)};
        const unsigned grids[] = {all, (all + 2) / 3, all + 5};
        const unsigned blocks = grids[launches_++ % 3];
        run(Dim2{blocks, 1}, Dim2{threads, 1}, 2 * Lookback<A>::scratch_bytes(threads, 1), kernel, together);
        return std::vector<A>(out.data(), out.data() + count);
    }

private:
    typename Runner::template Buffer<std::uint64_t> state_;
    unsigned launches_ = 0;  ///< as many blocks as tiles, fewer and more in turn; then the same with one tile ahead
};

template <class A, class R, class Value>
unsigned count_wrong_prefixes(const std::vector<A>& out, unsigned threads, index_t tiles, std::uint64_t salt) {
    unsigned wrong = 0;
    A running = R{}.init();
    for (std::size_t i = 0; i < out.size() / threads; ++i) {
        if (i % static_cast<std::size_t>(tiles) == 0) {
            running = R{}.init();
        }
        for (unsigned thread = 0; thread < threads; ++thread) {
            wrong += !(out[i * threads + thread] == running);
        }
        running = R{}.combine(running, Value{}(i, salt));
    }
    return wrong;
}

template <class A>
bool same_bits(const std::vector<A>& x, const std::vector<A>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(A)) == 0;
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
            state.template launch<A, R, Value>(run, threads, t, r, 10 * launches, together), threads, t, 10 * launches);
        wrong += state[0] != launches << 32;  // the ticket is back, the launches are counted
    };
    launch(tiles, rows);
    launch((tiles + 1) / 2, 1);
    launch(tiles, rows);
    launch(1, rows);
    launch(tiles, rows);
    launch(tiles, rows);
    return wrong;
}

}  // namespace fuse::testing
