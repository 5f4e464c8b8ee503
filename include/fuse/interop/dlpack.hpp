// SPDX-License-Identifier: Apache-2.0
//
// Arrays from and for other libraries, by DLPack (https://dmlc.github.io/dlpack): NumPy, PyTorch, JAX and CuPy have
// from_dlpack and __dlpack__. Its header is not included, as each library has one: include <dlpack/dlpack.h> (Debian:
// libdlpack-dev) or <ATen/dlpack.h> yourself.
#pragma once

#include "fuse/array/tensor.hpp"
#if defined(__CUDACC__)
#include "fuse/array/device_tensor.hpp"
#endif

struct DLManagedTensor;

// In every overload: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_DLPACK_OF(T)                                                                                        \
    static_assert(detail::is_plain<storage_t<std::remove_const_t<T>>>, "fuse: DLPack has no type for these elements")
/// Read-only elements cannot be given away: DLPack has no mark for them.
#define FUSE_CHECK_WRITABLE(T)                                                                                         \
    static_assert(!std::is_const_v<T>, "fuse: a DLPack array can be written to, this view is read-only")

FUSE_BEGIN_NAMESPACE

namespace detail {

// The values of DLDeviceType and DLDataTypeCode, which are part of the ABI.
enum class DlDevice { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
enum class DlCode { int_, uint, float_, bfloat = 4, complex, bool_ };

struct DlType {
    int code = 0;
    int bits = 0;
    int lanes = 1;

    FUSE_RARE Text text() const {
        constexpr const char* names[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
        Text text;
        text << (code >= 0 && code < 7 ? names[code] : "type");
        if (code != static_cast<int>(DlCode::bool_) || bits != 8) {
            text << bits;
        }
        if (lanes != 1) {
            text << "x" << lanes;
        }
        return text;
    }
};

template <class T>
constexpr DlType dl_type() {
    using S = storage_t<T>;
    constexpr DlCode code = std::is_same_v<S, bool>                                     ? DlCode::bool_
                            : std::is_integral_v<S> && std::is_signed_v<S>              ? DlCode::int_
                            : std::is_integral_v<S>                                     ? DlCode::uint
                            : std::is_same_v<S, bfloat16>                               ? DlCode::bfloat
                            : std::is_same_v<S, float16> || std::is_floating_point_v<S> ? DlCode::float_
                                                                                        : DlCode::complex;
    return {static_cast<int>(code), static_cast<int>(8 * sizeof(S)), 1};
}

[[noreturn]] FUSE_RARE inline void throw_dl(const Text& why) {
    throw argument_error(Text() << "from_dlpack: " << why);
}

FUSE_COLD inline void check_dl_type(const DlType& given, const DlType& wanted) {
    if (given.lanes != 1 || given.bits != wanted.bits || given.code != wanted.code) {
        // Libraries older than DLPack's bool give bytes, which may be others than 0 and 1: a C++ bool may not.
        const bool bytes_for_bool = wanted.code == static_cast<int>(DlCode::bool_) &&
                                    given.code == static_cast<int>(DlCode::uint) && given.bits == 8;
        throw_dl(Text() << "the elements are " << given.text() << ", not " << wanted.text()
                        << (bytes_for_bool ? ": read them as std::uint8_t, and x != 0 is bool" : ""));
    }
}

FUSE_COLD inline void check_dl_device(int device, bool on_host, const char* executor) {
    const bool shared =
        device == static_cast<int>(DlDevice::cuda_host) || device == static_cast<int>(DlDevice::cuda_managed);
    if (!shared && device != static_cast<int>(on_host ? DlDevice::cpu : DlDevice::cuda)) {
        const char* const where = device == static_cast<int>(DlDevice::cpu)    ? "the host"
                                  : device == static_cast<int>(DlDevice::cuda) ? "a CUDA device"
                                                                               : "another device";
        throw_dl(Text() << "the array lies in memory of " << where << ", which fuse::" << executor << " cannot read");
    }
}

template <class D>
concept DLTensorLike = requires(const D& d) {
    d.device.device_type;
    d.device.device_id;
    d.dtype.code;
    d.dtype.lanes;
    d.shape[0];
    d.strides[0];
    d.byte_offset;
    { d.data } -> std::convertible_to<const void*>;
    { d.ndim } -> std::convertible_to<int>;
};

/// A DLManagedTensor, what it points to, and what owns the elements.
template <class Managed, class Owner>
struct DlExport {
    explicit DlExport(Owner&& o) : owner(std::move(o)) {}

