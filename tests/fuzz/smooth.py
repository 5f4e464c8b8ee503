# SPDX-License-Identifier: Apache-2.0
"""The elementwise functions that have derivatives, in extended precision: for each its value, and where it is smooth and
well conditioned. Kinks, poles and steps are kept at a distance; at them tests/lang/gradient_kinks.cpp looks."""
import numpy as np

from . import arithmetic, special  # noqa: F401 - they fill the table
from . import dtypes as ty
from .activations import SELU_ALPHA, SELU_SCALE
from .elementwise import FUNCTIONS, Function

APART = 0.08  # the least distance from a kink
REAL = {}  # (name, arity): the function of extended numbers
SMOOTH = {}  # (name, arity): whether all of these operands are at its good places
CALLS = {}  # name: Function


def smooth(name, real, where=lambda *x: True, function=None):
    function = function or FUNCTIONS[name]
    key = (function.name, function.arity)
    CALLS[name], REAL[key], SMOOTH[key] = function, real, where


def below(limit):
    return lambda x: np.all(np.abs(x) < limit)


def above(limit):
    return lambda x: np.all(x > limit)


def anywhere(*x):
    return True


def off(*places):
    return lambda x: all(np.all(np.abs(x - p) > APART) for p in places)


def off_whole(x):
    return np.all(np.abs(x - np.rint(x)) > APART) and below(30)(x)


def erf(x):
    """2 / sqrt(pi) exp(-x^2) sum of 2^n x^(2n + 1) / (2n + 1)!!: all terms have one sign."""
    term = total = x + np.longdouble(0)
    for n in range(1, 90):
        term = term * (2 * x * x) / (2 * n + 1)
        total = total + term
    return 2 / np.sqrt(np.longdouble(np.pi) + np.longdouble(1.2246467991473532e-16)) * np.exp(-x * x) * total


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def elu(x, alpha=1):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def celu(x, alpha=1):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0) / alpha))


def unit(x):
    return np.clip(x / 6 + np.longdouble(0.5), 0, 1)


ROOT_HALF = np.sqrt(np.longdouble(0.5))
GELU_SCALE = np.sqrt(np.longdouble(2) / (np.longdouble(np.pi) + np.longdouble(1.2246467991473532e-16)))

for _name, _f, _where in [
        ("neg", np.negative, anywhere), ("abs", np.abs, off(0)), ("square", np.square, anywhere),
        ("sqrt", np.sqrt, above(0.1)), ("exp", np.exp, below(3)), ("exp2", np.exp2, below(4)),
        ("expm1", np.expm1, below(3)), ("tanh", np.tanh, below(2)), ("sin", np.sin, below(6)),
        ("cos", np.cos, below(6)), ("sinh", np.sinh, below(3)), ("sigmoid", sigmoid, below(5)),
        ("relu", lambda x: np.maximum(x, 0), off(0)), ("floor", np.floor, off_whole), ("ceil", np.ceil, off_whole),
        ("trunc", np.trunc, off_whole), ("round", np.rint, lambda x: off_whole(x + 0.5)), ("sign", np.sign, off(0)),
        ("reciprocal", lambda x: 1 / x, lambda x: np.all(np.abs(x) > 0.3)),
        ("rsqrt", lambda x: 1 / np.sqrt(x), above(0.2)), ("cbrt", np.cbrt, lambda x: np.all(np.abs(x) > 0.2)),
        ("log", np.log, above(0.2)), ("log2", np.log2, above(0.2)), ("log10", np.log10, above(0.2)),
        ("log1p", np.log1p, above(-0.7)), ("asin", np.arcsin, below(0.85)), ("acos", np.arccos, below(0.85)),
        ("atan", np.arctan, anywhere), ("asinh", np.arcsinh, anywhere), ("acosh", np.arccosh, above(1.3)),
        ("atanh", np.arctanh, below(0.85)), ("erf", erf, below(2.5)), ("erfc", lambda x: 1 - erf(x), below(2.5)),
        ("gelu", lambda x: x * (1 + erf(x * ROOT_HALF)) / 2, below(3)),
        ("gelu_tanh", lambda x: x * sigmoid(2 * GELU_SCALE * (x + np.longdouble(44715) / 10**6 * x**3)), below(2.5)),
        ("silu", lambda x: x * sigmoid(x), below(5)), ("softplus", softplus, below(6)), ("nan_to_num", lambda x: x, anywhere),
        ("logsigmoid", lambda x: -softplus(-x), below(6)), ("elu", elu, off(0)), ("celu", celu, off(0)),
        ("leaky_relu", lambda x: np.where(x > 0, x, x / np.longdouble(100)), off(0)),
        ("selu", lambda x: SELU_SCALE * elu(x, SELU_ALPHA), off(0)), ("hardsigmoid", unit, off(-3, 3)),
        ("hardswish", lambda x: x * unit(x), off(-3, 3)), ("tanhshrink", lambda x: x - np.tanh(x), below(2)),
        ("mish", lambda x: x * np.tanh(softplus(x)), below(3))]:
    smooth(_name, _f, _where)


