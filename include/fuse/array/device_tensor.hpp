// SPDX-License-Identifier: Apache-2.0
//
// device_tensor<float>(rows, cols): an array that owns its elements, in device memory that is allocated in the order of a
// stream. An expression takes a view of it, view<"x">(t); tensor(t) is a copy on the host.
#pragma once

#if defined(__CUDACC__)

#include "fuse/array/device_memory.hpp"
#include "fuse/array/tensor.hpp"
#include "fuse/exec/workspace.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// In the order of the stream, without waiting.
inline void copy_bytes(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    if (bytes > 0) {
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "fuse: copying a tensor");
    }
}
/// One side is memory of the host, which its owner may use or give back after this.
FUSE_COLD inline void copy_bytes_and_wait(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    if (is_capturing(stream)) {
        throw argument_error(
            Text() << "a copy between host and device waits for the stream, which is capturing a graph");
    }
    copy_bytes(to, from, bytes, stream);
    check_cuda(cudaStreamSynchronize(stream), "fuse: waiting for a copy of a tensor");
}
FUSE_COLD inline void check_same_shape(const Shape& from, const Shape& to) {
    if (!(from == to)) {
        throw shape_error(Text() << "copy of a tensor of shape " << from << " to one of shape " << to);
    }
}

}  // namespace detail

/// A row-major array of T with Rank axes in device memory. Allocation, copies and the end of its memory are ordered as
/// the work on its stream is; work on another stream has to be ordered by the caller. Copies are deep.
template <class T, int Rank>
class DeviceTensor : public detail::ArrayShape<T, Rank> {
    using Base = detail::ArrayShape<T, Rank>;

public:
    /// All bytes of the elements are 0. Throws shape_error for a negative extent, and cuda_error.
    FUSE_COLD explicit DeviceTensor(const Shape& shape, const device_memory& memory = {})
        : DeviceTensor(shape, memory, uninitialised{}) {
        if (this->bytes() > 0) {
            detail::check_cuda(cudaMemsetAsync(data(), 0, this->bytes(), stream()), "fuse: clearing a device_tensor");
        }
    }
    /// A copy of row-major elements of the host or the device. Waits if they are the host's.
    DeviceTensor(const T* from, const Shape& shape, bool on_host, const device_memory& memory)
        : DeviceTensor(shape, memory, uninitialised{}) {
        (on_host ? detail::copy_bytes_and_wait : detail::copy_bytes)(data(), from, this->bytes(), stream());
    }
    DeviceTensor(const DeviceTensor& other)
        : DeviceTensor(other.data(), other.shape(), false, other.memory_.memory()) {}
    /// What is left of the other has no elements; of one without axes, no memory.
    DeviceTensor(DeviceTensor&& other) noexcept : Base(other.shape()), memory_(std::move(other.memory_)) {
        other.shape_.extent.fill(0);
    }
    /// Of an array of equal extents the elements alone, behind all work on both streams: views of this one stay valid,
    /// and see them. Else a new array, from where the other has its memory, or nothing where there is none.
    DeviceTensor& operator=(const DeviceTensor& other) {
        if (!(this->shape() == other.shape()) || (data() == nullptr && this->bytes() > 0)) {
            *this = DeviceTensor(other);
        } else if (this != &other && this->bytes() > 0) {
            const bool one_stream = stream() == other.stream();
            if (!one_stream) {
                detail::wait_for_stream(stream(), other.stream());
            }
            detail::copy_bytes(data(), other.data(), this->bytes(), stream());
            if (!one_stream) {
                detail::wait_for_stream(other.stream(), stream());
            }
        }
        return *this;
    }
    DeviceTensor& operator=(DeviceTensor&& other) noexcept {
        DeviceTensor taken(std::move(other));
        swap(*this, taken);
        return *this;
    }

    /// t = expression is a statement that writes to the elements, as of a view: eval(cuda, t = x * 2). The shape stays.
    template <Expression X>
    auto operator=(const X& expression) & {
        FUSE_CHECK_STORED(T, X);
        return as_view<unnamed>() = expression;
    }
    /// Fill with one number.
    template <class A>
        requires(Number<A> || is_constant_tag<A>)
    auto operator=(A number) & { return as_view<unnamed>() = number; }

    /// Device memory: the host must not follow this pointer.
    T* data() { return static_cast<T*>(memory_.data()); }
    const T* data() const { return static_cast<const T*>(memory_.data()); }
    cudaStream_t stream() const { return memory_.memory().stream(); }

