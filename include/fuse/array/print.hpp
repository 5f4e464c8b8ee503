// SPDX-License-Identifier: Apache-2.0
//
// Looking at arrays: std::cout << x and print(x) of views and tensors, print(host, expression). One line with name, type
// and shape, then the elements as numpy prints them.
#pragma once

#include "fuse/array/array_text.hpp"
#include "fuse/array/tensor.hpp"
#if defined(__CUDACC__)
#include "fuse/array/device_tensor.hpp"
#endif

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Elements that the CPU can read where they lie.
struct HostMemory {
    explicit HostMemory(const void*) {}
    static constexpr const char* where = "";
    void read(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }
};

#if defined(__CUDACC__)

/// Elements that may lie in device memory: they are then copied, after all work of the device.
class AnyMemory {
public:
    FUSE_COLD explicit AnyMemory(const void* data) {
        if (data == nullptr) {
            return;
        }
        cudaPointerAttributes attributes{};
        const cudaError_t asked = cudaPointerGetAttributes(&attributes, data);
        if (asked == cudaErrorNoDevice || asked == cudaErrorInsufficientDriver) {
            cudaGetLastError();  // without a device there is no device memory
            return;
        }
        check_cuda(asked, "fuse: asking where a pointer points");
        copies_ = attributes.type != cudaMemoryTypeUnregistered;
        where = attributes.type == cudaMemoryTypeDevice ? " in device memory" : "";
        if (copies_) {
            check_cuda(cudaDeviceSynchronize(), "fuse: waiting for the device before an array is printed");
        }
    }
    FUSE_COLD void read(void* to, const void* from, std::size_t bytes) const {
        if (copies_) {
            check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "fuse: copying an element that is printed");
        } else {
            std::memcpy(to, from, bytes);
        }
    }

    const char* where = "";

private:
    bool copies_ = false;
};
/// A template argument of what reads elements: a .cpp and a .cu file of one program do not share those functions.
using PrintedMemory = AnyMemory;

#else

using PrintedMemory = HostMemory;

#endif

template <class Name>
constexpr const char* title_of() {
    return std::is_same_v<Name, unnamed> ? "" : Name::text;
}

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody prints.
template <class Memory, class V>
void write_array(Text& out, const char* title, const V& x);
void write_line(const Text& text);
template <class T, int Rank, class E>
void print_values(const HostTensor<T, Rank>& values, const E& expression);

#else

/// Digits that are shown of a floating-point number, at most.
template <class T>
inline constexpr int most_digits = sizeof(T) == sizeof(double) ? 8 : 6;

template <class T>
constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, bool>) {
        return "bool";
    } else if constexpr (std::is_integral_v<T>) {
        constexpr const char* names[] = {"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"};
        constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return names[log + (std::is_signed_v<T> ? 4 : 0)];
    } else if constexpr (std::is_same_v<T, float16>) {
        return "float16";
    } else if constexpr (std::is_same_v<T, bfloat16>) {
        return "bfloat16";
    } else if constexpr (std::is_floating_point_v<T>) {
        return std::is_same_v<T, float> ? "float" : "double";
    } else {
        return "complex";
    }
}

template <class T>
std::vector<Text> element_texts(const std::vector<T>& element) {
    using V = compute_t<T>;
    std::vector<Text> texts;
    const auto add = [&texts](const char* text) { texts.push_back(Text() << text); };
    if constexpr (std::is_same_v<T, bool>) {
        for (const bool v : element) {
            add(v ? "true" : "false");
        }
    } else if constexpr (std::is_integral_v<V>) {
        for (const V v : element) {
            char room[24];
            std::snprintf(room, sizeof(room), std::is_signed_v<V> ? "%lld" : "%llu", static_cast<long long>(v));
            add(room);
        }
    } else if constexpr (std::is_floating_point_v<V>) {
        NumberTexts numbers;
        const auto read = [](double number) {
            return static_cast<double>(to_compute(from_compute<T>(static_cast<V>(number))));
        };
        for (const T& v : element) {
            const auto number = static_cast<double>(to_compute(v));
            numbers.take_in(number, digits_of(number, most_digits<T>, read));
        }
        for (const T& v : element) {
            add(numbers.of(static_cast<double>(to_compute(v))));
        }
    } else if constexpr (ComplexNumber<T>) {
        for (const T& v : element) {
            char room[80];
            std::snprintf(room, sizeof(room), "%.6g%+.6gj", static_cast<double>(v.real()),
                          static_cast<double>(v.imag()));
            add(room);
        }
    }
    return texts;
}

