// SPDX-License-Identifier: Apache-2.0
//
// Apply a single-thread functor to register tiles. Any number of inputs, each with its own type; the functor
// is called once per item in item order, and with a count of valid items it is never called on an item that was
// not loaded, so it may trap on garbage. An input need not lie in registers: an ItemSource computes item k when it
// is asked for it, so that a whole expression takes the registers of one item.
#pragma once

#include "fuse/primitives/thread/pack.hpp"
#include "fuse/primitives/thread/tile.hpp"

FUSE_BEGIN_NAMESPACE

/// What has items that it computes: source.at(k) is item k.
template <class S>
concept ItemSource = requires(const S& source) {
    source.at(0);
};

namespace detail {

/// An input of V items.
template <class S, int V>
inline constexpr bool has_items = ItemSource<S>;
template <class T, int V>
inline constexpr bool has_items<Pack<T, V>, V> = true;

template <class T, int V>
FUSE_HD constexpr const T& item_of(const Pack<T, V>& pack, int k) {
    return pack.item[k];
}
template <ItemSource S>
FUSE_HD constexpr auto item_of(const S& source, int k) {
    return source.at(k);
}

}  // namespace detail

/// out[k] = f(in[k]...) for all items; an input is a Pack of V items or an ItemSource. No input: fill from a nullary
/// functor.
template <int V, class R, class F, class... In>
    requires(detail::has_items<In, V>&&...)
FUSE_HD void ElementwiseAny(Pack<R, V>& out, F&& f, const In&... in) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = static_cast<R>(f(detail::item_of(in, k)...));
    }
}

/// The same for the first `valid` items (any number, also none); the others of `out` keep their value.
template <int V, class R, class F, class... In>
    requires(detail::has_items<In, V>&&...)
FUSE_HD void ElementwiseAny(index_t valid, Pack<R, V>& out, F&& f, const In&... in) {
    for_items<V>(valid, [&](int k) FUSE_INLINE_LAMBDA { out.item[k] = static_cast<R>(f(detail::item_of(in, k)...)); });
}

/// The same for the items of a 2-D tile that exist (see tile_count); the others of `out` keep their value.
template <int NX, int NY, int V, class R, class F, class... In>
    requires(detail::has_items<In, V>&&...)
FUSE_HD void ElementwiseAny(TileCount<NX, NY> valid, Pack<R, V>& out, F&& f, const In&... in) {
    static_assert(V == NX * NY, "the count must be of the same tile");
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        if (valid.holds(k % NX, k / NX)) {
            out.item[k] = static_cast<R>(f(detail::item_of(in, k)...));
        }
    }
}

// The names by number of inputs. `valid`, where given, is an int or a TileCount, as for ElementwiseAny.

/// out[k] = f(), called anew for each item.
template <int V, class R, class F>
FUSE_HD void ElementwiseConstant(Pack<R, V>& out, F&& f) {
    ElementwiseAny(out, f);
}
template <class Valid, int V, class R, class F>
FUSE_HD void ElementwiseConstant(Valid valid, Pack<R, V>& out, F&& f) {
    ElementwiseAny(valid, out, f);
}

/// out[k] = f(a[k])
template <int V, class R, class F, class A>
FUSE_HD void ElementwiseUnary(Pack<R, V>& out, F&& f, const Pack<A, V>& a) {
    ElementwiseAny(out, f, a);
}
template <class Valid, int V, class R, class F, class A>
FUSE_HD void ElementwiseUnary(Valid valid, Pack<R, V>& out, F&& f, const Pack<A, V>& a) {
    ElementwiseAny(valid, out, f, a);
}

/// out[k] = f(a[k], b[k])
template <int V, class R, class F, class A, class B>
FUSE_HD void ElementwiseBinary(Pack<R, V>& out, F&& f, const Pack<A, V>& a, const Pack<B, V>& b) {
    ElementwiseAny(out, f, a, b);
}
template <class Valid, int V, class R, class F, class A, class B>
FUSE_HD void ElementwiseBinary(Valid valid, Pack<R, V>& out, F&& f, const Pack<A, V>& a, const Pack<B, V>& b) {
    ElementwiseAny(valid, out, f, a, b);
}

/// out[k] = f(a[k], b[k], c[k])
template <int V, class R, class F, class A, class B, class C>
FUSE_HD void ElementwiseTernary(Pack<R, V>& out, F&& f, const Pack<A, V>& a, const Pack<B, V>& b, const Pack<C, V>& c) {
    ElementwiseAny(out, f, a, b, c);
}
template <class Valid, int V, class R, class F, class A, class B, class C>
FUSE_HD void ElementwiseTernary(Valid valid, Pack<R, V>& out, F&& f, const Pack<A, V>& a, const Pack<B, V>& b,
                                const Pack<C, V>& c) {
    ElementwiseAny(valid, out, f, a, b, c);
}

/// [1, NX] op [NY, NX]: the row is used again for each of the NY rows of the tile (item iy * NX + ix).
template <int NX, int V, class R, class F, class T, class U>
FUSE_HD void CycleBinary(Pack<R, V>& out, F&& f, const Pack<T, NX>& row, const Pack<U, V>& tile) {
    static_assert(V % NX == 0, "the tile must consist of whole rows");
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = static_cast<R>(f(row.item[k % NX], tile.item[k]));
    }
}

/// The same for the items of a 2-D tile that exist; the others of `out` keep their value.
template <int NX, int NY, int V, class R, class F, class T, class U>
FUSE_HD void CycleBinary(TileCount<NX, NY> valid, Pack<R, V>& out, F&& f, const Pack<T, NX>& row,
                         const Pack<U, V>& tile) {
    static_assert(V == NX * NY, "the count must be of the same tile");
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        if (valid.holds(k % NX, k / NX)) {
            out.item[k] = static_cast<R>(f(row.item[k % NX], tile.item[k]));
        }
    }
}

FUSE_END_NAMESPACE
