// SPDX-License-Identifier: Apache-2.0
//
// roll(x, shift, axes<...>), pad(x, before, after, axes<...>, value): arrays read at other places than they stand, of
// numpy's names and meanings. Both are the same expression of windows on its views (window.hpp), and write nothing.
#pragma once

#include <initializer_list>

#include "fuse/lang/expression_parts.hpp"
#include "fuse/lang/selection.hpp"
#include "fuse/lang/window_parts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A number for each of the axes given, or one for all of them: 1, or {1, 2}.
class PerAxis {
public:
    template <std::integral I>
    constexpr PerAxis(I all) : count_(1), at_{static_cast<index_t>(all)} {}
    FUSE_COLD constexpr PerAxis(std::initializer_list<index_t> each) : count_(static_cast<int>(each.size())) {
        for (int i = 0; i < count_ && i < max_rank; ++i) {
            at_[i] = each.begin()[i];
        }
    }

    /// For axis number i of `axes`. Throws argument_error where there are more or fewer numbers than axes.
    FUSE_COLD index_t of(int i, int axes, const char* function) const {
        if (count_ != 1 && count_ != axes) {
            throw argument_error(Text() << function << ": " << count_ << " numbers for " << axes << " axes");
        }
        return at_[count_ == 1 ? 0 : i];
    }

private:
    int count_;
    index_t at_[max_rank] = {};
};

FUSE_COLD inline Cut roll_cut(index_t extent, index_t shift) {
    const index_t back = extent > 0 ? shift % extent : 0;
    Cut c{back > 0 ? extent - back : -back, 1, extent, extent};
    c.wraps = true;
    return c;
}
FUSE_COLD inline Cut pad_cut(const Shape& shape, ErasedNode e, int axis, index_t before, index_t after) {
    index_t count = 0;
    if (before < 0 || after < 0) {
        throw argument_error(Text() << "pad: " << before << " and " << after << " elements at the ends of axis " << axis
                                    << " of " << text_of(e) << shape << ": slice takes elements away");
    }
    if (__builtin_add_overflow(before, after, &count) || __builtin_add_overflow(count, shape[axis], &count)) {
        throw argument_error(Text() << "pad: more elements than can be counted");
    }
    return {-before, 1, count, shape[axis]};
}

/// Axis number I of those chosen, and the following ones.
template <int I, int... Axis, class E>
auto rolled(const E& e, const PerAxis& shift) {
    if constexpr (I == sizeof...(Axis)) {
        return e;
    } else {
        constexpr int given[] = {Axis...};
        constexpr int axis = axis_of<given[I], E::rank>;
        const Cut c = roll_cut(shape_of(e)[axis], shift.of(I, sizeof...(Axis), "roll"));
        const auto result = cut<axis, how_moved<Moving::round, 0>>(e, c);
        if constexpr (is_part<E>) {
            return rolled<I + 1, Axis...>(result, shift);
        } else {
            return rolled<I + 1, Axis...>(make_part<1>(result), shift);
        }
    }
}

/// e moved along an axis where the cut leads into it, and `fill` elsewhere.
template <int Axis, Moving Way, class E, class Fill>
auto filled_around(const E& e, const Cut& c, const Fill& fill) {
    constexpr bool divides = Way == Moving::apart;
    return make_part<1>(where(inside_mask<E::rank - 1 - Axis, divides>(c), cut<Axis, how_moved<Way, 0>>(e, c), fill));
}
template <int I, class Fill, int... Axis, class E>
auto padded(const E& e, const PerAxis& before, const PerAxis& after, const Fill& fill) {
    if constexpr (I == sizeof...(Axis)) {
        return e;
    } else {
        constexpr int given[] = {Axis...};
        constexpr int axis = axis_of<given[I], E::rank>;
        const Cut c = pad_cut(shape_of(e), erase(e), axis, before.of(I, sizeof...(Axis), "pad"),
                              after.of(I, sizeof...(Axis), "pad"));
        return padded<I + 1, Fill, Axis...>(filled_around<axis, Moving::beyond>(e, c, fill), before, after, fill);
    }
}
template <class Fill, class E, int... Axis>
auto padded_along(const E& e, const PerAxis& before, const PerAxis& after, const Fill& fill,
                  flip_axes<std::integer_sequence<int, Axis...>>) {
    return padded<0, Fill, Axis...>(e, before, after, fill);
}

}  // namespace detail

