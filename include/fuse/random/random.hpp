// SPDX-License-Identifier: Apache-2.0
//
// Random numbers as expressions: uniform, normal, bernoulli, dropout. Number i of a seed is a function of the seed and
// i alone (Philox4x32-10, primitives/thread/philox.hpp), and an element takes the number of its row-major position
// (flat_index): there is no state, and neither grid, launch nor executor changes a bit of it (but for the last digits
// of normal: host and device have functions of their own).
//
// Seeds are integers, in the type or at run time, or an expression of one: uniform<7>(), uniform(step), uniform(view).
// One seed is one sequence wherever it stands; independent numbers have other seeds. Like an index<>, the numbers have
// no shape of their own: they count in the expression in which they stand.
#pragma once

#include "fuse/error.hpp"
#include "fuse/lang/index.hpp"
#include "fuse/lang/let.hpp"
#include "fuse/lang/operators.hpp"
#include "fuse/lang/selection.hpp"
#include "fuse/primitives/thread/elementwise_random.hpp"

FUSE_BEGIN_NAMESPACE

/// What seeds a sequence: an integer, or an expression of integers.
template <class S>
concept SeedLike = (Number<S> && std::is_integral_v<std::remove_cvref_t<S>>) ||
                   (Expression<S> && std::is_integral_v<value_t<S>>);

namespace detail {

/// Number i of a seed's sequence, uniform in [0, 1).
template <class T>
struct UniformNumber {
    static constexpr const char* written = "uniform(@1)";
    template <std::integral S>
    FUSE_HD constexpr T operator()(index_t i, S seed) const {
        Pack<T, 1> number{};
        ElementwiseRandom(number, PhiloxState{static_cast<std::uint64_t>(seed)}, i, Uniform<T>{});
        return number.item[0];
    }
};

/// Number i of a seed's sequence, standard normal: that of Normal<T>, without the others of its group.
template <class T>
struct NormalNumber {
    static constexpr const char* written = "normal(@1)";
    template <std::integral S>
    FUSE_HD T operator()(index_t i, S seed) const {
        constexpr auto items = static_cast<std::uint64_t>(Normal<T>::items);
        const auto number = static_cast<std::uint64_t>(i);
        const RandomWords words = PhiloxState{static_cast<std::uint64_t>(seed)}.words(number / items);
        const Pack<T, 2> pair = [&] {
            if constexpr (items == 2) {
                return Normal<T>{}(words);
            } else {
                const bool second = number % items >= 2;
                return box_muller(positive_uniform_float(second ? words.item[2] : words.item[0]),
                                  uniform_float(second ? words.item[3] : words.item[1]));
            }
        }();
        return number % 2 == 0 ? pair.item[0] : pair.item[1];
    }
};

/// What dropout multiplies element i with: 0 with probability p, else 1 / (1 - p).
struct DropoutScale {
    static constexpr const char* written = "dropout(1, @2, @1)";
    template <std::integral S, std::floating_point P>
    FUSE_HD constexpr P operator()(index_t i, S seed, P p) const {
        const float u = UniformNumber<float>{}(i, seed);
        return static_cast<P>(u) < p ? P(0) : P(1) / (P(1) - p);
    }
};

/// A seed as a node: all 64 bits of a number, negative ones modulo 2^64.
template <class S>
constexpr auto seed_node(const S& seed) {
    if constexpr (Expression<S>) {
        return seed;
    } else {
        return Scalar<std::uint64_t, unnamed>(static_cast<std::uint64_t>(seed));
    }
}
template <long S>
constexpr auto seed_node(constant_t<S>) {
    return Constant<index_t, S, 1>{};
}

template <class P>
void check_probability(const P& p) {
    if constexpr (Number<P>) {
        if (!(p >= 0 && p <= 1)) {
            Text text;
            text << "the probability ";
            print_number(text, static_cast<double>(p));
            throw argument_error(text << " is not between 0 and 1");
        }
    }
}

/// e as one value with coordinates of its own, where it has axes.
template <class E>
constexpr auto in_own_space(const E& e) {
    return let(e, [](const auto& v) { return v; });
}

template <class P, class S>
auto bernoulli_of(const P& p, const S& seed) {
    check_probability(p);
    return in_own_space(Map<UniformNumber<float>, FlatIndex, S>({}, flat_index(), seed) < p);
}

template <class X, class P, class S>
auto dropout_of(const X& x, const P& p, const S& seed) {
    check_probability(p);
    const auto v = in_floating(x);
    using F = value_t<decltype(v)>;
    const auto probability = as_node<F>(p);
    using Scale = Map<DropoutScale, FlatIndex, S, std::remove_const_t<decltype(probability)>>;
    return in_own_space(v * Scale({}, flat_index(), seed, probability));
}

}  // namespace detail

/// Uniform in [0, 1): the multiples of 2^-24 (T = float) or of 2^-53 (double), all equally likely.
template <long Value, std::floating_point T = float>
constexpr auto uniform() {
    const auto seed = detail::seed_node(constant<Value>);
    return map(detail::UniformNumber<T>{}, flat_index(), seed);
}
template <std::floating_point T = float, SeedLike S>
constexpr auto uniform(const S& seed) {
    return map(detail::UniformNumber<T>{}, flat_index(), detail::seed_node(seed));
}

/// Standard normal (mean 0, variance 1): up to 6.8 deviations as a float, 8.6 as a double.
template <long Value, std::floating_point T = float>
constexpr auto normal() {
    const auto seed = detail::seed_node(constant<Value>);
    return map(detail::NormalNumber<T>{}, flat_index(), seed);
}
template <std::floating_point T = float, SeedLike S>
constexpr auto normal(const S& seed) {
    return map(detail::NormalNumber<T>{}, flat_index(), detail::seed_node(seed));
}

/// True with probability p, a number or an expression (of whose shape the result then is): uniform(seed) < p, in steps
/// of 2^-24. A number outside [0, 1] is an argument_error.
template <long Value, OperandLike P>
auto bernoulli(const P& p) {
    return detail::bernoulli_of(p, detail::seed_node(constant<Value>));
}
template <OperandLike P, SeedLike S>
auto bernoulli(const P& p, const S& seed) {
    return detail::bernoulli_of(p, detail::seed_node(seed));
}

/// x with each element 0 with probability p, the others divided by 1 - p (Srivastava et al. 2014; PyTorch's dropout, in
/// training). One seed drops the same elements of every x of one shape: dropout(gradient, p, seed) is the way back. As
/// in PyTorch a dropped NaN or infinity is NaN. A p outside [0, 1] is an argument_error.
template <long Value, Expression X, OperandLike P>
auto dropout(const X& x, const P& p) {
    return detail::dropout_of(x, p, detail::seed_node(constant<Value>));
}
template <Expression X, OperandLike P, SeedLike S>
auto dropout(const X& x, const P& p, const S& seed) {
    return detail::dropout_of(x, p, detail::seed_node(seed));
}

FUSE_END_NAMESPACE
