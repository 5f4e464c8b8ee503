// SPDX-License-Identifier: Apache-2.0
//
// From a strategy, a run-time value, to the kernel type it names. Each branch here is one instantiated kernel: the
// length of this file's lists is the compile time of an expression.
#pragma once

#include <utility>

#include "fuse/kernels/columns/columns.hpp"
#include "fuse/kernels/full/split.hpp"
#include "fuse/kernels/map/map.hpp"
#include "fuse/kernels/scan/scan_columns.hpp"
#include "fuse/kernels/scan/scan_lookback.hpp"
#include "fuse/kernels/scan/scan_rows.hpp"
#include "fuse/kernels/sort/sort_rows.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class K>
constexpr std::size_t partial_size() {
    if constexpr (requires { K::partial_bytes; }) {
        return K::partial_bytes;
    } else if constexpr (K::stages == 1) {
        return 0;
    } else if constexpr (requires { typename K::accumulator; }) {
        return sizeof(typename K::accumulator);
    } else if constexpr (requires { typename K::reduction; }) {
        return sizeof(typename K::reduction::accumulator);
    } else {
        return sizeof(typename Product<typename K::program::epilogue>::accumulator);
    }
}
template <class K>
constexpr bool partial_per_lane = requires {
    typename K::accumulator;
};

template <class P>
inline constexpr bool one_phase =
    P::phases::size == 1 && !leaf_sets<P>::writes_items && !fill_program<P> && P::epilogue::size == 0;

}  // namespace detail

/// Bytes of partial results that kernel K needs in memory under strategy s.
template <class K>
FUSE_COLD std::size_t partial_bytes(const Strategy& s) {
    if constexpr (sort_program<typename K::program>) {  // on the host, where it stands for shared memory
        return K::row_bytes(s.chunk) * static_cast<std::size_t>(s.grid);
    } else if constexpr (K::link == Link::lookback) {
        return static_cast<std::size_t>(s.chunk) * sizeof(std::uint64_t);
    }
    std::size_t results = 0;
    if constexpr (requires { K::results_bytes; }) {
        results = K::results_bytes;
    }
    return results +
           detail::partial_size<K>() * static_cast<std::size_t>(s.grid) * (detail::partial_per_lane<K> ? s.dim_x : 1U);
}

namespace detail {

/// The most that a phase asks for; `bytes` of the size of its accumulator. Not simply that of the largest one, as large
/// accumulators take ways that need less memory.
template <class Bytes, class... Ph>
constexpr std::size_t largest_phase(type_list<Ph...>, const Bytes& bytes) {
    return largest(std::size_t{0}, bytes(sizeof(typename Product<Ph>::accumulator))...);
}

}  // namespace detail

/// Bytes of the dynamic shared memory of a launch of K that are the kernel's own: its block's own_memory.
template <class K>
std::size_t own_bytes(const Strategy& s) {
    if constexpr (requires { K::own_bytes(1U); }) {
        return K::own_bytes(s.dim_x);
    }
    return 0;
}

/// Bytes of dynamic shared memory of a launch of K: two halves, each large enough for its largest collective, and the
/// kernel's own.
template <class K>
FUSE_COLD std::size_t shared_bytes(const Strategy& s) {
    using P = typename K::program;
    if constexpr (sort_program<P>) {
        return 2 * scratch_round_up(K::row_bytes(s.chunk));
    } else if constexpr (requires { K::scratch_bytes(1U, 1U); }) {
        return 2 * scratch_round_up(K::scratch_bytes(s.dim_x, s.dim_y)) + own_bytes<K>(s);
    }
    std::size_t half = K::link == Link::last_block ? last_block_scratch_bytes : 0;
    if constexpr (P::phases::size > 0) {
        half = std::max(half, detail::largest_phase(typename P::phases{}, [&s](std::size_t accumulator) {
                            if (s.kernel == KernelKind::split || s.kernel == KernelKind::grid) {
                                return block_reduce_scratch_bytes(s.dim_x, s.dim_y, accumulator, planned_block);
                            }
                            if (s.kernel == KernelKind::rows_resident || s.kernel == KernelKind::rows_swept) {
                                return x_reduce_scratch_bytes(s.dim_x, s.dim_y, accumulator, planned_block);
                            }
                            return y_reduce_scratch_bytes(
                                s.dim_x, s.dim_y, accumulator * static_cast<std::size_t>(K::vector), planned_block);
                        }));
    }
    if constexpr (P::epilogue::size > 0) {
        using epilogue = typename Product<typename P::epilogue>::accumulator;
        half = std::max(half, block_reduce_scratch_bytes(s.dim_x, s.dim_y, sizeof(epilogue), planned_block));
    }
    return 2 * scratch_round_up(half);
}

