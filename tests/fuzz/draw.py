# SPDX-License-Identifier: Apache-2.0
"""Random programs, mostly within the rules of what fits one kernel. A program is a function of (seed, number) alone.

The rules (docs/language.md): reductions over one set S of axes of the iteration space, each broadcast back or not; when
S are the innermost axes, one more level that folds the per-row results, or all elements, to a scalar; one axis of scans,
with reductions over it for outputs of their own; sorts with sorts only. Programs of the family "steps" know no rule:
reductions and scans over any axes, one inside another, broadcast back from anywhere."""
import numpy as np

from . import dtypes as ty
from .draw_data import chance, draw_domain, draw_layout, draw_view, pick, weighted
from .draw_maps import Drawing
from .elementwise import FUNCTIONS
from .finish import finish
from .folds import NoIdentity
from .nodes import Call, ExpandDims, Leaf, Number
from .program import Program, Statement, View
from .reduce_nodes import FORMULAS, Reduce, Softmax
from .scan_nodes import Compact, Discounted, Scan, Sort, Take

OPS = (("sum", 26), ("mean", 14), ("max", 12), ("min", 7), ("prod", 4), ("argmax", 5), ("argmin", 3), ("any", 3),
       ("all", 3), ("count_nonzero", 4), ("nanmax", 2), ("nanmin", 1), ("nanargmax", 1), ("last", 3), ("formula", 14), ("bits", 4),
       ("nansum", 4), ("nanmean", 4), ("ptp", 4))
FAMILIES = (("map", 14), ("columns", 14), ("rows", 18), ("any", 8), ("full", 10), ("epilogue", 18), ("scan", 10),
            ("sort", 3), ("compact", 2), ("fill", 3), ("steps", 16))


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


def draw_statements(d, family):
    rng, rank = d.rng, len(d.domain)
    depth = int(rng.integers(1, 4))
    several = 1 + int(chance(rng, 0.4)) + int(chance(rng, 0.15))
    if family == "map":
        return [statement(d, d.spanning(depth, rank if chance(rng, 0.9) else int(rng.integers(0, rank + 1))))
                for i in range(several)]
    if family == "fill":
        e = reduction(d, d.spanning(depth - 1, rank))
        if chance(rng, 0.4):
            e = d.joined(e, d.leaf(0))
        if chance(rng, 0.3):
            e = d.spanning(1, 0)
        return [statement(d, e, draw_domain(rng, 2000))]
    if family == "compact":
        x = d.spanning(depth - 1, 1)
        keep = Call(FUNCTIONS["greater"], [x, Number(0, ty.I32)])
        some = [statement(d, Compact(x, keep))]
        some[0].output.layout = draw_layout(rng, some[0].output.shape, True)
        return some + ([statement(d, Reduce("count_nonzero", keep))] if chance(rng, 0.5) else [])
    if family == "sort":
        def one():
            return Sort(d.spanning(depth - 1, rank), chance(rng, 0.3), chance(rng, 0.4))
        made = [one() for _ in range(several)]
        return [statement(d, d.elementwise(int(chance(rng, 0.3)), lambda e=e: e)) for e in made]
    if family == "scan":
        return scans(d, depth, several)
    if family == "steps":
        return [steps_statement(d, depth) for _ in range(several)]
    S = reduced_axes(d, family)
    r = Reducing(d, S)
    inner = 1 + int(chance(rng, 0.2))
    some = []
    for _ in range(several):
        kind = rng.random()
        if family == "epilogue" and (kind < 0.6 or not some):
            some.append(statement(d, r.scalar(depth)))
        elif kind < 0.5 and family != "full":
            some.append(statement(d, r.rows(depth, inner)))
        elif kind < 0.65 and family == "full":
            some.append(statement(d, r.rows(depth, inner)))
        elif kind < 0.72 and not some:
            e = r.operand(depth, inner)
            node = reduction(d, e, r.axes(e), True)
            leave_out = e.rank == rank and chance(rng, 0.5)
            leave_out = leave_out and tuple(np.delete(node.shape, r.S)) == r.kept
            some.append(statement(d, node, r.kept if leave_out else None))
        else:
            some.append(statement(d, r.elements(depth, inner)))
    return some


