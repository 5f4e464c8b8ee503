# SPDX-License-Identifier: Apache-2.0
"""The functions of two and three operands. They join the table of elementwise.py."""
import numpy as np

from . import dtypes as ty
from .elementwise import FUNCTIONS, add, over, plus, times
from .values import Values, convert, rounded


def both(rule, f):
    """f of the operands, brought to the type that the rule names."""

    def apply(args):
        t = rule(*(a.type for a in args))
        return f(*(convert(a, t) for a in args))

    return apply


def _max(a, b, smaller=False):
    with np.errstate(all="ignore"):
        value = (np.minimum if smaller else np.maximum)(a.value, b.value)
        # Where one operand is far ahead, only its own error counts.
        first = (a.value + a.error < b.value - b.error) if smaller else (a.value - a.error > b.value + b.error)
        second = (b.value + b.error < a.value - a.error) if smaller else (b.value - b.error > a.value + a.error)
        error = np.where(first, a.error, np.where(second, b.error, np.maximum(a.error, b.error)))
        error = np.where(np.isfinite(value), error, 0.0) if a.type.floating else error
        return Values(a.type, value, error, a.known & b.known)


def _min(a, b):
    return _max(a, b, True)


def _square2(args):
    d = both(ty.promote, lambda a, b: plus(a, b, -1))(args)
    return times(d, d)


def _square(args):
    c = convert(args[0], ty.promote(args[0].type))
    return times(c, c)


def whole_quotient_known(a, b):
    """Discrete results: of exact, finite operands only, and not of a zero whose sign would decide."""
    return (a.known & b.known & (a.error + b.error == 0) & (b.value != 0) & np.isfinite(a.value)
            & np.isfinite(b.value))


