// SPDX-License-Identifier: Apache-2.0
//
// Equal types are equal values in a flattened expression, if names are what they are for: a derivative adds up what two
// equal terms hand to their operands, and so may keep one of two views called x alone. What has one name is compared
// before anything is derived.
#pragma once

#include "fuse/exec/checks.hpp"
#include "fuse/exec/name_around.hpp"
#include "fuse/exec/same_bytes.hpp"
#include "fuse/gradient/flatten.hpp"
#include "fuse/lang/window.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether two nodes of one type are the same: throws argument_error if they are not. N: what has an identity beyond
/// its type in a flattened expression.
template <class N>
struct OneIdentity {
    static constexpr bool compares = false;
};
template <class T, class Name, index_t... E>
bool same_view(const View<T, Name, E...>& a, const View<T, Name, E...>& b) {
    return a.data() == b.data() && a.shape() == b.shape() && a.strides() == b.strides();
}
template <class T, class Name, index_t... E>
struct OneIdentity<View<T, Name, E...>> {
    static constexpr bool compares = is_named<Name>;
    static void check(const View<T, Name, E...>& a, const View<T, Name, E...>& b) {
        if (!same_view(a, b)) {
            throw_two_views(Name::text);
        }
    }
};
template <class T, class Name>
struct OneIdentity<Scalar<T, Name>> {
    static constexpr bool compares = is_named<Name>;
    static void check(const Scalar<T, Name>& a, const Scalar<T, Name>& b) {
        if (!same_bytes(a.value, b.value)) {
            throw_two_numbers(Name::text);
        }
    }
};
template <class Tag, class Id, class T, class Name, index_t... E>
struct OneIdentity<Pinned<Tag, Id, View<T, Name, E...>>> {
    using node = Pinned<Tag, Id, View<T, Name, E...>>;
    static constexpr bool compares = true;
    static void check(const node& a, const node& b) {
        if (!same_view(a.expression, b.expression)) {
            throw_two_expressions(name_around<Id>, "views");
        }
    }
};
template <class Tag, class Id, class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind,
          index_t... E>
struct OneIdentity<Pinned<Tag, Id, Window<T, Name, Axes, Moves, Kind, E...>>> {
    using node = Pinned<Tag, Id, Window<T, Name, Axes, Moves, Kind, E...>>;
    static constexpr bool compares = true;
    static void check(const node& a, const node& b) {
        const auto& x = a.expression;
        const auto& y = b.expression;
        const bool same = x.data() == y.data() && x.shape() == y.shape() && same_bytes(x.value(), y.value()) &&
                          x.source().view.shape == y.source().view.shape &&
                          x.source().view.stride == y.source().view.stride;
        if (!same) {
            throw_two_expressions(name_around<Id>, "views");
        }
    }
};
template <class Tag, class Id, class T, class Name>
struct OneIdentity<Pinned<Tag, Id, Scalar<T, Name>>> {
    using node = Pinned<Tag, Id, Scalar<T, Name>>;
    static constexpr bool compares = true;
    static void check(const node& a, const node& b) {
        if (!same_bytes(a.expression.value, b.expression.value)) {
            throw_two_expressions(name_around<Id>, "numbers");
        }
    }
};
template <class Tag, class Id, class F, class... Args>
struct OneIdentity<Pinned<Tag, Id, Map<F, Args...>>> {
    using node = Pinned<Tag, Id, Map<F, Args...>>;
    static constexpr bool compares = true;
    static void check(const node& a, const node& b) {
        if (!same_bytes(a.expression.functor, b.expression.functor)) {
            throw_two_expressions(name_around<Id>, "functors");
        }
    }
};

/// One of each type that has been seen.
class SeenNodes {
public:
    SeenNodes() = default;
    SeenNodes(const SeenNodes&) = delete;
    ~SeenNodes() {
        while (last_ != nullptr) {
            const Seen* const before = last_->before;
            delete last_;
            last_ = before;
        }
    }

    /// e and what it is made of. It outlives this.
    template <class E>
    FUSE_COLD void see(const E& e) {
        if constexpr (OneIdentity<E>::compares) {
            if (const void* const other = find(&type<E>)) {
                OneIdentity<E>::check(*static_cast<const E*>(other), e);
            } else {
                last_ = new Seen{&type<E>, &e, last_};
            }
        }
        e.on_operands([&](const auto&... operand) { (see(operand), ...); });
    }

private:
    struct Seen {
        const void* type;
        const void* node;
        const Seen* before;
    };
    template <class E>
    static constexpr char type = 0;

    const void* find(const void* wanted) const {
        const Seen* at = last_;
        while (at != nullptr && at->type != wanted) {
            at = at->before;
        }
        return at == nullptr ? nullptr : at->node;
    }

    const Seen* last_ = nullptr;
};

}  // namespace detail

FUSE_END_NAMESPACE
