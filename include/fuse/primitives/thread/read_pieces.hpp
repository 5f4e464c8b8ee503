// SPDX-License-Identifier: Apache-2.0
//
// Vectors that begin between two aligned ones, on a device: a scale beside a row of odd length, say. Read item by item, the
// threads of a warp would touch each line of memory once for each of its items; so a thread reads the aligned pieces
// that its vector lies in, and moves their words to where they belong.
#pragma once

#include <bit>

#include "fuse/numeric.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Items that a machine reads in one aligned access of a pack.
template <class T, int V>
inline constexpr int aligned_items = static_cast<int>(alignof(Pack<T, V>) / sizeof(T));

/// Whether packs are whole pieces, of words that may be moved by bytes, and items lie at multiples of their size.
template <class T, int V>
inline constexpr bool may_read_pieces = !host_vector<V> && std::has_single_bit(sizeof(T)) && sizeof(T) <= 8 &&
                                        alignof(T) == sizeof(T) && alignof(Pack<T, V>) > sizeof(T) &&
                                        alignof(Pack<T, V>) >= 4;

/// 32 of 64 bits, from bit number `bits` on, at most 31.
FUSE_HD std::uint32_t bits_from(std::uint32_t low, std::uint32_t high, unsigned bits) {
#if FUSE_ON_DEVICE
    return __funnelshift_r(low, high, bits);
#else
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> bits);
#endif
}

/// Moves words `bytes` bytes ahead, a multiple of Unit and less than Piece: by powers of two, as registers have no index.
template <int Piece, int Unit, int N>
FUSE_HD void move_ahead(std::uint32_t (&word)[N], unsigned bytes) {
    if constexpr (Piece / 2 >= 4 && Piece > Unit) {
        constexpr int words = Piece / 8;
        const bool moves = (bytes & static_cast<unsigned>(Piece / 2)) != 0;
        FUSE_UNROLL
        for (int k = 0; k + words < N; ++k) {
            word[k] = moves ? word[k + words] : word[k];
        }
        move_ahead<Piece / 2, Unit>(word, bytes);
    } else if constexpr (Unit < 4) {
        FUSE_UNROLL
        for (int k = 0; k + 1 < N; ++k) {
            word[k] = bits_from(word[k], word[k + 1], bytes % 4 * 8);
        }
    }
}

}  // namespace detail

/// p[0] .. p[V - 1], without a branch. All that the aligned pieces around them hold may be read: the elements before p in
/// the piece that holds p[0], and as many behind as make V and a piece, at the most V before and V behind.
template <int V, class T>
FUSE_HD void ReadPieces(Pack<T, V>& out, const T* p) {
    constexpr int items = detail::aligned_items<T, V>;
    constexpr int pieces = V / items + 1;
    constexpr int piece_bytes = items * static_cast<int>(sizeof(T));
    const auto ahead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p) / sizeof(T) % items);
    std::uint32_t word[pieces * piece_bytes / 4];
    FUSE_UNROLL
    for (int k = 0; k < pieces; ++k) {
        Pack<T, items> piece;
        load_pack(piece, p - ahead + k * items, true);
        std::memcpy(word + k * piece_bytes / 4, &piece, sizeof piece);
    }
    detail::move_ahead<piece_bytes, static_cast<int>(sizeof(T))>(word, ahead * static_cast<unsigned>(sizeof(T)));
    std::memcpy(&out, word, sizeof out);
}

FUSE_END_NAMESPACE
