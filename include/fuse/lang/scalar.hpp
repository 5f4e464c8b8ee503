// SPDX-License-Identifier: Apache-2.0
//
// scalar(0.5f), scalar<"eps">(1e-5f): a run-time number, passed to the kernel by value.
#pragma once

#include "fuse/lang/name.hpp"
#include "fuse/lang/print.hpp"
#include "fuse/lang/statement.hpp"

// Of maps and of outputs.
#define FUSE_CALL_IT "fuse: a function is not an operand, what it returns is: index<1> is written x * index<1>()"

FUSE_BEGIN_NAMESPACE

template <class T, class Name>
struct Scalar : node_base {
    using value_type = T;
    using name_type = Name;
    static constexpr int rank = 0;
    static constexpr int positions = is_named<Name> ? 0 : 1;

    constexpr explicit Scalar(T v) : value(v) {}
    constexpr auto with() const { return *this; }
    FUSE_NO_OUTPUT(Scalar,
                   "fuse: an output is a view, of one number, too, view<\"s\">(&s, fuse::shape()): a scalar is read")
    FUSE_RARE void print(Text& out) const {
        if constexpr (is_named<Name>) {
            out << Name::text;
        } else {
            detail::print_number(out, static_cast<double>(value));
        }
    }

    T value;
};

template <Number T>
auto scalar(T value) {
    return Scalar<compute_t<T>, unnamed>(static_cast<compute_t<T>>(value));
}
template <fixed_name N, Number T>
auto scalar(T value) {
    return Scalar<compute_t<T>, name_t<N>>(static_cast<compute_t<T>>(value));
}

namespace detail {

/// What is wrong with an operand, as Map says it.
enum class OperandFault { none, container, function };
/// The name of a number in place of what is refused: no second error follows.
template <OperandFault As>
struct refused_name {
    static constexpr char text[] = "refused";
};
template <class Name>
inline constexpr bool is_refused = false;
template <OperandFault As>
inline constexpr bool is_refused<refused_name<As>> = true;

using Refused = Scalar<float, refused_name<OperandFault::none>>;
constexpr Refused refused() {
    return Refused(0);
}

}  // namespace detail

FUSE_END_NAMESPACE
