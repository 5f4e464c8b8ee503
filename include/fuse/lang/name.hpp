// SPDX-License-Identifier: Apache-2.0
//
// Names. A name is an identity: two leaves with the same name are the same data, so they are loaded once.
// The user writes view<"x">(...); a class-type template argument may not reach a kernel (nvcc cannot print it in
// its host stub), so the string becomes a pack of characters here and only that pack travels further.
#pragma once

#include <utility>

#include "fuse/lang/place.hpp"

FUSE_BEGIN_NAMESPACE

/// The string in view<"x">. Fixed size: a deduced size fails template deduction under nvcc.
struct fixed_name {
    static constexpr std::size_t capacity = 32;
    char text[capacity] = {};
    std::size_t length = 0;

    template <std::size_t N>
    consteval fixed_name(const char (&literal)[N]) : length(N - 1) {
        static_assert(N > 1, "fuse: a name has at least one character");
        static_assert(N <= capacity, "fuse: a name has at most 31 characters");
        for (std::size_t i = 0; i + 1 < N; ++i) {
            text[i] = literal[i];
        }
    }
    /// nvcc writes a template argument back to the host compiler as fixed_name{{'x', ...}, 1}.
    consteval fixed_name(const char (&characters)[capacity], std::size_t n) : length(n) {
        for (std::size_t i = 0; i < capacity; ++i) {
            text[i] = characters[i];
        }
    }
};

/// A name as a type.
template <char... C>
struct name {
    static constexpr char text[] = {C..., '\0'};
};

/// The absence of a name: each occurrence in an expression has an identity of its own.
struct unnamed {
    static constexpr char text[] = "<unnamed>";
};

/// "x[...]"
template <class Name>
struct part_text {
    static constexpr auto characters = [] {
        constexpr std::size_t length = sizeof(Name::text) - 1;
        struct {
            char item[sizeof(Name::text) + 5];
        } all{};
        for (std::size_t i = 0; i < length; ++i) {
            all.item[i] = Name::text[i];
        }
        for (std::size_t i = 0; i < 6; ++i) {
            all.item[length + i] = "[...]"[i];
        }
        return all;
    }();
    static constexpr auto& text = characters.item;
};
/// What a view is called in messages that was made of one called Name, such as x[2] of x. That is no identity: x[2] and
/// x[3] are different data. Place: where its axes lie in x (lang/place.hpp).
template <class Name, std::uint64_t Place>
struct part_of : part_text<Name> {
    static constexpr std::uint64_t place = Place;
};

template <class Name>
inline constexpr bool is_named = true;
template <>
inline constexpr bool is_named<unnamed> = false;
template <class Name, std::uint64_t Place>
inline constexpr bool is_named<part_of<Name, Place>> = false;

namespace detail {

template <class Name, std::uint64_t Place = no_place>
struct name_of_part {
    using type = part_of<Name, Place>;
};
template <std::uint64_t Place>
struct name_of_part<unnamed, Place> {
    using type = unnamed;
};
template <class Name, std::uint64_t Old, std::uint64_t Place>
struct name_of_part<part_of<Name, Old>, Place> {
    using type = part_of<Name, Place>;
};

/// The place of a view of this name and rank.
template <class Name>
constexpr std::uint64_t place_of_view(int rank) {
    return AxisMap::trailing(rank, rank).pack();
}
template <class Part>
concept HasPlace = requires {
    Part::place;
};
template <HasPlace Part>
constexpr std::uint64_t place_of_view(int) {
    return Part::place;
}

template <fixed_name N, class Sequence>
struct name_type;
template <fixed_name N, std::size_t... I>
struct name_type<N, std::index_sequence<I...>> {
    using type = name<N.text[I]...>;
};

}  // namespace detail

/// The type that stands for the string N.
template <fixed_name N>
using name_t = typename detail::name_type<N, std::make_index_sequence<N.length>>::type;

FUSE_END_NAMESPACE
