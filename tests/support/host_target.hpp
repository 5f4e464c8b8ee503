// SPDX-License-Identifier: Apache-2.0
//
// Where a test body runs. A target has arrays that host code can read and write (Array<T>), eval and value; bodies are
// templates over it, so that the host executor, the emulated device and a GPU run the same tests. This is the host.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

template <class Executor, template <class> class Memory>
struct ExecutorTarget {
    template <class T>
    using Array = Memory<T>;

    Executor executor{};

    template <class... S>
    void eval(const S&... statements) const {
        fuse::eval(executor, statements...);
    }
    template <class... E>
    auto value(const E&... expressions) const {
        return fuse::value(executor, expressions...);
    }
};

template <class Executor>
using CpuTarget = ExecutorTarget<Executor, HostArray>;

/// The host executor with small blocks and no serial threshold: small arrays take the paths of large ones.
struct HostTarget : CpuTarget<HostExecutor> {
    HostTarget() : ExecutorTarget{host.with(blocks_of_64())} {}

    static constexpr Policy blocks_of_64() {
        Policy p;
        p.host_block_items = 64;
        p.host_serial_bytes = 256;
        return p;
    }
};

}  // namespace fuse::testing
