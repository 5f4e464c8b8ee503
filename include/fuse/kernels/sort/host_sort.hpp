// SPDX-License-Identifier: Apache-2.0
//
// How a host thread sorts a row by itself: keys become unsigned numbers in the same order, their codes, and these are
// dealt out by one digit after the other, or, where a row is shorter than a count of digits, go through the network.
#pragma once

#include "fuse/ops/types/bits.hpp"
#include "fuse/ops/types/compute_type.hpp"
#include "fuse/primitives/block/sort.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The unsigned integer of so many bytes.
template <std::size_t Bytes>
using unsigned_t = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Codes of the keys of a sort: the smaller key has the smaller code (the larger one, if Largest), NaN the largest.
template <class T, bool Largest>
class KeyCode {
public:
    using type = unsigned_t<sizeof(T)>;
    static constexpr int first_bit = 0;
    static constexpr int key_bytes = sizeof(T);

    /// Each key has its own, a zero with a sign and one without as well.
    static FUSE_HD type of(T key, index_t = 0) {
        if constexpr (std::is_floating_point_v<T>) {
            type bits = bit_cast<type>(key) ^ (Largest ? sign : 0);
            bits ^= (0 - (bits >> top)) | sign;
            return bits - nans;  // NaNs with a sign come from below zero to the end
        } else {
            return static_cast<type>(static_cast<type>(key) ^ turned);
        }
    }
    static FUSE_HD T result(type code) {
        if constexpr (std::is_floating_point_v<T>) {
            code += nans;
            code ^= ((code >> top) - 1) | sign;
            return bit_cast<T>(code ^ (Largest ? sign : 0));
        } else {
            return static_cast<T>(static_cast<type>(code ^ turned));
        }
    }

private:
    static constexpr type one = 1;
    static constexpr int top = 8 * sizeof(T) - 1;
    static constexpr type sign = static_cast<type>(one << top);
    /// What turns integers round.
    static constexpr type turned = (std::is_signed_v<T> ? sign : 0) ^ (Largest ? std::numeric_limits<type>::max() : 0);
    /// How many NaNs there are of either sign.
    static constexpr type nans = std::is_floating_point_v<T> ? (one << (std::numeric_limits<T>::digits - 1)) - 1 : 0;
};

__extension__ using uint128 = unsigned __int128;

/// The same above the position of a key, which decides between equal ones: zeros are, and NaNs.
template <class T, bool Largest>
class PositionCode {
public:
    using type = std::conditional_t<sizeof(T) == 8, uint128, std::uint64_t>;
    static constexpr int first_bit = 32;
    static constexpr int key_bytes = sizeof(T);

    static FUSE_HD type of(T key, index_t position) {
        if constexpr (std::is_floating_point_v<T>) {
            key = key != key ? limits<T>::nan : (key == 0 ? T(0) : key);
        }
        return static_cast<type>(KeyCode<T, Largest>::of(key)) << first_bit | static_cast<type>(position);
    }
    static FUSE_HD index_t result(type code) { return static_cast<std::uint32_t>(code); }
};

/// Whether keys have codes.
template <class T>
inline constexpr bool has_sort_code = std::is_arithmetic_v<T> && sizeof(T) <= 8;

/// Step of the network, by masks: of branches half would be mispredicted.
template <class Code>
struct ExchangeCodes {
    Code* codes;

    FUSE_HD void operator()(unsigned i, unsigned j) const {
        const Code a = codes[i], b = codes[j];
        const auto change = static_cast<Code>((a ^ b) & (0U - static_cast<Code>(b < a)));
        codes[i] = static_cast<Code>(a ^ change);
        codes[j] = static_cast<Code>(b ^ change);
    }
};

/// Sorts the codes of class C, whose positions ascend, digit by digit, by way of room for as many.
template <class C, class Code = typename C::type>
FUSE_HOST_DEVICE void sort_digits(Code* codes, Code* room, unsigned n) {
    constexpr unsigned values = 256;
    constexpr int digits = C::key_bytes;
    unsigned places[digits][values] = {};
    const auto place = [&](Code code, int digit) FUSE_INLINE_LAMBDA -> unsigned& {
        return places[digit][static_cast<std::uint64_t>(code >> C::first_bit) >> 8 * digit & (values - 1)];
    };
    for (unsigned s = 0; s < n; ++s) {
        static_for<digits>([&]<int D>() FUSE_INLINE_LAMBDA { ++place(codes[s], D); });
    }
    Code* const sorted = codes;
    for (int digit = 0; digit < digits; ++digit) {
        if (place(codes[0], digit) == n) {
            continue;  // all have the same
        }
        unsigned before = 0;
        for (unsigned& count : places[digit]) {
            const unsigned own = count;
            count = before;
            before += own;
        }
        for (unsigned s = 0; s < n; ++s) {
            room[place(codes[s], digit)++] = codes[s];
        }
        Swap(codes, room);
    }
    for (unsigned s = 0; codes != sorted && s < n; ++s) {
        sorted[s] = codes[s];
    }
}

template <class C, class B, class Code>
FUSE_HD void sort_codes(B& block, Code* codes, Code* room, unsigned n) {
    constexpr unsigned few = sizeof(Code) > 8 ? 32 : 80;  // counts of digits cost the same for any number of codes
    if (n < few) {
        sort_network(block, n, ExchangeCodes<Code>{codes});
    } else {
        sort_digits<C>(codes, room, n);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
