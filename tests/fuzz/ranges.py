# SPDX-License-Identifier: Apache-2.0
"""Arrays that no memory holds: arange, linspace and broadcast_to; and let, an expression used several times as one value."""
import numpy as np

from . import dtypes as ty
from .draw_data import chance, pick
from .elementwise import FUNCTIONS
from .nodes import Call, Node, full
from .reduce_nodes import Reduce
from .values import Values


class Range(Node):
    """arange or linspace: its text, its numbers and how far from them it may be."""

    rank = 1

    def __init__(self, text, type_, numbers, error=0.0):
        self.text, self.type, self.numbers, self.error = text, type_, numbers, error

    shape = property(lambda self: self.numbers.shape)

    def with_kids(self, kids):
        return self

    def values(self, space):
        return Values(self.type, self.numbers, self.error)

    def cpp(self):
        return self.text


def draw_range(rng, extent):
    """A range of so many numbers."""
    if chance(rng, 0.5):
        start, step = int(rng.integers(-5, 6)), int(pick(rng, (1, 1, 2, 3, -1, -2)))
        numbers = start + step * np.arange(extent)
        past = start + step * extent - (int(rng.integers(0, abs(step))) * (1 if step > 0 else -1) if extent else 0)
        if (start, step) == (0, 1):
            return Range(f"fuse::arange({extent})", ty.I64, numbers)
        if extent and chance(rng, 0.3):
            half = "0.5F" if chance(rng, 0.5) else "0.5"
            return Range(f"fuse::arange({half}, {extent})", ty.F32 if half[-1] == "F" else ty.F64, np.arange(extent) + 0.5)
        return Range(f"fuse::arange({start}, {past}, {step})", ty.I64, numbers)
    type_ = pick(rng, (ty.F32, ty.F64))
    start, stop = float(rng.integers(-4, 5)), float(rng.integers(-4, 5))
    text = f"fuse::linspace({start!r}{'F' if type_ == ty.F32 else ''}, {int(stop)}, {extent})"
    return Range(text, type_, np.linspace(start, stop, extent), 4 * type_.eps * max(abs(start), abs(stop)))


class BroadcastTo(Node):
    """broadcast_to(x, extents...): the coordinates in x count in this shape where x has no axes, else in x."""

    def __init__(self, kid, shape):
        self.kids, self.shape = (kid,), tuple(shape)

    shape = ()
    type = property(lambda self: self.kids[0].type)
    rank = property(lambda self: len(self.shape))

    def with_kids(self, kids):
        return BroadcastTo(kids[0], self.shape)

    def values(self, space):
        return full(self.kids[0].values(self.shape), self.shape)

    def cpp(self):
        return f"fuse::broadcast_to({self.kids[0].cpp()}, {', '.join(map(str, self.shape))})"


class Bound(Node):
    """The operand of a let, in the function of it."""

    def __init__(self, kid):
        self.kid = kid

    type = property(lambda self: self.kid.type)
    rank = property(lambda self: self.kid.rank)
    shape = property(lambda self: self.kid.shape)

    def values(self, space):
        return self.kid.values(self.kid.shape if self.kid.rank else space)

    def with_kids(self, kids):
        return self

    def cpp(self):
        return "h"


def _square_and(h):
    return Call(FUNCTIONS["add"], [Call(FUNCTIONS["mul"], [h, h]), h])


def _positive(h):
    return Call(FUNCTIONS["where"], [Call(FUNCTIONS["greater"], [h, Call(FUNCTIONS["neg"], [h])]), h,
                                     Call(FUNCTIONS["square"], [h])])


def _centred(h):
    return Call(FUNCTIONS["sub"], [h, Reduce("mean", h, (-1,), True)])


def _of_largest(h):
    return Call(FUNCTIONS["sub"], [Reduce("max", h, (0,), True), Call(FUNCTIONS["mul"], [h, Reduce("any", h)])])


BODIES = (_square_and, _positive)
FOLDING_BODIES = (_centred, _of_largest)


class Let(Node):
    """let(kid, [](auto h) { return body(h); })."""

    def __init__(self, kid, body):
        self.kids, self.body = (kid,), body
        self.result = body(Bound(kid))

    type = property(lambda self: self.result.type)
    rank = property(lambda self: self.result.rank)
    shape = property(lambda self: self.result.shape)

    def with_kids(self, kids):
        return Let(kids[0], self.body)

    def values(self, space):
        return self.result.values(space)

    def cpp(self):
        return f"let({self.kids[0].cpp()}, [](auto h) {{ return {self.result.cpp()}; }})"
