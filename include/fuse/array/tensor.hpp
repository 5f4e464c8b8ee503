// SPDX-License-Identifier: Apache-2.0
//
// tensor<float>(rows, cols): an array that owns its elements, on the host. It is an output as it is, eval(host, t = x * 2);
// an expression reads a view of it, under the name that it is to have there: view<"x">(t). Operands are taken by const
// reference, which a temporary would be bound to as well, and its elements would be gone before the expression runs.
#pragma once

#include <cstring>
#include <new>
#include <vector>

#include "fuse/exec/eval.hpp"
#include "fuse/lang/view_parts.hpp"
#include "fuse/ops/types/scattered.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// View<T, Name, dynamic, ...> with Rank axes.
template <class T, class Name, int Rank, class Axes = std::make_integer_sequence<int, Rank>>
struct dynamic_view;
template <class T, class Name, int Rank, int... I>
struct dynamic_view<T, Name, Rank, std::integer_sequence<int, I...>> {
    using type = View<T, Name, (static_cast<void>(I), dynamic)...>;
};

/// The bytes of an array. Throws shape_error where an extent is negative or the array larger than memory can be.
FUSE_COLD inline std::size_t array_bytes(const Shape& shape, std::size_t item_size) {
    auto bytes = static_cast<index_t>(item_size);
    bool empty = false;
    bool fits = true;
    for (int axis = 0; axis < shape.rank; ++axis) {
        if (shape[axis] < 0) {
            throw shape_error(Text() << "a tensor of shape " << shape << " has a negative extent");
        }
        empty = empty || shape[axis] == 0;
        fits = fits && !__builtin_mul_overflow(bytes, shape[axis], &bytes);
    }
    if (!empty && !fits) {
        throw shape_error(Text() << "a tensor of shape " << shape << " is larger than memory can be");
    }
    return empty ? 0 : static_cast<std::size_t>(bytes);
}

template <class V>
concept ComplexNumber = requires(const V& v) {
    { v.real() } -> std::convertible_to<double>;
    { v.imag() } -> std::convertible_to<double>;
};
/// What is printed, and what other libraries have types for.
template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<compute_t<T>> || ComplexNumber<T>;

// The sentences about arrays, in every function that makes one: a compiler shows them after the calls that lead there.
#define FUSE_CHECK_TENSOR_OF(T)                                                                                        \
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,                                              \
                  "fuse: the element type of a tensor must be trivially copyable and not const")
#define FUSE_CHECK_ARRAY_OF(E)                                                                                         \
    static_assert(!is_scattered<value_t<E>>, "fuse: how many elements compact() keeps is not known: give it an "       \
                                             "output")

/// What arrays that own their elements have in common.
template <class T, int Rank>
class ArrayShape {
    FUSE_CHECK_TENSOR_OF(T);
    static_assert(Rank <= max_rank, "fuse: at most 8 axes");

public:
    using element_type = T;
    static constexpr int rank = Rank;

    detail::dynamic_extents<Rank> shape() const { return {detail::OfThisType{}, shape_}; }
    index_t extent(int axis) const { return shape_[axis]; }
    /// Number of elements.
    index_t size() const { return shape_.size(); }
    std::size_t bytes() const { return static_cast<std::size_t>(size()) * sizeof(T); }

protected:
    ArrayShape() = default;
    explicit ArrayShape(const Shape& shape) : shape_(shape) {}

    Shape shape_{Rank, {}};
};

/// Of the eval that fills an array with the values of an E.
template <class E>
using array_verdict = Verdict<Statement<typename dynamic_view<value_t<E>, name_t<"result">, E::rank>::type, E>>;

template <class Name, class T, int Rank>
auto row_major_view(T* data, const ArrayShape<std::remove_const_t<T>, Rank>& array) {
    using V = typename dynamic_view<T, Name, Rank>::type;
    return V(data, array.shape(), row_major(array.shape()));
}

}  // namespace detail

