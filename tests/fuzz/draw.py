# SPDX-License-Identifier: Apache-2.0
"""Random programs, mostly within the rules of what fits one kernel. A program is a function of (seed, number) alone.

The rules (docs/language.md): reductions over one set S of axes of the iteration space, each broadcast back or not; when
S are the innermost axes, one more level that folds the per-row results, or all elements, to a scalar; one axis of scans,
with reductions over it for outputs of their own; sorts with sorts only. Programs of the family "steps" know no rule:
reductions and scans over any axes, one inside another, broadcast back from anywhere."""
import numpy as np

from . import dtypes as ty
from .draw_data import chance, draw_domain, draw_layout, draw_shape, draw_view, pick, weighted
from .draw_maps import Drawing
from .draw_reduce import Reducing, reduction, statement
from .elementwise import FUNCTIONS
from .finish import finish
from .folds import NoIdentity
from .nodes import Call, Leaf, Number
from .parts import Cut, draw_steps
from .program import Program
from .ranges import FOLDING_BODIES, Let
from .reduce_nodes import Reduce
from .scan_nodes import Compact, Discounted, LogCumSumExp, Scan, Sort

FAMILIES = (("map", 14), ("columns", 14), ("rows", 18), ("any", 8), ("full", 10), ("epilogue", 18), ("scan", 10),
            ("sort", 3), ("compact", 2), ("fill", 3), ("steps", 16))


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
        elif kind < 0.88:
            node = Let(e, pick(rng, FOLDING_BODIES))
            e = node if d.good(node) else e
        elif kind < 0.93:
            e = d.joined(e, cut_of_reduction(d))
        elif kind < 0.97 and rank > 1:
            e = d.joined(e, folded_twice(d))
        else:
            e = d.joined(e, d.spanning(0, rank))
    return e


def folded_twice(d):
    """A number from the reductions of an operand that has fewer axes than the space."""
    low = d.spanning(0, int(d.rng.integers(1, len(d.domain))))
    axes = tuple(sorted(d.rng.choice(low.rank, int(d.rng.integers(1, low.rank + 1)), replace=False).tolist()))
    rows = reduction(d, low, axes)
    return reduction(d, rows) if rows.rank else rows


def cut_of_reduction(d):
    """A part of an expression with a reduction in it."""
    whole, steps, _ = draw_steps(d.rng, d.domain, False)
    e = d.cuttable(whole)
    if not whole:
        return e
    n = int(d.rng.integers(1, len(whole) + 1))
    axes = tuple(sorted(d.rng.choice(len(whole), n, replace=False).tolist()))
    return Cut(d.joined(e, reduction(d, d.cuttable(whole), axes, True)), steps)


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


def draw_gamma(d, e):
    """A number, or a view whose last axes are those of e, of bool as well."""
    rng = d.rng
    if chance(rng, 0.5):
        return float(pick(rng, (0.5, 0.9, 0.99)))
    shape = draw_shape(rng, e.shape, int(rng.integers(1, e.rank + 1)), 0.2)
    type_ = pick(rng, (ty.F32, ty.BOOL))
    data = rng.integers(0, 5, shape) / 4 if type_ == ty.F32 else rng.integers(0, 4, shape) > 0
    return Leaf(draw_view(rng, d.fresh("g"), type_, shape, data.astype(type_.dtype)))


def scans(d, depth, several):
    rng, rank = d.rng, len(d.domain)
    axis = int(rng.integers(rank))
    some = []

    def one():
        r = rank if chance(rng, 0.75) else int(rng.integers(rank - axis, rank + 1))
        r = rank if several > 1 and chance(rng, 0.8) else r
        e = d.spanning(depth - 1, r)
        at = axis - rank if chance(rng, 0.3) else axis - rank + r
        back = chance(rng, 0.3)
        if e.type.floating and chance(rng, 0.2):
            return Discounted(e, draw_gamma(d, e), at, chance(rng, 0.2), back)
        if chance(rng, 0.08):
            node = LogCumSumExp("logcumsumexp", e, at, chance(rng, 0.3), None, False, back)
            if d.good(node):
                return node
        op = weighted(rng, (("cumsum", 6), ("cumprod", 1), ("cummax", 2), ("cummin", 1)))
        acc = ty.F64 if op == "cumsum" and chance(rng, 0.1) else None
        node = Scan(op, e, at, chance(rng, 0.3), acc, chance(rng, 0.3), back)
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
