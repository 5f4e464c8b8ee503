// SPDX-License-Identifier: Apache-2.0
//
// What a derivative is with respect to, and where an expression has it: a leaf or an expression that is found by its
// name; or, where it is read through unflatten alone, what that has made of it.
#pragma once

#include "fuse/gradient/flatten.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The name by which N may be a variable: void if it has none.
template <class N>
struct name_of_variable {
    using type = void;
};
template <class T, class Name, index_t... E>
struct name_of_variable<View<T, Name, E...>> {
    using type = std::conditional_t<is_named<Name>, Name, void>;
};
template <class T, class Name>
struct name_of_variable<Scalar<T, Name>> {
    using type = std::conditional_t<is_named<Name>, Name, void>;
};
template <class Name, class E>
struct name_of_variable<Named<Name, E>> {
    using type = Name;
};
template <class N, class Name>
inline constexpr bool is_variable = std::is_same_v<typename name_of_variable<N>::type, Name>;

/// Whether a view of name Part is a part of one that has Name: x[0], or unflatten<1>(x, ...), whose name is "x<1>".
template <class Part, class Name>
inline constexpr bool is_part_of = std::is_same_v<Part, part_of<Name>>;
template <char... P, char... C>
    requires(sizeof...(P) > sizeof...(C))
inline constexpr bool is_part_of<name<P...>, name<C...>> = [] {
    const char part[] = {P...};
    const char whole[] = {C..., '<'};
    bool same = true;
    for (std::size_t i = 0; i <= sizeof...(C); ++i) {
        same = same && part[i] == whole[i];
    }
    return same;
}();

/// Whether the variable is reached through N; `Parts`: through a part of it.
template <class Name, class N, bool Parts, class... E>
constexpr bool reaches(operand_types<E...>);
template <class N, class Name, bool Parts = false>
inline constexpr bool is_active = reaches<Name, N, Parts>(typename N::operands{});
template <class T, class Part, index_t... E, class Name, bool Parts>
inline constexpr bool is_active<View<T, Part, E...>, Name, Parts> =
    Parts ? is_part_of<Part, Name> : std::is_same_v<Part, Name>;
template <class Part, class E, class Name>
inline constexpr bool is_active<Named<Part, E>, Name, true> = is_part_of<Part, Name> || is_active<E, Name, true>;
template <class E, class Name, bool Parts>
inline constexpr bool is_active<StopGradient<E>, Name, Parts> = false;

template <class Name, class N, bool Parts, class... E>
constexpr bool reaches(operand_types<E...>) {
    if constexpr (std::is_integral_v<value_t<N>>) {
        return false;
    } else {
        return (!Parts && is_variable<N, Name>) || (is_active<E, Name, Parts> || ...);
    }
}

/// The parts of the variable, in the sense of is_part_of, that N reads.
template <class Name, class N, class... E>
constexpr auto parts_among(operand_types<E...>);
template <class N, class Name>
using parts_read = decltype(parts_among<Name, N>(typename N::operands{}));
template <class Name, class N, class... E>
constexpr auto parts_among(operand_types<E...>) {
    if constexpr (!is_active<N, Name, true>) {
        return type_list<>{};
    } else if constexpr (sizeof...(E) == 0 || is_part_of<typename name_of_variable<N>::type, Name>) {
        return type_list<N>{};
    } else {
        return unite_t<parts_read<E, Name>...>{};
    }
}

/// The name of what is differentiated with respect to, where X is asked for: that of X, or of what unflatten has made
/// of it if Y reads nothing else of it; void if there is none.
template <class Y, class Name, bool Parts>
struct name_in {
    using type = Name;
};
template <class Name, class Parts>
struct name_of_parts {
    using type = void;
};
template <class Name, class Part>
struct name_of_parts<Name, type_list<Part>> : name_of_variable<Part> {};
template <class Y, class Name>
struct name_in<Y, Name, true> {
    using type = std::conditional_t<is_active<Y, Name>, void, typename name_of_parts<Name, parts_read<Y, Name>>::type>;
};
template <class Y, class Name>
using name_in_t = typename name_in<Y, Name, is_active<Y, Name, true>>::type;

/// The node of the variable among those of a graph.
template <class Name, class... N>
constexpr int variable_among(type_list<N...>) {
    int at = 0;
    int found = -1;
    ((found = is_variable<N, Name> && found < 0 ? at : found, ++at), ...);
    return found;
}

}  // namespace detail

FUSE_END_NAMESPACE