    /// What view<"x">(t) gives; it must not outlive t.
    template <class Name>
    auto as_view() {
        return detail::row_major_view<Name>(data(), *this);
    }
    template <class Name>
    auto as_view() const {
        return detail::row_major_view<Name>(data(), *this);
    }

    friend void swap(DeviceTensor& a, DeviceTensor& b) noexcept {
        std::swap(a.shape_, b.shape_);
        std::swap(a.memory_, b.memory_);
    }

private:
    struct uninitialised {};
    DeviceTensor(const Shape& shape, const device_memory& memory, uninitialised)
        : Base(shape), memory_(memory, detail::array_bytes(shape, sizeof(T))) {}

    detail::DeviceBytes memory_;
};

/// device_tensor<float>(rows, cols), device_tensor<float>(cuda.on(stream), rows, cols),
/// device_tensor<float>(device_memory(pool, cuda.on(stream)), rows, cols): zeros.
template <class T, std::integral... I>
auto device_tensor(const device_memory& memory, I... extent) {
    FUSE_CHECK_TENSOR_OF(T);
    return DeviceTensor<T, static_cast<int>(sizeof...(I))>(shape(extent...), memory);
}
template <class T, std::integral... I>
auto device_tensor(I... extent) {
    FUSE_CHECK_TENSOR_OF(T);
    return device_tensor<T>(device_memory(), extent...);
}
/// Zeros in the shape of another array, device_tensor<float>(x.shape()).
template <class T, index_t... E>
auto device_tensor(const device_memory& memory, const extents<E...>& shape) {
    FUSE_CHECK_TENSOR_OF(T);
    return DeviceTensor<T, static_cast<int>(sizeof...(E))>(shape, memory);
}
template <class T, index_t... E>
auto device_tensor(const extents<E...>& shape) {
    FUSE_CHECK_TENSOR_OF(T);
    return device_tensor<T>(device_memory(), shape);
}
/// A copy of an array of the host. Waits for the stream.
template <class T, int Rank>
auto device_tensor(const HostTensor<T, Rank>& from, const device_memory& memory = {}) {
    return DeviceTensor<T, Rank>(from.data(), from.shape(), true, memory);
}
/// A copy of the elements of a contiguous range of the host, in row-major order, as tensor(range, extents...). Waits for
/// the stream.
template <detail::Range R, std::integral... I>
auto device_tensor(const device_memory& memory, const R& range, I... extent) {
    const auto from = view(range, extent...);
    using V = decltype(from);
    using T = std::remove_const_t<typename V::element_type>;
    return DeviceTensor<T, V::rank>(from.data(), from.shape(), true, memory);
}
template <detail::Range R, std::integral... I>
auto device_tensor(const R& range, I... extent) {
    return device_tensor(device_memory(), range, extent...);
}
/// The values of an expression, computed on the executor's stream: device_tensor(cuda, softmax(x)).
template <Expression E>
auto device_tensor(const CudaExecutor& executor, const E& expression) {
    FUSE_CHECK_ARRAY_OF(E);
    using verdict = detail::array_verdict<E>;
    FUSE_REFUSE(verdict);
    DeviceTensor<value_t<E>, E::rank> result(shape_of(expression), executor);
    if constexpr (verdict::refusal == detail::Refusal::none) {
        eval(executor, view<"result">(result) = expression);
    }
    return result;
}

/// A copy on the host. Waits for the stream of t.
template <class T, int Rank>
auto tensor(const DeviceTensor<T, Rank>& t) {
    HostTensor<T, Rank> result(t.shape());
    detail::copy_bytes_and_wait(result.data(), t.data(), t.bytes(), t.stream());
    return result;
}
/// The elements in row-major order, on the host. Waits for the stream of t.
template <class T, int Rank>
std::vector<T> to_vector(const DeviceTensor<T, Rank>& t) {
    return to_vector(tensor(t));
}

/// The elements of one array to another of the same shape, in the order of the device's stream, for which it waits.
/// Throws shape_error and cuda_error.
template <class T, int Rank>
void copy(const HostTensor<T, Rank>& from, DeviceTensor<T, Rank>& to) {
    detail::check_same_shape(from.shape(), to.shape());
    detail::copy_bytes_and_wait(to.data(), from.data(), to.bytes(), to.stream());
}
template <class T, int Rank>
void copy(const DeviceTensor<T, Rank>& from, HostTensor<T, Rank>& to) {
    detail::check_same_shape(from.shape(), to.shape());
    detail::copy_bytes_and_wait(to.data(), from.data(), to.bytes(), from.stream());
}

FUSE_END_NAMESPACE

#endif
