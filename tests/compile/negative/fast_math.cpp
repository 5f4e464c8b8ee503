// SPDX-License-Identifier: Apache-2.0
//
// Where NaN and infinities are taken for numbers, isnan is false and nansum NaN; what else -ffast-math does costs digits.
// flags: -ffast-math -Werror
// expect: fuse: with -ffast-math a compiler takes NaN and infinities for numbers
#ifdef FUSE_CONTROL
#undef __FINITE_MATH_ONLY__
#endif
#include <fuse/fuse.hpp>
