// SPDX-License-Identifier: Apache-2.0
//
// The vector instructions of host kernels. Compilers for x86-64 take those of its first CPUs, of 128 bits, unless told
// otherwise (-march). So there a kernel is compiled three times, for the instructions of the levels x86-64-v1, v3 and v4
// (System V ABI, AMD64 supplement, section 3.1.1), and the machine that runs the program chooses. A compiler that has been
// told of AVX-512 compiles it once.
#pragma once

#include "fuse/config.hpp"

/// 1 compiles host kernels for vectors of 128, 256 and 512 bits, 0 for those of the compiler's flags alone. On where the
/// compiler optimises for x86-64 and has not been told of AVX2; nvcc's files have those of its flags.
#if !defined(FUSE_HOST_DISPATCH)
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__AVX2__) && !defined(__CUDACC__)
#define FUSE_HOST_DISPATCH 1
#else
#define FUSE_HOST_DISPATCH 0
// g++ tunes for most CPUs with AVX-512 (-march=skylake-avx512, icelake-server) by vectors of 256 bits and by copies and
// zeros of arrays in pieces of 256: loads of 512 bits wait for such pieces to reach the cache. So kernels ask for the
// whole width, and their loops stay loops, not calls of memcpy. Of other options that a program is compiled with g++
// before 12 forgets some in such a function.
#if __GNUC__ >= 12 && !defined(__clang__) && !defined(__CUDACC__) && defined(__x86_64__) && defined(__OPTIMIZE__) &&   \
    defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define FUSE_WIDEST __attribute__((target("prefer-vector-width=512"), optimize("no-tree-loop-distribute-patterns")))
#endif
#endif
#endif
#if !defined(FUSE_WIDEST)
#define FUSE_WIDEST
#endif

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_HOST_DISPATCH

/// Body: a type with a static, inlined run(arguments...). Each compiles it for its own instructions.
template <class Body, class... A>
FUSE_HOT void run_for_128_bits(const A&... arguments) {
    Body::run(arguments...);
}
template <class Body, class... A>
FUSE_HOT __attribute__((target("avx,avx2,bmi,bmi2,fma"))) void run_for_256_bits(const A&... arguments) {
    Body::run(arguments...);
}
template <class Body, class... A>
FUSE_HOT __attribute__((target("avx,avx2,bmi,bmi2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"))) void
run_for_512_bits(const A&... arguments) {
    Body::run(arguments...);
}

/// The widest vectors, in bits, of this machine: 128, 256 or 512.
inline int machine_vector_bits() {
    const bool has_256 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    const bool has_512 = has_256 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                         __builtin_cpu_supports("avx512vl");
    if (has_512) {
        return 512;
    }
    return has_256 ? 256 : 128;
}

/// Body::run for vectors of this machine, of at most so many bits.
template <class Body, class... A>
auto widest(int most_bits) -> void (*)(const A&...) {
    const int own = machine_vector_bits();
    const int bits = own < most_bits ? own : most_bits;
    if (bits >= 512) {
        return run_for_512_bits<Body, A...>;
    }
    if (bits >= 256) {
        return run_for_256_bits<Body, A...>;
    }
    return run_for_128_bits<Body, A...>;
}

#else

template <class Body, class... A>
FUSE_HOT FUSE_WIDEST void run_as_compiled(const A&... arguments) {
    Body::run(arguments...);
}
template <class Body, class... A>
auto widest(int) -> void (*)(const A&...) {
    return run_as_compiled<Body, A...>;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
