// SPDX-License-Identifier: Apache-2.0
//
// Columns that are folded in a walk along rows (one_pass.hpp): what they are, and where they find their values.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/plan/one_pass.hpp"

FUSE_BEGIN_NAMESPACE

/// The columns of step Step, program P, in such a walk. V: items of their vectors in memory. From: where in the walk each
/// leaf is (plan/one_pass.hpp).
template <int Step, class P, int V, int... From>
struct ColumnsBeside {
    using program = P;
    using phase = at_t<typename P::phases, 0>;
    using product = Product<phase>;
    using accumulator = typename product::accumulator;
    static constexpr int step = Step;
    static constexpr int vector = V;
    static constexpr int from[] = {From..., detail::own_leaf};
    /// The leaves of the rows among them.
    static constexpr leaf_set reads = (leaf_set{0} | ... | (From >= 0 ? leaf_set{1} << From : 0));
};

namespace detail {

/// Where columns beside rows find their values: R is the context of the rows, Own what only the columns read.
template <class C, class R, class Own>
struct BesideContext {
    const R& rows;
    const Params<typename C::program>& params;
    const Own& own;

    template <int I>
    FUSE_HD auto leaf(int v) const {
        using L = at_t<typename C::program::leaves, I>;
        constexpr int from = C::from[I];
        if constexpr (from >= 0) {
            return rows.template leaf<from>(v);
        } else if constexpr (from <= carried_from) {
            return from_compute<typename L::storage>(
                Evaluate<typename R::template written<carried_from - from>>::at(rows, v));
        } else if constexpr (kir::is_memory<L> || kir::is_index<L>) {
            return unpack(get<I>(own), L::kept ? v : 0);
        } else {
            return get<I>(params.leaves).value;
        }
    }
    template <int S>
    FUSE_HD const auto& functor() const {
        return get<S>(params.functors).load();
    }
};

template <int V>
struct own_items {
    template <class L>
    struct leaf {
        using type = Nothing;
    };
    template <class T, bool Kept, bool Walked>
    struct leaf<kir::MemoryLeaf<T, Kept, Walked>> {
        using type = Pack<T, Kept ? V : 1>;
    };
    template <bool Kept, bool Walked, bool Coordinate>
    struct leaf<kir::IndexLeaf<Kept, Walked, Coordinate>> {
        using type = Pack<index_t, Kept ? V : 1>;
    };
};

/// What only the columns read, at a row and V columns from x on.
template <class C, int V, class P>
FUSE_HD auto load_own(const Params<P>& p, index_t row, index_t x) {
    typename map_tuple<typename P::leaves, own_items<V>::template leaf>::type own;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (C::from[I] == own_leaf && (kir::is_memory<L> || kir::is_index<L>)) {
            const auto& operand = get<I>(p.leaves);
            const index_t along = L::kept ? operand.x : 0;
            const index_t first = (L::walked ? offset_along(p, operand, row) : 0) + x * along;
            if constexpr (kir::is_index<L>) {
                InitWithDataIndex(get<I>(own), first, along);
            } else {
                ReadDataBc(get<I>(own), operand.data + first, along, L::kept ? V : 1,
                           operand.vector && C::vector % V == 0, {});
            }
        }
    });
    return own;
}

}  // namespace detail

FUSE_END_NAMESPACE
