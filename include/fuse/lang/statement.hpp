// SPDX-License-Identifier: Apache-2.0
//
// A statement: output_view = expression. It is lazy: fuse::eval runs it, one kernel for all the statements of a call.
#pragma once

#include "fuse/lang/node.hpp"

FUSE_BEGIN_NAMESPACE

template <class View, class E>
struct [[nodiscard("fuse: a statement does nothing until fuse::eval runs it")]] Statement {
    using view_type = View;
    using expression_type = E;

    View output;
    E expression;

    /// MatX runs a statement so.
    template <class... A>
    void run(const A&...) const {
        static_assert(sizeof...(A) == ~0U, "fuse: a statement is run by eval(fuse::host, y = x * 2)");
    }
};

/// operator= of a node that is no output. A macro, because static_assert takes no text but a literal, and this has to stand
/// in the operator that the user calls.
#define FUSE_NO_OUTPUT(NODE, SENTENCE)                                                                                 \
    template <class X>                                                                                                 \
        requires(!std::same_as<X, NODE>)                                                                               \
    auto operator=(const X&) const {                                                                                   \
        static_assert(sizeof(X) == 0, SENTENCE);                                                                       \
        return Statement<NODE, NODE>{*this, *this};                                                                    \
    }

template <class T>
inline constexpr bool is_statement = false;
template <class View, class E>
inline constexpr bool is_statement<Statement<View, E>> = true;

template <class T>
concept StatementLike = is_statement<std::remove_cvref_t<T>>;

FUSE_END_NAMESPACE
