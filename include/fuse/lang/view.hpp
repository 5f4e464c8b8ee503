// SPDX-License-Identifier: Apache-2.0
//
// A view: the leaf that reads or writes memory. It is non-owning (pointer, extents, strides) and captured by value.
#pragma once

#include <type_traits>
#include <utility>

#include "fuse/lang/constant.hpp"
#include "fuse/lang/extents.hpp"
#include "fuse/lang/name.hpp"
#include "fuse/lang/print.hpp"
#include "fuse/lang/refused_outputs.hpp"
#include "fuse/lang/scalar.hpp"
#include "fuse/lang/statement.hpp"
#include "fuse/lang/strided.hpp"
#include "fuse/ops/types/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

template <class T, class Name, index_t... E>
class View;

namespace detail {

/// The view that one of the type V becomes, with these static extents: Extents::value.
template <class V, class Extents, class Axes = std::make_integer_sequence<int, Extents::value.rank>>
struct part_view;
template <class T, class Name, index_t... E, class Extents, int... I>
struct part_view<View<T, Name, E...>, Extents, std::integer_sequence<int, I...>> {
    static constexpr std::uint64_t place = Extents::place(place_of_view<Name>(sizeof...(E)));
    using type = View<T, typename name_of_part<Name, place>::type, Extents::value[I]...>;
};

template <class V, int Axis>
struct ExtentsWithout {
    static constexpr Shape value = without(V::static_shape, Axis);
    static constexpr std::uint64_t place(std::uint64_t whole) { return place_without(whole, Axis); }
};

template <class Extents, class V>
auto part(const V& x, const Strided& s) {
    // A null pointer stays one, which eval refuses.
    auto* const data = x.data() == nullptr ? nullptr : x.data() + s.offset;
    return typename part_view<V, Extents>::type(data, s.shape, s.stride);
}

/// What a view may be of.
template <class T>
concept Element = !std::is_array_v<T> && std::is_trivially_copyable_v<storage_t<std::remove_const_t<T>>>;

struct this_rebinds_no_view__write_swap_or_rebind_or_name_the_right_side {};
struct a_view_has_no_iterators__write_sort_of_x__or_take_data_and_size {};

}  // namespace detail

/// A strided array of T (const T for read-only data) with rank sizeof...(E). E are the static extents or `dynamic`.
/// Name is a name<...> type, part_of<...> or `unnamed`. Elements are read as compute_t<T>.
template <class T, class Name, index_t... E>
class [[nodiscard]] View : public node_base {
public:
    using element_type = T;
    using storage_type = storage_t<std::remove_const_t<T>>;
    using value_type = compute_t<storage_type>;
    using name_type = Name;
    static constexpr int rank = sizeof...(E);
    static constexpr int positions = is_named<Name> ? 0 : 1;
    static constexpr bool reads = true;
    static constexpr Shape static_shape{rank, {E...}};
    static_assert(rank <= max_rank && detail::Element<T>, "fuse: make views with view(...), which says what is wrong");

    constexpr View(T* data, const Shape& shape, const Shape& stride) : data_(data), shape_(shape), stride_(stride) {}
    constexpr View(const View&) = default;

    T* data() const { return data_; }
    constexpr extents<E...> shape() const { return {detail::OfThisType{}, run_time_shape()}; }
    /// The same, of a type that costs a compiler less.
    constexpr Shape run_time_shape() const { return shape_.unpack(); }
    /// Strides in elements.
    constexpr Shape strides() const { return stride_.unpack(); }
    index_t extent(int axis) const { return shape_.extent[axis]; }
    /// Number of elements.
    index_t size() const { return run_time_shape().size(); }

