// SPDX-License-Identifier: Apache-2.0
//
// What the compiler has to offer. Where something is missing, FUSE_SUPPORTED is not defined, and the doors of the
// library (fuse.hpp, primitives.hpp) include nothing: one line instead of thousands.
#pragma once

#if __cplusplus < 202002L || !defined(__cpp_concepts)
#error fuse: needs C++20: add -std=c++20 (CMake: target_compile_features(app PRIVATE cxx_std_20))
#elif !defined(__cpp_exceptions) && !defined(__EXCEPTIONS)
#error fuse: needs exceptions, which carry what is found wrong at run time: remove -fno-exceptions
#else
#define FUSE_SUPPORTED 1
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#warning fuse: with -ffast-math a compiler takes NaN and infinities for numbers: add -fno-finite-math-only
#endif
#endif
