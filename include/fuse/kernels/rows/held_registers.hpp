// SPDX-License-Identifier: Apache-2.0
//
// What a kernel whose threads hold rows in registers (held_rows.hpp) keeps of them and how: which leaves, as which words, in how
// many registers; and what follows from that, its launch bounds, and how many vectors it loads and writes at a time.
#pragma once

#include <bit>

#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/body/row_terms.hpp"
#include "fuse/kernels/rows/held_row.hpp"
#include "fuse/kernels/rows/row_leaves.hpp"
#include "fuse/kernels/rows/row_registers.hpp"
#include "fuse/kernels/rows/sure_vectors.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Values of costly calls, exponentials, in the phases of a program that asks for some of them again: the compiler computes
/// them once, and holds them beside the row. Counted where both they and the operands are several: for those of a softmax
/// there is room, also in its gradient.
template <class P, bool SeveralOperands>
inline constexpr int held_calls = 0;
template <class P>
inline constexpr int held_calls<P, true> =
    calls_before<P, P::phases::size>::type::size > 1 && calls_again<P>::type::size > 0
        ? calls_before<P, P::phases::size>::type::size
        : 0;

}  // namespace detail

/// The parameters are those of HeldRowsKernel.
template <class P, int V, int N, int Ends, class Special>
struct HeldRegisters {
    using sets = leaf_sets<P>;
    static constexpr bool peeled = Ends != RowEnds::none;
    using sweeps = held_sweeps_t<P>;
    static constexpr bool all_vector = !peeled && V > 1;
    static constexpr Packs lie = all_vector ? Packs::whole : Packs::any;
    /// A row that is held has fewer than 2^31 elements.
    static constexpr bool narrow = Params<P>::traits::walked_rank > 1;
    /// Leaves kept in registers: those of several sweeps, and those of the first, whose loads are issued up front. What
    /// only counts elements is not loaded, nor what a row has one of, which is with the row.
    static constexpr leaf_set cached = [] {
        leaf_set set = sets::shared | detail::held_beside<Special>;
        if constexpr (sweeps::size > 0) {
            set |= at_t<sweeps, 0>::leaves;
        }
        return set & sets::moving;
    }();
    /// What is the same for all rows and is read in pieces, where they are written.
    static constexpr leaf_set pieces = Ends == RowEnds::vectors ? sets::beside : 0;
    /// Beside such operands rows that many threads share mostly have a kernel of their own.
    using Held = HeldRow<V, Ends, Ends == RowEnds::singles && (sets::beside != 0 || !pieces_pay(V))>;

    /// The one operand that differs from row to row, in a program that writes rows as well; -1: none, or several. Where
    /// it is read to stay in the L2 cache, what is written leaves that sooner, and the memory is faster for it; of
    /// several operands only some shapes gain. Small ones are left alone: what stays takes room from later kernels.
    static constexpr int streamed = [] {
        const leaf_set rows = sets::walked & sets::kept & sets::memory;
        return !peeled && sets::sweeps_of::item_outputs() > 0 && std::popcount(rows) == 1 ? std::countr_zero(rows) : -1;
    }();

    using words = RowRegisters<P>;
    /// Whether rows of 16-bit operands that are read again are kept as they lie in memory, two items to a register, and each
    /// sweep unpacks them anew: else the compiler keeps them unpacked, and fewer threads have room. Not where it is to keep
    /// exponentials, and are these terms they are computed anew; nor of two operands without, beside which too few registers
    /// are left.
    static constexpr bool packed = !peeled && (folds_terms<P> || (!online_program<P> && std::has_single_bit(cached))) &&
                                   sets::shared == cached && words::template stored<2>(cached) == words::item(cached);
    static constexpr int kept_calls =
        packed ? 0 : detail::held_calls<P, (std::popcount(cached) > 1 && P::phases::size > 1)>;
    static constexpr int element_words = words::item(cached) + kept_calls;
    /// The same where it is more than the operands.
    static constexpr int crowded_words = kept_calls > 0 ? element_words : 0;
    static constexpr int kept_words = packed ? words::template stored<V>(cached) : V * element_words;
    /// The launch bounds. A thread needs a register for each 32 bits of the values it keeps (N times) and about twenty
    /// for addresses and results, more where vectors are not all loaded in one way, or passed over, or elements of outer axes
    /// lie beside them; as many blocks per multiprocessor as that leaves room for, so that many loads are in flight, and no
    /// more, so that nothing spills.
    static constexpr int registers = (peeled                               ? 32
                                      : detail::splat_leaves<Special> != 0 ? 26
                                      : std::has_single_bit(cached)        ? 18
                                                                           : 20) +
                                     (detail::any_passes_over<typename P::phases> ? 16 : 0) + N * kept_words +
                                     Held::singles * words::item(cached) +
                                     words::template passing<V>(sets::walked & ~cached & ~pieces);
    static constexpr int max_threads = peeled ? peeled_block_threads(registers) : row_block_threads(N);
    static constexpr int min_blocks = [] {
        const int blocks = 65536 / max_threads / registers;
        const int most = (all_vector ? 1536 : 1024) / max_threads;
        return blocks < 1 ? 1 : blocks > most ? most : blocks;
    }();

    static constexpr leaf_set of_rows = sets::walked & sets::kept & sets::memory;
    static constexpr int sure =
        detail::sure_vectors<P, V, N, Ends, std::popcount(of_rows& cached), (of_rows & ~cached) != 0>;

    /// What is read where elements are written alone, and of that what is loaded once per vector.
    static constexpr leaf_set rest = sets::items & ~cached;
    static constexpr leaf_set splat = peeled ? 0 : detail::splat_leaves<Special> & rest;
    /// Of how many vectors that is loaded before the first is written, so that a thread waits once for all of it: as many as
    /// there are registers for beside the row.
    static constexpr int together = [] {
        if ((rest & sets::moving & ~splat) == 0) {
            return N < 8 ? N : 2;
        }
        // Each is unpacked anew where rows are kept packed: of rows that fill the registers no two at a time.
        if (packed && N == 8 && !online_program<P>) {
            return 1;
        }
        return N * kept_words + 2 * words::template stored<V>(rest & sets::moving) <= 40 ? 2 : 1;
    }();
};

FUSE_END_NAMESPACE
