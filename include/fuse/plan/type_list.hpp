// SPDX-License-Identifier: Apache-2.0
//
// A list of types and the few queries that planning asks most often. Membership goes through inheritance, which
// costs the compiler a fraction of a fold over hana::type objects.
#pragma once

#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

template <class... T>
struct type_list {
    static constexpr int size = sizeof...(T);
};

namespace detail {

template <class T>
struct indexed_base {
    int index;
};
template <class... T>
struct inherit_all : indexed_base<T>... {};

template <class List, class T>
inline constexpr bool contains = false;
template <class... T, class U>
inline constexpr bool contains<type_list<T...>, U> = __is_base_of(indexed_base<U>, inherit_all<T...>);

template <class List, class T>
struct append_unique;
template <class... T, class U>
struct append_unique<type_list<T...>, U> {
    using type = std::conditional_t<contains<type_list<T...>, U>, type_list<T...>, type_list<T..., U>>;
};

template <class List, class Other>
struct unite;
template <class List>
struct unite<List, type_list<>> {
    using type = List;
};
template <class List, class First, class... Rest>
struct unite<List, type_list<First, Rest...>> : unite<typename append_unique<List, First>::type, type_list<Rest...>> {};

template <class... Lists>
struct unite_all {
    using type = type_list<>;
};
template <class First, class... Rest>
struct unite_all<First, Rest...> : unite<First, typename unite_all<Rest...>::type> {};

template <class List, class... More>
struct concat;
template <class... T>
struct concat<type_list<T...>> {
    using type = type_list<T...>;
};
template <class... T, class... U, class... More>
struct concat<type_list<T...>, type_list<U...>, More...> : concat<type_list<T..., U...>, More...> {};

template <class List, int I>
struct type_at;
template <class First, class... Rest, int I>
struct type_at<type_list<First, Rest...>, I> : type_at<type_list<Rest...>, I - 1> {};
template <class First, class... Rest>
struct type_at<type_list<First, Rest...>, 0> {
    using type = First;
};

}  // namespace detail

/// The union of lists of distinct types, in order of first appearance.
template <class... Lists>
using unite_t = typename detail::unite_all<Lists...>::type;
template <class... Lists>
using concat_t = typename detail::concat<Lists...>::type;
template <class List, int I>
using at_t = typename detail::type_at<List, I>::type;

/// Position of T in a list, or -1.
template <class List, class T>
inline constexpr int index_of = -1;
template <class... T, class U>
inline constexpr int index_of<type_list<T...>, U> = [] {
    constexpr bool same[] = {std::is_same_v<T, U>..., true};
    int i = 0;
    while (!same[i]) {
        ++i;
    }
    return i == static_cast<int>(sizeof...(T)) ? -1 : i;
}();

FUSE_END_NAMESPACE
