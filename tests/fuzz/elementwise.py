# SPDX-License-Identifier: Apache-2.0
"""The elementwise functions: for each its name in C++, the type of its result, its value and its error.

Monotone functions carry an interval over by its two ends; others by a Lipschitz constant. The units in the last place
are those of docs/op_table.md, doubled."""
import math

import numpy as np

from . import dtypes as ty
from .values import Values, convert, representable, rounded, settled

FUNCTIONS = {}


class Function:
    """apply(list of Values) -> Values. `infix` is the C++ operator, else `name` is called."""

    def __init__(self, name, arity, result, apply, infix=None):
        self.name, self.arity, self.result, self.apply, self.infix = name, arity, result, apply, infix

    def __repr__(self):
        return self.name

    def cpp(self, operands):
        if self.infix and self.arity == 1:
            return f"({self.infix}{operands[0]})"
        if self.infix:
            return f"({operands[0]} {self.infix} {operands[1]})"
        return f"{self.name}({', '.join(operands)})"


def add(name, arity, result, apply, infix=None):
    FUNCTIONS[name] = Function(name, arity, result, apply, infix)


def monotone(name, f, units):
    def apply(args):
        t = ty.floating(args[0].type)
        a = convert(args[0], t)
        with np.errstate(all="ignore"):
            value = f(a.value)
            low, high = f(a.value - a.error), f(a.value + a.error)
            spread = np.where(a.error > 0, np.maximum(np.abs(high - value), np.abs(value - low)), 0.0)
            # At an end of the domain the other end of the interval is no number.
            known = a.known & ~(np.isnan(spread)) & ~((a.error > 0) & ~np.isfinite(value))
        return rounded(t, value, spread, known, units)

    add(name, 1, ty.floating, apply)


def lipschitz(name, f, constant, units):
    def apply(args):
        t = ty.floating(args[0].type)
        a = convert(args[0], t)
        with np.errstate(all="ignore"):
            value = f(a.value)
            return rounded(t, value, constant * a.error + 4 * t.eps * np.abs(a.value) * (units > 100), a.known, units)

    add(name, 1, ty.floating, apply)


def _erf(x):
    return np.vectorize(math.erf, otypes=[float])(x) if np.size(x) else np.asarray(x, float)


def _erfc(x):
    return np.vectorize(math.erfc, otypes=[float])(x) if np.size(x) else np.asarray(x, float)


def _sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1.0) / (1.0 + e)


for _name, _f, _units in [
        ("cbrt", np.cbrt, 4), ("exp", np.exp, 4), ("exp2", np.exp2, 4), ("expm1", np.expm1, 4), ("log", np.log, 4),
        ("log2", np.log2, 4), ("log10", np.log10, 6), ("log1p", np.log1p, 4), ("asin", np.arcsin, 4),
        ("atan", np.arctan, 4), ("sinh", np.sinh, 6), ("tanh", np.tanh, 6), ("asinh", np.arcsinh, 6),
        ("acosh", np.arccosh, 8), ("atanh", np.arctanh, 8), ("erf", _erf, 4), ("erfc", _erfc, 16),
        ("acos", np.arccos, 4), ("sigmoid", _sigmoid, 8),
        ("softplus", lambda x: np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))), 8), ("sqrt", np.sqrt, 2)]:
    monotone(_name, _f, _units)
lipschitz("sin", np.sin, 1.0, 4)
lipschitz("cos", np.cos, 1.0, 4)
lipschitz("silu", lambda x: x * _sigmoid(x), 1.2, 10)
lipschitz("gelu", lambda x: 0.5 * x * _erfc(-x * math.sqrt(0.5)), 1.2, 128)
lipschitz("gelu_tanh", lambda x: x * _sigmoid(1.5957691216057308 * x * (1 + 0.044715 * x * x)), 1.2, 128)


def kept(name, f):
    """Rounding to an integer and the like: the type stays, integers pass through, discrete for inexact operands."""

    def apply(args):
        a = args[0]
        if not a.type.floating:
            return a
        with np.errstate(all="ignore"):
            value, low, high = f(a.value), f(a.value - a.error), f(a.value + a.error)
            return settled(a.type, value, 0.0, a.known & ((low == high) | (np.isnan(value) & (a.error == 0))))

    add(name, 1, lambda t: t, apply)


