# SPDX-License-Identifier: Apache-2.0
"""Nodes along one axis: running folds, sorts, compaction, the pick of one element per row."""
import numpy as np

from . import dtypes as ty
from . import folds
from .nodes import Node, full
from .values import Values, convert, settled

SCANS = {"cumsum": "fuse::Add<>{}", "cumprod": "fuse::Mul<>{}", "cummax": "fuse::Max<>{}", "cummin": "fuse::Min<>{}"}


def along(v, axis, f, reverse=False):
    """f of the rows along an axis of v, or of the rows backwards."""
    step = -1 if reverse else 1
    r = f(v.map(lambda x: np.moveaxis(x, axis, -1)[..., ::step]))
    return r.map(lambda x: np.moveaxis(x[..., ::step], -1, axis))


class Scan(Node):
    """spelled: as scan(op, ...) rather than by its name. reverse: from the end."""

    def __init__(self, op, kid, axis, exclusive=False, acc=None, spelled=False, reverse=False):
        self.op, self.kids, self.axis, self.exclusive, self.acc, self.spelled = op, (kid,), axis, exclusive, acc, spelled
        self.reverse = reverse

    def with_kids(self, kids):
        return Scan(self.op, kids[0], self.axis, self.exclusive, self.acc, self.spelled, self.reverse)

    @property
    def type(self):
        t = self.kids[0].type
        return t if self.op in ("cummax", "cummin") else self.acc or ty.accumulator(t)

    def values(self, space):
        shape = tuple(self.kids[0].shape)
        return along(full(self.kids[0].values(shape), shape), self.axis % len(shape), self.run, self.reverse)

    def run(self, v):
        if self.op == "cumsum":
            r, first = folds.cumsum(v, self.type), 0
        elif self.op == "cumprod":
            r, first = folds.prod_(v, self.type, cumulative=True), 1
        else:
            smaller = self.op == "cummin"
            r = folds.extremum(v, smaller, cumulative=True)
            bounds = (0, 1) if v.type.kind == "b" else None
            least, most = bounds or ((-np.inf, np.inf) if v.type.floating else
                                     (np.iinfo(v.type.dtype).min, np.iinfo(v.type.dtype).max))
            first = most if smaller else least
        return folds.shifted(r, first) if self.exclusive else r

    def cpp(self):
        options = [f"fuse::axes<{self.axis}>"] + (["fuse::exclusive"] if self.exclusive else [])
        options += ["fuse::reverse"] if self.reverse else []
        options += [f"fuse::accumulate<{self.acc.cpp}>"] if self.acc else []
        name = f"fuse::scan({SCANS[self.op]}, " if self.spelled else f"{self.op}("
        return name + ", ".join([self.kids[0].cpp()] + options) + ")"


class LogCumSumExp(Scan):
    """The logarithm of the sum of the exponentials up to here."""

    def with_kids(self, kids):
        return LogCumSumExp(self.op, kids[0], self.axis, self.exclusive, None, False, self.reverse)

    type = property(lambda self: ty.floating(self.kids[0].type))

    def run(self, v):
        v = convert(v, self.type)
        with np.errstate(all="ignore"):
            value = np.logaddexp.accumulate(v.value.astype(np.longdouble), axis=-1).astype(np.float64)
            size = np.maximum.accumulate(np.where(np.isfinite(v.value), np.abs(v.value), 0.0), axis=-1) + 1
            # Partial sums are rounded in an order of the library's choice.
            terms = 2 * np.minimum(np.arange(v.shape[-1]), 64) + 8
            error = np.maximum.accumulate(v.error, axis=-1) + terms * self.type.eps * size
        r = settled(self.type, value, error, np.logical_and.accumulate(v.known, axis=-1))
        return folds.shifted(r, -np.inf) if self.exclusive else r


class Discounted(Node):
    """y[t] = x[t] + gamma[t] * y[t - 1]; gamma: a number or an expression."""

    def __init__(self, kid, gamma, axis, exclusive=False, reverse=False):
        self.gamma, self.axis, self.exclusive, self.reverse = gamma, axis, exclusive, reverse
        self.kids = (kid,) if isinstance(gamma, float) else (kid, gamma)

    def with_kids(self, kids):
        return Discounted(kids[0], kids[1] if len(kids) > 1 else self.gamma, self.axis, self.exclusive, self.reverse)

    type = property(lambda self: self.kids[0].type)

    def values(self, space):
        shape = tuple(self.shape)
        axis = self.axis % len(shape)
        v = full(self.kids[0].values(self.kids[0].shape), shape)
        gammas = np.full(shape, ty.round_to(ty.F32, self.gamma)) if len(self.kids) == 1 else \
            np.broadcast_to(self.gamma.values(self.gamma.shape).value.astype(float), shape)
        gammas = np.moveaxis(gammas, axis, -1)[..., ::-1 if self.reverse else 1]

        def run(v):
            value, error, known = (np.zeros(v.shape, x) for x in (float, float, bool))
            last = size = wrong = np.zeros(v.shape[:-1])
            sure = np.ones(v.shape[:-1], bool)
            with np.errstate(all="ignore"):
                for i in range(v.shape[-1]):
                    gamma = gammas[..., i]
                    last = v.value[..., i] + gamma * last
                    size = np.abs(v.value[..., i]) + gamma * size
                    # Products of gammas and partial sums are rounded in an order of the library's choice.
                    wrong = v.error[..., i] + gamma * wrong
                    sure = sure & v.known[..., i] & np.isfinite(v.value[..., i])
                    value[..., i], known[..., i] = last, sure
                    error[..., i] = wrong + (2 * min(i, 64) + 8) * v.type.eps * size + v.type.tiny
            r = Values(v.type, value, error, known)
            return folds.shifted(r, 0) if self.exclusive else r

        return along(v, axis, run, self.reverse)

    def cpp(self):
        gamma = f"{self.gamma!r}F" if len(self.kids) == 1 else self.gamma.cpp()
        options = [f"fuse::axes<{self.axis}>"] + ["fuse::exclusive"] * self.exclusive + ["fuse::reverse"] * self.reverse
        return f"discounted_cumsum({', '.join([self.kids[0].cpp(), gamma] + options)})"


