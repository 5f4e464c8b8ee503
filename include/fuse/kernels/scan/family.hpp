// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/launch/complete.hpp"
#include "fuse/kernels/scan/choose.hpp"
#include "fuse/kernels/scan/choose_columns.hpp"
#include "fuse/kernels/scan/choose_short_rows.hpp"
#include "fuse/kernels/scan/scan_columns.hpp"
#include "fuse/kernels/scan/scan_lookback.hpp"
#include "fuse/kernels/scan/scan_rows.hpp"
#include "fuse/kernels/scan/scan_short_rows.hpp"
#include "fuse/kernels/scan/scan_split.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What a family takes, if it does: of other programs nobody needs to know which kernels these would be.
template <class Pl, Target T, bool Takes>
struct row_scans {
    static constexpr bool takes = false;
};

template <class Pl>
struct row_scans<Pl, Device, true> {
    using facts = program_facts<Pl, Device>;
    static constexpr bool takes = true;
    static constexpr int V = facts::vector;
    static constexpr int N =
        lookback_vectors(V, facts::value.scan_words, facts::value.buffered_bytes, facts::value.fold_bytes / V,
                         scan_exit_way<typename Pl::program, V>.waits());
    /// What says itself where it goes is written from registers.
    static constexpr bool tiles = !scatters<typename Pl::program>(typename Pl::program::outputs{});
    /// nvcc would call a kernel by a name that it has here, and does not find it among expressions with lambdas.
    using kernels =
        type_list<ScanRowsKernel<typename Pl::program, V, scan_vectors<Device>>,
                  ScanLookbackKernel<typename Pl::program, V, N>,
                  ScanRowsKernel<typename Pl::program, V, scan_vectors<Device>, (V > 1 && !facts::value.backwards)>,
                  std::conditional_t<tiles, ScanShortRowsKernel<typename Pl::program>,
                                     ScanRowsKernel<typename Pl::program, V, scan_vectors<Device>>>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        if constexpr (tiles) {
            const Launch l = choose_short_scan(facts::value, &shared_bytes<ScanShortRowsKernel<typename Pl::program>>,
                                               layout, policy, device);
            if (l.grid > 0) {
                return l;
            }
        }
        return choose_scan_rows(facts::value, {N, &shared_bytes<ScanLookbackKernel<typename Pl::program, V, N>>},
                                layout, policy, device);
    }
};

template <class Pl>
struct row_scans<Pl, Cpu, true> {
    using facts = program_facts<Pl, Cpu>;
    static constexpr bool takes = true;
    using kernels = type_list<ScanRowsKernel<typename Pl::program, facts::vector, scan_vectors<Cpu>>,
                              ScanSplitKernel<typename Pl::program, facts::vector>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        return layout.columns ? no_launch("rows side by side") : choose_scan_rows(facts::value, layout, policy, cpu);
    }
};

template <class Pl, Target T, bool Takes>
struct column_scans {
    static constexpr bool takes = false;
};

template <class Pl, Target T>
struct column_scans<Pl, T, true> {
    using facts = program_facts<Pl, T>;
    static constexpr bool takes = true;
    static constexpr bool shares = std::is_same_v<T, Device>;
    static constexpr Hold hold = facts::columns ? Hold::swept : Hold::beside;
    using kernels = type_list<ScanColumnsKernel<typename Pl::program, facts::vector, scan_vectors<T>, hold, shares>>;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        return choose_scan_columns(facts::value, layout, policy, target);
    }
};

template <class Pl, Target T>
inline constexpr bool scans_lines = program_facts<Pl, T>::scan && !program_facts<Pl, T>::sort;

}  // namespace detail

/// Scans along the innermost axis.
template <class Pl, Target T>
struct ScanRowsFamily : detail::row_scans<Pl, T, detail::scans_lines<Pl, T> && !program_facts<Pl, T>::columns> {};

/// Scans along an axis outside the innermost one; on the host also of rows side by side, which no family before took.
template <class Pl, Target T>
struct ScanColumnsFamily
    : detail::column_scans<Pl, T,
                           detail::scans_lines<Pl, T> &&
                               (program_facts<Pl, T>::columns || program_facts<Pl, T>::rows_side_by_side)> {};

FUSE_END_NAMESPACE