for _name, _f in [("floor", np.floor), ("ceil", np.ceil), ("round", np.rint), ("trunc", np.trunc)]:
    kept(_name, _f)


def _sign(args):
    a = args[0]
    if a.type.kind in "bu":
        return Values(a.type, a.value != 0, None, a.known)
    if not a.type.floating:
        return Values(a.type, np.sign(a.value), None, a.known)
    return Values(a.type, np.sign(a.value), None, a.known & ((np.abs(a.value) > a.error) | (a.error == 0) | np.isnan(a.value)))


def _relu(args):
    a = args[0]
    zero = np.zeros((), a.type.dtype)
    return Values(a.type, np.where(np.isnan(a.value) if a.type.floating else False, a.value, np.maximum(a.value, zero)),
                  a.error, a.known)


def promoted(f):
    """A function of one operand that keeps the error: -x and |x|."""

    def apply(args):
        c = convert(args[0], ty.promote(args[0].type))
        with np.errstate(all="ignore"):
            return Values(c.type, f(c.value), c.error, c.known)

    return apply


add("sign", 1, lambda t: t, _sign)
add("relu", 1, lambda t: t, _relu)
add("neg", 1, ty.promote, promoted(np.negative), "-")
add("abs", 1, ty.promote, promoted(np.abs))


def truth(name, f, infix=None):
    def apply(args):
        return Values(ty.BOOL, f(args[0]), None, args[0].known & ((args[0].error == 0) | (name != "not")))

    add(name, 1, lambda t: ty.BOOL, apply, infix)


truth("isnan", lambda a: np.isnan(a.value) if a.type.floating else np.zeros(a.shape, bool))
truth("isinf", lambda a: np.isinf(a.value) if a.type.floating else np.zeros(a.shape, bool))
truth("isfinite", lambda a: np.isfinite(a.value) if a.type.floating else np.ones(a.shape, bool))
truth("not", lambda a: a.value == 0, "!")


def plus(a, b, sign=1):
    """a + b or a - b of one type."""
    with np.errstate(all="ignore"):
        if not a.type.floating:
            return Values(a.type, a.value + b.value if sign > 0 else a.value - b.value, None, a.known & b.known)
        wide = a.value.astype(np.longdouble) + sign * b.value
        exact = representable(a.type, wide)
        return rounded(a.type, wide.astype(np.float64), a.error + b.error, a.known & b.known, 1, exact)


def times(a, b):
    """a * b of one type."""
    with np.errstate(all="ignore"):
        if not a.type.floating:
            return Values(a.type, a.value * b.value, None, a.known & b.known)
        wide = a.value.astype(np.longdouble) * b.value
        exact = representable(a.type, wide)
        error = np.abs(a.value) * b.error + np.abs(b.value) * a.error + a.error * b.error
        # Infinity times something that may be zero.
        vague = ((np.abs(a.value) <= a.error) & (a.error > 0)) | ((np.abs(b.value) <= b.error) & (b.error > 0))
        known = a.known & b.known & ~(vague & ~np.isfinite(wide.astype(np.float64)))
        return rounded(a.type, wide.astype(np.float64), error, known, 1, exact)


def over(a, b):
    """a / b of one floating type. The sign of a zero divisor is not modelled."""
    with np.errstate(all="ignore"):
        value = a.value / b.value
        room = np.abs(b.value) - b.error
        error = np.where(a.error + b.error > 0, (a.error + np.abs(value) * b.error) / room, 0.0)
        exact = (a.error + b.error == 0) & (value * b.value == a.value) & representable(a.type, value) & \
            (value.astype(np.longdouble) * b.value == a.value)
        known = a.known & b.known & ((room > 0) | np.isnan(b.value) | (np.isnan(value) & (b.error + a.error == 0)))
        return rounded(a.type, value, np.where(np.isnan(value) | np.isinf(value), 0.0, error), known, 2, exact)
