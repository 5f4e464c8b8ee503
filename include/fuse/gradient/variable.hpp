// SPDX-License-Identifier: Apache-2.0
//
// What a derivative is with respect to where the variable is read through unflatten alone: what that has made of it.
#pragma once

#include "fuse/gradient/graph.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The parts of the variable without a place that N reads.
template <class Name, class N, class... E>
constexpr auto parts_among(operand_types<E...>);
template <class N, class Name>
using parts_read = decltype(parts_among<Name, N>(typename N::operands{}));
template <class Name, class N, class... E>
constexpr auto parts_among(operand_types<E...>) {
    if constexpr (!is_active<N, Name, true>) {
        return type_list<>{};
    } else if constexpr (sizeof...(E) == 0 || is_other_part<typename name_of_variable<N>::type, Name>) {
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
template <class Part, class Name>
inline constexpr bool is_unflattened = false;
template <char... P, char... C>
    requires(sizeof...(P) > sizeof...(C))
inline constexpr bool is_unflattened<name<P...>, name<C...>> = begins_with(name<P...>{}, name<C...>{}, '<');
template <class Name, class Parts>
struct name_of_parts {
    using type = void;
};
template <class Name, class Part>
    requires is_unflattened<typename name_of_variable<Part>::type, Name>
struct name_of_parts<Name, type_list<Part>> : name_of_variable<Part> {
};
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