    Managed managed{};
    std::int64_t shape[max_rank] = {};
    std::int64_t stride[max_rank] = {};
    Owner owner;
};

template <class Managed, class Owner, class V>
Managed* dl_export(Owner&& owner, const V& x, DlDevice device, int device_id) {
    using T = typename V::element_type;
    auto* const e = new DlExport<Managed, Owner>(std::move(owner));
    for (int axis = 0; axis < V::rank; ++axis) {
        e->shape[axis] = x.extent(axis);
        e->stride[axis] = x.strides()[axis];
    }
    auto& d = e->managed.dl_tensor;
    constexpr DlType type = dl_type<T>();
    d.data = x.data();
    d.device.device_type = static_cast<decltype(d.device.device_type)>(device);
    d.device.device_id = device_id;
    d.ndim = V::rank;
    d.dtype.code = static_cast<std::uint8_t>(type.code);
    d.dtype.bits = static_cast<std::uint8_t>(type.bits);
    d.dtype.lanes = 1;
    d.shape = e->shape;
    d.strides = e->stride;
    e->managed.manager_ctx = e;
    e->managed.deleter = [](Managed* self) { delete static_cast<DlExport<Managed, Owner>*>(self->manager_ctx); };
    return &e->managed;
}

}  // namespace detail

/// The view of a DLTensor's elements: from_dlpack<float, 2>(host, managed->dl_tensor); T may be const. What the DLTensor
/// belongs to must outlive the view. Throws argument_error for other elements or memory that the executor cannot read,
/// shape_error for another number of axes.
template <class T, int Rank, Executor X, detail::DLTensorLike D>
auto from_dlpack(const X& executor, const D& d) {
    FUSE_CHECK_DLPACK_OF(T);
    constexpr bool on_host = std::same_as<typename X::target_type, Cpu>;
    const auto device = static_cast<int>(d.device.device_type);
    // A type is named: of braces alone nvcc makes a comma.
    const auto given = detail::DlType{d.dtype.code, d.dtype.bits, d.dtype.lanes};
    detail::check_dl_type(given, detail::dl_type<std::remove_const_t<T>>());
    detail::check_dl_device(device, on_host, X::name);
    if (static_cast<int>(d.ndim) != Rank) {
        throw shape_error(Text() << "from_dlpack: the array has " << static_cast<int>(d.ndim) << " axes, not " << Rank);
    }
#if defined(__CUDACC__)
    if constexpr (std::same_as<X, CudaExecutor>) {
        int current = 0;
        detail::check_cuda(cudaGetDevice(&current), "fuse: reading the current device");
        if (device == static_cast<int>(detail::DlDevice::cuda) && d.device.device_id != current) {
            detail::throw_dl(Text() << "the array lies on device " << static_cast<int>(d.device.device_id)
                                    << ", the current one is " << current);
        }
    }
#endif
    static_cast<void>(executor);
    Shape shape{Rank, {}};
    for (int axis = 0; axis < Rank; ++axis) {
        shape[axis] = d.shape[axis];
    }
    Shape stride = row_major(shape);
    for (int axis = 0; axis < Rank && d.strides != nullptr; ++axis) {
        stride[axis] = d.strides[axis];
    }
    const auto address = reinterpret_cast<std::uintptr_t>(d.data);
    const std::uintptr_t first = address == 0 ? 0 : address + static_cast<std::uintptr_t>(d.byte_offset);
    if (first % alignof(storage_t<T>) != 0) {
        detail::throw_dl(Text() << "the elements are not aligned to their size");
    }
    using V = typename detail::dynamic_view<T, unnamed, Rank>::type;
    return V(reinterpret_cast<T*>(first), shape, stride);
}

/// A new DLManagedTensor of the elements of an array, which it owns from now on: its deleter gives them back. The one who
/// takes it calls the deleter. Of device memory: work on the array's stream must have finished, or the taker waits for it.
template <class Managed = ::DLManagedTensor, class T, int Rank>
[[nodiscard]] Managed* to_dlpack(HostTensor<T, Rank>&& t) {
    FUSE_CHECK_DLPACK_OF(T);
    const auto x = view(t);
    return detail::dl_export<Managed>(std::move(t), x, detail::DlDevice::cpu, 0);
}
/// Of the elements of a view, which must outlive it; executor says where they lie: to_dlpack(host, x).
template <class Managed = ::DLManagedTensor, Executor X, class T, class Name, index_t... E>
    requires std::same_as<typename X::target_type, Cpu>
[[nodiscard]] Managed* to_dlpack(const X&, const View<T, Name, E...>& x) {
    FUSE_CHECK_DLPACK_OF(T);
    FUSE_CHECK_WRITABLE(T);
    struct Nobody {};
    return detail::dl_export<Managed>(Nobody{}, x, detail::DlDevice::cpu, 0);
}

#if defined(__CUDACC__)

template <class Managed = ::DLManagedTensor, class T, int Rank>
[[nodiscard]] Managed* to_dlpack(DeviceTensor<T, Rank>&& t) {
    FUSE_CHECK_DLPACK_OF(T);
    int device = 0;
    detail::check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
    const auto x = view(t);
    return detail::dl_export<Managed>(std::move(t), x, detail::DlDevice::cuda, device);
}
template <class Managed = ::DLManagedTensor, class T, class Name, index_t... E>
[[nodiscard]] Managed* to_dlpack(const CudaExecutor&, const View<T, Name, E...>& x) {
    FUSE_CHECK_DLPACK_OF(T);
    FUSE_CHECK_WRITABLE(T);
    struct Nobody {};
    int device = 0;
    detail::check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
    return detail::dl_export<Managed>(Nobody{}, x, detail::DlDevice::cuda, device);
}

#endif

FUSE_END_NAMESPACE
