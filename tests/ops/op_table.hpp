// SPDX-License-Identifier: Apache-2.0
//
// The op table: one record per functor and per reduction op, with the function it must equal (in double,
// written from the definition), the domain to draw operands from and the error allowed in units in the last
// place. The visitors hand out every record with its type, so that one generic test runs over all of them:
// here on single values, elsewhere through the executors. The error bounds hold for the host's libm and for
// CUDA's.
#pragma once

#include "fuse/ops/ops.hpp"
#include "ops/records.hpp"

#include <cmath>
#include <cstdint>
#include <tuple>

namespace fuse::testing {

struct Domain {
    double lo, hi;
};

template <class F>
struct UnaryRecord {
    using functor = F;
    double (*reference)(double);
    Domain x;
    double ulp;
};

template <class F>
struct BinaryRecord {
    using functor = F;
    double (*reference)(double, double);
    Domain x, y;
    double ulp;
};

template <class F>
struct TernaryRecord {
    using functor = F;
    double (*reference)(double, double, double);
    Domain x, y, z;
    double ulp;
};

inline double nan_value() {
    return std::nan("");
}

inline double reference_sigmoid(double x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

inline double reference_gelu_tanh(double x) {
    const double u = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
    return u < -1 ? x / (1 + std::exp(-2 * u)) : 0.5 * x * (1 + std::tanh(u));
}

inline double reference_hardsigmoid(double x) {
    return std::isnan(x) ? x : std::fmin(std::fmax(x + 3, 0), 6) / 6;
}

/// The difference in long double; near 0, where it cancels even so, the power series.
inline double reference_tanhshrink(double x) {
    const double z = x * x;
    const double tail = 62. / 2835 - z * (1382. / 155925 - z * (21844. / 6081075));
    const double series = 1. / 3 - z * (2. / 15 - z * (17. / 315 - z * tail));
    const long double wide = x;
    return std::fabs(x) < 0.06 ? x * z * series : static_cast<double>(wide - std::tanh(wide));
}

inline double reference_logaddexp(double x, double y) {
    const double larger = std::fmax(x, y);
    return x == y                           ? x + std::log(2.0)
           : std::isnan(x) || std::isnan(y) ? nan_value()
                                            : larger + std::log1p(std::exp(-std::fabs(x - y)));
}

/// numpy's mod: exact remainder with the sign of y.
inline double reference_mod(double x, double y) {
    const double r = std::fmod(x, y);
    return r != 0 && std::signbit(r) != std::signbit(y) ? r + y : r;
}

inline double reference_floor_div(double x, double y) {
    if (y == 0)
        return x / y;
    const double r = std::fmod(x, y);
    const double exact = std::nearbyint((x - r) / y);
    const double quotient = std::fabs((x - r) / y) < 0x1p52 ? exact : (x - r) / y;
    return r != 0 && std::signbit(r) != std::signbit(y) ? quotient - 1 : quotient;
}

template <class F>
UnaryRecord<F> unary(F, Domain x, double ulp, double (*reference)(double)) {
    return {reference, x, ulp};
}

inline auto unary_records() {
    using namespace fuse;
    const Domain wide{-1e3, 1e3}, positive{1e-3, 1e3}, unit{-1, 1};
    return std::make_tuple(
        unary(Identity<>{}, wide, 0, [](double x) { return x; }), unary(Neg<>{}, wide, 0, [](double x) { return -x; }),
        unary(Abs<>{}, wide, 0, [](double x) { return std::fabs(x); }),
        unary(Square<>{}, wide, 0.5, [](double x) { return x * x; }),
        unary(Reciprocal<>{}, wide, 1, [](double x) { return 1 / x; }),

        unary(Sqrt<>{}, positive, 1, [](double x) { return std::sqrt(x); }),
        unary(Rsqrt<>{}, positive, 2, [](double x) { return 1 / std::sqrt(x); }),
        unary(Cbrt<>{}, wide, 2, [](double x) { return std::cbrt(x); }),
        unary(Exp<>{}, {-80, 80}, 2, [](double x) { return std::exp(x); }),
        unary(Exp2<>{}, {-120, 120}, 2, [](double x) { return std::exp2(x); }),
        unary(Expm1<>{}, {-20, 80}, 2, [](double x) { return std::expm1(x); }),
        unary(Log<>{}, positive, 2, [](double x) { return std::log(x); }),
        unary(Log2<>{}, positive, 2, [](double x) { return std::log2(x); }),
        unary(Log10<>{}, positive, 3, [](double x) { return std::log10(x); }),
        unary(Log1p<>{}, {-0.999, 1e3}, 2, [](double x) { return std::log1p(x); }),

        unary(Sin<>{}, wide, 2, [](double x) { return std::sin(x); }),
        unary(Cos<>{}, wide, 2, [](double x) { return std::cos(x); }),
        unary(Tan<>{}, wide, 4, [](double x) { return std::tan(x); }),
        unary(Asin<>{}, unit, 2, [](double x) { return std::asin(x); }),
        unary(Acos<>{}, unit, 2, [](double x) { return std::acos(x); }),
        unary(Atan<>{}, wide, 2, [](double x) { return std::atan(x); }),
        unary(Sinh<>{}, {-80, 80}, 3, [](double x) { return std::sinh(x); }),
        unary(Cosh<>{}, {-80, 80}, 3, [](double x) { return std::cosh(x); }),
        unary(Tanh<>{}, {-20, 20}, 3, [](double x) { return std::tanh(x); }),
        unary(Asinh<>{}, wide, 3, [](double x) { return std::asinh(x); }),
        unary(Acosh<>{}, {1, 1e3}, 4, [](double x) { return std::acosh(x); }),
        unary(Atanh<>{}, unit, 4, [](double x) { return std::atanh(x); }),

        unary(Erf<>{}, {-6, 6}, 2, [](double x) { return std::erf(x); }),
        unary(Erfc<>{}, {-6, 6}, 8, [](double x) { return std::erfc(x); }),
        unary(Sigmoid<>{}, {-80, 80}, 4, [](double x) { return reference_sigmoid(x); }),
        // The rounding of the argument of exp is amplified by up to its size: x^2 and 4 |u| half-ulps.
        unary(Gelu<>{}, {-5, 10}, 64, [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }),
        unary(GeluTanh<>{}, {-5, 10}, 64, [](double x) { return reference_gelu_tanh(x); }),
        unary(Relu<>{}, wide, 0, [](double x) { return x < 0 ? 0 : x; }),
        unary(Silu<>{}, {-80, 80}, 5, [](double x) { return x * reference_sigmoid(x); }),
        unary(Softplus<>{}, {-80, 80}, 4,
              [](double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }),

        unary(LogSigmoid<>{}, {-80, 80}, 4,
              [](double x) { return x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x)); }),
        unary(Selu<>{}, {-80, 80}, 4,
              [](double x) {
                  return 1.0507009873554804934193349852946 *
                         (x > 0 ? x : 1.6732632423543772848170429916717 * std::expm1(x));
              }),
        unary(Mish<>{}, {-80, 80}, 8, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }),
        unary(HardSigmoid<>{}, {-5, 5}, 2, [](double x) { return reference_hardsigmoid(x); }),
        unary(HardSwish<>{}, {-5, 5}, 3, [](double x) { return x * reference_hardsigmoid(x); }),
        unary(TanhShrink<>{}, {-20, 20}, 8, [](double x) { return reference_tanhshrink(x); }),

