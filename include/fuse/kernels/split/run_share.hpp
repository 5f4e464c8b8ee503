// SPDX-License-Identifier: Apache-2.0
//
// The share of everything that one of several blocks folds on a device, of a domain of several axes, some of whose operands do
// not vary along the innermost: numbers of channels beside planes. Its vectors lie in one or two runs along that axis
// (RunPlace), and those operands have one item for each; all others lie in vectors as along one axis. Straight code: there are
// no branches between the loads.
#pragma once

#include "fuse/kernels/body/run_items.hpp"
#include "fuse/kernels/body/shares.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Where a vector lies of operands that lie so.
template <int N, int V>
struct StraightRunPlace : RunPlace<N, V, true> {
    index_t first;

    FUSE_HD StraightRunPlace(const NarrowDims<N>& dims, index_t s) : RunPlace<N, V, true>(dims, s, true), first(s) {}

    using RunPlace<N, V, true>::read;
    template <class T, class Path>
    FUSE_HD void read(Pack<T, V>& out, const T* data, const Path&) const {
        load_pack(out, data + first, true);
    }
};

/// fold_share of phase Ph.
template <class Ph, leaf_set Set, leaf_set Uniform, int V, int N, class B, class P>
FUSE_HD typename Product<Ph>::accumulator fold_run_share(B& block, const Params<P>& p, const RowState<P>& row,
                                                         const results_t<P>& results, index_t member) {
    using Place = StraightRunPlace<Params<P>::traits::walked_rank, V>;
    using Count = typename Place::Count;
    using Runs = RunItems<P, V, Uniform, Count>;
    using Uniforms = UniformItems<P, V, Uniform, Count>;
    const Span span = share_of<V, false>(block, p, member);
    const SweepItems<Ph, V> folds;
    auto sum = folds.init();
    const auto take_one = [](const auto& context, index_t first) FUSE_INLINE_LAMBDA {
        return [&context, first](int, auto&& take) FUSE_INLINE_LAMBDA { take(context, first); };
    };
    for (index_t s = span.first; s + V <= span.end; s += N * span.step) {
        Runs items[N];
        const auto inside = [&](int j) FUSE_INLINE_LAMBDA { return j == 0 || s + j * span.step + V <= span.end; };
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            load_run<Set>(items[j], p, row, Place(p.walked, inside(j) ? s + j * span.step : s));
        }
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (!inside(j)) {
                break;
            }
            const index_t first = s + j * span.step;
            if (first_run<Uniform>(items[j]) == V) {
                const auto alike = of_run<P, V, Uniform, Count>(items[j]);
                folds.template take<1>(sum, take_one(RowContext<P, V, Uniforms>{p, row, alike, results}, first));
            } else {
                folds.template take<1>(sum, take_one(RowContext<P, V, Runs>{p, row, items[j], results}, first));
            }
        }
    }
    auto total = folds.total(sum);
    // What is left behind the last whole vector is one element of each of a few threads.
    const index_t left = p.walked_size / V * V + linear_thread(block);
    if (member + 1 == p.group && left < p.walked_size) {
        const SweepItems<Ph, 1> fold;
        auto one = fold.init();
        using Last = StraightRunPlace<Params<P>::traits::walked_rank, 1>;
        using Counted = typename Last::Count;
        RunItems<P, 1, Uniform, Counted> items;
        load_run<Set>(items, p, row, Last(p.walked, left));
        const auto alike = of_run<P, 1, Uniform, Counted>(items);
        using Alike = UniformItems<P, 1, Uniform, Counted>;
        fold.template take<1>(one, take_one(RowContext<P, 1, Alike>{p, row, alike, results}, left));
        total = Product<Ph>{}.combine(total, fold.total(one));
    }
    return BlockReduce(block, total, Product<Ph>{}, OneThread{});
}

}  // namespace detail

FUSE_END_NAMESPACE
