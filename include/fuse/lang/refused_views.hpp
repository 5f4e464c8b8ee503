// SPDX-License-Identifier: Apache-2.0
//
// Calls of view that make none. Of the right calls the functions of view.hpp are closer. After the error one element
// stands in, so that no second error follows.
#pragma once

#include <initializer_list>

#include "fuse/lang/view.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// std::vector<bool>: a container without addresses of elements.
template <class R>
concept Bits = !Contiguous<R> && requires(R & r) {
    r.flip();
    r.size();
    requires std::is_same_v<typename R::value_type, bool>;
};

/// What may be meant as data, or as an extent in its place. Other libraries' arrays have functions of their own.
template <class... A>
inline constexpr bool may_be_meant = false;
template <class First, class... More>
inline constexpr bool may_be_meant<First, More...> = Contiguous<First> || Bits<First> || std::is_array_v<First> ||
                                                     std::is_pointer_v<First> || std::is_arithmetic_v<First> ||
                                                     std::is_null_pointer_v<First> || requires(First iterator) {
    *iterator;
    ++iterator;
};

/// What the elements of a view of First would be.
template <class First>
struct element_of {
    using type = std::remove_pointer_t<std::decay_t<First>>;
};
template <Contiguous First>
struct element_of<First> {
    using type = std::remove_pointer_t<decltype(std::declval<First&>().data())>;
};
enum class ViewFault { pointer_alone, text, bits, array_of_arrays, elements, rank, other };

template <class First, class... More>
constexpr ViewFault view_fault_of() {
    using element = typename element_of<First>::type;
    return std::is_array_v<First> && std::is_same_v<element, const char> ? ViewFault::text
           : Bits<First>                                                 ? ViewFault::bits
           : std::is_array_v<element>                                    ? ViewFault::array_of_arrays
           : !Element<element>                                           ? ViewFault::elements
           : std::is_pointer_v<First> && sizeof...(More) == 0            ? ViewFault::pointer_alone
           : sizeof...(More) > max_rank                                  ? ViewFault::rank
                                                                         : ViewFault::other;
}
template <class... A>
inline constexpr ViewFault view_fault = view_fault_of<A...>();

template <class R>
concept OwningTemporary = !std::is_lvalue_reference_v<R> &&
                          (std::is_array_v<std::remove_reference_t<R>> || HasView<std::remove_reference_t<R>> ||
                           (Range<std::remove_reference_t<R>> && !BorrowedRange<R>));
/// Compilers show it with the function that they refuse.
struct a_temporary_would_be_gone_before_the_expression_runs__give_it_a_name {};

template <class... A>
inline constexpr bool begins_with_temporary = false;
template <class First, class... More>
inline constexpr bool begins_with_temporary<First, More...> = OwningTemporary<First>;

template <class Name, class... A>
concept NoView = !begins_with_temporary<A...> && may_be_meant<std::remove_cvref_t<A>...> && !requires {
    make_view<Name>(std::declval<A>()...);
};

/// One element: nothing that is done with it is a second error.
inline View<float, unnamed> no_view() {
    return {nullptr, Shape{}, Shape{}};
}

}  // namespace detail

/// The sentences about view(A...). A macro, because static_assert takes no text but a literal, and these have to
/// stand in the function that the user has called.
#define FUSE_REFUSE_VIEW(A)                                                                                            \
    using fault = ::fuse::detail::ViewFault;                                                                           \
    constexpr fault is = ::fuse::detail::view_fault<std::remove_reference_t<A>...>;                                    \
    static_assert(is != fault::pointer_alone,                                                                          \
                  "fuse: a pointer alone has no extents: view(p, n) has n elements, view(p, fuse::shape()) has one");  \
    static_assert(is != fault::text, "fuse: the name of a view is a template argument: view<\"x\">(p, rows, cols)");   \
    static_assert(is != fault::bits,                                                                                   \
                  "fuse: std::vector<bool> has bits, not elements that a view could point to: take "                   \
                  "std::vector<unsigned char>, or fuse::tensor<bool>(rows, cols)");                                    \
    static_assert(is != fault::array_of_arrays,                                                                        \
                  "fuse: a view of an array of arrays is view(a), without extents, or begins at its first element");   \
    static_assert(is != fault::elements, "fuse: a view's element type must be trivially copyable");                    \
    static_assert(is != fault::rank, "fuse: at most 8 axes");                                                          \
    static_assert(                                                                                                     \
        is != fault::other,                                                                                            \
        "fuse: view takes a pointer and its extents, integers, view<\"x\">(p, rows, cols), or a container or "         \
        "array alone, view<\"x\">(v); strides(...) are as many as the extents")

#define FUSE_NO_LIST                                                                                                   \
    "fuse: the extents of a view stand one by one, view<\"x\">(p, 2, 3), or in view<\"x\">(p, fuse::shape(2, 3))"

template <fixed_name N, class... A>
    requires detail::NoView<name_t<N>, A...>
auto view(A&&...) {
    FUSE_REFUSE_VIEW(A);
    return detail::no_view();
}
template <class... A>
    requires detail::NoView<unnamed, A...>
auto view(A&&...) {
    FUSE_REFUSE_VIEW(A);
    return detail::no_view();
}

template <class T, class... A>
    requires(sizeof...(A) > 0 && !requires { make_view<unnamed>(std::declval<T>(), std::declval<A>()...); })
auto view(A&&...) {
    static_assert(sizeof(T) == 0, "fuse: a view's template argument is its name, its elements are those of the "
                                  "pointer: view<\"x\">(p, rows, cols)");
    return detail::no_view();
}

template <fixed_name N, class R>
auto view(R&&, std::initializer_list<index_t>) {
    static_assert(sizeof(R) == 0, FUSE_NO_LIST);
    return detail::no_view();
}
template <class R>
auto view(R&&, std::initializer_list<index_t>) {
    static_assert(sizeof(R) == 0, FUSE_NO_LIST);
    return detail::no_view();
}

/// An owning temporary is no operand, with extents or without, and what asks whether it is one gets no error.
template <fixed_name N, class R, class... A,
          class = detail::a_temporary_would_be_gone_before_the_expression_runs__give_it_a_name>
    requires detail::OwningTemporary<R>
void view(R&&, const A&...) = delete;
template <class R, class... A, class = detail::a_temporary_would_be_gone_before_the_expression_runs__give_it_a_name>
    requires detail::OwningTemporary<R>
void view(R&&, const A&...) = delete;
/// Nor are elements in braces.
template <fixed_name N, class T, class... A,
          class = detail::a_temporary_would_be_gone_before_the_expression_runs__give_it_a_name>
void view(std::initializer_list<T>, const A&...) = delete;
template <class T, class... A, class = detail::a_temporary_would_be_gone_before_the_expression_runs__give_it_a_name>
void view(std::initializer_list<T>, const A&...) = delete;

FUSE_END_NAMESPACE
