// SPDX-License-Identifier: Apache-2.0
//
// Catch2, whichever of its two generations is installed. Tests use only what both have; Approx, which version
// 2 leaves in the global namespace, is Catch::Approx in both.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
namespace Catch {
using Detail::Approx;
}
#endif
