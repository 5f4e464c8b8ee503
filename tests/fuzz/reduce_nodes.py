# SPDX-License-Identifier: Apache-2.0
"""Nodes that fold: reductions, the formulas that are made of them, scans, sorts."""
import numpy as np

from . import dtypes as ty
from . import folds
from .elementwise import FUNCTIONS
from .nodes import Node, full
from .values import Values, convert


def call(name, *args):
    return FUNCTIONS[name].apply(list(args))


def number(x, like):
    return Values(like.type, np.asarray(float(x)))


# Each: (result type of the element type and the accumulator, function of rows and the accumulator).
def summing(fold):
    return lambda t, acc: acc or ty.accumulator(t), lambda v, acc: fold(v, acc or ty.accumulator(v.type))


OPS = {
    "sum": summing(folds.sum_),
    "prod": summing(folds.prod_),
    "mean": (lambda t, acc: ty.floating(acc or ty.mean_accumulator(t)),
             lambda v, acc: folds.mean_(v, acc or ty.mean_accumulator(v.type))),
    "max": (lambda t, acc: t, lambda v, acc: folds.extremum(v, False)),
    "min": (lambda t, acc: t, lambda v, acc: folds.extremum(v, True)),
    "nanmax": (lambda t, acc: t, lambda v, acc: folds.extremum(v, False, True)),
    "nanmin": (lambda t, acc: t, lambda v, acc: folds.extremum(v, True, True)),
    "argmax": (lambda t, acc: ty.I64, lambda v, acc: folds.position(v, False)),
    "argmin": (lambda t, acc: ty.I64, lambda v, acc: folds.position(v, True)),
    "nanargmax": (lambda t, acc: ty.I64, lambda v, acc: folds.position(v, False, True)),
    "nansum": summing(lambda v, acc: folds.sum_(folds.nan_as_zero(v), acc)),
    "nanmean": (lambda t, acc: ty.floating(ty.mean_accumulator(t)), lambda v, acc: folds.nanmean(v)),
    "ptp": (ty.promote, lambda v, acc: folds.peak_to_peak(v)),
    "any": (lambda t, acc: ty.BOOL, lambda v, acc: folds.truth(v, "any")),
    "all": (lambda t, acc: ty.BOOL, lambda v, acc: folds.truth(v, "all")),
    "count_nonzero": (lambda t, acc: ty.I64, lambda v, acc: folds.truth(v, "count")),
    "bit_and": (lambda t, acc: t, lambda v, acc: folds.bitwise(v, "bit_and")),
    "bit_or": (lambda t, acc: t, lambda v, acc: folds.bitwise(v, "bit_or")),
    "bit_xor": (lambda t, acc: t, lambda v, acc: folds.bitwise(v, "bit_xor")),
    "last": (lambda t, acc: ty.F32, lambda v, acc: folds.last_kept(v)),
}
CALLEE = {"nanmax": "max", "nanmin": "min", "nanargmax": "argmax"}
BY_REDUCE = {"bit_and": "fuse::BitAnd<>{}", "bit_or": "fuse::BitOr<>{}", "bit_xor": "fuse::BitXor<>{}",
             "last": "fuzz::Last{}"}
NO_IDENTITY = ("max", "min", "ptp", "nanmax", "nanmin", "argmax", "argmin", "nanargmax", "norm<fuse::inf>", "logsumexp")


def moved_back(v, shape, axes):
    """Results over rows with the reduced axes kept as extent 1."""
    return v.map(lambda x: np.broadcast_to(x.reshape(tuple(1 if a in axes else e for a, e in enumerate(shape))),
                                           tuple(1 if a in axes else e for a, e in enumerate(shape))))


def fold(op, v, axes, acc=None):
    """v folded with an op over axes, which are kept."""
    return moved_back(OPS[op][1](folds.rows(v, axes), acc), v.shape, axes)


def variance(v, axes, less):
    """The mean of squared deviations from the mean."""
    v = convert(v, ty.floating(v.type))
    d = call("square", call("sub", v, fold("mean", v, axes)))
    return moved_back(folds.mean_(folds.rows(d, axes), d.type, less), v.shape, axes)


def finite_or_zero(m):
    return call("where", call("isfinite", m), m, number(0, m))


