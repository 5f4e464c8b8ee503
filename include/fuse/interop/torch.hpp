// SPDX-License-Identifier: Apache-2.0
//
// Tensors of libtorch, PyTorch in C++, as views: from_torch<float, 2>(host, t). No header of PyTorch is included: what
// has the functions of at::Tensor is one. Without libtorch there is DLPack.
#pragma once

#include "fuse/array/tensor.hpp"
#if defined(__CUDACC__)
#include "fuse/exec/cuda.hpp"
#endif

FUSE_BEGIN_NAMESPACE

/// at::Tensor, or anything with these functions of it.
template <class A>
concept TorchTensorLike = requires(const A& t, std::int64_t axis) {
    { t.defined() } -> std::same_as<bool>;
    { t.is_cpu() } -> std::same_as<bool>;
    { t.is_cuda() } -> std::same_as<bool>;
    { t.is_conj() } -> std::same_as<bool>;
    { t.is_neg() } -> std::same_as<bool>;
    { t.get_device() } -> std::convertible_to<int>;
    { t.dim() } -> std::convertible_to<std::int64_t>;
    { t.size(axis) } -> std::convertible_to<std::int64_t>;
    { t.stride(axis) } -> std::convertible_to<std::int64_t>;
    { t.data_ptr() } -> std::convertible_to<void*>;
    { static_cast<int>(t.scalar_type()) } -> std::same_as<int>;
};

namespace detail {

/// The number of c10::ScalarType for T, which files that PyTorch saves hold as well.
template <class T>
constexpr int torch_type() {
    using S = storage_t<T>;
    if constexpr (std::is_same_v<S, bool>) {
        return 11;
    } else if constexpr (std::is_integral_v<S>) {
        constexpr int log = sizeof(S) == 1 ? 0 : sizeof(S) == 2 ? 1 : sizeof(S) == 4 ? 2 : 3;
        constexpr int numbers[2][4] = {{0, 27, 28, 29}, {1, 2, 3, 4}};
        return numbers[std::is_signed_v<S> ? 1 : 0][log];
    } else if constexpr (std::is_same_v<S, float16>) {
        return 5;
    } else if constexpr (std::is_same_v<S, bfloat16>) {
        return 15;
    } else if constexpr (std::is_floating_point_v<S>) {
        return sizeof(S) == sizeof(float) ? 6 : 7;
    } else {
        return sizeof(S) == 2 * sizeof(float) ? 9 : 10;
    }
}

FUSE_COLD inline const char* torch_name(int type) {
    constexpr const char* names[] = {"uint8",   "int8",    "int16", "int32",     "int64",      "float16",
                                     "float32", "float64", nullptr, "complex64", "complex128", "bool",
                                     nullptr,   nullptr,   nullptr, "bfloat16"};
    constexpr const char* later[] = {"uint16", "uint32", "uint64"};
    const char* const name = type >= 0 && type < 16    ? names[type]
                             : type >= 27 && type < 30 ? later[type - 27]
                                                       : nullptr;
    return name == nullptr ? "of another type" : name;
}

/// Where a tensor lies, and what is not a view of elements where they lie.
FUSE_COLD inline void check_torch(bool there, bool lazy, int type, int wanted, bool readable, bool cpu, bool cuda,
                                  const char* executor) {
    Text why;
    if (!there) {
        why << "the tensor is undefined";
    } else if (type != wanted) {
        why << "the elements are " << torch_name(type) << ", not " << torch_name(wanted);
    } else if (!readable) {
        why << "the tensor lies in memory of "
            << (cpu    ? "the host"
                : cuda ? "a CUDA device"
                       : "another device")
            << ", which fuse::" << executor << " cannot read";
    } else if (lazy) {
        why << "the elements are to be conjugated or negated when they are read: resolve_conj(), resolve_neg()";
    } else {
        return;
    }
    throw argument_error(Text() << "from_torch: " << why);
}

}  // namespace detail

/// The view of a tensor's elements, with its strides, unnamed: from_torch<float, 2>(host, t); T may be const. The tensor
/// must outlive it, and autograd does not learn of what is written. Throws argument_error for other elements or memory
/// that the executor cannot read, shape_error for another number of axes.
template <class T, int Rank, Executor X, TorchTensorLike A>
auto from_torch(const X& executor, const A& t) {
    static_assert(detail::is_plain<storage_t<std::remove_const_t<T>>>, "fuse: PyTorch has no type for these elements");
    static_cast<void>(executor);
    constexpr bool on_host = std::same_as<typename X::target_type, Cpu>;
    constexpr int wanted = detail::torch_type<std::remove_const_t<T>>();
    const bool there = t.defined();
    detail::check_torch(there, there && (t.is_conj() || t.is_neg()), there ? static_cast<int>(t.scalar_type()) : 0,
                        wanted, there && (on_host ? t.is_cpu() : t.is_cuda()), there && t.is_cpu(),
                        there && t.is_cuda(), X::name);
#if defined(__CUDACC__)
    if constexpr (std::same_as<X, CudaExecutor>) {
        int current = 0;
        detail::check_cuda(cudaGetDevice(&current), "fuse: reading the current device");
        if (static_cast<int>(t.get_device()) != current) {
            throw argument_error(Text() << "from_torch: the tensor lies on device " << static_cast<int>(t.get_device())
                                        << ", the current one is " << current);
        }
    }
#endif
    if (static_cast<index_t>(t.dim()) != Rank) {
        throw shape_error(Text() << "from_torch: the tensor has " << static_cast<index_t>(t.dim()) << " axes, not "
                                 << Rank);
    }
    Shape shape{Rank, {}};
    Shape stride{Rank, {}};
    for (int axis = 0; axis < Rank; ++axis) {
        shape[axis] = static_cast<index_t>(t.size(axis));
        stride[axis] = static_cast<index_t>(t.stride(axis));
    }
    using V = typename detail::dynamic_view<T, unnamed, Rank>::type;
    return V(static_cast<T*>(t.data_ptr()), shape, stride);
}

FUSE_END_NAMESPACE
