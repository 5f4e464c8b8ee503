// SPDX-License-Identifier: Apache-2.0
//
// Windows in the intermediate form: a call of a functor that reads memory at a coordinate. Its operands are what kernels
// know of the window, which has extents and moves with no sweep, the offset along the axes where it stands as it lies,
// and the coordinates along the others. So a kernel needs nothing for it that index<> does not need.
#pragma once

#include "fuse/lang/window.hpp"
#include "fuse/plan/kernel_form.hpp"
#include "fuse/plan/lower.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Id, class T, bool Divides, int... Depth, std::uint64_t Axes>
struct node_data<ir::Leaf<Id, WindowElement<T, Divides, Depth...>, Axes>> : made_of_nothing {
    static constexpr std::uint32_t axes = AxisMap::unpack(Axes).mask();
    static constexpr NodeData value{.kind = NodeKind::extents, .axes = axes, .varies = axes};
};
template <class Leaf, std::uint32_t Mask>
struct node_data<ir::PlainOffset<Leaf, Mask>> : made_of_nothing {
    static constexpr NodeData value{.kind = NodeKind::index, .axes = Mask, .varies = Mask};
};

template <class Id, class T, bool Divides, int... Depth, std::uint64_t Axes, unsigned Along>
struct kernel_leaf<ir::Leaf<Id, WindowElement<T, Divides, Depth...>, Axes>, Along> {
    using type = kir::ScalarLeaf<WindowElement<T, Divides, Depth...>>;
};
template <class Leaf, std::uint32_t Mask, unsigned Along>
struct kernel_leaf<ir::PlainOffset<Leaf, Mask>, Along> {
    using type = kir::IndexLeaf<(Along & kir::kept_axes) != 0, (Along & kir::walked_axes) != 0, false>;
};

/// W with its axes in the domain where Axes says, identified by Id.
template <class W, class Id, std::uint64_t Axes>
struct window_form {
    static constexpr AxisMap domain = AxisMap::unpack(Axes);
    using leaf = ir::Leaf<Id, typename W::element, Axes>;
    /// Along moved axis number K of the source: that of the domain, one for all windows. One that the domain stretches does
    /// not look at it (Window::value).
    template <int K>
    using coordinate = ir::Index<domain.axis[W::axes.axis[W::moved_axis(K)]], type_list<>>;
    /// Axes of the domain along which it stands as it lies.
    static constexpr std::uint32_t plain = [] {
        std::uint32_t mask = 0;
        for (int i = 0; i < W::axes.rank; ++i) {
            const int own = W::axes.axis[i];
            const bool lies = own != AxisMap::open && W::moves.axis[i] == 0 && W::static_shape[own] != 1;
            mask |= lies && W::in_memory ? 1U << domain.axis[own] : 0;
        }
        return mask;
    }();

    template <class Sequence>
    struct call;
    template <int... K>
    struct call<std::integer_sequence<int, K...>> {
        using read = std::conditional_t<
            plain == 0, ir::Call<ReadWindow<false>, stateless_id, leaf, coordinate<K>...>,
            ir::Call<ReadWindow<true>, stateless_id, leaf, ir::PlainOffset<leaf, plain>, coordinate<K>...>>;
        using type =
            std::conditional_t<W::in_memory, read, ir::Call<InsideWindow<>, stateless_id, leaf, coordinate<K>...>>;
    };
    using type = typename call<std::make_integer_sequence<int, W::moved>>::type;
};

}  // namespace detail

template <class T, class Name, std::uint64_t Own, std::uint64_t Moves, WindowKind Kind, index_t... E,
          std::uint64_t Axes, class Space, class Position, int D>
struct Lower<Window<T, Name, Own, Moves, Kind, E...>, Axes, Space, Position, D> {
    using node = Window<T, Name, Own, Moves, Kind, E...>;
    using form = detail::window_form<node, typename Position::id, Axes>;
    using type = typename form::type;
    static constexpr detail::Refusal refusal = detail::Refusal::none;
    template <class Sink>
    static void walk(const node& window, Sink& sink) {
        sink.template leaf<typename form::leaf>(window);
        sink.nodes().node(window);
    }
};

FUSE_END_NAMESPACE
