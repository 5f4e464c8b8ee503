// SPDX-License-Identifier: Apache-2.0
//
// Compiler facts that every other header needs: how a function is marked for host and device, the index type,
// and the versioned namespace. Nothing here depends on the CUDA toolkit, so a .cpp file compiles without it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fuse/version.hpp"

// Where a host compiler does not optimise, or instruments, inlining gains nothing and doubles the time to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FUSE_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FUSE_INSTRUMENTED 1
#endif
#endif
#if defined(__OPTIMIZE__) && !defined(FUSE_INSTRUMENTED)
#define FUSE_ALWAYS_INLINE __attribute__((always_inline))
#else
#define FUSE_ALWAYS_INLINE
#endif

#if defined(__CUDACC__)
#define FUSE_HOST_DEVICE __host__ __device__
#define FUSE_HD __host__ __device__ __forceinline__
#else
#define FUSE_HOST_DEVICE
#define FUSE_HD inline FUSE_ALWAYS_INLINE
#endif

// Host code around a launch (messages, checks, layout, choice): out of the way of the optimiser and the inliner,
// which would spend most of a file's compile time on it to save nanoseconds of a call that takes microseconds.
// g++ runs all passes of -O3 over cold code, too: at -O1 a file with one expression takes an eighth less of it. What its
// analysis of pointers and some other passes find out there does not pay for itself either: without them such code is as fast
// within 2 percent (planning a softmax 1.1 us). Of what is rare, messages, which are made before an exception and for
// explain(), what is asked of a device once, and what chooses threads for rows of a new shape, nothing is worth optimising:
// another 2 percent of what g++ takes.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define FUSE_COLD                                                                                                      \
    __attribute__((cold, noinline,                                                                                     \
                   optimize("O1", "no-tree-pta", "no-tree-dominator-opts", "no-tree-fre", "no-tree-ccp", "no-dse",     \
                            "no-tree-dse", "no-forward-propagate", "no-ipa-modref", "no-if-conversion",                \
                            "no-cprop-registers", "no-tree-loop-optimize")))
#define FUSE_RARE __attribute__((cold, noinline, optimize("O0")))
#else
#define FUSE_COLD __attribute__((cold, noinline))
#define FUSE_RARE __attribute__((cold, noinline))
#endif

// What runs for long, though it is called where things happen once: g++ takes a function that cold ones alone call for
// cold itself, and compiles its loops for size.
#if defined(__GNUC__)
#define FUSE_HOT __attribute__((hot, noinline))
#else
#define FUSE_HOT
#endif

// The same of what code with wider vectors than its own calls. g++ that knows which registers the function leaves alone calls it
// without clearing the upper halves first, with which each of its vector instructions takes several times as long.
#if defined(__GNUC__) && !defined(__clang__)
#define FUSE_HOT_APART FUSE_HOT __attribute__((noipa))
#else
#define FUSE_HOT_APART FUSE_HOT
#endif

// Lambdas inside host-and-device functions need no marking under nvcc; elsewhere they must be inlined so that the loop
// around them vectorises.
#if defined(__CUDACC__)
#define FUSE_INLINE_LAMBDA
#else
#define FUSE_INLINE_LAMBDA FUSE_ALWAYS_INLINE
#endif

// Loops over register arrays must be unrolled on the device, or the array moves to local memory. Host compilers
// vectorise the rolled loop instead. Rare ways through a kernel stay rolled: what they would hold in registers is taken
// from the common way.
#if defined(__CUDA_ARCH__)
#define FUSE_ON_DEVICE 1
#define FUSE_UNROLL _Pragma("unroll")
#define FUSE_NO_UNROLL _Pragma("unroll 1")
#else
#define FUSE_ON_DEVICE 0
#define FUSE_UNROLL
#define FUSE_NO_UNROLL
#endif

// What only kernels of a device are made of is read where such a kernel may run, on an emulated device as well. nvcc reads a
// file once more for its host half, which launches kernels and never calls them: there such code would cost parsing alone.
#if defined(__NVCC__) && !defined(__CUDA_ARCH__)
#define FUSE_HAS_DEVICE_BODIES 0
#else
#define FUSE_HAS_DEVICE_BODIES 1
#endif

// Before a loop none of whose steps reads memory that another one writes. g++ at -O2 makes vectors of no loop that it would
// have to ask about that when it runs; clang++ asks.
#if defined(__GNUC__) && !defined(__clang__)
#define FUSE_STEPS_APART _Pragma("GCC ivdep")
#else
#define FUSE_STEPS_APART
#endif

// g++ at -O3 takes loops of up to 16 steps apart before it looks for vectors, and then finds none: those over the lanes of a
// vector stay loops.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define FUSE_LANES _Pragma("GCC unroll 1")
#else
#define FUSE_LANES
#endif

// A user's function that is not marked for the device, called where a kernel calls it, is a warning of nvcc's, and the
// kernel then does nothing there. Within the library's templates it is an error.
#if defined(__NVCC__) && defined(__CUDACC__)
#define FUSE_STRICT_CALLS_BEGIN _Pragma("nv_diagnostic push") _Pragma("nv_diag_error 20011, 20013, 20014, 20015")
#define FUSE_STRICT_CALLS_END _Pragma("nv_diagnostic pop")
#else
#define FUSE_STRICT_CALLS_BEGIN
#define FUSE_STRICT_CALLS_END
#endif

// std::is_trivially_destructible_v asks a dozen templates of each type: 0.4 percent of what clang++ does for an eval.
#if defined(__clang__)
#define FUSE_IS_TRIVIALLY_DESTRUCTIBLE(type) __is_trivially_destructible(type)
#else
#define FUSE_IS_TRIVIALLY_DESTRUCTIBLE(type) __has_trivial_destructor(type)
#endif

// A function that is there to say what to write instead: the compiler refuses the call, on the line of the call. Not
// defined where the compiler does not know the attribute (nvcc, g++ before 12): a static_assert in the function's body
// says it there, after the lines about where the body is.
#if defined(__has_attribute) && !defined(__CUDACC__)
#if __has_attribute(unavailable)
#define FUSE_UNAVAILABLE(sentence) __attribute__((unavailable(sentence)))
#endif
#endif

#define FUSE_BEGIN_NAMESPACE                                                                                           \
    FUSE_STRICT_CALLS_BEGIN                                                                                            \
    namespace fuse {                                                                                                   \
    inline namespace FUSE_VERSION_NAMESPACE {
#define FUSE_END_NAMESPACE                                                                                             \
    }                                                                                                                  \
    }                                                                                                                  \
    FUSE_STRICT_CALLS_END

FUSE_BEGIN_NAMESPACE

/// Extents, strides (in elements) and linear indices: 64-bit everywhere in the interface.
using index_t = std::int64_t;

/// Largest number of axes of a view or an expression.
inline constexpr int max_rank = 8;

FUSE_END_NAMESPACE
