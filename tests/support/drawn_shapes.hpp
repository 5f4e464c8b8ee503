// SPDX-License-Identifier: Apache-2.0
//
// Shapes that nobody thought of: drawn from a seed, that of the environment variable FUSE_SEED or another one each time,
// which is printed, and stands with every failure.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "fuse/config.hpp"

namespace fuse::testing {

class DrawnShapes {
public:
    DrawnShapes() : seed_(chosen_seed()), random_(seed_) { std::printf("Shapes are drawn with FUSE_SEED=%u\n", seed_); }

    unsigned seed() const { return seed_; }
    /// 0 .. n - 1.
    index_t below(index_t n) { return std::uniform_int_distribution<index_t>(0, n - 1)(random_); }
    /// 1 .. most, as many short ones as long ones; every other one close to a multiple of a power of two.
    index_t length(index_t most) {
        const double exponent =
            std::uniform_real_distribution<double>(0, std::log2(static_cast<double>(most)))(random_);
        auto n = static_cast<index_t>(std::exp2(exponent));
        if (below(2) == 0) {
            const index_t step = index_t{1} << below(1 + static_cast<index_t>(exponent));
            n = n / step * step + below(7) - 3;
        }
        return n < 1 ? 1 : n > most ? most : n;
    }
    /// How many of n elements, mostly few, now and then as many as keep every multiprocessor busy for a while.
    index_t count(index_t n) {
        const index_t most = (below(6) == 0 ? index_t{3} << 20 : index_t{1} << 17) / n;
        return 1 + below(most < 1 ? 1 : most > 20000 ? 20000 : most);
    }

private:
    static unsigned chosen_seed() {
        const char* given = std::getenv("FUSE_SEED");
        return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
    }

    unsigned seed_;
    std::mt19937 random_;
};

}  // namespace fuse::testing
