// SPDX-License-Identifier: Apache-2.0
//
// What outputs ask about elements of columns that are scanned, of all columns of a thread or of one, and where a host
// thread writes them.
#pragma once

#include "fuse/kernels/columns/column_context.hpp"

FUSE_BEGIN_NAMESPACE

/// The result of a scan at column v: the fold of everything before, then of this thread's elements up to here.
template <class P, int V, class Items = ColumnItems<P, V>>
struct ScanColumnContext : ColumnContext<P, V, Items> {
    using phase = at_t<typename P::phases, 0>;
    using accumulator = typename ItemFolds<Product<phase>, V>::accumulator;

    const accumulator& before;   ///< before this element, of its column
    const accumulator& through;  ///< with it
    index_t position;

    FUSE_HD ScanColumnContext(const ColumnContext<P, V, Items>& context, const accumulator& all_before,
                              const accumulator& up_to_here, index_t s)
        : ColumnContext<P, V, Items>(context), before(all_before), through(up_to_here), position(s) {}

    template <int I>
    FUSE_HD auto result(int v) const {
        using R = typename phase::template at<I>::reduction_op;
        if constexpr (R::exclusive) {
            return R{}.project(get<I>(before.item[v]), position);
        } else {
            return R{}.project(get<I>(through.item[v]), position + 1);
        }
    }
};

/// The same for one column.
template <class P, int V, class Items>
struct ScanItemContext : ColumnContext<P, V, Items> {
    using phase = at_t<typename P::phases, 0>;
    using accumulator = typename Product<phase>::accumulator;

    accumulator before;
    accumulator through;
    index_t position;

    FUSE_HD ScanItemContext(const ColumnContext<P, V, Items>& context, const accumulator& all_before,
                            const accumulator& up_to_here, index_t s)
        : ColumnContext<P, V, Items>(context), before(all_before), through(up_to_here), position(s) {}

    template <int I>
    FUSE_HD auto result(int) const {
        using R = typename phase::template at<I>::reduction_op;
        if constexpr (R::exclusive) {
            return R{}.project(get<I>(before), position);
        } else {
            return R{}.project(get<I>(through), position + 1);
        }
    }
};

/// Calls `write.template operator()<O>(to)` for output O of extent item: what it writes to to[k][0], to[k][1], ... are the
/// columns of a host thread at s + k, of N. It is where they are kept, if they lie side by side.
template <int V, int N, class P, class Write>
FUSE_HD void write_columns_in_place(const Params<P>& p, const ColumnState<P, V>& state, index_t s, Write&& write) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using O = at_t<typename P::outputs, I>;
        if constexpr (O::extent == kir::Extent::item) {
            const auto& operand = get<I>(p.outputs);
            const index_t stride = operand.x * state.pitch;
            const auto first = [&](int k) FUSE_INLINE_LAMBDA {
                return operand.data + get<I>(state.output) + detail::offset_along(p, operand, s + k);
            };
            Pack<typename O::storage, V> pack[N];
            typename O::storage* to[N];
            for (int k = 0; k < N; ++k) {
                to[k] = stride == 1 ? first(k) : pack[k].item;
            }
            write.template operator()<O>(to);
            for (int k = 0; stride != 1 && k < N; ++k) {
                for (int v = 0; v < state.left; ++v) {
                    first(k)[v * stride] = pack[k].item[v];
                }
            }
        }
    });
}

FUSE_END_NAMESPACE
