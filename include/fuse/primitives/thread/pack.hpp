// SPDX-License-Identifier: Apache-2.0
//
// Pack<T, V>: the V consecutive items that one thread loads, computes on and stores at a time. On the GPU a
// pack moves in 16-byte vectors when its address allows; whether it does is decided once per launch, not
// guessed per access. On the CPU a pack is tens of items long and moves by memcpy, which g++ and clang turn
// into vector copies.
#pragma once

#include <type_traits>

#include "fuse/primitives/machine/wide_memory.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Largest power of two up to 16 that divides the bytes of V items, and no less than T asks for.
template <class T, int V>
constexpr std::size_t pack_alignment() {
    const std::size_t bytes = sizeof(T) * V;
    const std::size_t natural = (bytes & (~bytes + 1)) < 16 ? (bytes & (~bytes + 1)) : 16;
    return natural < alignof(T) ? alignof(T) : natural;
}

}  // namespace detail

template <class T, int V>
struct alignas(detail::pack_alignment<T, V>()) Pack {
    static_assert(std::is_trivially_copyable_v<T> && V > 0);

    T item[V];
};

/// The address alignment that `load_pack(..., aligned = true)` relies on.
template <class T, int V>
inline constexpr std::size_t pack_alignment = alignof(Pack<T, V>);

/// The same items, the last one first.
template <class T, int V>
FUSE_HD Pack<T, V> reversed(const Pack<T, V>& pack) {
    Pack<T, V> result;
    FUSE_UNROLL
    for (int v = 0; v < V; ++v) {
        result.item[v] = pack.item[V - 1 - v];
    }
    return result;
}

/// Whether vectors of V items are those of a host thread, which is alone and has its loops over the items vectorised. The
/// longest of a device have 16 bytes.
template <int V>
inline constexpr bool host_vector = V > 16;
/// Of items that are no whole vector a host thread takes so many at a time.
inline constexpr int few_items = 8;

namespace detail {

/// f(v) for N items from `first` on; Apart: see for_items.
template <int N, bool Apart, class F>
FUSE_HD void next_items(int first, F&& f) {
    if constexpr (Apart) {
        FUSE_STEPS_APART
        for (int k = 0; k < N; ++k) {
            f(first + k);
        }
    } else {
        for (int k = 0; k < N; ++k) {
            f(first + k);
        }
    }
}
/// The same for few_items.
template <bool Apart, class F>
FUSE_HD void next_few_items(int first, F&& f) {
    if constexpr (Apart) {
        FUSE_STEPS_APART
        FUSE_LANES
        for (int k = 0; k < few_items; ++k) {
            f(first + k);
        }
    } else {
        FUSE_LANES
        for (int k = 0; k < few_items; ++k) {
            f(first + k);
        }
    }
}

}  // namespace detail

/// Calls f(v) for the items v < min(V, left), in order. Items beyond the end are never evaluated. The host gets loops
/// of constant length, which compilers make vectors of at -O2 too, for 64 and for eight items at a time; the
/// device gets V predicated copies. Apart: a promise that f(v) reads no memory that f of another item writes.
template <int V, bool Apart = false, class F>
FUSE_HD void for_items(index_t left, F&& f) {
#if FUSE_ON_DEVICE
    FUSE_UNROLL
    for (int v = 0; v < V; ++v) {
        if (v < left) {
            f(v);
        }
    }
#else
    if constexpr (host_vector<V>) {
        constexpr int many_items = 64;
        const int n = left < V ? static_cast<int>(left) : V;
        int v = 0;
        for (; v + many_items <= n; v += many_items) {
            detail::next_items<many_items, Apart>(v, f);
        }
        for (; v + few_items <= n; v += few_items) {
            detail::next_few_items<Apart>(v, f);
        }
        for (; v < n; ++v) {
            f(v);
        }
    } else if (left >= V) {
        for (int v = 0; v < V; ++v) {
            f(v);
        }
    } else {
        for (int v = 0; v < left; ++v) {
            f(v);
        }
    }
#endif
}

/// Loads V consecutive items. `aligned`: p is a multiple of pack_alignment<T, V>.
template <int V, class T>
FUSE_HD void load_pack(Pack<T, V>& out, const T* p, bool aligned) {
    detail::load_wide<pack_alignment<T, V>>(out.item, p, aligned);
}

/// Loads V items that are `stride` items apart; stride 0 repeats one item and loads it once.
template <int V, class T>
FUSE_HD void load_strided(Pack<T, V>& out, const T* p, index_t stride) {
    if (stride == 0) {
        const T value = *p;
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            out.item[k] = value;
        }
    } else {
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            out.item[k] = p[k * stride];
        }
    }
}

/// Loads the first `valid` of V items and fills the others: memory after the last valid item is not touched.
template <int V, class T>
FUSE_HD void load_guarded(Pack<T, V>& out, const T* p, index_t stride, int valid, T fill) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = k < valid ? p[k * stride] : fill;
    }
}

/// Mirrors load_pack.
template <int V, class T>
FUSE_HD void store_pack(T* p, const Pack<T, V>& in, bool aligned) {
    detail::store_wide<pack_alignment<T, V>>(p, in.item, aligned);
}

/// Mirrors load_strided; stride 0 would make the items collide and is not allowed.
template <int V, class T>
FUSE_HD void store_strided(T* p, const Pack<T, V>& in, index_t stride) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        p[k * stride] = in.item[k];
    }
}

/// Stores only the first `valid` of V items.
template <int V, class T>
FUSE_HD void store_guarded(T* p, const Pack<T, V>& in, index_t stride, int valid) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        if (k < valid) {
            p[k * stride] = in.item[k];
        }
    }
}

FUSE_END_NAMESPACE