/// x with its elements shifted along axes, those beyond an end coming back at the other (numpy.roll): element i is that
/// at i - shift. shift: any number, or one for each axis, {1, -2}. Without axes of one axis alone. Throws argument_error
/// for more or fewer numbers than axes.
template <Expression E, int... Axis>
auto roll(const E& x, detail::PerAxis shift, [[maybe_unused]] axes_t<Axis...> along = {}) {
    if constexpr (E::rank == 0) {
        static_assert(E::rank > 0, "fuse: roll needs an axis: its operand is a scalar");
        return detail::refused();
    } else {
        static_assert(E::rank < 2 || sizeof...(Axis) > 0, "fuse: roll of several axes: say which, roll(x, 1, axes<0>)");
        FUSE_CHECK_AXES(E::rank, axes_t<Axis...>);
        constexpr int refused =
            detail::axis_of<detail::chosen_axes<E::rank, Axis...>::template first_refused<E>, E::rank>;
        FUSE_CHECK_PART(refused, E);
        constexpr int moves = sizeof...(Axis) == 0 ? 1 : sizeof...(Axis);
        FUSE_CHECK_MOVES(E, moves);
        if constexpr (!detail::has_part<refused, E> || detail::most_moves<E> + moves > 15) {
            return detail::refused();
        } else if constexpr (sizeof...(Axis) == 0) {
            return detail::rolled<0, 0>(x, shift);
        } else {
            return detail::rolled<0, Axis...>(x, shift);
        }
    }
}

#define FUSE_REFUSE_ROLL "fuse: the axes of roll are axes<...>, not numbers: roll(x, 1, axes<0>)"
template <Expression E, class A>
    requires(!AxesOption<A>)
auto roll(const E&, detail::PerAxis, const A&) {
    static_assert(sizeof(E) == 0, FUSE_REFUSE_ROLL);
    return detail::refused();
}
template <Expression E, int N>
auto roll(const E&, detail::PerAxis, const int (&)[N]) {
    static_assert(sizeof(E) == 0, FUSE_REFUSE_ROLL);
    return detail::refused();
}
#undef FUSE_REFUSE_ROLL

/// x with `before` and `after` further elements at the ends of axes, all of them if none is given, which are `value`
/// (numpy.pad of mode constant, torch.nn.functional.pad). before, after: numbers, or one for each axis, {1, 0}. Throws
/// argument_error for negative ones, and for more or fewer than axes.
template <Expression E, int... Axis, Number V = int>
auto pad(const E& x, detail::PerAxis before, detail::PerAxis after, [[maybe_unused]] axes_t<Axis...> along = {},
         V value = 0) {
    if constexpr (E::rank == 0) {
        static_assert(E::rank > 0, "fuse: pad needs an axis: its operand is a scalar");
        return detail::refused();
    } else {
        FUSE_CHECK_AXES(E::rank, axes_t<Axis...>);
        using number = typename detail::NumbersOf<value_t<E>>::type;
        static_assert(!std::is_void_v<number>, "fuse: pad adds numbers, and these elements are structs: pad what is "
                                               "computed of them, pad(map([](auto v) { return v.a; }, s), 1, 1)");
        using chosen = detail::chosen_axes<E::rank, Axis...>;
        constexpr int refused = detail::axis_of<chosen::template first_refused<E>, E::rank>;
        FUSE_CHECK_PART(refused, E);
        FUSE_CHECK_MOVES(E, chosen::count);
        if constexpr (!detail::has_part<refused, E> || detail::most_moves<E> + chosen::count > 15 ||
                      std::is_void_v<number>) {
            return detail::refused();
        } else {
            // Beside complex numbers one of their parts.
            return detail::padded_along(x, before, after, scalar(from_compute<number>(to_compute(value))), chosen{});
        }
    }
}

namespace detail {
/// Whether what follows the elements before is neither those after nor {}.
template <class... A>
inline constexpr bool lacks_after = true;
template <class First, class... More>
inline constexpr bool lacks_after<First, More...> = !std::is_convertible_v<First, PerAxis>;
}  // namespace detail

#define FUSE_REFUSE_PAD                                                                                                \
    "fuse: pad takes the elements before, those after, axes and their value: pad(x, 1, 1), pad(x, 1, 1, axes<1>, "     \
    "0.5), for all axes pad(x, 1, 1, {}, 0.5)"
template <Expression E, class... A>
    requires detail::lacks_after<A...>
auto pad(const E&, detail::PerAxis, const A&...) {
    static_assert(sizeof(E) == 0, FUSE_REFUSE_PAD);
    return detail::refused();
}
template <Expression E, Number V, class... More>
auto pad(const E&, detail::PerAxis, detail::PerAxis, V, const More&...) {
    static_assert(sizeof(E) == 0, FUSE_REFUSE_PAD);
    return detail::refused();
}
#undef FUSE_REFUSE_PAD

FUSE_END_NAMESPACE
