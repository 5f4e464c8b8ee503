# SPDX-License-Identifier: Apache-2.0
"""Arrays of numbers that know how far from them a right program may be.

A floating element stands for the interval value +- error. An integer is exact. `known` is False where a right program
may give several answers that are no interval: a comparison of two numbers within their errors, a division by something
that may be zero. Such elements are not compared."""
import numpy as np

from . import dtypes as ty


class Values:
    def __init__(self, type_, value, error=None, known=None):
        self.type = type_
        self.value = np.asarray(value, type_.dtype)
        shape = self.value.shape
        self.error = np.zeros(shape) if error is None else np.broadcast_to(error, shape)
        self.known = np.ones(shape, bool) if known is None else np.broadcast_to(known, shape)

    @property
    def shape(self):
        return self.value.shape

    @property
    def exact(self):
        return (self.error == 0) & self.known

    def map(self, f):
        """The same rearrangement of all three arrays."""
        return Values(self.type, f(self.value), f(self.error), f(self.known))


def settled(type_, value, error, known):
    """A floating result: not known where it may have overflowed, without error where it is an infinity or NaN."""
    value = np.asarray(value, np.float64)
    with np.errstate(all="ignore"):
        finite = np.isfinite(value)
        error = np.where(finite, error, 0.0)
        known = known & ~np.isnan(error) & ~(finite & (np.abs(value) + error > type_.largest))
    return Values(type_, value, np.where(known, error, 0.0), known)


def rounded(type_, value, error, known, units=0.5, exact=None):
    """A floating result of an operation that is wrong by `units` in the last place; exact: where it is not at all."""
    with np.errstate(all="ignore"):
        more = units * type_.eps * (np.abs(value) + error) + type_.tiny
        exact = False if exact is None else exact
        return settled(type_, value, np.where(exact, error, error + more), known)


def representable(type_, value):
    """Whether numbers of extended precision are numbers of the type."""
    with np.errstate(all="ignore"):
        narrow = ty.round_to(type_, value.astype(np.float64))
        return narrow == value


def convert(v, type_):
    """static_cast, and what a store to memory does: integers wrap, floats saturate to integers, NaN gives 0."""
    if v.type == type_:
        return v
    if type_.kind == "b":
        return Values(type_, v.value != 0, None, v.known & ~((np.abs(v.value) <= v.error) & (v.error > 0)))
    if type_.floating:
        return to_floating(v, type_)
    if not v.type.floating:
        return Values(type_, v.value.astype(type_.dtype), None, v.known)
    low, high = (saturate(v.value + side * v.error, type_) for side in (-1, 1))
    return Values(type_, saturate(v.value, type_), None, v.known & (low == high))


def to_floating(v, type_):
    if not v.type.floating:
        wide = v.value.astype(np.longdouble)
        if type_.name == "f32":
            return Values(type_, v.value.astype(np.float32), None, v.known)
        return settled(type_, ty.round_to(type_, wide.astype(np.float64)), 0.0, v.known)
    if v.type.digits <= type_.digits and v.type.size <= type_.size:
        return Values(type_, v.value, v.error, v.known)
    with np.errstate(all="ignore"):
        narrow = ty.round_to(type_, v.value)
        low, high = (ty.round_to(type_, v.value + side * v.error) for side in (-1, 1))
        error = np.where(v.error == 0, 0.0, np.maximum(high - narrow, narrow - low))
        infinite = np.isinf(narrow) & (v.error == 0)
        result = settled(type_, narrow, error, v.known & (np.isfinite(error) | infinite | np.isnan(narrow)))
    return result


def saturate(value, type_):
    """Truncated towards zero, limited to the range of an integer type, NaN as 0."""
    with np.errstate(all="ignore"):
        info = np.iinfo(type_.dtype)
        whole = np.trunc(np.where(np.isnan(value), 0.0, value))
        inside = (whole >= float(info.min)) & (whole < float(info.max) + (0 if type_.size == 8 else 1))
        result = np.where(inside, whole, 0.0).astype(type_.dtype)
        return np.where(inside, result, np.where(whole > 0, type_.dtype.type(info.max), type_.dtype.type(info.min)))


def stored(v, type_, slack=2.0):
    """(low, high, known): what may stand in memory of this type after v was stored to it. NaN in both for NaN."""
    if not v.type.floating or type_.kind == "b":
        c = convert(v, type_)
        return c.value, c.value, c.known
    with np.errstate(all="ignore"):
        sides = [v.value + side * slack * v.error for side in (-1, 1)]
        put = (lambda a: ty.round_to(type_, a)) if type_.floating else (lambda a: saturate(a, type_))
        return put(sides[0]), put(sides[1]), v.known


def round_number(type_, number):
    """A number of the program's text as a value of the type."""
    if not type_.floating:
        return Values(type_, np.asarray(number).astype(type_.dtype))
    value = ty.round_to(type_, float(number))
    # A fraction may be the quotient of two rounded numbers.
    error = 0.0 if value == number else type_.eps * abs(float(value))
    return Values(type_, value, np.asarray(error))
