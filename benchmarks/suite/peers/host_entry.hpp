// SPDX-License-Identifier: Apache-2.0
//
// What the entries of other libraries on the CPU share.
#pragma once

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

}  // namespace bench