def made(name, arity, cpp=None):
    """A function that only derivatives draw: the table of elementwise.py has no errors of it."""
    f = Function(name, arity, ty.floating, None)
    if cpp:
        f.cpp = lambda operands: f"fuse::map({cpp}, {', '.join(operands)})"
    return f


smooth("tan", np.tan, below(1.1), made("tan", 1))
smooth("cosh", np.cosh, below(3), made("cosh", 1))
for _name, _f in [("leaky_relu", lambda x, s: np.where(x > 0, x, x * s)), ("elu", elu), ("celu", celu)]:
    smooth(_name + "2", _f, lambda x, s: off(0)(x) and above(0.3)(s), made(_name, 2))

# Functors of the user: functors.hpp.
smooth("wave", lambda u: u * np.sin(u) + u, below(6), made("wave", 1, "fuzz::Wave{}"))
smooth("bend", lambda u: np.where(u > 0, u * u, np.exp(np.minimum(u, 3)) - np.longdouble(0.75)),
       lambda u: off(0)(u) and below(3)(u), made("bend", 1, "fuzz::Bend{0.75F}"))
smooth("blend", lambda u, v: u * v / (u * u + v * v + 1), anywhere, made("blend", 2, "fuzz::Blend{}"))
smooth("slanted", lambda u, v: np.longdouble(1.5) * u * u * v, anywhere, made("slanted", 2, "fuzz::Slanted{1.5F}"))


def whole_quotient_apart(a, b):
    return np.all(np.abs(b) > 0.3) and off_whole(a / b)


def apart(a, b):
    return np.all(np.abs(a - b) > APART)


def off_origin(a, b):
    return np.all(a * a + b * b > 0.2)


def lerp(a, b, w):
    return a + w * (b - a)


def apart_from_cut(y, x):
    return off_origin(y, x) and np.all((np.abs(y) > APART) | (x > 0))


for _name, _f, _where in [
        ("add", np.add, anywhere), ("sub", np.subtract, anywhere), ("mul", np.multiply, anywhere),
        ("div", np.divide, lambda a, b: np.all(np.abs(b) > 0.3)), ("square2", lambda a, b: (a - b)**2, anywhere),
        ("max", np.maximum, apart), ("min", np.minimum, apart), ("maximum", np.maximum, apart), ("minimum", np.minimum, apart),
        ("mod", lambda a, b: a - np.floor(a / b) * b, whole_quotient_apart),
        ("fmod", lambda a, b: a - np.trunc(a / b) * b, whole_quotient_apart),
        ("floor_divide", lambda a, b: np.floor(a / b), whole_quotient_apart),
        ("pow", np.power, lambda a, b: above(0.3)(a) and below(4)(a) and below(3)(b)),
        ("hypot", np.hypot, off_origin), ("atan2", np.arctan2, apart_from_cut),
        ("copysign", np.copysign, lambda a, b: off(0)(a) and off(0)(b)),
        ("logaddexp", np.logaddexp, lambda a, b: below(6)(a) and below(6)(b)),
        ("xlogy", lambda a, b: a * np.log(b), lambda a, b: above(0.2)(b)),
        ("fma", lambda a, b, c: a * b + c, anywhere), ("lerp", lerp, anywhere),
        ("clamp", lambda x, low, high: np.minimum(np.maximum(x, low), high),
         lambda x, low, high: apart(x, low) and apart(x, high) and np.all(high - low > APART)),
        ("where", lambda c, a, b: np.where(c != 0, a, b), anywhere),
        ("less", lambda a, b: (a < b) + np.longdouble(0), apart), ("greater", lambda a, b: (a > b) + np.longdouble(0), apart)]:
    smooth(_name, _f, _where)

UNARY = tuple(n for n, f in CALLS.items() if f.arity == 1)
BINARY = tuple(n for n, f in CALLS.items() if f.arity == 2 and n not in ("less", "greater"))
