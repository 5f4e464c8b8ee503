// SPDX-License-Identifier: Apache-2.0
//
// Whether ThreadSanitizer watches this program. It sees a race in any order of the threads and whatever the values are,
// and takes fifty times as long: sweeps over sizes, seeds and orders are shorter there, and those over block shapes have
// one shape of each kind (parts of warps, whole warps, a partial last warp; rows within and across warps).
#pragma once

namespace fuse::testing {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool under_thread_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool under_thread_sanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

}  // namespace fuse::testing