def _floor_divide(a, b):
    if not a.type.floating:
        zero = b.value == 0
        safe = np.where(zero, 1, b.value).astype(b.type.dtype)
        with np.errstate(all="ignore"):
            return Values(a.type, np.where(zero, 0, a.value // safe).astype(a.type.dtype), None, a.known & b.known)
    with np.errstate(all="ignore"):
        known = whole_quotient_known(a, b)
        value = np.floor_divide(a.value, b.value)
        return rounded(a.type, value, 0.0, known, 4, np.abs(value) < 1000)


def _mod(a, b):
    if not a.type.floating:
        zero = b.value == 0
        safe = np.where(zero, 1, b.value).astype(b.type.dtype)
        with np.errstate(all="ignore"):
            return Values(a.type, np.where(zero, 0, a.value % safe).astype(a.type.dtype), None, a.known & b.known)
    with np.errstate(all="ignore"):
        known = whole_quotient_known(a, b)
        value = np.mod(a.value, b.value)
        return rounded(a.type, value, 2 * a.type.eps * np.abs(b.value), known, 2)


def _pow(a, b):
    """Relative error |b| da / a + |log a| db; integer operands are floating here."""
    with np.errstate(all="ignore"):
        value = np.power(a.value, b.value)
        relative = np.abs(b.value) * a.error / np.abs(a.value) + np.abs(np.log(np.abs(a.value))) * b.error
        inexact = a.error + b.error > 0
        known = a.known & b.known & np.where(inexact, (a.value > a.error) & (relative < 0.1), True)
        known &= ~((a.value == 0) & (b.value < 0))
        return rounded(a.type, value, np.where(inexact, 2 * relative * np.abs(value), 0.0), known, 16)


def _hypot(a, b):
    with np.errstate(all="ignore"):
        return rounded(a.type, np.hypot(a.value, b.value), a.error + b.error, a.known & b.known, 6)


def _atan2(a, b):
    with np.errstate(all="ignore"):
        radius = np.hypot(a.value, b.value) - a.error - b.error
        # The cut along the negative axis, and the sign of zeros.
        cut = (np.abs(a.value) <= a.error) & (b.value <= b.error)
        error = np.where(a.error + b.error > 0, (a.error + b.error) / radius, 0.0)
        known = a.known & b.known & ~cut & ((radius > 0) | (a.error + b.error == 0) | np.isnan(radius))
        return rounded(a.type, np.arctan2(a.value, b.value), error, known, 6)


def _fma(a, b, c):
    if not a.type.floating:
        return plus(times(a, b), c)
    product = times(a, b)
    return plus(Values(product.type, product.value, product.error, product.known), c)


def compared(f):
    """A comparison: by value, also between integers of different signedness; not known within the errors."""

    def apply(args):
        a, b = args
        if a.type.floating or b.type.floating:
            t = ty.promote(a.type, b.type)
            a, b = convert(a, t), convert(b, t)
            with np.errstate(all="ignore"):
                vague = (np.abs(a.value - b.value) <= a.error + b.error) & (a.error + b.error > 0)
            return Values(ty.BOOL, f(a.value, b.value), None, a.known & b.known & ~vague)
        if ty.U64 in (a.type, b.type):  # numpy may compare uint64 with int64 as doubles
            truth = f(a.value.astype(object), b.value.astype(object)).astype(bool)
            return Values(ty.BOOL, truth, None, a.known & b.known)
        return Values(ty.BOOL, f(a.value.astype(np.int64), b.value.astype(np.int64)), None, a.known & b.known)

    return apply


def truths(f):
    def apply(args):
        a, b = (convert(x, ty.BOOL) for x in args)
        return Values(ty.BOOL, f(a.value, b.value), None, a.known & b.known)

    return apply


def bits(f):
    return both(ty.common, lambda a, b: Values(a.type, f(a.value, b.value), None, a.known & b.known))


def _where(args):
    c = convert(args[0], ty.BOOL)
    t = ty.common(args[1].type, args[2].type)
    a, b = convert(args[1], t), convert(args[2], t)
    pick = lambda x, y: np.where(c.value, x, y)
    return Values(t, pick(a.value, b.value), pick(a.error, b.error), c.known & pick(a.known, b.known))


def _reciprocal(args):
    t = ty.floating(args[0].type)
    a = convert(args[0], t)
    return over(Values(t, np.ones(a.shape)), a)


def _rsqrt(args):
    root = FUNCTIONS["sqrt"].apply(args)
    r = over(Values(root.type, np.ones(root.shape)), root)
    size = np.where(np.isfinite(r.value), np.abs(r.value), 0.0)
    return Values(r.type, r.value, 2 * r.error + 2 * r.type.eps * size, r.known)


add("add", 2, ty.promote, both(ty.promote, plus), "+")
add("sub", 2, ty.promote, both(ty.promote, lambda a, b: plus(a, b, -1)), "-")
add("mul", 2, ty.promote, both(ty.promote, times), "*")
add("div", 2, ty.floating, both(ty.floating, over), "/")
add("mod", 2, ty.promote, both(ty.promote, _mod), "%")
add("floor_divide", 2, ty.promote, both(ty.promote, _floor_divide))
add("square2", 2, ty.promote, _square2)
FUNCTIONS["square2"].name = "square"
add("square", 1, ty.promote, _square)
add("reciprocal", 1, ty.floating, _reciprocal)
add("rsqrt", 1, ty.floating, _rsqrt)
add("pow", 2, ty.floating, both(ty.floating, _pow))
add("hypot", 2, ty.floating, both(ty.floating, _hypot))
add("atan2", 2, ty.floating, both(ty.floating, _atan2))
add("max", 2, ty.common, both(ty.common, _max))
add("min", 2, ty.common, both(ty.common, _min))
add("fma", 3, lambda a, b, c: ty.promote(ty.promote(a, b), c),
    both(lambda a, b, c: ty.promote(ty.promote(a, b), c), _fma))
add("clamp", 3, lambda a, b, c: ty.common(ty.common(a, b), c),
    lambda args: both(ty.common, _min)([both(ty.common, _max)(args[:2]), args[2]]))
add("where", 3, lambda c, a, b: ty.common(a, b), _where)
for _name, _op, _f in [("less", "<", np.less), ("less_equal", "<=", np.less_equal), ("greater", ">", np.greater),
                       ("greater_equal", ">=", np.greater_equal), ("equal", "==", np.equal),
                       ("not_equal", "!=", np.not_equal)]:
    add(_name, 2, lambda a, b: ty.BOOL, compared(_f), _op)
add("and", 2, lambda a, b: ty.BOOL, truths(np.logical_and), "&&")
add("or", 2, lambda a, b: ty.BOOL, truths(np.logical_or), "||")
add("bit_and", 2, ty.common, bits(np.bitwise_and), "&")
add("bit_or", 2, ty.common, bits(np.bitwise_or), "|")
add("bit_xor", 2, ty.common, bits(np.bitwise_xor), "^")


class Lambda:
    """Like Function, but called through map, with parameters of one type; a number beside it keeps its own type.

    capture: (name, number) of a variable that the lambda captures."""

    infix = None

    def __init__(self, name, arity, text, operand, f, capture=None):
        self.name, self.arity, self.text, self.operand, self.capture = name, arity, text, operand, capture
        self.apply = lambda args: f(*(convert(a, operand) for a in args))
        self.result = lambda *types: operand

    def __repr__(self):
        return self.name

    def cpp(self, operands):
        return f"fuse::map({self.text}, {', '.join(operands)})"


def lambdas(operand, variable, number):
    """The callables of one operand type; number: the value of the captured variable."""
    t = operand.cpp
    k = Values(operand, np.asarray(float(number)))
    half = Values(operand, np.asarray(0.5))
    capture = (variable, f"const {t} {variable} = {number};")
    return [
        Lambda("larger", 2, f"[] FUZZ_HD ({t} u, {t} v) {{ return u > v ? u : v; }}", operand,
               lambda a, b: _where([compared(np.greater)([a, b]), a, b])),
        Lambda("halved", 1, f"[] FUZZ_HD ({t} u) {{ return u * {t}(0.5); }}", operand, lambda a: times(a, half)),
        Lambda("shifted", 1, f"[{variable}] FUZZ_HD ({t} u) {{ return u + {variable}; }}", operand,
               lambda a: plus(a, k), capture),
        Lambda("scaled", 2, f"[{variable}] FUZZ_HD ({t} u, {t} v) {{ return u * {variable} - v; }}", operand,
               lambda a, b: plus(times(a, k), b, -1), capture),
    ]
