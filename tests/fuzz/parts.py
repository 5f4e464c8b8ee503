# SPDX-License-Identifier: Apache-2.0
"""Views of views: leaves that are parts of a view's memory, and the differences of neighbours in one. A part is drawn
from its shape backwards, to a view that has such a part."""
import numpy as np

from . import dtypes as ty
from .draw_data import chance, pick
from .elementwise import plus
from .nodes import Leaf, Node, full
from .values import Values, convert


class Step:
    """text: the C++ of this step of a view, {}; take: the same of an array."""

    def __init__(self, text, take):
        self.text, self.take = text, take


class Part(Leaf):
    """steps: from the view to the part. name: of the part, or None."""

    def __init__(self, view, steps, name=None):
        super().__init__(view)
        self.steps, self.name = list(steps), name
        self.data = view.data
        for step in self.steps:
            self.data = step.take(self.data)

    rank = property(lambda self: self.data.ndim)
    shape = property(lambda self: self.data.shape)

    def over(self, view):
        return Part(view, self.steps, self.name)

    def values(self, space):
        return Values(self.type, self.data)

    def cpp(self):
        text = self.view.name
        for step in self.steps:
            text = step.text.format(text)
        return f'fuse::view<"{self.name}">({text})' if self.name else text


class Cut(Node):
    """The same of an expression: its elements are those of the array that it would be."""

    def __init__(self, kid, steps):
        self.kids, self.steps = (kid,), list(steps)

    def with_kids(self, kids):
        return Cut(kids[0], self.steps)

    def cut(self, array):
        for step in self.steps:
            array = step.take(array)
        return array

    type = property(lambda self: self.kids[0].type)
    shape = property(lambda self: self.cut(np.broadcast_to(0, self.kids[0].shape)).shape)
    rank = property(lambda self: len(self.shape))

    def values(self, space):
        kid = self.kids[0]
        return full(kid.values(kid.shape), kid.shape).map(self.cut)

    def cpp(self):
        text = f"({self.kids[0].cpp()})"
        for step in self.steps:
            text = step.text.format(text)
        return text


class Diff(Node):
    """diff(view, axes<axis>)."""

    def __init__(self, leaf, axis):
        self.kids, self.axis = (leaf,), axis

    def with_kids(self, kids):
        return Diff(kids[0], self.axis)

    @property
    def type(self):
        t = self.kids[0].type
        return t if t == ty.BOOL else ty.promote(t)

    @property
    def shape(self):
        return tuple(max(e - (a == self.axis), 0) for a, e in enumerate(self.kids[0].shape))

    def values(self, space):
        v = convert(self.kids[0].values(space), self.type)

        def ends(low, high):
            at = tuple(slice(low, high) if a == self.axis else slice(None) for a in range(self.rank))
            return v.map(lambda x: x[at])

        after, before = ends(1, None), ends(None, -1)
        if self.type == ty.BOOL:
            return Values(ty.BOOL, after.value != before.value)
        return plus(after, before, -1)

    def cpp(self):
        return f"diff({self.kids[0].cpp()}, fuse::axes<{self.axis}>)"


def _flip(rng, shape):
    axis = int(rng.integers(len(shape)))
    return shape, Step(f"flip<{axis}>({{}})", lambda x: np.flip(x, axis))


def _transpose(rng, shape):
    order = [int(a) for a in rng.permutation(len(shape))]
    whole = [0] * len(shape)
    for place, axis in enumerate(order):
        whole[axis] = shape[place]
    return tuple(whole), Step(f"transpose<{', '.join(map(str, order))}>({{}})", lambda x: np.transpose(x, order))


def _slice(rng, shape):
    """A bound is left out, inside, or beyond the end."""
    axis = int(rng.integers(len(shape)))
    step = int(pick(rng, (1, 1, 2, 3, -1, -2)))
    e, skipped, more = shape[axis], int(rng.integers(0, 4)), int(rng.integers(0, abs(step)))
    extent = skipped + max((e - 1) * abs(step) + 1, 0) + (more if e else 0)
    start = skipped if step > 0 else extent - 1 - skipped
    stop = None
    if e == 0:
        extent, start, stop, step = skipped + 1, skipped, skipped, 1
    elif step > 0 and chance(rng, 0.5):
        stop = extent + int(rng.integers(0, 3))
        extent += int(rng.integers(0, 3)) if stop == extent else 0
    first = None if start == (0 if step > 0 else extent - 1) and chance(rng, 0.5) else start
    bounds = ", ".join("{{}}" if b is None else str(b) for b in (first, stop))
    at = tuple(slice(first, stop, step) if a == axis else slice(None) for a in range(len(shape)))
    whole = tuple(extent if a == axis else n for a, n in enumerate(shape))
    return whole, Step(f"slice<{axis}>({{}}, {bounds}, {step})", lambda x: x[at])


def _select(rng, shape):
    axis = int(rng.integers(len(shape) + 1))
    extent = int(rng.integers(1, 5))
    i = int(rng.integers(-extent, extent))
    text = f"{{}}[{i}]" if axis == 0 and chance(rng, 0.6) else f"select<{axis}>({{}}, {i})"
    return shape[:axis] + (extent,) + shape[axis:], Step(text, lambda x: np.take(x, i, axis))


def _squeeze(rng, shape):
    axis = int(rng.integers(len(shape) + 1))
    return shape[:axis] + (1,) + shape[axis:], Step(f"squeeze<{axis}>({{}})", lambda x: np.squeeze(x, axis))


def _reshape(rng, shape):
    """Of a row-major view alone: others have no strides for it."""
    whole = (int(np.prod(shape)),) if chance(rng, 0.6) else (1,) + shape[::-1]
    return whole, Step(f"reshape({{}}, {', '.join(map(str, shape))})", lambda x: np.reshape(x, shape))


def draw_steps(rng, shape, of_view=True):
    """(the shape of a view, the steps from it to a part of this shape, whether the view has to be row-major)."""
    steps, contiguous = [], False
    for _ in range(int(rng.integers(1, 4))):
        kinds = [_flip, _transpose, _slice, _slice] if shape else []
        kinds += [_select, _squeeze] if len(shape) < 5 else []
        shape, step = pick(rng, kinds)(rng, shape)
        steps.insert(0, step)
    if of_view and shape and chance(rng, 0.15):
        shape, step = _reshape(rng, shape)
        steps.insert(0, step)
        contiguous = True
    return shape, steps, contiguous
