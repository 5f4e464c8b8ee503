# SPDX-License-Identifier: Apache-2.0
"""A program: views with their data and layout, the statements of one eval, and what numpy says they give."""
import numpy as np

from . import dtypes as ty
from .folds import NoIdentity
from .nodes import Index, Leaf, Number, evaluate
from .scan_nodes import Compact
from .values import stored

POISON = 0xA5  # every byte of an output, and of what lies between elements, before the run


class Layout:
    """Strides in elements, the place of element (0, ..., 0) and the size of the buffer."""

    def __init__(self, strides, origin, count, kind):
        self.strides, self.origin, self.count, self.kind = tuple(strides), origin, count, kind

    def offsets(self, shape):
        """Of every element, in an array of that shape."""
        at = np.full(shape, self.origin, np.int64)
        for axis, stride in enumerate(self.strides):
            at = at + (np.arange(shape[axis]) * stride).reshape([-1 if a == axis else 1 for a in range(len(shape))])
        return at


def lay_out(kind, shape, gap=3):
    """One of the layouts by its name; repeated ones have stride 0 along their first axis of extent above 1."""
    rank = len(shape)
    order = list(range(rank)) if kind == "transposed" else list(range(rank))[::-1]
    if kind == "turned" and rank > 2:
        order = order[1:] + order[:1]
    strides, stride = [0] * rank, 2 if kind == "spaced" else 1
    for place, axis in enumerate(order):
        strides[axis] = stride
        stride *= max(shape[axis], 1)
        stride += gap if kind == "padded" and place == 0 else 0
        stride *= 2 if kind == "half" and place == 0 else 1
    if kind == "repeated":
        axis = next((a for a in range(rank) if shape[a] > 1), None)
        if axis is not None:
            strides[axis] = 0
    if 0 in shape:
        return Layout(strides, 0, 2, kind)
    span = sum((e - 1) * s for e, s in zip(shape, strides))
    origin = 0
    if kind == "reversed":
        origin, strides = span, [-s for s in strides]
    lead = 1 if kind == "misaligned" else 4 if kind == "guarded" else 0
    return Layout(strides, origin + lead, span + 1 + 2 * lead, kind)


LAYOUTS = ("row_major", "padded", "half", "misaligned", "guarded", "transposed", "turned", "reversed", "spaced")


class View:
    """data: numbers of the computed type, already rounded to the element type. None for an output."""

    def __init__(self, name, type_, shape, layout, data=None, named=True, static=()):
        self.name, self.type, self.shape, self.layout = name, type_, tuple(shape), layout
        self.named, self.static = named, tuple(static)
        self.data = data
        if data is not None and layout.kind == "repeated":
            axis = next((a for a in range(len(shape)) if shape[a] > 1), None)
            if axis is not None:
                self.data = np.broadcast_to(np.take(data, [0], axis), self.shape)

    def bytes(self):
        """The buffer before the run."""
        raw = np.full(self.layout.count * self.type.size, POISON, np.uint8)
        if self.data is not None and self.data.size:
            raw.view(f"u{self.type.size}")[self.layout.offsets(self.shape)] = ty.encode(self.type, self.data)
        return raw

    def changed(self, **what):
        fields = dict(name=self.name, type_=self.type, shape=self.shape, layout=self.layout, data=self.data,
                      named=self.named, static=self.static)
        return View(**{**fields, **what})


class Statement:
    """The output may be an input view, whose data are overwritten. op: written as output op= the last operand of the
    expression, which is output op that operand."""

    def __init__(self, output, expression, op=None):
        self.output, self.expression, self.op = output, expression, op


class Expected:
    """What an output may hold: low <= element <= high where known and written; all else keeps its bytes."""

    def __init__(self, low, high, known, written):
        self.low, self.high, self.known, self.written = low, high, known, written


class Program:
    """separate: each statement in an eval of its own."""

    def __init__(self, statements, family="", block_items=None, by_value=False, label="", separate=False):
        self.statements, self.family, self.block_items, self.by_value, self.label, self.separate = (
            list(statements), family, block_items, by_value, label, separate)

    def leaves(self):
        """The input views, each once, in order of appearance."""
        found = {}
        for s in self.statements:
            for node in s.expression.walk():
                if isinstance(node, Leaf):
                    found.setdefault(node.view.name, node.view)
        return list(found.values())

    def outputs(self):
        return [s.output for s in self.statements]

    def buffers(self):
        """The views that have memory: inputs, then outputs that are not one of them (in place)."""
        inputs = self.leaves()
        names = {v.name for v in inputs}
        return inputs + [v for v in self.outputs() if v.name not in names]

    def expected(self):
        """One Expected per statement; raises NoIdentity where numpy would, unless nothing is written."""
        return [expected_of(s) for s in self.statements]

    def nodes(self):
        for s in self.statements:
            yield from s.expression.walk()

    def size(self):
        """What the shrinker makes smaller."""
        elements = sum(int(np.prod(v.shape)) for v in self.buffers())
        axes = sum(len(getattr(n, "axes", None) or ()) + bool(getattr(n, "keep", False)) + bool(getattr(n, "acc", None)) +
                   (getattr(n, "op", "sum") != "sum") for n in self.nodes())
        plain = axes + sum((v.layout.kind != "row_major") + (v.type.name != "f32") + len(v.static) + (not v.named)
                    for v in self.buffers())
        return (len(self.statements), sum(1 for n in self.nodes() if not isinstance(n, (Number, Index))),
                sum(1 for _ in self.nodes()), plain + (self.block_items is not None) + self.by_value + self.separate,
                elements,
                sum(float(np.sum(np.abs(np.nan_to_num(v.data.astype(float), posinf=1e9, neginf=1e9)) != 1))
                    for v in self.leaves()))


def expected_of(statement):
    out, e = statement.output, statement.expression
    try:
        v = evaluate(e, e.shape if e.rank else out.shape)
    except NoIdentity:
        if 0 not in out.shape:
            raise
        nothing = np.zeros(out.shape)  # where nothing is written, nothing need be folded
        return Expected(nothing, nothing, nothing == 0, nothing == 0)
    if e.rank and len(out.shape) != v.value.ndim:  # axes that keepdims kept are left out
        v = v.map(lambda x: x.reshape(out.shape))
    v = v.map(lambda x: np.broadcast_to(x, out.shape))
    low, high, known = stored(v, out.type)
    written = np.ones(out.shape, bool)
    if isinstance(e, Compact):
        written = np.arange(out.shape[0]) < e.kept
        known = known & bool(np.all(known))  # else how many are written is not known either
    return Expected(low, high, known, written)