/// title: what stands before the type.
template <class Memory, class V>
FUSE_COLD void write_array(Text& out, const char* title, const V& x) {
    using T = typename V::storage_type;
    const Strided strided = x.strided();
    const auto* const data = reinterpret_cast<const T*>(x.data());
    if (data == nullptr && strided.shape.size() > 0) {
        throw argument_error(Text() << "view " << strided.text() << " is a null pointer");
    }
    const Memory memory(data);
    const ShownElements shown(strided.shape);
    // std::vector<bool> has no elements to read to.
    std::vector<Text> texts;
    std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>> elements;
    shown.for_each(strided.stride, [&](index_t offset) {
        elements.emplace_back();
        memory.read(&elements.back(), data + offset, sizeof(T));
    });
    if constexpr (std::is_same_v<T, bool>) {
        texts = element_texts<bool>(std::vector<bool>(elements.begin(), elements.end()));
    } else {
        texts = element_texts<T>(elements);
    }
    out << title << (title[0] == '\0' ? "" : " ") << type_name<T>() << " " << strided.shape << memory.where << "\n";
    ArrayWriter(out, shown, texts).write();
}

FUSE_COLD inline void write_line(const Text& text) {
    std::fwrite(text.c_str(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
}

template <class T, int Rank, class E>
FUSE_COLD void print_values(const HostTensor<T, Rank>& values, const E& expression) {
    Text title;
    title << expression;
    Text text;
    write_array<HostMemory>(text, title.c_str(), view(values));
    write_line(text);
}

#endif

// In every overload: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_PRINTED(T)                                                                                          \
    static_assert(detail::is_plain<T> || is_scattered<T>,                                                              \
                  "fuse: elements that are printed are numbers or complex numbers")

template <class S>
concept OutputStream = requires(S& s) {
    s.rdbuf();
};

}  // namespace detail

/// std::cout << x: name, type and shape in a line, then the elements; of more than 1000 elements the first and last three
/// along each axis. Device memory is copied in a .cu file, after all work of the device has finished; a .cpp file knows
/// none. Throws argument_error, shape_error or cuda_error as eval would.
template <detail::OutputStream S, class T, class Name, index_t... E, class Memory = detail::PrintedMemory>
S& operator<<(S& out, const View<T, Name, E...>& x) {
    FUSE_CHECK_PRINTED(storage_t<std::remove_const_t<T>>);
    Text text;
    detail::write_array<Memory>(text, detail::title_of<Name>(), x);
    out << text;
    return out;
}
template <detail::OutputStream S, detail::HasView A, class Memory = detail::PrintedMemory>
S& operator<<(S& out, const A& array) {
    FUSE_CHECK_PRINTED(typename decltype(view(array))::storage_type);
    Text text;
    detail::write_array<Memory>(text, "", view(array));
    out << text;
    return out;
}

/// The same to the standard output, and a new line.
template <class T, class Name, index_t... E, class Memory = detail::PrintedMemory>
void print(const View<T, Name, E...>& x) {
    FUSE_CHECK_PRINTED(storage_t<std::remove_const_t<T>>);
    Text text;
    detail::write_array<Memory>(text, detail::title_of<Name>(), x);
    detail::write_line(text);
}
template <detail::HasView A, class Memory = detail::PrintedMemory>
void print(const A& array) {
    FUSE_CHECK_PRINTED(typename decltype(view(array))::storage_type);
    Text text;
    detail::write_array<Memory>(text, "", view(array));
    detail::write_line(text);
}
/// An array has its values already, wherever expressions run.
template <Executor X, detail::HasView A, class Memory = detail::PrintedMemory>
void print(const X&, const A& array) {
    print<A, Memory>(array);
}
/// The values of an expression, under the expression as a title.
template <Executor X, Expression E>
    requires std::same_as<typename X::target_type, Cpu>
void print(const X& executor, const E& expression) {
    FUSE_CHECK_ARRAY_OF(E);
    FUSE_CHECK_PRINTED(value_t<E>);
    using verdict = detail::array_verdict<E>;
    FUSE_REFUSE(verdict);
    if constexpr (verdict::refusal == detail::Refusal::none) {
        detail::print_values(tensor(executor, expression), expression);
    }
}
#if defined(__CUDACC__)
template <Expression E>
void print(const CudaExecutor& executor, const E& expression) {
    FUSE_CHECK_ARRAY_OF(E);
    FUSE_CHECK_PRINTED(value_t<E>);
    using verdict = detail::array_verdict<E>;
    FUSE_REFUSE(verdict);
    if constexpr (verdict::refusal == detail::Refusal::none) {
        detail::print_values(tensor(device_tensor(executor, expression)), expression);
    }
}
#endif

FUSE_END_NAMESPACE
