// SPDX-License-Identifier: Apache-2.0
//
// What a launch and its kernel say of each other.
#pragma once

#include <string>

#include "fuse/fuse.hpp"

namespace fuse::testing {

/// What the launch says of its kernel and the kernel of itself must agree. Empty: they do.
template <class K>
std::string disagreement(const Launch& l) {
    const auto differ = [](const char* what, long long launch, long long kernel) {
        return std::string(what) + ": " + std::to_string(launch) + " in the launch, " + std::to_string(kernel) +
               " in the kernel";
    };
    if (l.vector != K::vector) {
        return differ("items per vector", l.vector, K::vector);
    }
    if (l.vectors != K::vectors) {
        return differ("vectors per thread", l.vectors, K::vectors);
    }
    if constexpr (requires { K::max_threads; }) {
        if (l.threads() == 0 || l.threads() > static_cast<unsigned>(K::max_threads)) {
            return differ("threads of a block", l.threads(), K::max_threads);
        }
    }
    return {};
}

}  // namespace fuse::testing
