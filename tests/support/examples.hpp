// SPDX-License-Identifier: Apache-2.0
//
// The examples of docs/reference, which tests/docs/reference.py writes as calls of these functions: the value of an
// expression has the text that stands behind it on the page.
#pragma once

#include <fuse/nn.hpp>

#include <cstdio>
#include <string>
#include <tuple>
#include <type_traits>

#include "support/catch.hpp"

namespace examples {

/// What a page says of an expression, and where.
struct Said {
    const char* where;
    const char* value;
};

inline std::string text_of(bool v) {
    return v ? "true" : "false";
}
inline std::string text_of(const char* v) {
    return v;
}
inline std::string text_of(const std::string& v) {
    return v;
}
/// Integers as they are, anything else with four digits.
template <class T>
    requires std::is_arithmetic_v<T> std::string text_of(T v) {
        if constexpr (std::is_integral_v<T>) {
            return std::to_string(v);
        } else if (v != v) {
            return "nan";  // whatever its sign
        } else {
            char text[32];
            std::snprintf(text, sizeof(text), "%.4g", static_cast<double>(v));
            return text;
        }
    }
/// (2, 3), and (2,) of one axis, as in Python.
inline std::string text_of(const fuse::Shape& shape) {
    std::string text = "(";
    for (int axis = 0; axis < shape.rank; ++axis) {
        text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
    }
    return text + (shape.rank == 1 ? ",)" : ")");
}
/// [[1, 2], [3, 4]]
template <class T, class Name, fuse::index_t... E>
std::string text_of(const fuse::View<T, Name, E...>& x) {
    if constexpr (sizeof...(E) == 0) {
        return text_of(static_cast<typename fuse::View<T, Name, E...>::value_type>(x()));
    } else {
        std::string text = "[";
        for (fuse::index_t i = 0; i < x.extent(0); ++i) {
            text += (i > 0 ? ", " : "") + text_of(x[i]);
        }
        return text + "]";
    }
}
template <class T, int Rank>
std::string text_of(const fuse::HostTensor<T, Rank>& t) {
    return text_of(fuse::view(t));
}

/// Where the values of an expression go. What is a value already needs no place: a view, a number, a shape.
template <class E>
struct Values {
    explicit Values(const E&) {}
    std::tuple<> statements(const E&) { return {}; }
    std::string text(const E& e) const { return text_of(e); }
};
template <fuse::Expression E>
    requires(!fuse::detail::ViewLike<E>)
struct Values<E> {
    fuse::HostTensor<fuse::value_t<E>, E::rank> values;

    explicit Values(const E& e) : values(shape_of(e)) {}
    auto statements(const E& e) { return std::tuple(fuse::view(values) = e); }
    std::string text(const E&) const { return text_of(values); }
};

/// What is computed is computed by one kernel, which is the cheapest to compile.
template <std::size_t N, class... E>
    requires(sizeof...(E) == N)
void check(const Said (&said)[N], const E&... e) {
    std::tuple<Values<E>...> results{Values<E>(e)...};
    std::apply(
        [&](Values<E>&... values) {
            std::apply(
                []<class... S>(const S&... statements) {
                    if constexpr (sizeof...(S) > 0) {
                        fuse::eval(fuse::host, statements...);
                    }
                },
                std::tuple_cat(values.statements(e)...));
            const Said* next = said;
            const auto compare = [](const Said& one, const std::string& value) {
                INFO(one.where);
                CHECK(value == one.value);
            };
            (compare(*next++, values.text(e)), ...);
        },
        results);
}

}  // namespace examples