        unary(Floor<>{}, wide, 0, [](double x) { return std::floor(x); }),
        unary(Ceil<>{}, wide, 0, [](double x) { return std::ceil(x); }),
        unary(Trunc<>{}, wide, 0, [](double x) { return std::trunc(x); }),
        unary(Round<>{}, wide, 0, [](double x) { return std::nearbyint(x); }),
        unary(Sign<>{}, wide, 0, [](double x) { return x > 0   ? 1
                                                       : x < 0 ? -1
                                                               : x; }),
        unary(IsNan<>{}, wide, 0, [](double x) { return std::isnan(x) ? 1. : 0.; }),
        unary(IsInf<>{}, wide, 0, [](double x) { return std::isinf(x) ? 1. : 0.; }),
        unary(IsFinite<>{}, wide, 0, [](double x) { return std::isfinite(x) ? 1. : 0.; }),
        unary(LogicalNot<>{}, wide, 0, [](double x) { return x == 0 ? 1. : 0.; }),
        unary(Cast<double>{}, wide, 0, [](double x) { return x; }));
}

template <class F>
BinaryRecord<F> binary(F, Domain x, Domain y, double ulp, double (*reference)(double, double)) {
    return {reference, x, y, ulp};
}

inline double bits_of(double x, double y, char op) {
    const auto a = static_cast<std::int64_t>(x), b = static_cast<std::int64_t>(y);
    return static_cast<double>(op == '&' ? (a & b) : op == '|' ? (a | b) : (a ^ b));
}

