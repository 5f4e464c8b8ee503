// SPDX-License-Identifier: Apache-2.0
//
// What the entries of other libraries on the CPU share.
#pragma once

#include <cmath>
#include <vector>

#include "../contest.hpp"

namespace bench {

/// From so many elements on the peers that spread their loops over the cores do so.
inline constexpr index_t worth_threads = index_t{1} << 17;

/// body(setup) is the whole work on arrays of float, or of another type.
template <class Body>
AddEntry enter(const char* problem, const char* library, Body body, Type type = Type::f32) {
    return AddEntry(
        {problem, type, library, [body](const Setup& s) -> Launch { return [&s, body](int) { body(s); }; }});
}

/// The C library's functions; transform(first, last, result, f) is how the library applies them.
template <class Transform>
std::vector<AddEntry> enter_functions(const char* library, Transform transform) {
    const auto function = [library, transform](const char* problem, auto f) {
        return enter(problem, library, [transform, f](const Setup& s) {
            const float* x = s.at<float>("x", 0);
            transform(x, x + s.extent(0), s.at<float>("y", 0), f);
        });
    };
    return {
        function("exp", [](float x) { return std::exp(x); }),      function("log", [](float x) { return std::log(x); }),
        function("tanh", [](float x) { return std::tanh(x); }),    function("erf", [](float x) { return std::erf(x); }),
        function("sin", [](float x) { return std::sin(x); }),      function("cos", [](float x) { return std::cos(x); }),
        function("pow", [](float x) { return std::pow(x, 2.5F); })};
}

}  // namespace bench