/// A row-major array of T with Rank axes that owns its elements, aligned to 64 bytes: a value like std::vector.
template <class T, int Rank>
class HostTensor : public detail::ArrayShape<T, Rank> {
    using Base = detail::ArrayShape<T, Rank>;

public:
    /// All bytes of the elements are 0. Throws shape_error for a negative extent.
    FUSE_COLD explicit HostTensor(const Shape& shape) : Base(shape) {
        const std::size_t n = detail::array_bytes(shape, sizeof(T));
        data_ = static_cast<T*>(::operator new(n, alignment));
        std::memset(static_cast<void*>(data_), 0, n);
    }
    HostTensor(const HostTensor& other) : HostTensor(other.shape()) { copy_elements(other); }
    /// What is left of the other has no elements; of one without axes, no memory.
    HostTensor(HostTensor&& other) noexcept : Base(other.shape()), data_(std::exchange(other.data_, nullptr)) {
        other.shape_.extent.fill(0);
    }
    /// Of an array of equal extents the elements alone: views of this one stay valid, and see them. Else a new array,
    /// or nothing where there is no memory for it.
    HostTensor& operator=(const HostTensor& other) {
        if (data_ != nullptr && this->shape() == other.shape()) {
            copy_elements(other);
        } else {
            *this = HostTensor(other);
        }
        return *this;
    }
    HostTensor& operator=(HostTensor&& other) noexcept {
        HostTensor taken(std::move(other));
        swap(*this, taken);
        return *this;
    }
    ~HostTensor() { ::operator delete(data_, alignment); }

    /// t = expression is a statement that writes to the elements, as of a view: eval(host, t = x * 2). The shape stays.
    template <Expression X>
    auto operator=(const X& expression) & {
        FUSE_CHECK_STORED(T, X);
        return as_view<unnamed>() = expression;
    }
    /// Fill with one number.
    template <class A>
        requires(Number<A> || is_constant_tag<A>)
    auto operator=(A number) & { return as_view<unnamed>() = number; }

    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + this->size(); }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + this->size(); }

    /// An element; see View.
    template <std::integral... I>
        requires(sizeof...(I) == Rank)
    T& operator()(I... i) { return as_view<unnamed>()(i...); }
    template <std::integral... I>
        requires(sizeof...(I) == Rank)
    const T& operator()(I... i) const { return as_view<unnamed>()(i...); }
    /// The view of what stands at i along the first axis; see View.
    template <std::integral I>
        requires(Rank > 0)
    auto operator[](I i) & { return as_view<unnamed>()[i]; }
    template <std::integral I>
        requires(Rank > 0)
    auto operator[](I i) const& { return as_view<unnamed>()[i]; }
    template <std::integral I>
        requires(Rank > 0)
    auto operator[](I i) const&& = delete;  // fuse: a temporary would be gone before the expression runs

    /// What view<"x">(t) gives; it must not outlive t.
    template <class Name>
    auto as_view() {
        return detail::row_major_view<Name>(data_, *this);
    }
    template <class Name>
    auto as_view() const {
        return detail::row_major_view<Name>(static_cast<const T*>(data_), *this);
    }

    friend void swap(HostTensor& a, HostTensor& b) noexcept {
        std::swap(a.shape_, b.shape_);
        std::swap(a.data_, b.data_);
    }

private:
    static constexpr std::align_val_t alignment{64};

    /// Of equal shape; one that was moved from may have no memory.
    void copy_elements(const HostTensor& other) {
        if (this != &other && other.data_ != nullptr && other.bytes() > 0) {
            std::memcpy(static_cast<void*>(data_), other.data_, other.bytes());
        }
    }

    T* data_ = nullptr;
};

