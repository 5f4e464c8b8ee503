// SPDX-License-Identifier: Apache-2.0
//
// The random items of an array, the same on the CPU and on the GPU, on every run: functions of an index and a seed.
#pragma once

#include <cstring>

#include "problem.hpp"

#if defined(__CUDACC__)
#define BENCH_HD __host__ __device__
#else
#define BENCH_HD
#endif

namespace bench {

/// Uniform in [0, 1), by splitmix64.
BENCH_HD inline double uniform(std::uint64_t i, std::uint64_t seed) {
    std::uint64_t z = (i + (seed << 40)) * 0x9e3779b97f4a7c15ULL + seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Writes items of an array as it wants to be filled.
struct Filler {
    Fill fill;
    Type type;
    double low, high;
    std::uint64_t seed;

    Filler(const Array& a, std::uint64_t s) : fill(a.fill), type(a.type), low(a.low), high(a.high), seed(s) {}

    template <class T>
    static BENCH_HD void store(void* array, index_t i, T item) {
        static_cast<T*>(array)[i] = item;
    }
    BENCH_HD void write(void* array, index_t i) const {
        const double u = uniform(static_cast<std::uint64_t>(i), seed), v = low + (high - low) * u;
        if (fill == Fill::mask) {
            store(array, i, u < high);
        } else if (fill == Fill::targets) {
            const bool ignored = uniform(static_cast<std::uint64_t>(i), seed + 101) < low;
            store(array, i, ignored ? std::int64_t{-100} : static_cast<std::int64_t>(u * high));
        } else if (type == Type::f64) {
            store(array, i, v);
        } else if (type == Type::f32) {
            store(array, i, static_cast<float>(v));
        } else {
            // bf16 is the upper half of a float, rounded half to even: no library's type is needed.
            const auto value = static_cast<float>(v);
            std::uint32_t bits;
            memcpy(&bits, &value, sizeof(bits));
            store(array, i, static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16));
        }
    }
};

}  // namespace bench
