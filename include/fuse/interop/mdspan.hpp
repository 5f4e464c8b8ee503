// SPDX-License-Identifier: Apache-2.0
//
// view<"x">(m) of anything with the interface of mdspan: std::mdspan (C++23), cuda::std::mdspan, the
// reference implementation. None of them is included. Static extents stay static.
#pragma once

#include <utility>

#include "fuse/lang/view.hpp"

FUSE_BEGIN_NAMESPACE

/// Strided data behind a plain pointer: rank(), static_extent(i), extent(i), stride(i), data_handle().
template <class M>
concept MdspanLike = requires(const M& m, std::size_t i) {
    { M::rank() } -> std::convertible_to<std::size_t>;
    { M::static_extent(i) } -> std::convertible_to<std::size_t>;
    { m.extent(i) } -> std::convertible_to<index_t>;
    { m.stride(i) } -> std::convertible_to<index_t>;
    { *m.data_handle() } -> std::same_as<typename M::reference>;
    requires std::is_pointer_v<typename M::data_handle_type>;
};

namespace detail {

template <class M>
consteval index_t static_extent_of(std::size_t i) {
    // dynamic_extent is the largest size_t, which no array has.
    return M::static_extent(i) == static_cast<std::size_t>(-1) ? dynamic : static_cast<index_t>(M::static_extent(i));
}

template <class Name, class M, std::size_t... I>
auto view_of_mdspan(const M& m, std::index_sequence<I...>) {
    constexpr int rank = sizeof...(I);
    const Shape extent{rank, {static_cast<index_t>(m.extent(I))...}};
    const Shape stride{rank, {static_cast<index_t>(m.stride(I))...}};
    using T = std::remove_reference_t<typename M::reference>;
    return View<T, Name, static_extent_of<M>(I)...>(m.data_handle(), extent, stride);
}

}  // namespace detail

/// view<"x">(m): not owning, as m itself. An mdspan with layout_stride or a transposed layout is read as it
/// lies.
template <fixed_name N, MdspanLike M>
auto view(const M& m) {
    return detail::view_of_mdspan<name_t<N>>(m, std::make_index_sequence<M::rank()>{});
}
template <MdspanLike M>
auto view(const M& m) {
    return detail::view_of_mdspan<unnamed>(m, std::make_index_sequence<M::rank()>{});
}

FUSE_END_NAMESPACE
