// SPDX-License-Identifier: Apache-2.0
//
// Launches planned on paper: statements over views of memory that does not exist, of any size, prepared for an
// imaginary device and never run.
#pragma once

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "fuse/fuse.hpp"

namespace fuse::testing {

/// An H200.
inline constexpr Device large_device{.units = 132,
                                     .threads_per_unit = 2048,
                                     .block_threads = 1024,
                                     .shared_bytes = 227 * 1024,
                                     .cluster_blocks = 16,
                                     .bulk_copies = true};

/// Where array number i would be: far from all others, aligned as memory from an allocator is.
template <class T>
T* paper(int i) {
    return reinterpret_cast<T*>((static_cast<std::uintptr_t>(i) + 1) << 50U);
}

/// Extents with about `bits` bits together: powers of two, primes, odd numbers, 1.
inline std::vector<index_t> random_extents(std::mt19937_64& engine, int rank, int bits) {
    std::vector<index_t> extents;
    int left = bits;
    for (int i = 0; i < rank; ++i) {
        const int mine = i + 1 == rank ? left : static_cast<int>(engine() % static_cast<unsigned>(left + 1));
        left -= mine;
        const index_t power = index_t{1} << mine;
        const index_t choices[] = {power, power + 1, power - (mine > 1 ? 1 : 0), power / 3 + 1};
        extents.push_back(choices[engine() % 4]);
    }
    std::shuffle(extents.begin(), extents.end(), engine);
    return extents;
}

/// Prepares, and never runs.
template <Target T>
class PaperExecutor : public ExecutorBase<PaperExecutor<T>, T> {
public:
    explicit PaperExecutor(const T& target) : target_(target) {}
    static constexpr const char* name = "paper";
    T target() const { return target_; }

private:
    T target_;
};

template <class... S>
auto plan_launch(const S&... statements) {
    return PaperExecutor<Device>(large_device).prepare(std::tuple<S...>(statements...));
}
template <class... S>
auto plan_host(const S&... statements) {
    return PaperExecutor<Cpu>(Cpu{}).prepare(std::tuple<S...>(statements...));
}

inline std::string to_text(const Launch& l) {
    char line[128];
    std::snprintf(line, sizeof line, "%-16s %dx%-2d block %3ux%-3u grid %-9lld group %lld", l.name, l.vectors, l.vector,
                  l.dim_x, l.dim_y, static_cast<long long>(l.grid), static_cast<long long>(l.group));
    return line + (l.cluster > 1 ? " cluster " + std::to_string(l.cluster) : std::string());
}

}  // namespace fuse::testing
