// SPDX-License-Identifier: Apache-2.0
//
// eval and value: the two verbs of the library.
#pragma once

#include "fuse/exec/host.hpp"

FUSE_BEGIN_NAMESPACE

/// Runs statements as one kernel: eval(fuse::host, y = softmax(x)), eval(fuse::cuda.on(stream), y = ..., m = ...).
/// Throws shape_error, argument_error or cuda_error before anything is written.
template <Executor E, StatementLike... S>
    requires(sizeof...(S) > 0)
void eval(const E& executor, const S&... statements) {
    using verdict = detail::Verdict<S...>;
    FUSE_REFUSE(verdict);
    if constexpr (verdict::refusal == detail::Refusal::none) {  // else the sentence is enough
        executor.run(std::tuple<S...>(statements...));
    }
}

/// The value of a scalar expression (rank 0), on the host. On the GPU: one kernel, one small copy, and the one call
/// that waits for the stream.
template <Executor X, Expression E>
    requires(E::rank == 0)
value_t<E> value(const X& executor, const E& expression) {
    using verdict = detail::Verdict<Statement<detail::value_view<value_t<E>>, E>>;
    FUSE_REFUSE(verdict);
    if constexpr (verdict::refusal == detail::Refusal::none) {
        return std::get<0>(executor.values(expression));
    } else {
        __builtin_unreachable();  // nvcc would first say that nothing is returned
    }
}

/// Several of them, of one kernel: auto [s, m] = value(fuse::host, sum(x), max(x)).
template <Executor X, Expression... E>
    requires(sizeof...(E) > 1 && ((E::rank == 0) && ...))
std::tuple<value_t<E>...> value(const X& executor, const E&... expressions) {
    using verdict = detail::Verdict<Statement<detail::value_view<value_t<E>>, E>...>;
    FUSE_REFUSE(verdict);
    if constexpr (verdict::refusal == detail::Refusal::none) {
        return executor.values(expressions...);
    } else {
        __builtin_unreachable();
    }
}

FUSE_END_NAMESPACE
