# SPDX-License-Identifier: Apache-2.0
"""Expressions: each node knows its rank and type as the library sees them, its shape and values as numpy does, and its
C++ text. `space` is the shape that index<k>() counts in: that of the enclosing reduction's operand, or the statement's."""
import numpy as np

from . import dtypes as ty
from .values import Values, convert, round_number


class Node:
    kids = ()

    def with_kids(self, kids):
        """The same node over other operands."""
        raise NotImplementedError

    @property
    def rank(self):
        return max((k.rank for k in self.kids), default=0)

    @property
    def shape(self):
        """Without the axes that index<k>() adds."""
        return np.broadcast_shapes(*(k.shape for k in self.kids))

    def walk(self):
        yield self
        for k in self.kids:
            yield from k.walk()


class Leaf(Node):
    def __init__(self, view):
        self.view, self.type = view, ty.computed(view.type)

    rank = property(lambda self: len(self.view.shape))
    shape = property(lambda self: self.view.shape)

    def with_kids(self, kids):
        return self

    def over(self, view):
        """The same of another view."""
        return Leaf(view)

    def values(self, space):
        return Values(self.type, self.view.data)

    def cpp(self):
        return self.view.name


class Number(Node):
    """form: plain (takes the type beside it), scalar (a Scalar node with a type of its own), constant (a fraction)."""

    rank, shape = 0, ()

    def __init__(self, number, type_, form="plain", name=None, denominator=1):
        self.number, self.type, self.form, self.name, self.denominator = number, type_, form, name, denominator

    def with_kids(self, kids):
        return self

    def weak(self, beside):
        """This number beside expressions of a common type: what the library makes of it."""
        if self.form == "scalar":
            return self
        t = beside if beside is not None and beside.floating else self.type
        number = float(ty.round_to(self.type, self.number)) if self.type.floating and self.form == "plain" else self.number
        return Number(number, t, self.form, self.name, self.denominator)

    def values(self, space):
        return round_number(self.type, self.number / self.denominator if self.denominator != 1 else self.number)

    def cpp(self):
        if self.form == "constant":
            return f"fuse::constant<{self.number}, {self.denominator}>" if self.denominator != 1 else f"fuse::constant<{self.number}>"
        text = {"f32": f"{float(self.number)!r}F", "f64": repr(float(self.number)), "bool": str(bool(self.number)).lower(),
                "i32": str(self.number)}.get(self.type.name, f"{self.type.cpp}({self.number})")
        if self.form == "scalar":
            return f'fuse::scalar<"{self.name}">({text})' if self.name else f"fuse::scalar({text})"
        return text


class Index(Node):
    rank, shape, type = 0, (), ty.I64

    def __init__(self, axis):
        self.axis = axis

    def with_kids(self, kids):
        return self

    def values(self, space):
        axis = self.axis + len(space) if self.axis < 0 else self.axis
        shape = tuple(e if a == axis else 1 for a, e in enumerate(space))
        return Values(ty.I64, np.arange(space[axis]).reshape(shape))

    def cpp(self):
        return f"fuse::index<{self.axis}>()"


class Call(Node):
    """An elementwise function of elementwise.py or arithmetic.py."""

    def __init__(self, function, kids):
        self.function, self.kids = function, tuple(kids)

    def with_kids(self, kids):
        return Call(self.function, kids)

    def operands(self):
        """The operands with their final types: numbers take the common type of the expressions beside them."""
        kids = list(self.kids)
        if getattr(self.function, "operand", None) is not None:
            return kids
        # The condition of where has no say.
        first = 1 if self.function.name == "where" else 0
        known = [k.type for k in kids[first:] if not (isinstance(k, Number) and k.form != "scalar")]
        beside = ty.common(*known) if known else None
        return kids[:first] + [k.weak(beside) if isinstance(k, Number) else k for k in kids[first:]]

    @property
    def type(self):
        return self.function.result(*(k.type for k in self.operands()))

    def values(self, space):
        return self.function.apply([k.values(space) for k in self.operands()])

    def cpp(self):
        return self.function.cpp([k.cpp() for k in self.kids])


class Cast(Node):
    def __init__(self, target, kid):
        self.target, self.kids = target, (kid,)

    def with_kids(self, kids):
        return Cast(self.target, *kids)

    type = property(lambda self: ty.computed(self.target))

    def values(self, space):
        return convert(convert(self.kids[0].values(space), self.target), self.type)

    def cpp(self):
        return f"fuse::cast<{self.target.cpp}>({self.kids[0].cpp()})"


class Named(Node):
    def __init__(self, name, kid):
        self.name, self.kids = name, (kid,)

    def with_kids(self, kids):
        return Named(self.name, *kids)

    type = property(lambda self: self.kids[0].type)

    def values(self, space):
        return self.kids[0].values(space)

    def cpp(self):
        return f'fuse::named<"{self.name}">({self.kids[0].cpp()})'


class ExpandDims(Node):
    def __init__(self, axis, kid):
        self.axis, self.kids = axis, (kid,)

    def with_kids(self, kids):
        return ExpandDims(self.axis, *kids)

    type = property(lambda self: self.kids[0].type)
    rank = property(lambda self: self.kids[0].rank + 1)

    @property
    def shape(self):
        s = list(self.kids[0].shape)
        s.insert(self.axis, 1)
        return tuple(s)

    def values(self, space):
        return self.kids[0].values(space).map(lambda x: np.expand_dims(x, self.axis))

    def cpp(self):
        return f"fuse::expand_dims<{self.axis}>({self.kids[0].cpp()})"


def full(v, shape):
    """v, which may be of extent 1 along some axes, with all elements of the shape that an operand has."""
    return v.map(lambda x: np.broadcast_to(x, np.broadcast_shapes(x.shape, shape)))


def evaluate(node, shape):
    """The values of an expression that fills an output of this shape, when its own rank is 0, or of its own shape."""
    space = tuple(node.shape) if node.rank else tuple(shape)
    return full(node.values(space), shape)
