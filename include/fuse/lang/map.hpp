// SPDX-License-Identifier: Apache-2.0
//
// map(f, x, y, ...): a functor applied elementwise to operands that broadcast as in numpy (axes aligned at the end,
// extent 1 stretches).
#pragma once

#include <type_traits>
#include <utility>

#include "fuse/lang/part_at.hpp"
#include "fuse/lang/weak.hpp"
#include "fuse/numeric.hpp"
#include "fuse/ops/types/compute_type.hpp"
#include "fuse/ops/types/scattered.hpp"
#include "fuse/tuple.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether the bytes of a functor are all of it. nvcc wraps a capturing __host__ __device__ lambda in a class that owns a
/// copy for the host: never trivially copyable, although its captures come first, as the device expects them. Copying its
/// bytes is right while the statement that owns it lives.
template <class F>
inline constexpr bool is_copied_by_bytes =
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    std::is_trivially_copyable_v<F> || __nv_is_extended_host_device_lambda_closure_type(F);
#else
    std::is_trivially_copyable_v<F>;
#endif

}  // namespace detail

/// Elementwise application of F to Args. The functor sees single values, never an index.
template <class F, class... Args>
struct Map : node_base {
    static_assert(((detail::operand_fault<Args> != detail::OperandFault::container) && ...),
                  "fuse: a container is not an operand: a view of it is, x + view<\"v\">(v)");
    static_assert(((detail::operand_fault<Args> != detail::OperandFault::function) && ...), FUSE_CALL_IT);
    static_assert(detail::is_copied_by_bytes<F>,
                  "fuse: a map functor is copied to the device: it must be trivially copyable (capture by value)");
    static_assert(
        sizeof(F) <= 32764,
        "fuse: a map functor travels in the parameters of a kernel, which hold 32,764 bytes: a table is a view");
    static_assert(!std::is_member_pointer_v<F>,
                  "fuse: map takes a functor or a lambda, no pointer to a member: map([](P p) { return p.y; }, x)");
    static_assert(!(is_scattered<value_t<Args>> || ...),
                  "fuse: nothing is computed of compact(): it is an output's expression; compact(x * 2, keep) keeps "
                  "what is computed");
    static_assert(std::is_invocable_v<const F&, value_t<Args>...> || (is_scattered<value_t<Args>> || ...),
                  "fuse: a map functor must be callable with the element types of its operands, and its operator() "
                  "const (no mutable lambda)");
    using functor_type = F;
    using value_type = compute_t<std::remove_cvref_t<std::invoke_result_t<const F&, value_t<Args>...>>>;
    static_assert(!std::is_void_v<value_type>, "fuse: a map functor returns the new element: it changes none in place");
    using operands = operand_types<Args...>;
    static constexpr int rank = detail::largest(0, rank_v<Args>...);
    // A functor with state has an identity of its own at each occurrence, like an unnamed leaf.
    static constexpr int positions = (std::is_empty_v<F> ? 0 : 1) + (0 + ... + Args::positions);
    static constexpr bool counts = (false || ... || Args::counts);

    constexpr Map(const F& f, const Args&... a) : functor(f), args{{a}...} {}

    template <class G>
    constexpr decltype(auto) on_operands(G&& g) const {
        return detail::on_elements(args, g);
    }
    template <class... X>
    constexpr auto with(const X&... x) const {
        return Map<F, X...>(functor, x...);
    }
    FUSE_PART_AT(Map)
    FUSE_RARE void print(Text& out) const { print(out, std::make_integer_sequence<int, sizeof...(Args)>{}); }

    F functor;
    Tuple<Args...> args;

private:
    template <int... I>
    FUSE_RARE void print(Text& out, std::integer_sequence<int, I...>) const {
        const detail::ErasedNode operand[] = {detail::erase(get<I>(args))..., {}};
        if constexpr (requires { F::written; }) {
            detail::print_written(out, F::written, operand);
        } else {
            constexpr int count = sizeof...(Args);
            detail::print_call(out, detail::name_or<F>("map"), detail::operator_of<F, count>(), operand, count);
        }
    }
};

/// F of A...: numbers among them take the type of the expressions beside them. The functions of the language name it as
/// what they return: so the compiler looks at a Map where the user calls, and a sentence of it comes early.
template <class F, class... A>
using map_t = Map<F, detail::node_t<detail::weak_common_t<A...>, A>...>;

namespace detail {

/// What the functions of the language do with their functors.
template <class F, class... A>
    requires Operands<A...>
constexpr map_t<F, A...> apply(const F& f, const A&... a) {
    using V = weak_common_t<A...>;
    return map_t<F, A...>(f, as_node<V>(a)...);
}

}  // namespace detail

/// map(f, x, y, ...): any callable, for example a __host__ __device__ lambda. Numbers keep their own type here.
template <class F, class... A>
    requires(Operands<A...> && !OperandLike<F> && !std::is_function_v<F>)
constexpr Map<F, detail::node_t<void, A>...> map(const F& f, const A&... a) {
    return Map<F, detail::node_t<void, A>...>(f, detail::as_node<void>(a)...);
}

FUSE_END_NAMESPACE