    /// x[i]: the view of what stands at i along the first axis, without that axis; a negative i counts from the end.
    /// Throws argument_error where x has no such index.
    template <std::integral I>
        requires(rank > 0)
    auto operator[](I i) const {
        const auto index = static_cast<index_t>(i);
        return detail::part<detail::ExtentsWithout<View, 0>>(*this, detail::select(strided(), 0, index));
    }
    template <Expression I>
    auto operator[](const I&) const {
        static_assert(sizeof(I) == 0,
                      "fuse: x[i] takes an integer: elements where a condition holds are compact(x, x > 0), those at "
                      "places take(x, at, axes<1>); y = where(x > 0, a, y) writes some");
        return detail::refused();
    }
    /// x(i, j): the element itself, which must lie in memory that the CPU can read; negative indices count from the end.
    /// Throws argument_error where x has no such element.
    template <std::integral... I>
        requires(sizeof...(I) == rank)
    T& operator()(I... i) const {
        const index_t index[] = {static_cast<index_t>(i)..., 0};
        const Shape shape = run_time_shape();
        index_t offset = 0;
        for (int axis = 0; axis < rank; ++axis) {
            offset += detail::position_of(shape, Name::text, axis, index[axis]) * stride_.extent[axis];
        }
        return data_[offset];
    }
    template <std::integral... I>
        requires(sizeof...(I) != rank)
    View operator()(I...) const {
        static_assert(
            sizeof...(I) == rank,
            "fuse: x(i, j) is an element, by an index for each axis: a row is x[i], a part slice<1>(x, 0, 3)");
        return *this;
    }
    /// A view is no range: its elements may lie apart, on a GPU. What asks whether it is one gets no error.
    template <class = detail::a_view_has_no_iterators__write_sort_of_x__or_take_data_and_size>
    void begin() const = delete;  // fuse: a view has no iterators: sort(x), or x.data() and x.size()
    template <class = detail::a_view_has_no_iterators__write_sort_of_x__or_take_data_and_size>
    void end() const = delete;  // fuse: a view has no iterators: sort(x), or x.data() and x.size()

    /// What the functions of view_parts.hpp take apart. Throws shape_error where an extent is negative.
    detail::Strided strided() const { return detail::strided(run_time_shape(), strides(), Name::text); }

    constexpr auto with() const { return *this; }
    FUSE_RARE void print(Text& out) const { out << Name::text; }

    /// view = expression is a statement, also between two views of one type: never a rebinding.
    Statement<View, View> operator=(const View& source) const {
        static_assert(!std::is_const_v<T>, "fuse: this view is read-only (its element type is const)");
        return assign(source);
    }
    /// What std::swap, std::sort and vector::erase would call: a statement there would be dropped unseen. Compilers
    /// show the type with the function that they refuse, or quote the line.
    detail::this_rebinds_no_view__write_swap_or_rebind_or_name_the_right_side
    operator=(View&&) & = delete;  // fuse: this rebinds no view: swap(a, b), a.rebind(b), or name the right side
    template <Expression X>
    Statement<View, X> operator=(const X& expression) const {
        static_assert(!std::is_const_v<T>, "fuse: this view is read-only (its element type is const)");
        FUSE_CHECK_STORED(T, X);
        return assign(expression);
    }
    template <class C>
        requires detail::Container<C> || std::is_function_v<C>
    auto operator=(const C&) const {
        static_assert(!std::is_function_v<C>, FUSE_CALL_IT);
        static_assert(std::is_function_v<C>,
                      "fuse: a container is not an operand: a view of it is, y = view<\"v\">(v)");
        return assign(*this);
    }
    /// Fill with one number, converted as what is computed.
    template <Number A>
    auto operator=(A number) const {
        static_assert(!std::is_const_v<T>, "fuse: this view is read-only (its element type is const)");
        return assign(scalar(from_compute<value_type>(to_compute(number))));
    }
    template <long Num, long Den>
    auto operator=(constant_t<Num, Den>) const {
        static_assert(!std::is_const_v<T>, "fuse: this view is read-only (its element type is const)");
        return assign(detail::constant_beside<value_type, Num, Den>{});
    }

    /// Makes this view one of the other's data. No element is copied.
    constexpr void rebind(const View& other) {
        data_ = other.data_;
        shape_ = other.shape_;
        stride_ = other.stride_;
    }
    /// Exchanges what the two are views of, as for a pair of buffers that take turns.
    friend constexpr void swap(View& a, View& b) noexcept {
        const View first = a;
        a.rebind(b);
        b.rebind(first);
    }

private:
    template <class X>
    auto assign(const X& expression) const {
        return Statement<View, X>{*this, expression};
    }

    T* data_;
    detail::PackedShape<rank> shape_;
    detail::PackedShape<rank> stride_;
};