def formula(op, v, axes):
    """Reductions that the library writes in its own language; integers are taken in floating point."""
    if op == "norm<0>":
        return fold("count_nonzero", v, axes)
    v = convert(v, ty.floating(v.type))
    if op.startswith("var"):
        return variance(v, axes, int(op[4]))
    if op.startswith("stddev"):
        return call("sqrt", variance(v, axes, int(op[7])))
    if op == "logsumexp":
        highest = finite_or_zero(fold("max", v, axes))
        return call("add", highest, call("log", fold("sum", call("exp", call("sub", v, highest)), axes)))
    size = call("abs", v)
    if op == "norm<fuse::inf>":
        return fold("max", size, axes)
    if op == "norm<1>":
        return fold("sum", size, axes)
    if op == "norm<2>":
        return call("sqrt", fold("sum", call("square", v), axes))
    total = fold("sum", call("pow", size, number(3, v)), axes)
    return call("pow", total, Values(v.type, np.asarray(1 / 3), np.asarray(v.type.eps)))


FORMULAS = ("norm<0>", "norm<1>", "norm<2>", "norm<3>", "norm<fuse::inf>", "var<0>", "var<1>", "stddev<0>", "stddev<1>",
            "logsumexp")


class Reduce(Node):
    """axes: None for all. acc: the type of accumulate<>, or None."""

    def __init__(self, op, kid, axes=None, keep=False, acc=None):
        self.op, self.kids, self.axes, self.keep, self.acc = op, (kid,), axes, keep, acc

    def with_kids(self, kids):
        return Reduce(self.op, kids[0], self.axes, self.keep, self.acc)

    def folded(self):
        rank = self.kids[0].rank
        return tuple(range(rank)) if self.axes is None else tuple(sorted(a % rank for a in self.axes))

    @property
    def rank(self):
        return self.kids[0].rank - (0 if self.keep else len(self.folded()))

    @property
    def shape(self):
        gone = self.folded()
        return tuple(1 if a in gone else e for a, e in enumerate(self.kids[0].shape) if self.keep or a not in gone)

    @property
    def type(self):
        t = self.kids[0].type
        if self.op in FORMULAS:
            return ty.I64 if self.op == "norm<0>" else ty.floating(t)
        return OPS[self.op][0](t, self.acc)

    def values(self, space):
        shape = tuple(self.kids[0].shape)
        v = full(self.kids[0].values(shape), shape)
        axes = self.folded()
        r = formula(self.op, v, axes) if self.op in FORMULAS else fold(self.op, v, axes, self.acc)
        return r if self.keep else r.map(lambda x: np.squeeze(x, axis=axes))

    def cpp(self):
        options = [] if self.axes is None else [f"fuse::axes<{', '.join(map(str, self.axes))}>"]
        options += ["fuse::keepdims"] if self.keep else []
        options += [f"fuse::accumulate<{self.acc.cpp}>"] if self.acc else []
        options += ["fuse::nan::ignore"] if self.op in CALLEE else []
        x = self.kids[0].cpp()
        if self.op in BY_REDUCE:
            return f"fuse::reduce({', '.join([BY_REDUCE[self.op], x] + options)})"
        name = CALLEE.get(self.op, self.op)
        name = "fuse::" + name if "<" in name else name
        return f"{name}({', '.join([x] + options)})"


class Softmax(Node):
    """softmax, log_softmax, layer_norm, rms_norm, l2_normalize: statistics of an axis, then a map back over it."""

    def __init__(self, name, kid, axis):
        self.name, self.kids, self.axis = name, (kid,), axis

    def with_kids(self, kids):
        return Softmax(self.name, kids[0], self.axis)

    type = property(lambda self: ty.floating(self.kids[0].type))

    def values(self, space):
        shape = tuple(self.kids[0].shape)
        v = full(self.kids[0].values(shape), shape)
        axes = (self.axis % len(shape),)
        v = convert(v, ty.floating(v.type))
        if "softmax" in self.name:
            shifted = call("sub", v, fold("max", v, axes))
            e = call("exp", shifted)
            total = fold("sum", e, axes)
            if self.name == "softmax":
                return call("mul", e, call("reciprocal", total))
            return call("sub", shifted, call("log", total))
        if self.name == "layer_norm":
            scale = call("rsqrt", call("add", variance(v, axes, 0), number(1e-5, v)))
            return call("mul", call("sub", v, fold("mean", v, axes)), scale)
        if self.name == "rms_norm":
            return call("mul", v, call("rsqrt", call("add", fold("mean", call("square", v), axes), number(v.type.eps, v))))
        return call("div", v, call("max", call("sqrt", fold("sum", call("square", v), axes)), number(1e-12, v)))

    def cpp(self):
        return f"{self.name}({self.kids[0].cpp()}, fuse::axes<{self.axis}>)"