inline auto binary_records() {
    using namespace fuse;
    const Domain wide{-1e3, 1e3}, few{-3, 3};
    return std::make_tuple(
        binary(Add<>{}, wide, wide, 0.5, [](double x, double y) { return x + y; }),
        binary(Sub<>{}, wide, wide, 0.5, [](double x, double y) { return x - y; }),
        binary(Mul<>{}, wide, wide, 0.5, [](double x, double y) { return x * y; }),
        binary(Div<>{}, wide, wide, 1, [](double x, double y) { return x / y; }),
        binary(Square<>{}, wide, wide, 2, [](double x, double y) { return (x - y) * (x - y); }),
        binary(FloorDiv<>{}, wide, {-20, 20}, 1, reference_floor_div),
        binary(Mod<>{}, wide, {-20, 20}, 1, reference_mod),
        binary(Fmod<>{}, wide, {-20, 20}, 0, [](double x, double y) { return std::fmod(x, y); }),
        binary(Pow<>{}, {0.1, 10}, {-5, 5}, 8, [](double x, double y) { return std::pow(x, y); }),
        binary(Hypot<>{}, wide, wide, 3, [](double x, double y) { return std::hypot(x, y); }),
        binary(Atan2<>{}, wide, wide, 3, [](double y, double x) { return std::atan2(y, x); }),
        binary(CopySign<>{}, wide, wide, 0, [](double x, double y) { return std::copysign(x, y); }),
        // Of negative operands the two terms may cancel.
        binary(LogAddExp<>{}, {0, 80}, {0, 80}, 32, reference_logaddexp),
        binary(XLogY<>{}, wide, {1e-3, 1e3}, 3,
               [](double x, double y) { return x == 0 && !std::isnan(y) ? 0 : x * std::log(y); }),

        binary(LeakyRelu<>{}, wide, {-2, 2}, 0.5, [](double x, double a) { return x > 0 ? x : a * x; }),
        binary(Elu<>{}, {-80, 80}, {-2, 2}, 3, [](double x, double a) { return x > 0 ? x : a * std::expm1(x); }),
        binary(Celu<>{}, {-80, 80}, {0.1, 2}, 4,
               [](double x, double a) { return x > 0 || std::fabs(x / a) < 1e-17 ? x : a * std::expm1(x / a); }),

        binary(Max<>{}, wide, wide, 0,
               [](double x, double y) { return std::isnan(x) || std::isnan(y) ? nan_value() : std::fmax(x, y); }),
        binary(Min<>{}, wide, wide, 0,
               [](double x, double y) { return std::isnan(x) || std::isnan(y) ? nan_value() : std::fmin(x, y); }),
        binary(MaxIgnoreNan<>{}, wide, wide, 0, [](double x, double y) { return std::fmax(x, y); }),
        binary(MinIgnoreNan<>{}, wide, wide, 0, [](double x, double y) { return std::fmin(x, y); }),

        binary(Less<>{}, few, few, 0, [](double x, double y) { return x < y ? 1. : 0.; }),
        binary(LessEqual<>{}, few, few, 0, [](double x, double y) { return x <= y ? 1. : 0.; }),
        binary(Greater<>{}, few, few, 0, [](double x, double y) { return x > y ? 1. : 0.; }),
        binary(GreaterEqual<>{}, few, few, 0, [](double x, double y) { return x >= y ? 1. : 0.; }),
        binary(Equal<>{}, few, few, 0, [](double x, double y) { return x == y ? 1. : 0.; }),
        binary(NotEqual<>{}, few, few, 0, [](double x, double y) { return x != y ? 1. : 0.; }),

        binary(IsClose<>{}, few, few, 0,
               [](double x, double y) {
                   return x == y || (std::isfinite(y) && std::fabs(x - y) <= 1e-8 + 1e-5 * std::fabs(y)) ? 1. : 0.;
               }),

        binary(LogicalAnd<>{}, few, few, 0, [](double x, double y) { return x != 0 && y != 0 ? 1. : 0.; }),
        binary(LogicalOr<>{}, few, few, 0, [](double x, double y) { return x != 0 || y != 0 ? 1. : 0.; }),
        binary(BitAnd<>{}, wide, wide, 0, [](double x, double y) { return bits_of(x, y, '&'); }),
        binary(BitOr<>{}, wide, wide, 0, [](double x, double y) { return bits_of(x, y, '|'); }),
        binary(BitXor<>{}, wide, wide, 0, [](double x, double y) { return bits_of(x, y, '^'); }),
        binary(ShiftLeft<>{}, {0, 7}, {0, 4}, 0, [](double x, double y) { return x * std::exp2(y); }),
        binary(ShiftRight<>{}, wide, {0, 6}, 0, [](double x, double y) { return std::floor(x / std::exp2(y)); }));
}

template <class F>
TernaryRecord<F> ternary(F, Domain x, Domain y, Domain z, double ulp, double (*reference)(double, double, double)) {
    return {reference, x, y, z, ulp};
}

inline auto ternary_records() {
    using namespace fuse;
    const Domain wide{-1e3, 1e3}, few{-3, 3};
    return std::make_tuple(
        ternary(Where<>{}, few, wide, wide, 0, [](double c, double x, double y) { return c != 0 ? x : y; }),
        ternary(Clamp<>{}, wide, {-500, 0}, {0, 500}, 0,
                [](double x, double lo, double hi) {
                    if (std::isnan(x) || std::isnan(lo) || std::isnan(hi))
                        return nan_value();
                    return std::fmin(std::fmax(x, lo), hi);
                }),
        ternary(Fma<>{}, wide, wide, wide, 1, [](double x, double y, double z) { return std::fma(x, y, z); }));
}

}  // namespace fuse::testing