def some_axes(d):
    rank = len(d.domain)
    return tuple(sorted(d.rng.choice(rank, int(d.rng.integers(1, rank + 1)), replace=False).tolist()))


def steps_value(d, depth):
    """An expression over the whole space with reductions and scans over any of its axes."""
    rng, rank = d.rng, len(d.domain)
    e = d.spanning(depth - 1, rank)
    for _ in range(int(rng.integers(1, 4))):
        kind = rng.random()
        if kind < 0.65:
            operand = e if chance(rng, 0.6) else d.spanning(depth - 1, rank)
            e = d.joined(e, reduction(d, operand, some_axes(d), True))
        elif kind < 0.8:
            axis = int(rng.integers(rank))
            node = Scan(pick(rng, ("cumsum", "cummax", "cummin")), e, axis, chance(rng, 0.3), None, False)
            e = node if d.good(node) else e
        else:
            e = d.joined(e, d.spanning(0, rank))
    return e


def steps_statement(d, depth):
    e = steps_value(d, depth)
    kind = d.rng.random()
    if kind < 0.45:
        return statement(d, e)
    return statement(d, reduction(d, e, some_axes(d) if kind < 0.85 else None))


def reduced_axes(d, family):
    rank = len(d.domain)
    if family == "full":
        return range(rank)
    if family in ("rows", "epilogue"):
        n = int(d.rng.integers(1, rank)) if rank > 1 else 1
        return range(rank - n, rank)
    if family == "columns":
        return (int(d.rng.integers(0, max(rank - 1, 1))),)
    return sorted(d.rng.choice(rank, int(d.rng.integers(1, rank + 1)), replace=False).tolist())


def scans(d, depth, several):
    rng, rank = d.rng, len(d.domain)
    axis = int(rng.integers(rank))
    some = []

    def one():
        r = rank if chance(rng, 0.75) else int(rng.integers(rank - axis, rank + 1))
        r = rank if several > 1 and chance(rng, 0.8) else r
        e = d.spanning(depth - 1, r)
        at = axis - rank if chance(rng, 0.3) else axis - rank + r
        if e.type.floating and chance(rng, 0.15):
            return Discounted(e, float(pick(rng, (0.5, 0.9, 0.99))), at)
        op = weighted(rng, (("cumsum", 6), ("cumprod", 1), ("cummax", 2), ("cummin", 1)))
        acc = ty.F64 if op == "cumsum" and chance(rng, 0.1) else None
        node = Scan(op, e, at, chance(rng, 0.3), acc, chance(rng, 0.3), chance(rng, 0.3))
        return node if d.good(node) else Scan("cummax", e, at)

    for _ in range(several):
        if some and chance(rng, 0.4):
            r = Reducing(d, (axis,))
            some.append(statement(d, r.row(depth - 1, 0)))
        else:
            e = one()
            e = d.joined(e, one() if chance(rng, 0.2) else d.spanning(0, rank)) if chance(rng, 0.4) else e
            some.append(statement(d, d.elementwise(int(chance(rng, 0.3)), lambda: e)))
    return some


def draw_program(seed, number, most=40000):
    """Program `number` of a seed."""
    rng = np.random.default_rng([seed, number])
    for attempt in range(20):
        family = weighted(rng, FAMILIES)
        domain = draw_domain(rng, most if chance(rng, 0.25) else min(most, 600))
        if family == "compact":
            domain = domain[-1:]
        if family == "epilogue" and len(domain) == 1:
            family = "full"
        d = Drawing(rng, domain)
        label = f"seed {seed}, program {number}: {family} {domain}"
        p = Program(draw_statements(d, family), family, None, False, label)
        finish(rng, p)
        if worth_running(p):
            return p
    return p


def worth_running(p):
    """Whether nearly all elements can be compared."""
    try:
        expected = p.expected()
    except NoIdentity:
        return True
    known = sum(int(np.sum(e.known)) for e in expected)
    size = sum(e.known.size for e in expected)
    return size == 0 or known >= 0.9 * size
