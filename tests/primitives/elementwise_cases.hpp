// SPDX-License-Identifier: Apache-2.0
//
// The elementwise primitives on registers that a boundary left partly unloaded: operands of different types, all counts
// of valid items, linear and 2-D. The functor records each call; it must see every valid item once, in order, and
// nothing else, and the registers of invalid items keep what they had.
#pragma once

#include <cstdint>

#include "primitives/tile2d_cases.hpp"

namespace fuse::testing {

/// A functor of up to three operands of different types. Garbage operands are 0, on which a division would trap.
struct Weigh {
    int* calls;

    FUSE_HD double operator()() const { return ++*calls; }
    FUSE_HD double operator()(std::int8_t a) const {
        *calls += a != 0 ? 1 : 1000000;
        return -static_cast<double>(a);
    }
    FUSE_HD double operator()(std::int8_t a, float b) const {
        *calls += a != 0 ? 1 : 1000000;
        return static_cast<double>(b) / a;
    }
    FUSE_HD double operator()(std::int8_t a, float b, std::int64_t c) const {
        *calls += a != 0 ? 1 : 1000000;
        return static_cast<double>(b) / a + static_cast<double>(c);
    }
};

template <int V>
struct Operands {
    Pack<std::int8_t, V> a;
    Pack<float, V> b;
    Pack<std::int64_t, V> c;

    static FUSE_HOST_DEVICE constexpr std::int8_t value_a(int k) { return static_cast<std::int8_t>(k % 4 + 1); }
    static FUSE_HOST_DEVICE constexpr float value_b(int k) { return static_cast<float>(k * 6 - 30); }
    static FUSE_HOST_DEVICE constexpr std::int64_t value_c(int k) { return (std::int64_t(1) << 40) + k; }
};

inline constexpr int primitives_tried = 4;

/// Applies the four primitives to operands that are loaded where `holds(k)`; results[0 .. 4) per thread.
template <int V, class Valid, class Holds>
FUSE_HD void apply_all(Valid valid, Holds holds, Pack<double, V> (&results)[primitives_tried], int* calls) {
    Operands<V> in{};
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        if (holds(k)) {
            in.a.item[k] = Operands<V>::value_a(k);
            in.b.item[k] = Operands<V>::value_b(k);
            in.c.item[k] = Operands<V>::value_c(k);
        }
    }
    FUSE_UNROLL
    for (int i = 0; i < primitives_tried; ++i) {
        Init(results[i], untouched);
    }
    ElementwiseConstant(valid, results[0], Weigh{calls});
    ElementwiseUnary(valid, results[1], Weigh{calls + 1}, in.a);
    ElementwiseBinary(valid, results[2], Weigh{calls + 2}, in.a, in.b);
    ElementwiseTernary(valid, results[3], Weigh{calls + 3}, in.a, in.b, in.c);
}

template <int V>
struct HoldsFirst {
    int valid;
    FUSE_HD bool operator()(int k) const { return k < valid; }
};

template <int NX, int NY>
struct HoldsInTile {
    TileCount<NX, NY> valid;
    FUSE_HD bool operator()(int k) const { return valid.holds(k % NX, k / NX); }
};

template <int NX, int NY, bool Linear>
struct ApplyElementwise {
    static constexpr int items = NX * NY;

    double* out;  // per thread: four packs
    int* calls;   // per thread: four
    TileShape tile;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        Pack<double, items> results[primitives_tried];
        int* const mine = calls + thread * primitives_tried;
        if constexpr (Linear) {
            // Thread t has t % (items + 3) - 1 valid items: below none, none, ..., all, more than all.
            const int valid = static_cast<int>(thread % (items + 3)) - 1;
            apply_all(valid, HoldsFirst<items>{valid}, results, mine);
        } else {
            const auto valid = tile_count<NX, NY>(block, tile);
            apply_all(valid, HoldsInTile<NX, NY>{valid}, results, mine);
        }
        FUSE_UNROLL
        for (int i = 0; i < primitives_tried; ++i) {
            store_pack(out + (thread * primitives_tried + static_cast<unsigned>(i)) * items, results[i], false);
        }
    }
};

