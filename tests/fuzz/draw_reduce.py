# SPDX-License-Identifier: Apache-2.0
"""Random reductions, expressions whose reductions run over one set of axes, and the statements of them."""
import numpy as np

from . import dtypes as ty
from .draw_data import chance, draw_layout, draw_view, pick, weighted
from .elementwise import FUNCTIONS
from .nodes import Call, ExpandDims, Leaf
from .program import Statement, View
from .reduce_nodes import FORMULAS, Reduce, Softmax
from .scan_nodes import Take

OPS = (("sum", 26), ("mean", 14), ("max", 12), ("min", 7), ("prod", 4), ("argmax", 5), ("argmin", 3), ("any", 3),
       ("all", 3), ("count_nonzero", 4), ("nanmax", 2), ("nanmin", 1), ("nanargmax", 1), ("last", 3), ("formula", 14), ("bits", 4),
       ("nansum", 4), ("nanmean", 4), ("ptp", 4))


def reduction(d, operand, axes=None, keep=False):
    """A reduction of a random op that gives known results."""
    rng = d.rng
    for _ in range(5):
        op = weighted(rng, OPS)
        t = operand.type
        if op == "formula":
            op = pick(rng, FORMULAS)
        if op == "bits":
            op = pick(rng, ("bit_and", "bit_or", "bit_xor"))
            if t.floating:
                continue
        acc = pick(rng, (ty.F64, ty.F32)) if op in ("sum", "mean") and chance(rng, 0.1) else None
        node = Reduce(op, operand, axes, keep, acc)
        if d.good(node):
            return node
    return Reduce("count_nonzero", Call(FUNCTIONS["isfinite"], [operand]), axes, keep)


class Reducing:
    """Expressions over an iteration space whose axes in S are reduced."""

    def __init__(self, d, S):
        self.d, self.S = d, tuple(sorted(S))
        self.rank = len(d.domain)
        self.suffix = self.S == tuple(range(self.rank - len(S), self.rank))
        self.kept = tuple(e for a, e in enumerate(d.domain) if a not in S)

    def operand(self, depth, inner):
        """What is reduced: of a rank that has all axes of S."""
        rng, d = self.d.rng, self.d
        least = self.rank - self.S[0]
        rank = self.rank if chance(rng, 0.7) else int(rng.integers(least, self.rank + 1))
        e = d.spanning(depth, rank)
        if inner and chance(rng, 0.4) and e.rank == rank:
            e = d.joined(e, self.back(depth - 1, inner - 1, rank))
        return e

    def axes(self, operand):
        shifted = [a - self.rank + operand.rank for a in self.S]
        if chance(self.d.rng, 0.3):
            shifted = [a - operand.rank for a in shifted]
        return tuple(shifted)

    def back(self, depth, inner, most=None):
        """A reduction that is broadcast back."""
        d, rng = self.d, self.d.rng
        if len(self.S) == 1 and self.S[0] and chance(rng, 0.2) and self.rank > 1 and most in (None, self.rank):
            row = self.row(depth, 0)
            if row.rank == self.rank - 1:
                return ExpandDims(self.S[0], row)
        e = self.operand(depth, inner)
        if self.suffix and chance(rng, 0.15):
            # Of a lower rank: the same in every row.
            low = d.spanning(max(depth - 1, 0), len(self.S))
            return reduction(d, low)
        prefix = self.S == tuple(range(len(self.S)))
        keep = not (prefix and chance(rng, 0.4))
        axes = self.axes(e)
        if len(self.S) == e.rank and chance(rng, 0.5):
            axes = None
        return reduction(d, e, axes, keep)

    def row(self, depth, inner):
        """A reduction without its axes, with maps over it."""
        d, rng = self.d, self.d.rng
        e = self.operand(depth, inner)
        if e.rank == self.rank and len(self.S) == 1 and chance(rng, 0.08):
            shape = tuple(x for a, x in enumerate(d.domain) if a != self.S[0])
            n = d.domain[self.S[0]]
            target = draw_view(rng, d.fresh("t"), pick(rng, (ty.I32, ty.I64)), shape,
                               rng.integers(-1, n + 1, shape).astype(np.int64))
            target = target.changed(data=target.data.astype(target.type.dtype))
            return Take(e, Leaf(target), self.S[0])
        return reduction(d, e, self.axes(e) if len(self.S) < e.rank or chance(rng, 0.5) else None)

    def rows(self, depth, inner):
        """An expression over the kept axes: one value per row."""
        d, rng = self.d, self.d.rng
        first = self.row(depth, inner)
        if chance(rng, 0.5):
            # Beside a row of full rank the library knows which axes a leaf over the kept axes lies along.
            pinned = self.kept and first.rank == len(self.kept) and not isinstance(first, Take) and \
                first.kids[0].rank == self.rank
            other = d.leaf(None, self.kept) if pinned and chance(rng, 0.5) else self.row(depth - 1, 0)
            first = d.joined(first, other)
        return d.elementwise(int(chance(rng, 0.4)), lambda: first)

    def elements(self, depth, inner):
        """An expression over the whole space."""
        d = self.d
        norm = len(self.S) == 1 and chance(d.rng, 0.2)
        if norm:
            e = self.d.spanning(depth - 1, self.rank)
            if e.shape[self.S[0]] == 0:
                norm = False
            else:
                node = Softmax(pick(d.rng, ("softmax", "log_softmax", "layer_norm", "rms_norm", "l2_normalize")), e,
                               self.S[0] - self.rank)
                if d.good(node):
                    return node
        return d.joined(d.spanning(depth, self.rank), self.back(depth - 1, inner))

    def scalar(self, depth):
        """A fold of per-row results, or of all elements, or of one row that all share: with S innermost."""
        d, rng = self.d, self.d.rng

        def one():
            kind = rng.random()
            if kind < 0.35 and self.kept:
                e = self.rows(depth - 1, 0)
                if e.rank == len(self.kept):
                    return reduction(d, e)
            if kind < 0.7:
                e = d.spanning(depth, self.rank)
                if chance(rng, 0.25):
                    e = d.joined(e, self.back(0, 0))
                return reduction(d, e)
            return reduction(d, d.spanning(depth - 1, len(self.S)))

        e = one()
        while chance(rng, 0.4):
            e = d.joined(e, one())
        return e


def statement(d, expression, shape=None):
    """Into a fresh output of the expression's shape, or of the one given; of its type or another."""
    rng = d.rng
    t = expression.type
    if chance(rng, 0.25):
        t = pick(rng, (ty.F32, ty.F64, ty.F16, ty.BF16, ty.I32, ty.I8, ty.U8, ty.I64, ty.BOOL))
    shape = tuple(expression.shape if shape is None else shape)
    return Statement(View(d.fresh("y"), t, shape, draw_layout(rng, shape, True)), expression)
