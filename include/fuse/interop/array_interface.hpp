// SPDX-License-Identifier: Apache-2.0
//
// Arrays from and for Python by the dictionary that they describe themselves with: __cuda_array_interface__, version 3
// (Numba, CuPy, PyTorch, RAPIDS), or NumPy's __array_interface__. No header of Python is included: a binding copies the
// dictionary into an ArrayInterface (examples/pytorch/array_interface.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuse/array/tensor.hpp"
#if defined(__CUDACC__)
#include "fuse/exec/cuda.hpp"
#include "fuse/exec/workspace.hpp"
#endif

#define FUSE_CHECK_INTERFACE_OF(T)                                                                                     \
    static_assert(detail::is_plain<storage_t<std::remove_const_t<T>>>,                                                 \
                  "fuse: the array interface has no type for these elements")

FUSE_BEGIN_NAMESPACE

/// The dictionary.
struct ArrayInterface {
    std::vector<index_t> shape;
    std::vector<index_t> strides;  ///< in bytes; empty, Python's None: row-major
    std::string typestr;           ///< "<f4"
    void* data = nullptr;
    bool read_only = false;
    bool masked = false;  ///< it has a mask that is not None
    bool cuda = true;     ///< it is that of memory of a device, __cuda_array_interface__
    int version = 3;
    /// Where the last work on the elements may still run: 1 is the default stream, 2 that of the thread, others are a
    /// cudaStream_t; 0, Python's None: nowhere.
    std::uintptr_t stream = 0;
};

namespace detail {

/// The letter of the kind, and the number of bytes. bfloat16 is what NumPy's extension for it and PyTorch say, "V2".
template <class T>
constexpr char interface_kind() {
    using S = storage_t<T>;
    if constexpr (std::is_same_v<S, bool>) {
        return 'b';
    } else if constexpr (std::is_integral_v<S>) {
        return std::is_signed_v<S> ? 'i' : 'u';
    } else if constexpr (std::is_same_v<S, bfloat16>) {
        return 'V';
    } else if constexpr (std::is_same_v<S, float16> || std::is_floating_point_v<S>) {
        return 'f';
    } else {
        return 'c';
    }
}

template <class T>
std::string interface_type() {
    constexpr std::size_t bytes = sizeof(storage_t<T>);
    return (bytes == 1 ? "|" : "<") + std::string(1, interface_kind<T>()) + std::to_string(bytes);
}

/// What is wrong with the dictionary, for elements like wanted of so many bytes.
FUSE_COLD inline void check_interface(const ArrayInterface& a, const std::string& wanted, std::size_t bytes,
                                      std::size_t alignment, bool is_const, bool on_host, const char* executor) {
    Text why;
    // The order of bytes says nothing of one byte alone, and '=' is the machine's.
    const bool order = !a.typestr.empty() && (bytes == 1 || a.typestr[0] == '<' || a.typestr[0] == '=');
    if (a.version < 1 || a.version > 3) {
        why << "version " << a.version << " is not known";
    } else if (a.masked) {
        why << "the array has a mask";
    } else if (!order || a.typestr.compare(1, std::string::npos, wanted, 1, std::string::npos) != 0) {
        why << "the elements are " << a.typestr.c_str() << ", not " << wanted.c_str();
    } else if (a.cuda == on_host) {
        why << "the array lies in memory of " << (a.cuda ? "a CUDA device" : "the host") << ", which fuse::" << executor
            << " cannot read";
    } else if (a.read_only && !is_const) {
        why << "the array is read-only: ask for elements that are const";
    } else if (!a.strides.empty() && a.strides.size() != a.shape.size()) {
        why << static_cast<index_t>(a.shape.size()) << " axes have " << static_cast<index_t>(a.strides.size())
            << " strides";
    } else if (reinterpret_cast<std::uintptr_t>(a.data) % alignment != 0) {
        why << "the elements are not aligned to their size";
    } else {
        for (const index_t stride : a.strides) {
            if (stride % static_cast<index_t>(bytes) != 0) {
                throw argument_error(Text() << "from_array_interface: a stride of " << stride
                                            << " bytes is no number of elements of " << wanted.c_str());
            }
        }
        return;
    }
    throw argument_error(Text() << "from_array_interface: " << why);
}

#if defined(__CUDACC__)
/// The same where the other is known by its number in an ArrayInterface.
inline void wait_for_stream(cudaStream_t stream, std::uintptr_t other) {
    const auto from = reinterpret_cast<cudaStream_t>(other);
    const bool same = from == stream || (other == 1 && stream == nullptr);
    if (other != 0 && !same) {
        wait_for_stream(stream, from);
    }
}
#endif

}  // namespace detail

/// The view of the array's elements, with its strides, unnamed: from_array_interface<float, 2>(host, a); T may be const.
/// The array must outlive it. A CUDA executor's stream waits for the array's. Throws argument_error for other elements or
/// memory that the executor cannot read, shape_error for another number of axes.
template <class T, int Rank, Executor X>
auto from_array_interface(const X& executor, const ArrayInterface& a) {
    FUSE_CHECK_INTERFACE_OF(T);
    static_cast<void>(executor);
    using S = storage_t<std::remove_const_t<T>>;
    detail::check_interface(a, detail::interface_type<std::remove_const_t<T>>(), sizeof(S), alignof(S),
                            std::is_const_v<T>, std::same_as<typename X::target_type, Cpu>, X::name);
    if (a.shape.size() != Rank) {
        throw shape_error(Text() << "from_array_interface: the array has " << static_cast<index_t>(a.shape.size())
                                 << " axes, not " << Rank);
    }
#if defined(__CUDACC__)
    if constexpr (std::same_as<X, CudaExecutor>) {
        detail::wait_for_stream(executor.stream(), a.stream);
    }
#endif
    Shape shape{Rank, {}};
    for (int axis = 0; axis < Rank; ++axis) {
        shape[axis] = a.shape[static_cast<std::size_t>(axis)];
    }
    Shape stride = row_major(shape);
    for (int axis = 0; axis < Rank && !a.strides.empty(); ++axis) {
        stride[axis] = a.strides[static_cast<std::size_t>(axis)] / static_cast<index_t>(sizeof(S));
    }
    using V = typename detail::dynamic_view<T, unnamed, Rank>::type;
    return V(static_cast<T*>(a.data), shape, stride);
}

/// The dictionary for a view, whose elements must outlive who takes it: to_array_interface(fuse::cuda.on(stream), x).
/// The taker waits for the executor's stream. An array is given by a view of it.
template <Executor X, class T, class Name, index_t... E>
ArrayInterface to_array_interface(const X& executor, const View<T, Name, E...>& x) {
    FUSE_CHECK_INTERFACE_OF(T);
    static_cast<void>(executor);
    using S = storage_t<std::remove_const_t<T>>;
    ArrayInterface a;
    for (int axis = 0; axis < static_cast<int>(sizeof...(E)); ++axis) {
        a.shape.push_back(x.extent(axis));
        a.strides.push_back(x.strides()[axis] * static_cast<index_t>(sizeof(S)));
    }
    a.typestr = detail::interface_type<std::remove_const_t<T>>();
    a.data = const_cast<std::remove_const_t<T>*>(x.data());
    a.read_only = std::is_const_v<T>;
    a.cuda = !std::same_as<typename X::target_type, Cpu>;
#if defined(__CUDACC__)
    if constexpr (std::same_as<X, CudaExecutor>) {
        a.stream = executor.stream() == nullptr ? 1 : reinterpret_cast<std::uintptr_t>(executor.stream());
    }
#endif
    return a;
}

FUSE_END_NAMESPACE