template <int NX, int NY, bool Linear, class Runner>
unsigned count_wrong_elementwise(const Runner& run, Dim2 block, TileShape tile) {
    constexpr int items = NX * NY;
    typename Runner::template Buffer<double> out(static_cast<std::size_t>(block.count()) * primitives_tried * items);
    typename Runner::template Buffer<int> calls(static_cast<std::size_t>(block.count()) * primitives_tried);
    run(Dim2{1, 1}, block, 0, ApplyElementwise<NX, NY, Linear>{out.data(), calls.data(), tile});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        int seen = 0;
        for (int k = 0; k < items; ++k) {
            const index_t x = thread % block.x + static_cast<index_t>(k % NX) * block.x;
            const index_t y = thread / block.x + static_cast<index_t>(k / NX) * block.y;
            const bool valid =
                Linear ? k < static_cast<int>(thread % (items + 3)) - 1 : x < tile.size_x && y < tile.size_y;
            double expected[primitives_tried] = {untouched, untouched, untouched, untouched};
            if (valid) {
                ++seen;
                const int a = k % 4 + 1;
                const double b = k * 6 - 30;
                expected[0] = seen;
                expected[1] = -a;
                expected[2] = b / a;
                expected[3] = b / a + 1099511627776.0 + k;
            }
            for (unsigned i = 0; i < primitives_tried; ++i) {
                wrong += out[(thread * primitives_tried + i) * items + static_cast<unsigned>(k)] != expected[i];
            }
        }
        for (unsigned i = 0; i < primitives_tried; ++i) {
            wrong += calls[thread * primitives_tried + i] != seen;
        }
    }
    return wrong;
}

template <int NX, int NY, class Runner>
unsigned count_wrong_elementwise(const Runner& run) {
    unsigned wrong = 0;
    for (Dim2 block : tile_blocks) {
        const index_t w = static_cast<index_t>(block.x) * NX;
        const index_t h = static_cast<index_t>(block.y) * NY;
        wrong += count_wrong_elementwise<NX, NY, true>(run, block, {});
        for (index_t x : {index_t(0), w - 1, w, w + 1}) {
            for (index_t y : {index_t(0), h - 1, h, h + 1}) {
                wrong += count_wrong_elementwise<NX, NY, false>(run, block, {x, y, 1, w});
            }
        }
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_elementwise(const Runner& run) {
    return count_wrong_elementwise<1, 1>(run) + count_wrong_elementwise<1, 4>(run) +
           count_wrong_elementwise<4, 1>(run) + count_wrong_elementwise<3, 2>(run);
}

/// out[y][x] = row[x] / in[y][x], an operation whose operands cannot be exchanged and that traps on garbage.
struct DivideExactly {
    FUSE_HD int operator()(std::int16_t a, int b) const { return a / b; }
};

template <int NX, int NY, bool IsBoundary>
struct CycleTile {
    const std::int16_t* row;
    const int* in;
    int* out;
    TileShape tile;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Pack<std::int16_t, NX> first;
        Pack<int, NX * NY> items;
        Pack<int, NX * NY> quotient{};
        ReadData<NX, 1>(block, first, row, TileShape{tile.size_x, block.dim_y(), 1, 0}, std::int16_t(0));
        ReadData<NX, NY>(block, items, in, tile, 0);
        if constexpr (IsBoundary) {
            CycleBinary(tile_count<NX, NY>(block, tile), quotient, DivideExactly{}, first, items);
        } else {
            CycleBinary(quotient, DivideExactly{}, first, items);
        }
        WriteData<NX, NY>(block, out, quotient, tile);
    }
};

template <int NX, int NY, bool IsBoundary, class Runner>
unsigned count_wrong_cycle(const Runner& run, Dim2 block, unsigned width, unsigned height) {
    typename Runner::template Buffer<std::int16_t> row(width);
    typename Runner::template Buffer<int> in(static_cast<std::size_t>(width) * height);
    typename Runner::template Buffer<int> out(in.size());
    for (std::size_t x = 0; x < width; ++x) {
        row[x] = static_cast<std::int16_t>(1000 + 17 * x);
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<int>(i % 9) + 1;
    }
    run(Dim2{1, 1}, block, 0,
        CycleTile<NX, NY, IsBoundary>{row.data(), in.data(), out.data(), TileShape{width, height, 1, width}});
    unsigned wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        wrong += out[i] != (1000 + 17 * static_cast<int>(i % width)) / (static_cast<int>(i % 9) + 1);
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_cycles(const Runner& run) {
    unsigned wrong = 0;
    for (Dim2 block : tile_blocks) {
        wrong += count_wrong_cycle<3, 2, false>(run, block, block.x * 3, block.y * 2);
        wrong += count_wrong_cycle<3, 2, true>(run, block, block.x * 3 - 1, block.y * 2 - 1);
        wrong += count_wrong_cycle<1, 4, true>(run, block, block.x, block.y * 3);
        wrong += count_wrong_cycle<4, 1, true>(run, block, block.x * 4 - 2, block.y);
    }
    return wrong;
}

}  // namespace fuse::testing
