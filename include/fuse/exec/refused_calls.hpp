// SPDX-License-Identifier: Apache-2.0
//
// Calls of eval, prepare, value and explain that are none: what is not said where it belongs. Of the right calls the
// functions of eval.hpp, prepared_eval.hpp and explain.hpp are closer.
#pragma once

#include "fuse/exec/executor.hpp"

// One of the sentences of each function; a macro, because static_assert takes no text but a literal.
#define FUSE_CUDA_NEEDS_NVCC                                                                                           \
    "fuse: fuse::cuda needs nvcc, and this file is compiled without it: name it .cu (CMake: LANGUAGES CUDA), "         \
    "or use fuse::host"

FUSE_BEGIN_NAMESPACE

namespace detail {

struct NoCuda;

/// The fuse::cuda of a file that nvcc does not compile.
template <class... A>
inline constexpr bool needs_nvcc = (false || ... || std::is_same_v<A, NoCuda>);

template <class... A>
inline constexpr bool has_executor = false;
template <class First, class... More>
inline constexpr bool has_executor<First, More...> = Executor<First>;
template <class... A>
inline constexpr bool has_statements = false;
template <class First, class... More>
inline constexpr bool has_statements<First, More...> = (StatementLike<More> && ...);

}  // namespace detail

template <class... A>
auto eval(const A&...) {
    static_assert(!detail::needs_nvcc<A...>, FUSE_CUDA_NEEDS_NVCC);
    static_assert(detail::needs_nvcc<A...> || detail::has_executor<A...>,
                  "fuse: eval begins with an executor, which says where it runs: eval(fuse::host, y = x * 2), or "
                  "fuse::cuda in a .cu file");
    // What v = x * 2 is for a container v: some compilers ask this before they look at the assignment.
    constexpr bool assigned = (false || ... || detail::Container<A>);
    static_assert(!assigned, FUSE_NO_CONTAINER);
    static_assert(assigned || !detail::has_executor<A...> || detail::has_statements<A...>,
                  "fuse: eval takes statements, output = expression: eval(fuse::host, y = x * 2); for the number that "
                  "sum(x) is, value(fuse::host, sum(x))");
    static_assert(sizeof...(A) != 1 || !detail::has_executor<A...>,
                  "fuse: eval takes at least one statement, output = expression");
}

template <class... A>
auto prepare(const A&...) {
    static_assert(!detail::needs_nvcc<A...>, FUSE_CUDA_NEEDS_NVCC);
    static_assert(
        detail::needs_nvcc<A...>,
        "fuse: prepare takes an executor and statements, as eval does: auto step = prepare(fuse::host, y = x * 2)");
}

template <class... A>
auto value(const A&...) {
    static_assert(!detail::needs_nvcc<A...>, FUSE_CUDA_NEEDS_NVCC);
    static_assert(detail::needs_nvcc<A...> || detail::has_executor<A...>,
                  "fuse: value begins with an executor, which says where it runs: value(fuse::host, sum(x)), or "
                  "fuse::cuda in a .cu file");
    static_assert(!detail::has_executor<A...>,
                  "fuse: value() takes scalar expressions: value(fuse::host, sum(x)); a statement, output = "
                  "expression, is for eval");
    return 0;
}
// Of expressions with axes. Their type is asked of the body: so this is said before what the value is put into.
template <Executor X, Expression E>
    requires(E::rank != 0)
auto value(const X&, const E&) {
    static_assert(E::rank == 0, "fuse: value() takes a scalar expression: reduce over all axes, without keepdims");
    return value_t<E>();
}
template <Executor X, Expression... E>
    requires(sizeof...(E) > 1 && ((E::rank != 0) || ...))
auto value(const X&, const E&...) {
    static_assert(((E::rank == 0) && ...),
                  "fuse: value() takes scalar expressions: reduce over all axes, without keepdims");
    return std::tuple<value_t<E>...>();
}

template <class... A>
auto explain(const A&...) {
    static_assert(!detail::needs_nvcc<A...>, FUSE_CUDA_NEEDS_NVCC);
    static_assert(detail::needs_nvcc<A...> || detail::has_executor<A...>,
                  "fuse: explain begins with an executor, whose plan it shows: explain(fuse::host, y = x * 2), or "
                  "fuse::cuda in a .cu file");
    static_assert(!detail::has_executor<A...>,
                  "fuse: explain takes statements and expressions: explain(fuse::host, y = x * 2)");
    return Text();
}

FUSE_END_NAMESPACE
