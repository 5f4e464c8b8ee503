# SPDX-License-Identifier: Apache-2.0
"""Remainders, signs, interpolation, sums of logarithms, comparisons within tolerances, shifts. They join the table of
elementwise.py."""
import numpy as np

from . import dtypes as ty
from .arithmetic import both, whole_quotient_known
from .elementwise import FUNCTIONS, add
from .values import Values, convert, rounded


def _fmod(a, b):
    if not a.type.floating:
        zero = b.value == 0
        safe = np.where(zero, 1, b.value).astype(b.type.dtype)
        with np.errstate(all="ignore"):
            return Values(a.type, np.where(zero, 0, np.fmod(a.value, safe)).astype(a.type.dtype), None, a.known & b.known)
    with np.errstate(all="ignore"):
        return Values(a.type, np.fmod(a.value, b.value), None, whole_quotient_known(a, b))


def _copysign(a, b):
    """The signs of zeros and NaN are not modelled."""
    with np.errstate(all="ignore"):
        known = a.known & b.known & (np.abs(b.value) > b.error)
        return Values(a.type, np.copysign(a.value, b.value), a.error + 0 * b.error, known)


def _logaddexp(a, b):
    """The weights of the two errors add up to 1; where the terms cancel the result has the error of the larger one."""
    with np.errstate(all="ignore"):
        value = np.logaddexp(a.value, b.value)
        size = np.maximum(np.abs(a.value), np.abs(b.value))
        error = np.maximum(a.error, b.error) + 4 * a.type.eps * np.where(np.isfinite(size), size, 0.0)
        return rounded(a.type, value, error, a.known & b.known, 64)


def _xlogy(a, b):
    with np.errstate(all="ignore"):
        log = np.log(b.value)
        value = np.where((a.value == 0) & ~np.isnan(b.value), 0.0, a.value * log)
        inexact = a.error + b.error > 0
        error = np.where(inexact, np.abs(log) * a.error + np.abs(a.value) * b.error / (b.value - b.error), 0.0)
        known = a.known & b.known & (~inexact | ((b.value > 2 * b.error) & np.isfinite(b.value) & np.isfinite(a.value)))
        return rounded(a.type, value, error, known, 8)


def _lerp(args):
    t = ty.floating(ty.floating(args[0].type, args[1].type), args[2].type)
    a, b, w = (convert(x, t) for x in args)
    with np.errstate(all="ignore"):
        between = b.value - a.value
        value = np.where(np.abs(w.value) < 0.5, a.value + w.value * between, b.value - between * (1 - w.value))
        wide = 1 + np.abs(w.value) + w.error
        error = wide * (a.error + b.error) + np.abs(between) * w.error
        error = error + 4 * t.eps * wide * (np.abs(a.value) + np.abs(b.value))
        finite = np.isfinite(a.value) & np.isfinite(b.value) & np.isfinite(w.value)
        return rounded(t, value, error, a.known & b.known & w.known & finite, 2)


def _nan_to_num(args):
    a = args[0]
    if not a.type.floating:
        return a
    value = np.nan_to_num(a.value, nan=0.0, posinf=a.type.largest, neginf=-a.type.largest)
    return Values(a.type, value, np.where(np.isfinite(a.value), a.error, 0.0), a.known)


def _isclose(args):
    t = ty.floating(args[0].type, args[1].type)
    a, b = (convert(x, t) for x in args)
    with np.errstate(all="ignore"):
        apart, allowed = np.abs(a.value - b.value), 1e-8 + 1e-5 * np.abs(b.value)
        close = (a.value == b.value) | (np.isfinite(b.value) & (apart <= allowed))
        error = a.error + 1.01 * b.error + 4 * t.eps * (np.abs(a.value) + np.abs(b.value))
        same = (a.value == b.value) & (a.error + b.error == 0)
        vague = np.isfinite(apart) & (np.abs(apart - allowed) <= error) & ~same
        return Values(ty.BOOL, close, None, a.known & b.known & ~vague)


def _shift_type(a, b):
    """As in C++ what they are shifted by has no say."""
    return ty.promote(a)


def shifted_bits(f, left):
    """What no number of bits shifts out is 0, to the right of a negative number -1."""

    def apply(args):
        t = ty.promote(args[0].type)
        a, b = convert(args[0], t), args[1]
        within = (b.value >= 0) & (b.value < 8 * t.size)
        sign = np.where(a.value < 0, -1, 0) if t.kind == "i" else np.zeros(a.shape, int)
        out = np.where(within, f(a.value, np.where(within, b.value, 0).astype(t.dtype)), 0 if left else sign)
        return Values(t, out.astype(t.dtype), None, a.known & b.known)

    return apply


def _bit_not(args):
    a = args[0]
    return Values(a.type, np.logical_not(a.value) if a.type == ty.BOOL else np.invert(a.value), None, a.known)


add("fmod", 2, ty.promote, both(ty.promote, _fmod))
add("copysign", 2, ty.floating, both(ty.floating, _copysign))
add("logaddexp", 2, ty.floating, both(ty.floating, _logaddexp))
add("xlogy", 2, ty.floating, both(ty.floating, _xlogy))
add("lerp", 3, lambda a, b, w: ty.floating(ty.floating(a, b), w), _lerp)
add("nan_to_num", 1, lambda t: t, _nan_to_num)
add("isclose", 2, lambda a, b: ty.BOOL, _isclose)
add("shift_left", 2, _shift_type, shifted_bits(np.left_shift, True), "<<")
add("shift_right", 2, _shift_type, shifted_bits(np.right_shift, False), ">>")
add("bit_not", 1, lambda t: t, _bit_not, "~")
add("maximum", 2, ty.common, FUNCTIONS["max"].apply)
add("minimum", 2, ty.common, FUNCTIONS["min"].apply)
