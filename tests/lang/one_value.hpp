// SPDX-License-Identifier: Apache-2.0
//
// What a plan costs, and whether a function that uses an operand several times uses one value: with run-time numbers,
// unnamed views, functors with state or index<> in its operands it plans what it does of operands with a name.
#pragma once

#include <tuple>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

namespace fuse::testing {

template <int... I>
View<float, name_t<"y">, (static_cast<void>(I), dynamic)...> output_of(std::integer_sequence<int, I...>);
template <class E>
using plan_of =
    plan<Statement<decltype(output_of(std::make_integer_sequence<int, E::rank>{})), std::remove_const_t<E>>>;
template <class E>
inline constexpr int leaves = plan_of<E>::planner::ir_leaves::size;

/// What a plan costs.
struct Cost {
    int leaves;
    int functors;
    int reductions;
    int phases;
    int passes;  ///< over x
    Family family;
    bool epilogue;
    friend constexpr bool operator==(const Cost&, const Cost&) = default;
};
template <class E>
constexpr Cost cost() {
    using P = plan_of<E>;
    using Planner = typename P::planner;
    return {Planner::ir_leaves::size,
            Planner::functors::size,
            Planner::ir_reductions::size,
            P::phases,
            P::template passes<"x">,
            P::family,
            P::epilogue};
}

struct Shifted {
    float by;
    float operator()(float v) const { return v + by; }
};

inline const auto x = view<"x">(static_cast<const float*>(nullptr), 4, 5);
inline const auto t = view<"t">(static_cast<const float*>(nullptr), 4, 5);
inline const auto r = view(static_cast<const float*>(nullptr), 4, 5);
inline const auto line = view(static_cast<const float*>(nullptr), 5);
inline const auto label = view(static_cast<const int*>(nullptr), 4);

/// Operands that are another value at each place where they stand.
inline const auto operands = std::tuple(x - (r * line + 1.0F) * 0.5F, map(Shifted{2}, x), x* cast<float>(index<1>()));

/// f of an operand as it is and with a name.
template <class F, class E>
void check_one(const F&, const E&) {
    constexpr Cost bare = cost<std::invoke_result_t<F, E>>();
    constexpr Cost with_name = cost<std::invoke_result_t<F, Named<name_t<"h">, E>>>();
    STATIC_REQUIRE(bare == with_name);
}
template <class F>
void check(const F& f) {
    std::apply([&f](const auto&... e) { (check_one(f, e), ...); }, operands);
}

/// f of two operands; the second one is made like the first one of another view.
template <class F>
void check_pair(const F& f) {
    check([&f](const auto& a) { return f(a, t * 2.0F + r); });
    constexpr auto both = [](auto name_a, auto name_b) {
        return cost<decltype(std::declval<F>()(name_a(x * 0.5F), name_b(map(Shifted{1}, t))))>();
    };
    constexpr auto bare = [](const auto& e) { return e; };
    STATIC_REQUIRE(both(bare, bare) ==
                   both([](const auto& e) { return named<"h">(e); }, [](const auto& e) { return named<"g">(e); }));
}

}  // namespace fuse::testing
