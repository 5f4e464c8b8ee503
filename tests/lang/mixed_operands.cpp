// SPDX-License-Identifier: Apache-2.0
//
// Numbers and expressions in every mixture among the operands of elementwise functions, as numpy and PyTorch take them:
// which are accepted, of all; values, of those whose first operand is seldom the number.
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "fuse/nn.hpp"
#include "support/host_target.hpp"

namespace {

using Doubles = decltype(fuse::view<"x">(std::declval<const std::vector<double>&>()));
using Integers = decltype(fuse::view<"i">(std::declval<const std::vector<int>&>()));

template <class F, class X, class Number, unsigned Mask, int... I>
constexpr bool takes(std::integer_sequence<int, I...>) {
    return std::is_invocable_v<F, std::conditional_t<((Mask >> I) & 1U) != 0, X, Number>...>;
}
template <int N, class F, class X, class Number, unsigned... Less>
constexpr bool takes_each(std::integer_sequence<unsigned, Less...>) {
    return (takes<F, X, Number, Less + 1>(std::make_integer_sequence<int, N>{}) && ...);
}
/// F of N operands, each an X or a number, one at least an X.
template <int N, class F, class X = Doubles, class Number = double>
constexpr bool takes_all = takes_each<N, F, X, Number>(std::make_integer_sequence<unsigned, (1U << N) - 1>{});

template <class F>
void check(const char* name, const std::vector<double>& v, const F& expression, double (*expected)(double)) {
    INFO(name);
    std::vector<double> got(v.size());
    fuse::eval(fuse::host, fuse::view<"y">(got) = expression(fuse::view<"v">(v)));
    for (std::size_t i = 0; i < v.size(); ++i) {
        INFO("of " << v[i]);
        const double right = expected(v[i]);
        CHECK((std::isnan(right) ? std::isnan(got[i]) : got[i] == Catch::Approx(right).margin(1e-15)));
    }
}

}  // namespace

