// SPDX-License-Identifier: Apache-2.0
//
// Which views are parts of the variable, told by their names. One is placed if its name tells its place in the variable
// (lang/place.hpp). Others, reshaped or unflattened, are parts without a place.
#pragma once

#include "fuse/lang/cut.hpp"
#include "fuse/lang/name.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <char... P, char... C>
constexpr bool begins_with(name<P...>, name<C...>, [[maybe_unused]] char next) {
    if constexpr (sizeof...(P) > sizeof...(C)) {
        const char part[] = {P...};
        const char whole[] = {C..., '\0'};
        bool same = part[sizeof...(C)] == next;
        for (std::size_t i = 0; i < sizeof...(C); ++i) {
            same = same && part[i] == whole[i];
        }
        return same;
    } else {
        return false;
    }
}

/// The axes along which a part called Part is one of the two that diff makes of a view called Name, "x[:,1:]" and
/// "x[:,:-1]", or of these, "x[1:][:-1]"; none if it is no such part.
template <class Part, class Name>
inline constexpr std::uint32_t diff_axes = 0;
template <char... P, char... C>
    requires(sizeof...(P) > sizeof...(C))
inline constexpr std::uint32_t diff_axes<name<P...>, name<C...>> = [] {
    const char part[] = {P..., '\0', '\0', '\0', '\0'};
    std::uint32_t axes = 0;
    for (std::size_t at = sizeof...(C); at < sizeof...(P);) {
        if (part[at++] != '[') {
            return 0U;
        }
        int axis = 0;
        for (; part[at] == ':' && part[at + 1] == ','; at += 2) {
            ++axis;
        }
        const bool after = part[at] == '1' && part[at + 1] == ':' && part[at + 2] == ']';
        const bool before = part[at] == ':' && part[at + 1] == '-' && part[at + 2] == '1' && part[at + 3] == ']';
        if (!after && !before) {
            return 0U;
        }
        axes |= 1U << axis;
        at += after ? 3 : 4;
    }
    return begins_with(name<P...>{}, name<C...>{}, '[') ? axes : 0U;
}();

/// Whether a view called Part is a placed part of one called Name.
template <class Part, class Name>
inline constexpr bool is_placed_part = diff_axes<Part, Name> != 0;
template <class Whole, std::uint64_t Place, class Name>
inline constexpr bool is_placed_part<part_of<Whole, Place>, Name> = Place != no_place && (std::is_same_v<Whole, Name> ||
                                                                                          diff_axes<Whole, Name> != 0);

/// Whether it is a part without a place: unflatten<1>(x, ...) is "x<1>".
template <class Part, class Name>
inline constexpr bool is_other_part = false;
template <class Whole, std::uint64_t Place, class Name>
inline constexpr bool is_other_part<part_of<Whole, Place>, Name> =
    std::is_same_v<Whole, Name> || is_placed_part<Whole, Name> ? Place == no_place : is_other_part<Whole, Name>;
template <char... P, char... C>
inline constexpr bool is_other_part<name<P...>, name<C...>> = begins_with(name<P...>{}, name<C...>{}, '<') ||
                                                              (begins_with(name<P...>{}, name<C...>{}, '[') &&
                                                               diff_axes<name<P...>, name<C...>> == 0);

/// What a part is one of: of part_of<Name, ...> the Name.
template <class Part>
struct whole_of_part {
    using type = Part;
};
template <class Whole, std::uint64_t Place>
struct whole_of_part<part_of<Whole, Place>> {
    using type = Whole;
};

/// The place of a placed part.
template <class Part, class Name>
constexpr std::uint64_t place_of_part(int rank) {
    constexpr std::uint32_t cut = diff_axes<typename whole_of_part<Part>::type, Name>;
    const std::uint64_t place = place_of_view<Part>(rank);
    const AxisMap axes = AxisMap::unpack(place);
    std::uint32_t own = 0;
    for (int b = 0; b < axes.rank; ++b) {
        own |= ((cut >> (axes.axis[b] % cut_axis)) & 1U) << b;
    }
    return place_cut(place, own);
}

/// How elements of a placed part go back: those of diff are one beside the other.
template <class Part, class Name>
inline constexpr Moving way_back = diff_axes<Part, Name> == 0 ? Moving::apart : Moving::beyond;

}  // namespace detail

FUSE_END_NAMESPACE
