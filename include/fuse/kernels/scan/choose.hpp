// SPDX-License-Identifier: Apache-2.0
//
// The launches of scans along rows: by a few threads, a warp or a block each; long rows that are too few to fill the
// machine by many blocks.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/primitives/grid/lookback_state.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What a choice must know of the look-back kernel of a program.
struct LookbackFacts {
    int vectors = 1;                             ///< per thread
    std::size_t (*shared_bytes)(const Launch&);  ///< of a launch, all dynamic shared memory
};

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_scan_rows(const Facts& f, const LookbackFacts& lookback, const Layout& layout, const Policy& policy,
                        const Device& device);
template <class Facts>
Launch choose_scan_rows(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&);

#else

/// Many blocks per row, with two tiles in hand each, where their memory fits.
template <class Facts>
FUSE_COLD Launch choose_lookback(const Facts& f, const LookbackFacts& lookback, const Layout& layout,
                                 const Policy& policy, const Device& device) {
    const index_t rows = layout.kept_size;
    const auto units = static_cast<index_t>(device.units);
    Launch l;
    l.name = "scan look-back";
    l.kernel = static_cast<int>(ScanKernels::shared);
    l.vector = f.vector;
    l.vectors = lookback.vectors;
    l.row = layout.walked_size;
    const auto tiles = [&] { return ceil_div(l.row, static_cast<index_t>(l.dim_x) * l.vector * l.vectors); };
    const auto fits = [&] { return static_cast<index_t>(lookback.shared_bytes(l)) <= device.shared_bytes; };
    // Smaller tiles fill the device, but a second group of them waits for the first: longer than a thread works on a few
    // elements.
    const auto smaller = [&] {
        const bool one_group = 2 * tiles() <= static_cast<index_t>(l.dim_x / 2);
        return rows * tiles() < 2 * units && (one_group || l.vector * l.vectors > 32);
    };
    l.dim_x = policy.lookback_threads;
    while (l.dim_x > policy.lookback_min_threads && (!fits() || smaller())) {
        l.dim_x /= 2;
    }
    const index_t all = rows * tiles();
    if (!fits() || all > max_grid) {
        return no_launch("tiles that do not fit the shared memory, or too many of them");
    }
    // As many as are resident: two of 512 threads per multiprocessor.
    l.grid = smallest(all, units * 2 * static_cast<index_t>(policy.lookback_threads / l.dim_x));
    l.state_words = lookback_state_words(tiles(), rows, l.dim_x, f.scan_words);
    l.why = "few long rows: many blocks each, one pass, tiles look back at those before them";
    return l;
}

template <class Facts>
FUSE_COLD Launch choose_scan_rows(const Facts& f, const LookbackFacts& lookback, const Layout& layout,
                                  const Policy& policy, const Device& device) {
    const index_t n = layout.walked_size;
    const index_t rows = layout.kept_size;
    const index_t per_thread = static_cast<index_t>(f.vector) * scan_vectors<Device>;
    if (n > per_thread * policy.long_row_threads && rows > 0 && !layout.stretched &&
        rows < 2 * static_cast<index_t>(device.units)) {
        const Launch shared = choose_lookback(f, lookback, layout, policy, device);
        if (shared.grid > 0) {
            return shared;
        }
    }
    Launch l;
    // Rows that begin anywhere. Where the row alone is even, what is written is likely to be aligned with it.
    const bool peeled = f.vector > 1 && !layout.vectors && !layout.stretched && n >= 2 * f.vector &&
                        (layout.alike || n % f.vector != 0);
    // From their ends they have the same tiles, but no vectors.
    const bool has_vectors = peeled && !f.backwards;
    l.name = has_vectors ? "scan rows peeled" : "scan rows";
    l.kernel = static_cast<int>(has_vectors ? ScanKernels::peeled : ScanKernels::rows);
    l.vector = f.vector;
    l.vectors = scan_vectors<Device>;
    const index_t items = peeled ? n + f.vector - 1 : n;  // with those that vectors have in front of the row
    const unsigned most = peeled ? smallest(policy.long_row_threads, peeled_scan_threads) : policy.long_row_threads;
    const index_t tiles = peeled ? ceil_div(items, per_thread * most) : 1;  // as large as each other
    const unsigned threads = threads_for(items, per_thread);
    l.dim_x = threads <= 32 ? threads : smallest(round_up_warp(ceil_div(items, per_thread * tiles)), most);
    l.dim_y = l.dim_x > 32 ? 1 : static_cast<unsigned>(smallest<index_t>(policy.row_block_threads / l.dim_x, rows));
    l.dim_y = whole_warps(l.dim_x, largest(1U, l.dim_y));
    l.grid = limited(ceil_div(rows, l.dim_y), 1, max_grid);
    l.why = has_vectors    ? "vectors begin where the memory is aligned"
            : l.dim_x > 32 ? "a block per row"
                           : "a warp or less per row, no barrier";
    return l;
}

/// On the CPU. Pieces of long rows are as many as their length asks for, not as there are cores: results must not
/// depend on the machine.
template <class Facts>
FUSE_COLD Launch choose_scan_rows(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&) {
    constexpr index_t most_pieces = 64;
    const index_t n = layout.walked_size;
    const index_t rows = layout.kept_size;
    Launch l;
    l.vector = f.vector;
    l.vectors = scan_vectors<Cpu>;
    if (n > policy.host_block_items && rows > 0 && rows < most_pieces && !layout.stretched) {
        l.name = "scan split";
        l.kernel = static_cast<int>(ScanKernels::shared);
        l.share = round_up(largest(policy.host_block_items, ceil_div(n, most_pieces)), f.vector);
        l.group = ceil_div(n, l.share);
        l.grid = l.group * rows;
        l.why = "long rows: pieces in parallel, folded first, then scanned";
    } else {
        l.name = "scan rows";
        l.kernel = static_cast<int>(ScanKernels::rows);
        l.grid = host_row_blocks(layout, policy);
        l.why = "rows spread over the cores";
    }
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
