// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/split/choose.hpp"
#include "fuse/kernels/split/split.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of vectors that lie in runs there is a kernel where there may be some.
template <class P, int V, int N, leaf_set Uniform>
struct split_kernels {
    using type = type_list<SplitKernel<P, V, N>, SplitKernel<P, V, N, Uniform>>;
};
template <class P, int V, int N>
struct split_kernels<P, V, N, 0> {
    using type = type_list<SplitKernel<P, V, N>>;
};

}  // namespace detail

/// One phase over everything, or over few long rows.
template <class Pl, Target T>
struct SplitFamily {
    using facts = program_facts<Pl, T>;
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan && facts::value.one_phase();
    using kernels = typename detail::split_kernels<typename Pl::program, facts::vector, facts::value.sweep_vectors,
                                                   facts::uniform>::type;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        Launch l = detail::choose_split(facts::value, layout, policy, target);
        if (layout.runs) {
            l.kernel = 1;
            l.name = "split in runs";
        }
        return l;
    }
};

FUSE_END_NAMESPACE
