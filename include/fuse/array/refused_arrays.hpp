// SPDX-License-Identifier: Apache-2.0
//
// sum(t) of an array that owns its elements, of a container or of a pointer: an operand is a view of it. The functions that
// are tried first; of operators and map functors lang/map.hpp says it. And tensor and print of what they do not take.
#pragma once

#include "fuse/exec/refused_calls.hpp"
#include "fuse/lang/view.hpp"
#include "fuse/lang/view_parts.hpp"

#define FUSE_REFUSE_ARRAY(FUNCTION)                                                                                    \
    template <detail::NoOperand A, class... More>                                                                      \
    auto FUNCTION(const A&, const More&...) {                                                                          \
        static_assert(sizeof(A) == 0,                                                                                  \
                      "fuse: an array is not an operand: a view of it is, " #FUNCTION "(view<\"x\">(t))");             \
        return View<float, unnamed>(nullptr, Shape{}, Shape{});                                                        \
    }

FUSE_BEGIN_NAMESPACE

namespace detail {
/// Compilers show it with the function that they refuse.
struct a_tensor_begins_with_an_executor__tensor_of_fuse_host_and_x {};
}  // namespace detail

FUSE_REFUSE_ARRAY(sum)
FUSE_REFUSE_ARRAY(prod)
FUSE_REFUSE_ARRAY(mean)
FUSE_REFUSE_ARRAY(var)
FUSE_REFUSE_ARRAY(stddev)
FUSE_REFUSE_ARRAY(max)
FUSE_REFUSE_ARRAY(min)
FUSE_REFUSE_ARRAY(argmax)
FUSE_REFUSE_ARRAY(argmin)
FUSE_REFUSE_ARRAY(any)
FUSE_REFUSE_ARRAY(all)
FUSE_REFUSE_ARRAY(count_nonzero)
FUSE_REFUSE_ARRAY(norm)
FUSE_REFUSE_ARRAY(cumsum)
FUSE_REFUSE_ARRAY(sort)
FUSE_REFUSE_ARRAY(abs)
FUSE_REFUSE_ARRAY(exp)
FUSE_REFUSE_ARRAY(log)
FUSE_REFUSE_ARRAY(sqrt)
FUSE_REFUSE_ARRAY(square)
FUSE_REFUSE_ARRAY(tanh)
FUSE_REFUSE_ARRAY(relu)
FUSE_REFUSE_ARRAY(sigmoid)
FUSE_REFUSE_ARRAY(softmax)
FUSE_REFUSE_ARRAY(log_softmax)
FUSE_REFUSE_ARRAY(layer_norm)
FUSE_REFUSE_ARRAY(rms_norm)
FUSE_REFUSE_ARRAY(transpose)
FUSE_REFUSE_ARRAY(where)

template <class T, std::same_as<Shape> S>
auto tensor(const S&) {
    static_assert(sizeof(T) == 0, FUSE_NO_RANK);
    return 0;
}
template <class E>
auto tensor(const detail::NoCuda&, const E&) {
    static_assert(sizeof(E) == 0, FUSE_CUDA_NEEDS_NVCC);
    return 0;
}
template <class E>
void print(const detail::NoCuda&, const E&) {
    static_assert(sizeof(E) == 0, FUSE_CUDA_NEEDS_NVCC);
}
template <Executor X, Expression E>
    requires(!std::same_as<typename X::target_type, Cpu>)
auto tensor(const X&, const E&) {
    static_assert(sizeof(E) == 0,
                  "fuse: a tensor is an array of the host: of the GPU it is device_tensor(fuse::cuda, x * 2), and "
                  "tensor(device_tensor(fuse::cuda, x * 2)) is its copy on the host");
    return 0;
}
template <Expression E>
    requires(!detail::ViewLike<E>)
auto tensor(const E&) {
    static_assert(sizeof(E) == 0,
                  "fuse: tensor begins with an executor, which says where it runs: tensor(fuse::host, x * 2)");
    return 0;
}
#define FUSE_TYPE_OF_TENSOR                                                                                            \
    "fuse: an array of the values of an expression has their type: tensor(fuse::host, x * 2); of another one it is "   \
    "t = tensor<float>(x.shape()), and eval(fuse::host, t = x * 2)"
template <class T, Executor X, Expression E>
auto tensor(const X&, const E&) {
    static_assert(sizeof(E) == 0, FUSE_TYPE_OF_TENSOR);
    return 0;
}
template <class T, Expression E>
auto tensor(const E&) {
    static_assert(sizeof(E) == 0, FUSE_TYPE_OF_TENSOR);
    return 0;
}
#undef FUSE_TYPE_OF_TENSOR
/// A view is no range, and what asks whether it is one gets no error.
template <detail::ViewLike V, class = detail::a_tensor_begins_with_an_executor__tensor_of_fuse_host_and_x>
void tensor(const V&) = delete;
template <Executor X, detail::Range R>
void print(const X&, const R&) {
    static_assert(sizeof(R) == 0, "fuse: a container is printed through a view of it: print(view(v))");
}

FUSE_END_NAMESPACE

#undef FUSE_REFUSE_ARRAY
