// SPDX-License-Identifier: Apache-2.0
//
// fuse::cuda in a file that nvcc does not compile: no executor, and eval says why.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Takes what CudaExecutor takes.
struct NoCuda {
    template <class... A>
    constexpr NoCuda on(const A&...) const {
        return {};
    }
    template <class... A>
    constexpr NoCuda with(const A&...) const {
        return {};
    }
};

}  // namespace detail

/// Not inline: one program may hold the executor of this name as well.
[[maybe_unused]] static constexpr detail::NoCuda cuda{};

template <class... T, class... A>
auto device_tensor(const A&...) {
    static_assert(
        sizeof...(T) + sizeof...(A) == 0,
        "fuse: device_tensor needs nvcc, and this file is compiled without it: name it .cu (CMake: LANGUAGES CUDA)");
    return 0;
}

FUSE_END_NAMESPACE
