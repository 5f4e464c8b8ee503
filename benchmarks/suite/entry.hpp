// SPDX-License-Identifier: Apache-2.0
//
// An entry: one library's way to solve a problem. It is told where the arrays of each set of buffers lie, and returns
// what launches the work on set k. The same files of fuse's entries are compiled for the GPU and for the CPU.
#pragma once

#include <functional>

#include "problem.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace bench {

/// What an entry is given.
class Setup : public Data {
public:
    virtual const Case& problem() const = 0;
    /// The first element of an array of set k.
    virtual void* address(const char* array, int k) const = 0;
#if defined(__CUDACC__)
    virtual cudaStream_t stream() const = 0;
#endif

    template <class T>
    T* at(const char* array, int k) const {
        return static_cast<T*>(address(array, k));
    }
    index_t extent(std::size_t axis) const {
        return problem().shape[axis];
    }
};

using Launch = std::function<void(int k)>;

struct Entry {
    std::string problem;
    Type type;
    std::string library;
    std::function<Launch(const Setup&)> start;
    bool capturable = true;  ///< false if it allocates or waits, as Thrust does
};

std::vector<Entry>& entries();

struct AddEntry {
    explicit AddEntry(Entry e) { entries().push_back(std::move(e)); }
};

}  // namespace bench
