// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/launch/complete.hpp"
#include "fuse/kernels/scan/choose.hpp"
#include "fuse/kernels/scan/choose_columns.hpp"
#include "fuse/kernels/scan/choose_short_rows.hpp"
#include "fuse/kernels/scan/scan_columns.hpp"
#include "fuse/kernels/scan/scan_columns_lookback.hpp"
#include "fuse/kernels/scan/scan_lookback.hpp"
#include "fuse/kernels/scan/scan_rows.hpp"
#include "fuse/kernels/scan/scan_short_rows.hpp"
#include "fuse/kernels/scan/scan_split.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Scans along the innermost axis, where it has few elements. On a GPU: a CPU thread takes whole rows anyway.
template <class Pl, Target T>
struct ShortScansFamily {
    static constexpr bool takes = false;
};

template <class Pl>
struct ShortScansFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr bool takes = [] {
        if constexpr (facts::scan && !facts::sort && !facts::columns) {
            return !detail::scatters<typename Pl::program>(typename Pl::program::outputs{});
        }
        return false;
    }();
    using kernels = type_list<ScanShortRowsKernel<typename Pl::program>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        return detail::choose_short_scan(facts::value, reverse_program<typename Pl::program>,
                                         &shared_bytes<ScanShortRowsKernel<typename Pl::program>>, layout, policy,
                                         device);
    }
};

/// Scans along the innermost axis.
template <class Pl, Target T>
struct ScanRowsFamily;

template <class Pl>
struct ScanRowsFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr int V = facts::vector;
    static constexpr bool takes = facts::scan && !facts::sort && !facts::columns;
    static constexpr bool neighbours = [] {
        if constexpr (takes) {
            return scan_exit_way<typename Pl::program, V>.waits();
        }
        return false;
    }();
    static constexpr int N = lookback_vectors(V, facts::value.scan_words, facts::value.buffered_bytes,
                                              facts::value.fold_bytes / V, neighbours);
    using kernels = type_list<ScanRowsKernel<typename Pl::program, V, scan_vectors<Device>>,
                              ScanLookbackKernel<typename Pl::program, V, N>,
                              ScanRowsKernel<typename Pl::program, V, scan_vectors<Device>, (V > 1)>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        return detail::choose_scan_rows(
            facts::value, {N, &shared_bytes<ScanLookbackKernel<typename Pl::program, V, N>>}, layout, policy, device);
    }
};

template <class Pl>
struct ScanRowsFamily<Pl, Cpu> {
    using facts = program_facts<Pl, Cpu>;
    static constexpr bool takes = facts::scan && !facts::sort && !facts::columns;
    using kernels = type_list<ScanRowsKernel<typename Pl::program, facts::vector, scan_vectors<Cpu>>,
                              ScanSplitKernel<typename Pl::program, facts::vector>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        return layout.columns ? no_launch("rows side by side")
                              : detail::choose_scan_rows(facts::value, layout, policy, cpu);
    }
};

namespace detail {

template <class P, int V, Target T, Hold H, bool Shared>
struct column_scan_kernels {
    using type = type_list<ScanColumnsKernel<P, V, scan_vectors<T>, H>>;
};
template <class P, int V, Target T, Hold H>
struct column_scan_kernels<P, V, T, H, true> {
    using type =
        type_list<ScanColumnsKernel<P, V, scan_vectors<T>>, ScanColumnsLookbackKernel<P, V, column_lookback_vectors>>;
};

}  // namespace detail

/// Scans along an axis outside the innermost one; on the host also of rows side by side, which no family before took.
template <class Pl, Target T>
struct ScanColumnsFamily {
    using facts = program_facts<Pl, T>;
    static constexpr bool takes = facts::scan && !facts::sort && (facts::columns || facts::rows_side_by_side);
    static constexpr bool shared = std::is_same_v<T, Device> && facts::value.fold_bytes <= column_lookback_bytes;
    static constexpr Hold hold = facts::columns ? Hold::swept : Hold::beside;
    using kernels = typename detail::column_scan_kernels<typename Pl::program, facts::vector, T, hold, shared>::type;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        return detail::choose_scan_columns(facts::value, layout, policy, target);
    }
};

FUSE_END_NAMESPACE
