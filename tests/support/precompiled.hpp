// SPDX-License-Identifier: Apache-2.0
//
// What the build reads once for all tests that are not optimised. Tests include what they use all the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

// Where there is what the emulated thread block needs. For clang++ alone, which makes programs of its tests, and reads of
// this only what a test uses.
#if defined(__clang__) && __has_include(<boost/context/detail/fcontext.hpp>)
#include "support/targets.hpp"
#endif