class Sort(Node):
    def __init__(self, kid, descending, positions):
        self.kids, self.descending, self.positions = (kid,), descending, positions

    def with_kids(self, kids):
        return Sort(kids[0], self.descending, self.positions)

    type = property(lambda self: ty.I64 if self.positions else self.kids[0].type)

    def values(self, space):
        shape = tuple(self.kids[0].shape)
        v = full(self.kids[0].values(shape), shape)
        nan = np.isnan(v.value) if v.type.floating else np.zeros(v.shape, bool)
        if self.descending:
            # Stable from the other end: ties stay in order.
            back = np.where(nan, -np.inf, v.value)[..., ::-1] if v.type.floating else v.value[..., ::-1]
            order = shape[-1] - 1 - np.argsort(back, axis=-1, kind="stable")[..., ::-1]
            # -inf and NaN were one key: NaN goes behind.
            order = np.take_along_axis(order, np.argsort(np.take_along_axis(nan, order, -1), axis=-1, kind="stable"), -1)
        else:
            order = np.argsort(v.value, axis=-1, kind="stable")
        known = np.broadcast_to(np.all(v.known, axis=-1, keepdims=True), v.shape)
        worst = np.broadcast_to(np.max(v.error, axis=-1, keepdims=True, initial=0.0), v.shape)
        if self.positions:
            return Values(ty.I64, order, None, known & (worst == 0))
        value = np.take_along_axis(v.value, order, -1)
        return Values(v.type, value, np.where(np.isfinite(value), worst, 0.0) if v.type.floating else None, known)

    def cpp(self):
        options = ["fuse::axes<-1>"] + (["fuse::descending"] if self.descending else [])
        return f"{'argsort' if self.positions else 'sort'}({', '.join([self.kids[0].cpp()] + options)})"


class Compact(Node):
    """x where keep, from the start of the output; `kept` tells how many elements are written."""

    def __init__(self, kid, keep):
        self.kids = (kid, keep)

    def with_kids(self, kids):
        return Compact(*kids)

    type = property(lambda self: self.kids[0].type)

    def values(self, space):
        v, keep = (full(k.values(tuple(k.shape)), tuple(k.shape)) for k in self.kids)
        chosen = np.flatnonzero(keep.value)
        self.kept = len(chosen)
        order = np.concatenate([chosen, np.flatnonzero(~keep.value)])
        r = v.map(lambda x: x[order])
        return Values(r.type, r.value, r.error, r.known & bool(np.all(keep.known)))

    def cpp(self):
        return f"fuse::compact({self.kids[0].cpp()}, {self.kids[1].cpp()})"


class Take(Node):
    """x[..., target, ...] along one axis; 0 where the target is outside."""

    def __init__(self, kid, target, axis):
        self.kids, self.axis = (kid, target), axis

    def with_kids(self, kids):
        return Take(kids[0], kids[1], self.axis)

    rank = property(lambda self: self.kids[0].rank - 1)

    @property
    def shape(self):
        s = list(self.kids[0].shape)
        del s[self.axis]
        return np.broadcast_shapes(tuple(s), self.kids[1].shape)

    @property
    def type(self):
        return ty.accumulator(self.kids[0].type)

    def values(self, space):
        # One value each: index<> counts in the operand in which it stands.
        n = self.kids[0].shape[self.axis]
        x = full(self.kids[0].values(tuple(self.kids[0].shape)), tuple(self.kids[0].shape))
        target = full(self.kids[1].values(tuple(self.kids[1].shape)), tuple(self.kids[1].shape))
        at = np.broadcast_to(target.value, self.shape).astype(np.int64)
        inside = (at >= 0) & (at < n)

        def pick(a, outside):
            wide = list(self.shape)
            wide.insert(self.axis, n)
            a = np.broadcast_to(a, wide)
            got = np.take_along_axis(a, np.expand_dims(np.where(inside, at, 0), self.axis), self.axis) if n else None
            got = np.zeros(self.shape, a.dtype) if got is None else np.squeeze(got, self.axis)
            return np.where(inside, got, np.asarray(outside, a.dtype))

        return convert(Values(x.type, pick(x.value, 0), pick(x.error, 0.0), pick(x.known, True)), self.type)

    def cpp(self):
        return f"take({self.kids[0].cpp()}, {self.kids[1].cpp()}, fuse::axes<{self.axis}>)"
