// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/launch/complete.hpp"
#include "fuse/kernels/scan/choose.hpp"
#include "fuse/kernels/scan/choose_columns.hpp"
#include "fuse/kernels/scan/scan_columns.hpp"
#include "fuse/kernels/scan/scan_lookback.hpp"
#include "fuse/kernels/scan/scan_rows.hpp"
#include "fuse/kernels/scan/scan_split.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Scans along the innermost axis.
template <class Pl, Target T>
struct ScanRowsFamily;

template <class Pl>
struct ScanRowsFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr int V = facts::vector;
    static constexpr int N =
        lookback_vectors(V, facts::value.scan_words, facts::value.buffered_bytes, facts::value.fold_bytes / V);

    static constexpr bool takes = facts::scan && !facts::sort && !facts::columns;
    using kernels = type_list<ScanRowsKernel<typename Pl::program, V, scan_vectors<Device>>,
                              ScanLookbackKernel<typename Pl::program, V, N>>;

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
        return detail::choose_scan_rows(facts::value, layout, policy, cpu);
    }
};

/// Scans along an axis outside the innermost one.
template <class Pl, Target T>
struct ScanColumnsFamily {
    using facts = program_facts<Pl, T>;
    static constexpr bool takes = facts::scan && !facts::sort && facts::columns;
    using kernels = type_list<ScanColumnsKernel<typename Pl::program, facts::vector, scan_vectors<T>>>;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        return detail::choose_scan_columns(facts::value, layout, policy, target);
    }
};

FUSE_END_NAMESPACE
