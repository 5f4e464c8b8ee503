// SPDX-License-Identifier: Apache-2.0
//
// The target of the shared test bodies on a GPU: managed arrays, and an eval that waits.
#pragma once

#include "fuse/fuse.hpp"
#include "support/gpu.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

struct CudaTarget {
    template <class T>
    using Array = ManagedBuffer<T>;

    CudaExecutor executor{};

    template <class... S>
    void eval(const S&... statements) const {
        fuse::eval(executor, statements...);
        check_cuda(cudaDeviceSynchronize());
    }
    template <class E>
    auto value(const E& expression) const {
        return fuse::value(executor, expression);
    }
};

}  // namespace fuse::testing