#define CHECK_TAKES(N, FUNCTION)                                                                                       \
    {                                                                                                                  \
        INFO(#FUNCTION);                                                                                               \
        const auto f = [](const auto&... a) -> decltype(FUNCTION(a...)) { return FUNCTION(a...); };                    \
        CHECK(takes_all<N, decltype(f)>);                                                                              \
        CHECK(takes_all<N, decltype(f), Integers, int>);                                                               \
        CHECK(takes_all<N, decltype(f), Integers, float>);                                                             \
        CHECK(takes_all<N, decltype(f), Doubles, bool>);                                                               \
        CHECK(takes_all<N, decltype(f), Doubles, fuse::constant_t<1, 2>>);                                             \
        CHECK(takes_all<N, decltype(f), Doubles, fuse::bfloat16>);                                                     \
    }
#define CHECK_OPERATOR(OPERATOR, NUMBER)                                                                               \
    {                                                                                                                  \
        INFO(#OPERATOR);                                                                                               \
        const auto f = [](const auto& a, const auto& b) -> decltype(a OPERATOR b) { return a OPERATOR b; };            \
        CHECK(takes_all<2, decltype(f), Integers, NUMBER>);                                                            \
        CHECK(takes_all<2, decltype(f), Integers, bool>);                                                              \
    }

TEST_CASE("elementwise functions take numbers in every place") {
    CHECK_TAKES(2, pow);
    CHECK_TAKES(2, atan2);
    CHECK_TAKES(2, hypot);
    CHECK_TAKES(2, min);
    CHECK_TAKES(2, max);
    CHECK_TAKES(2, minimum);
    CHECK_TAKES(2, maximum);
    CHECK_TAKES(2, fmod);
    CHECK_TAKES(2, floor_divide);
    CHECK_TAKES(2, copysign);
    CHECK_TAKES(2, logaddexp);
    CHECK_TAKES(2, xlogy);
    CHECK_TAKES(2, square);
    CHECK_TAKES(2, leaky_relu);
    CHECK_TAKES(2, elu);
    CHECK_TAKES(2, celu);
    CHECK_TAKES(3, lerp);
    CHECK_TAKES(3, fma);
    CHECK_TAKES(3, clamp);
    CHECK_TAKES(3, where);
    CHECK_TAKES(2, isclose);
    CHECK_TAKES(3, isclose);
    CHECK_TAKES(4, isclose);
    CHECK_TAKES(2, nan_to_num);
    CHECK_TAKES(3, nan_to_num);
    CHECK_TAKES(4, nan_to_num);
}

TEST_CASE("operators take numbers on both sides") {
    CHECK_OPERATOR(+, double);
    CHECK_OPERATOR(-, double);
    CHECK_OPERATOR(*, double);
    CHECK_OPERATOR(/, double);
    CHECK_OPERATOR(%, double);
    CHECK_OPERATOR(<, double);
    CHECK_OPERATOR(<=, double);
    CHECK_OPERATOR(>, double);
    CHECK_OPERATOR(>=, double);
    CHECK_OPERATOR(==, double);
    CHECK_OPERATOR(!=, double);
    CHECK_OPERATOR(&&, double);
    CHECK_OPERATOR(||, double);
    CHECK_OPERATOR(&, int);
    CHECK_OPERATOR(|, int);
    CHECK_OPERATOR(^, int);
    CHECK_OPERATOR(<<, int);
    CHECK_OPERATOR(>>, int);
}

TEST_CASE("losses of single elements take numbers in every place") {
    CHECK_TAKES(2, mse_loss);
    CHECK_TAKES(2, l1_loss);
    CHECK_TAKES(2, huber_loss);
    CHECK_TAKES(2, smooth_l1_loss);
    CHECK_TAKES(2, binary_cross_entropy);
    CHECK_TAKES(2, binary_cross_entropy_with_logits);
    CHECK_TAKES(2, sigmoid_focal_loss);
    CHECK_TAKES(2, kl_div);
    CHECK_TAKES(2, js_div);
    CHECK_TAKES(2, poisson_nll_loss);
    CHECK_TAKES(2, hinge_embedding_loss);
    CHECK_TAKES(3, margin_ranking_loss);
    CHECK_TAKES(3, gaussian_nll_loss);
}

TEST_CASE("values of functions whose first operand is a number") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> v = {-2, -0.5, 0.25, 1, 3, nan, infinity};
    const auto slopes = [](const auto& s) { return leaky_relu(-2.0, s) + leaky_relu(2, s); };
    check("leaky_relu", v, slopes, [](double s) { return -2 * s + 2; });
    check(
        "elu", v, [](const auto& a) { return elu(-2, a); }, [](double a) { return a * std::expm1(-2); });
    check(
        "celu", v, [](const auto& a) { return celu(fuse::constant<-1>, a); },
        [](double a) { return std::isinf(a) ? -1 : a * std::expm1(-1 / a); });
    check(
        "isclose", v, [](const auto& b) { return isclose(1.5, b, 0.5); },
        [](double b) { return double(std::fabs(1.5 - b) <= 1e-8 + 0.5 * std::fabs(b) && std::isfinite(b)); });
    check(
        "isclose of numbers", v, [](const auto& r) { return isclose(1, 2, 0, r); },
        [](double r) { return double(r >= 1); });
    check(
        "nan_to_num", v, [](const auto& n) { return nan_to_num(std::numeric_limits<double>::quiet_NaN(), n); },
        [](double n) { return n; });
    check(
        "nan_to_num of infinity", v, [](const auto& x) { return nan_to_num(x, 7, 8); },
        [](double x) { return std::isnan(x)   ? 7
                              : std::isinf(x) ? 8
                                              : x; });
    check(
        "where of true", v, [](const auto& x) { return where(true, x, 0) + where(0.5, x, -x); },
        [](double x) { return 2 * x; });
    check(
        "where of false", v, [](const auto& x) { return where(false, x, 7) + where(fuse::constant<0>, x, 1); },
        [](double) { return 8.0; });
}
