// SPDX-License-Identifier: Apache-2.0
//
// A case: a problem by name, an element type and a shape, written "softmax bf16 32768x1024". Plain C++, as everything
// here that says what is to be computed rather than how: the list of cases needs no CUDA and no fuse.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

using index_t = std::int64_t;

enum class Type { f32, bf16, f64, i64, boolean };

constexpr const char* name_of(Type type) {
    constexpr const char* names[] = {"f32", "bf16", "f64", "i64", "bool"};
    return names[static_cast<int>(type)];
}

constexpr index_t size_of(Type type) {
    constexpr index_t sizes[] = {4, 2, 8, 8, 1};
    return sizes[static_cast<int>(type)];
}

inline Type type_named(const std::string& name) {
    for (const Type type : {Type::f32, Type::bf16, Type::f64}) {
        if (name == name_of(type)) {
            return type;
        }
    }
    throw std::invalid_argument("no element type " + name);
}

inline index_t product(const std::vector<index_t>& shape) {
    index_t n = 1;
    for (const index_t extent : shape) {
        n *= extent;
    }
    return n;
}

struct Case {
    std::string problem;
    Type type;
    std::vector<index_t> shape;

    index_t items() const { return product(shape); }
    std::string shape_text() const {
        std::string text;
        for (const index_t extent : shape) {
            text += text.empty() ? "" : "x";
            text += std::to_string(extent);
        }
        return text;
    }
    std::string key() const { return problem + " " + name_of(type) + " " + shape_text(); }
};

/// The opposite of key().
inline Case case_named(const std::string& key) {
    const std::size_t a = key.find(' '), b = key.rfind(' ');
    if (a == std::string::npos || a == b) {
        throw std::invalid_argument("a case is \"problem type shape\", not \"" + key + "\"");
    }
    Case c{key.substr(0, a), type_named(key.substr(a + 1, b - a - 1)), {}};
    for (std::size_t at = b + 1; at <= key.size();) {
        const std::size_t end = std::min(key.find('x', at), key.size());
        c.shape.push_back(std::stoll(key.substr(at, end - at)));
        at = end + 1;
    }
    return c;
}

}  // namespace bench
