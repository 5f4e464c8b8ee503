// SPDX-License-Identifier: Apache-2.0
//
// Whether two run-time values that share an identity, numbers or functors with their captures, are the same: by their
// bytes, so that NaN equals itself and -0 is not 0.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "fuse/config.hpp"

#define FUSE_CLEARS_PADDING 0
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#undef FUSE_CLEARS_PADDING
#define FUSE_CLEARS_PADDING 1
#endif
#endif

FUSE_BEGIN_NAMESPACE

namespace detail {

// Bytes between the members do not count: two copies of one value need not agree there. g++ and nvcc clear them on
// request. Else they are those that are unknown after a round trip of zeros through T at compile time.

#if FUSE_CLEARS_PADDING

template <class T>
bool same_object(const T& a, const T& b) {
    T x(a);
    T y(b);
    __builtin_clear_padding(&x);
    __builtin_clear_padding(&y);
    return std::memcmp(static_cast<const void*>(&x), static_cast<const void*>(&y), sizeof(T)) == 0;
}

#else

template <std::size_t N>
struct PlainBytes {
    unsigned char item[N];
};
template <class T>
constexpr PlainBytes<sizeof(T)> round_trip() {
    return __builtin_bit_cast(PlainBytes<sizeof(T)>, __builtin_bit_cast(T, PlainBytes<sizeof(T)>{}));
}
template <class T, std::size_t I>
concept Occupied = requires {
    typename std::bool_constant<round_trip<T>().item[I] == 0>;
};

template <class T, std::size_t... I>
bool same_members(const PlainBytes<sizeof(T)>& a, const PlainBytes<sizeof(T)>& b, std::index_sequence<I...>) {
    // None is known if T holds an address, which does not survive the trip: all bytes count then.
    constexpr bool known = (Occupied<T, I> || ...);
    return ((a.item[I] == b.item[I] || (known && !Occupied<T, I>)) && ...);
}

template <class T>
bool same_object(const T& a, const T& b) {
    PlainBytes<sizeof(T)> x;
    PlainBytes<sizeof(T)> y;
    std::memcpy(&x, static_cast<const void*>(&a), sizeof(T));
    std::memcpy(&y, static_cast<const void*>(&b), sizeof(T));
    if constexpr (std::is_empty_v<T>) {
        return true;  // its byte is none of a member
    } else if constexpr (std::has_unique_object_representations_v<T> || sizeof(T) > 256) {
        return std::memcmp(&x, &y, sizeof(T)) == 0;  // no such bytes, or too many to ask for each
    } else {
        return same_members<T>(x, y, std::make_index_sequence<sizeof(T)>{});
    }
}

#endif

template <class T>
struct SameBytes {
    static bool of(const T& a, const T& b) {
        static_assert(std::is_trivially_copyable_v<T>);
        return same_object(a, b);
    }
};

/// nvcc's stand-in for a capturing __host__ __device__ lambda: the captures as in a struct, and then an address that
/// every copy has for itself.
template <template <bool, bool, bool, class, class, class...> class StandIn, bool A, bool B, bool C, class Tag, class F,
          class... Captured>
struct SameBytes<StandIn<A, B, C, Tag, F, Captured...>> {
    using Lambda = StandIn<A, B, C, Tag, F, Captured...>;

    static bool of(const Lambda& a, const Lambda& b) {
        std::size_t at = 0;
        bool same = true;
        const auto compare = [&]<class M>(std::type_identity<M>) {
            using Item = std::remove_all_extents_t<M>;
            at = (at + alignof(M) - 1) / alignof(M) * alignof(M);
            for (const std::size_t end = at + sizeof(M); at < end; at += sizeof(Item)) {
                same = same && same_object(member<Item>(a, at), member<Item>(b, at));
            }
        };
        (compare(std::type_identity<Captured>{}), ...);
        return same;
    }

private:
    template <class M>
    static const M& member(const Lambda& lambda, std::size_t at) {
        return *reinterpret_cast<const M*>(reinterpret_cast<const unsigned char*>(&lambda) + at);
    }
};

template <class T>
bool same_bytes(const T& a, const T& b) {
    return SameBytes<T>::of(a, b);
}

}  // namespace detail

FUSE_END_NAMESPACE

#undef FUSE_CLEARS_PADDING
