// SPDX-License-Identifier: Apache-2.0
//
// What fuse leaves to CUB: unique, which has no place in an expression (numpy's sorts first, CUB's does not).
#pragma once

#include <cub/device/device_select.cuh>

#include "fuse/exec/cuda.hpp"

FUSE_BEGIN_NAMESPACE

/// The first element of each run of equal elements of `in`, in order, at the start of `out`, and their number in
/// `count` (rank 0, on the device): of sorted data, its distinct values. Several kernels and stream-ordered scratch
/// memory. in, out: contiguous, one axis, `out` with the extent of `in`, not overlapping. Equality is operator==: a NaN
/// equals nothing. Throws shape_error, argument_error or cuda_error before anything is written.
template <class T, class NameIn, class U, class NameOut, class N, class NameCount, index_t EIn, index_t EOut>
void unique(const CudaExecutor& executor, const View<T, NameIn, EIn>& in, const View<U, NameOut, EOut>& out,
            const View<N, NameCount>& count) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "fuse: unique: both views have the same element type");
    const index_t n = in.extent(0);
    if (out.extent(0) != n) {
        throw shape_error(Text() << "unique: output " << out << out.shape() << " does not have the extent of " << in
                                 << in.shape());
    }
    if ((n > 1 && (in.strides()[0] != 1 || out.strides()[0] != 1))) {
        throw argument_error(Text() << "unique: " << in << " and " << out << " must be contiguous");
    }
    const T* const begin = in.data();
    if (begin < out.data() + n && out.data() < begin + n) {
        throw argument_error(Text() << "unique: output " << out << " overlaps input " << in);
    }
    const cudaStream_t stream = executor.stream();
    std::size_t bytes = 0;
    detail::check_cuda(cub::DeviceSelect::Unique(nullptr, bytes, begin, out.data(), count.data(), n, stream),
                       "fuse: sizing cub::DeviceSelect::Unique");
    void* memory = nullptr;
    detail::check_cuda(cudaMallocAsync(&memory, bytes == 0 ? 1 : bytes, stream), "fuse: allocating scratch memory");
    const cudaError_t done = cub::DeviceSelect::Unique(memory, bytes, begin, out.data(), count.data(), n, stream);
    cudaFreeAsync(memory, stream);
    detail::check_cuda(done, "fuse: cub::DeviceSelect::Unique");
}

FUSE_END_NAMESPACE