namespace detail {

template <class Name, Element T, index_t... E>
auto make_view(T* data, const extents<E...>& e) {
    return View<T, Name, E...>(data, e, row_major(e));
}

template <class Name, Element T, index_t... E>
auto make_view(T* data, const extents<E...>& e, const strides_t<extents<E...>::rank>& s) {
    return View<T, Name, E...>(data, e, s.value);
}

template <class Name, Element T, std::integral... I>
    requires(sizeof...(I) > 0 && sizeof...(I) <= max_rank)
auto make_view(T* data, I... extent) {
    return make_view<Name>(data, fuse::shape(extent...));
}

/// An array's type says how many elements there are, along each of its axes.
template <class Name, class A>
    requires std::is_array_v<A>
auto make_view(A& array) {
    return []<std::size_t... I>(A & a, std::index_sequence<I...>) {
        using T = std::remove_all_extents_t<A>;
        return make_view<Name>(reinterpret_cast<T*>(&a), fuse::shape(std::extent_v<A, I>...));
    }
    (array, std::make_index_sequence<std::rank_v<A>>{});
}

/// A container or span whose elements lie one after the other, all of them on the host as far as one can know: neither a
/// view, which may have strides, nor an array of the library.
template <class R>
concept Range = Container<R> && !HasView<R>;

/// Whether a temporary may be viewed: it does not own its elements. Owners pass their constness on to the elements.
template <class R>
inline constexpr bool owning =
    !std::is_trivially_copyable_v<R> ||
    !std::is_same_v<decltype(std::declval<R&>().data()), decltype(std::declval<const R&>().data())>;

template <class R>
concept BorrowedRange = Range<std::remove_reference_t<R>> &&
    (std::is_lvalue_reference_v<R> || !owning<std::remove_cvref_t<R>>);

template <class Name, class R>
    requires(BorrowedRange<R>&& Element<std::remove_pointer_t<decltype(std::declval<R&>().data())>>)
auto make_view(R&& range) {
    return make_view<Name>(range.data(), fuse::shape(static_cast<index_t>(range.size())));
}

/// The elements of a contiguous range in row-major order: as many as the extents say, one of which may be -1, which is
/// what is left for it.
template <class Name, class R, index_t... E>
    requires BorrowedRange<R>
auto make_view(R&& range, const extents<E...>& e) {
    using T = std::remove_pointer_t<decltype(range.data())>;
    const Shape shape = fit_range(e, static_cast<index_t>(range.size()), Name::text);
    return View<T, Name, E...>(range.data(), shape, row_major(shape));
}
template <class Name, class R, std::integral... I>
    requires(BorrowedRange<R> && sizeof...(I) > 0)
auto make_view(R&& range, I... extent) {
    return make_view<Name>(range, fuse::shape(extent...));
}
/// Any elements of a contiguous range; none outside.
template <class Name, class R, index_t... E>
    requires BorrowedRange<R>
auto make_view(R&& range, const extents<E...>& e, const strides_t<extents<E...>::rank>& s) {
    check_inside(strided(e, s.value, Name::text), static_cast<index_t>(range.size()));
    return make_view<Name>(range.data(), e, s);
}

template <class Name, class R>
    requires(std::is_lvalue_reference_v<R>&& HasView<std::remove_reference_t<R>>)
auto make_view(R&& owner) {
    return owner.template as_view<Name>();
}

/// The same elements under another name, or none.
template <class Name, class T, class Old, index_t... E>
auto make_view(const View<T, Old, E...>& x) {
    return View<T, Name, E...>(x.data(), x.shape(), x.strides());
}

}  // namespace detail

/// Row-major view: view<"x">(pointer, rows, cols), view<"x">(pointer, y.shape()), or view<"x">(pointer, shape()) for one
/// element (rank 0); of a
/// contiguous range, view<"x">(vector) with one axis or view<"x">(vector, rows, cols), which throws a shape_error unless
/// it has as many elements; of an array with all its axes; of another view, under this name. view(...) without a name is
/// allowed: each occurrence then reads its data itself.
template <fixed_name N, class... A>
auto view(A&&... a) requires requires {
    detail::make_view<name_t<N>>(std::forward<A>(a)...);
}
{ return detail::make_view<name_t<N>>(std::forward<A>(a)...); }
template <class... A>
auto view(A&&... a) requires requires {
    detail::make_view<unnamed>(std::forward<A>(a)...);
}
{ return detail::make_view<unnamed>(std::forward<A>(a)...); }

FUSE_END_NAMESPACE
