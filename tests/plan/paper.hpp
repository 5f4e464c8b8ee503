// SPDX-License-Identifier: Apache-2.0
//
// Launches planned on paper: statements over views of memory that does not exist, of any size, prepared for an
// imaginary device and never run.
#pragma once

#include <cstdio>
#include <string>

#include "fuse/exec/ladder.hpp"
#include "fuse/exec/prepare.hpp"
#include "fuse/fuse.hpp"

namespace fuse::testing {

/// An H200.
inline constexpr Device large_device{
    .units = 132, .threads_per_unit = 2048, .block_threads = 1024, .shared_bytes = 227 * 1024};

/// Where array number i would be: far from all others, aligned as memory from an allocator is.
template <class T>
T* paper(int i) {
    return reinterpret_cast<T*>((static_cast<std::uintptr_t>(i) + 1) << 50U);
}

template <class... S>
auto plan_launch(const S&... statements) {
    return Prepared<false, S...>(
        boost::hana::tuple<S...>(statements...),
        []<class Facts>(Facts, const Layout& layout) { return choose<Facts>(layout, Policy{}, large_device); },
        [](const auto&) {});
}

inline std::string to_text(const Strategy& s) {
    char line[128];
    std::snprintf(line, sizeof line, "%-16s %dx%-2d block %3ux%-3u grid %-9lld group %lld", to_string(s.kernel),
                  s.vectors, s.vector, s.dim_x, s.dim_y, static_cast<long long>(s.grid),
                  static_cast<long long>(s.group));
    return line;
}

}  // namespace fuse::testing
