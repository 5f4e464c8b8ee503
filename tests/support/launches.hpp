// SPDX-License-Identifier: Apache-2.0
//
// What a launch and its kernel say of each other, and how many tiles a launch must have.
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

/// Tiles of columns that a launch on the GPU has to walk: each column of each index along the kept axes lies in one.
inline index_t column_tiles(const Layout& layout, const Launch& l) {
    const index_t vector = l.vector;
    const index_t threads = l.dim_x;
    if (!packs_columns(layout.packing)) {
        return ceil_div(layout.x_size, threads * vector) * layout.kept_size;
    }
    if (layout.vectors && layout.x_size % vector == 0) {  // a thread has neighbours
        return ceil_div(layout.x_size / vector * layout.kept_size, threads);
    }
    if (layout.kept.count == 1) {  // the same column of several indices
        return ceil_div(layout.x_size * ceil_div(layout.kept_size, vector), threads);
    }
    return ceil_div(layout.x_size * layout.kept_size, threads);
}

}  // namespace fuse::testing
