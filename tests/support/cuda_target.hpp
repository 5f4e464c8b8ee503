// SPDX-License-Identifier: Apache-2.0
//
// The target of the shared test bodies on a GPU: managed arrays, and an eval that waits.
#pragma once

#include "fuse/fuse.hpp"
#include "support/gpu.hpp"
#include "support/host_target.hpp"

namespace fuse::testing {

struct CudaTarget : ExecutorTarget<CudaExecutor, ManagedBuffer> {
    template <class... S>
    void eval(const S&... statements) const {
        ExecutorTarget::eval(statements...);
        check_cuda(cudaDeviceSynchronize());
    }
};

}  // namespace fuse::testing
