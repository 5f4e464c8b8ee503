// SPDX-License-Identifier: Apache-2.0
//
// Expressions as text, for error messages and explain(): sum(square(x - t), axes<1>).
#pragma once

#include <string>

#include "fuse/lang/map.hpp"
#include "fuse/lang/reduce.hpp"
#include "fuse/lang/view.hpp"

FUSE_BEGIN_NAMESPACE

inline std::string to_string(const Shape& shape) {
    std::string text = "(";
    for (int axis = 0; axis < shape.rank; ++axis) {
        text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
    }
    return text + ")";
}

namespace detail {

/// The operator of a functor, or null when it is written as a function.
template <class F>
constexpr const char* infix_of() {
    if constexpr (requires { F::infix; }) {
        return F::infix;
    } else {
        return nullptr;
    }
}

template <class F>
std::string functor_name() {
    if constexpr (requires { F::name; }) {
        return F::name;
    } else {
        return "map";
    }
}
inline std::string axes_text(std::uint32_t mask, int rank) {
    std::string text;
    for (int axis = 0; axis < rank; ++axis) {
        if (((mask >> axis) & 1U) != 0) {
            text += (text.empty() ? "axes<" : ", ") + std::to_string(axis);
        }
    }
    return text + ">";
}

}  // namespace detail

template <class T, class Name, index_t... E>
std::string to_string(const View<T, Name, E...>&) {
    return Name::str();
}
template <class T, class Name>
std::string to_string(const Scalar<T, Name>& s) {
    if constexpr (is_named<Name>) {
        return Name::str();
    } else {
        std::string text = std::to_string(s.value);
        if (text.find('.') != std::string::npos) {
            text.erase(text.find_last_not_of('0') + 1);
            text += text.back() == '.' ? "0" : "";
        }
        return text;
    }
}
template <class T, long Num, long Den>
std::string to_string(const Constant<T, Num, Den>&) {
    return Den == 1 ? std::to_string(Num) : std::to_string(Num) + "/" + std::to_string(Den);
}
template <int Axis>
std::string to_string(const Index<Axis>&) {
    return "index<" + std::to_string(Axis) + ">()";
}
template <class F, class... Args>
std::string to_string(const Map<F, Args...>&);
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
std::string to_string(const Reduce<Op, E, Mask, Keep, Acc>&);
template <int Axis, class E>
std::string to_string(const ExpandDims<Axis, E>&);

template <class Name, class E>
std::string to_string(const Named<Name, E>&) {
    return Name::str();
}
template <int Axis, class E>
std::string to_string(const ExpandDims<Axis, E>& n) {
    return "expand_dims<" + std::to_string(Axis) + ">(" + to_string(n.expression) + ")";
}
template <class F, class... Args>
std::string to_string(const Map<F, Args...>& n) {
    const char* infix = sizeof...(Args) == 2 ? detail::infix_of<F>() : nullptr;
    const std::string separator = infix == nullptr ? ", " : std::string(" ") + infix + " ";
    std::string text;
    std::apply([&](const auto&... a) { ((text += (text.empty() ? "" : separator) + to_string(a)), ...); }, n.args);
    return (infix == nullptr ? detail::functor_name<F>() : "") + "(" + text + ")";
}
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
std::string to_string(const Reduce<Op, E, Mask, Keep, Acc>& n) {
    using R = typename Reduce<Op, E, Mask, Keep, Acc>::reduction;
    std::string text;
    if constexpr (requires { R::name; }) {
        text = R::name;
    } else {
        text = "reduce";
    }
    text += "(" + to_string(n.expression);
    if (Mask != (1U << E::rank) - 1U) {
        text += ", " + detail::axes_text(Mask, E::rank);
    }
    return text + (Keep ? ", keepdims)" : ")");
}

FUSE_END_NAMESPACE