/// The kernels of scans.
template <class Pl, class Launch>
void host_scan_ladder(const Strategy& s, Launch&& launch) {
    using P = typename Pl::program;
    constexpr int V = plan_facts<Pl, true>::vector;
    if constexpr (plan_facts<Pl, true>::sort) {
        launch.template operator()<SortRowsKernel<P>>();
    } else if constexpr (plan_facts<Pl, true>::columns) {
        launch.template operator()<ScanColumnsKernel<P, V, 1>>();
    } else if (s.kernel == KernelKind::scan_split) {
        launch.template operator()<ScanSplitKernel<P, V>>();
    } else {
        launch.template operator()<ScanRowsKernel<P, V, 1>>();
    }
}
template <class Pl, class Launch>
void device_scan_ladder(const Strategy& s, Launch&& launch) {
    using P = typename Pl::program;
    constexpr int V = plan_facts<Pl, false>::vector;
    if constexpr (plan_facts<Pl, false>::sort) {
        launch.template operator()<SortRowsKernel<P>>();
    } else if constexpr (plan_facts<Pl, false>::columns) {
        launch.template operator()<ScanColumnsKernel<P, V, scan_vectors>>();
    } else if (s.kernel == KernelKind::scan_lookback) {
        constexpr ProgramFacts facts = plan_facts<Pl, false>::value;
        launch.template operator()<ScanLookbackKernel<P, V, lookback_vectors(facts)>>();
    } else {
        launch.template operator()<ScanRowsKernel<P, V, scan_vectors>>();
    }
}

/// Calls `launch.template operator()<Kernel>()` for the host kernel of a strategy.
template <class Pl, class Launch>
void host_ladder(const Strategy& s, Launch&& launch) {
    using P = typename Pl::program;
    using facts = plan_facts<Pl, true>;
    constexpr int V = facts::vector;
    if constexpr (facts::scan) {
        host_scan_ladder<Pl>(s, launch);
    } else if constexpr (!facts::value.reduces) {
        launch.template operator()<MapKernel<P, V, 1>>();
    } else if constexpr (facts::columns) {
        launch.template operator()<ColumnsKernel<P, V, 1, Hold::swept>>();
    } else {
        if constexpr (detail::one_phase<P>) {
            if (s.kernel == KernelKind::split) {
                return launch.template operator()<SplitKernel<P, V, 1>>();
            }
        } else if constexpr (facts::value.full) {
            if (s.kernel == KernelKind::grid) {
                return launch.template operator()<GridKernel<P, V, 1>>();
            }
        }
        launch.template operator()<RowsKernel<P, V, 1, Hold::swept>>();
    }
}

/// The same for the GPU.
template <class Pl, class Launch>
void device_ladder(const Strategy& s, Launch&& launch) {
    using P = typename Pl::program;
    using facts = plan_facts<Pl, false>;
    constexpr int V = facts::vector;
    // Several leaves, or several phases that hold results, share the registers of a sweep.
    constexpr int N = facts::moving_leaves > 2 || facts::value.phases > 1 ? 2 : sweep_vectors;
    if constexpr (facts::scan) {
        device_scan_ladder<Pl>(s, launch);
    } else if constexpr (!facts::value.reduces) {
        launch.template operator()<MapKernel<P, V, map_vectors>>();
    } else if constexpr (facts::columns) {
        if constexpr (detail::one_phase<P>) {
            if (s.kernel == KernelKind::column_split) {
                return launch.template operator()<ColumnSplitKernel<P, V, N>>();
            }
        } else if constexpr (!facts::ordered) {
            if (s.kernel == KernelKind::columns_resident) {
                return s.vectors == column_ladder[0]
                           ? launch.template operator()<ColumnsKernel<P, V, column_ladder[0], Hold::resident>>()
                           : launch.template operator()<ColumnsKernel<P, V, column_ladder[1], Hold::resident>>();
            }
        }
        launch.template operator()<ColumnsKernel<P, V, N, Hold::swept>>();
    } else {
        if constexpr (facts::value.full) {
            using Full = std::conditional_t<detail::one_phase<P>, SplitKernel<P, V, N>, GridKernel<P, V, N>>;
            return launch.template operator()<Full>();
        } else if constexpr (detail::one_phase<P>) {
            if (s.kernel == KernelKind::split) {
                return launch.template operator()<SplitKernel<P, V, N>>();
            }
        }
        if constexpr (!facts::ordered && !facts::value.full) {
            if (s.kernel == KernelKind::rows_resident) {
                if constexpr (V > 1) {
                    if (s.vector == 1) {
                        return launch.template operator()<RowsKernel<P, 1, item_ladder[0], Hold::resident>>();
                    }
                }
                switch (s.vectors) {
                case 2:
                    return launch.template operator()<RowsKernel<P, V, 2, Hold::resident>>();
                case 4:
                    return launch.template operator()<RowsKernel<P, V, 4, Hold::resident>>();
                default:
                    return launch.template operator()<RowsKernel<P, V, 8, Hold::resident>>();
                }
            }
        }
        if constexpr (!facts::value.full) {
            launch.template operator()<RowsKernel<P, V, N, Hold::swept>>();
        }
    }
}

FUSE_END_NAMESPACE