namespace detail {

/// A float that {1.5F} is none without a conversion, so that {{1.5F}} has two axes.
struct float_element {
    float value;
    constexpr float_element(float v) : value(v) {}
};
/// The elements of a row-major view as T, 16 bits.
template <class T, class V>
auto rounded_copy_of(const V& from) {
    HostTensor<T, V::rank> result(from.shape());
    for (index_t i = 0; i < from.size(); ++i) {
        result.data()[i] = from_compute<T>(from.data()[i]);
    }
    return result;
}
/// The elements of a row-major view.
template <class V>
auto copy_of(const V& from) {
    HostTensor<std::remove_const_t<typename V::element_type>, V::rank> result(from.shape());
    if (result.bytes() > 0) {  // an empty range may have no pointer
        std::memcpy(static_cast<void*>(result.data()), from.data(), result.bytes());
    }
    return result;
}

}  // namespace detail

/// t += expression and its kin are the statements t = t + expression, as of views. Only what has a name can be written to.
template <detail::HasView A, OperandLike X>
auto operator+=(A& array, const X& x) {
    return view(array) += x;
}
template <detail::HasView A, OperandLike X>
auto operator-=(A& array, const X& x) {
    return view(array) -= x;
}
template <detail::HasView A, OperandLike X>
auto operator*=(A& array, const X& x) {
    return view(array) *= x;
}
template <detail::HasView A, OperandLike X>
auto operator/=(A& array, const X& x) {
    return view(array) /= x;
}

/// tensor<float>(rows, cols): zeros. tensor<float>() has one element and no axes.
template <class T, std::integral... I>
auto tensor(I... extent) {
    FUSE_CHECK_TENSOR_OF(T);
    return HostTensor<T, static_cast<int>(sizeof...(I))>(shape(extent...));
}
/// Zeros in the shape of another array, tensor<float>(x.shape()).
template <class T, index_t... E>
auto tensor(const extents<E...>& shape) {
    FUSE_CHECK_TENSOR_OF(T);
    return HostTensor<T, static_cast<int>(sizeof...(E))>(shape);
}
/// A copy of the elements of a contiguous range, in row-major order: tensor(vector), tensor(vector, rows, -1). Throws
/// shape_error unless there are as many as the extents say; one of them may be -1.
template <detail::Range R, std::integral... I>
auto tensor(const R& range, I... extent) {
    return detail::copy_of(view(range, extent...));
}
/// tensor<float>({1, 2, 3}), tensor<float>({{1, 2}, {3, 4}}): these elements.
template <class T, std::size_t N>
auto tensor(const T (&element)[N]) {
    return detail::copy_of(view(element));
}
template <class T, std::size_t N, std::size_t M>
auto tensor(const T (&element)[N][M]) {
    return detail::copy_of(view(element));
}
/// Of 16-bit floats the elements may be written as floats.
template <class T, std::size_t N>
    requires(std::same_as<T, float16> || std::same_as<T, bfloat16>)
auto tensor(const detail::float_element (&element)[N]) {
    return detail::rounded_copy_of<T>(view(&element->value, shape(N)));
}
template <class T, std::size_t N, std::size_t M>
    requires(std::same_as<T, float16> || std::same_as<T, bfloat16>)
auto tensor(const float (&element)[N][M]) {
    return detail::rounded_copy_of<T>(view(element));
}
/// The values of an expression: tensor(host, softmax(x)).
template <Executor X, Expression E>
    requires std::same_as<typename X::target_type, Cpu>
auto tensor(const X& executor, const E& expression) {
    FUSE_CHECK_ARRAY_OF(E);
    using verdict = detail::array_verdict<E>;
    FUSE_REFUSE(verdict);
    HostTensor<value_t<E>, E::rank> result(shape_of(expression));
    if constexpr (verdict::refusal == detail::Refusal::none) {
        eval(executor, view<"result">(result) = expression);
    }
    return result;
}

/// The elements in row-major order.
template <class T, int Rank>
std::vector<T> to_vector(const HostTensor<T, Rank>& t) {
    return std::vector<T>(t.begin(), t.end());
}

FUSE_END_NAMESPACE
