// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/launch/complete.hpp"
#include "fuse/kernels/short_rows/choose.hpp"
#include "fuse/kernels/short_rows/short_rows.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Reductions along the innermost axes, where these have few elements. On a GPU: a CPU thread takes whole rows anyway.
template <class Pl, Target T>
struct ShortRowsFamily {
    static constexpr bool takes = false;
};

template <class Pl>
struct ShortRowsFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    /// Threads do not see neighbouring rows, as an epilogue that does not commute would ask.
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan && !facts::value.full &&
                                  Pl::program::epilogue::commutative;
    using kernels = type_list<ShortRowsKernel<typename Pl::program>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        return detail::choose_short_rows(facts::value, &shared_bytes<ShortRowsKernel<typename Pl::program>>, layout,
                                         policy, device);
    }
};

FUSE_END_NAMESPACE
