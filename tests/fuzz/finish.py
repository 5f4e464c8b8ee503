# SPDX-License-Identifier: Apache-2.0
"""How a drawn program is run: blocks of another size, value() in place of eval(), an output that is an input."""
from . import dtypes as ty
from .draw_data import TYPES, chance, draw_view, pick, weighted
from .elementwise import FUNCTIONS
from .nodes import Call, Leaf
from .parts import Cut, Diff, Part
from .program import Statement
from .ranges import BroadcastTo


def finish(rng, p):
    """A policy, value() instead of eval(), an update in place."""
    if chance(rng, 0.4):
        p.block_items = int(pick(rng, (64, 64, 100, 24, 1000)))
    first = p.statements[0]
    if len(p.statements) == 1 and first.expression.rank == 0 and first.output.shape == () and chance(rng, 0.4):
        p.by_value = True
        first.output = first.output.changed(type_=first.expression.type)
    if p.by_value or p.family in ("compact", "fill") or not p.leaves() or not chance(rng, 0.25):
        return
    if len(p.statements) == 1 and first.expression.rank == max(len(v.shape) for v in p.leaves()) and chance(rng, 0.5):
        update(rng, p)
    else:
        in_place(p)


def in_place(p):
    """Outputs that are inputs: those of the next statements as well, which read what was there before."""
    # Parts and neighbours are read at other places.
    parts = [n for n in p.nodes() if isinstance(n, (Part, Diff, Cut, BroadcastTo))]
    elsewhere = {n.view.name for part in parts for n in part.walk() if isinstance(n, Leaf)}
    most = max(len(leaf.shape) for leaf in p.leaves())
    written = set()
    for s in p.statements:
        for leaf in p.leaves():
            if leaf.shape == s.output.shape and leaf.layout.kind != "repeated" and not any(leaf.static) and \
                    s.expression.rank == len(leaf.shape) == most and leaf.name not in elsewhere | written:
                s.output = leaf
                written.add(leaf.name)
                break


def update(rng, p):
    """The statement x += e of a fresh view x, or another of the four, in place of y = e."""
    e = p.statements[0].expression
    name = pick(rng, ("add", "sub", "mul", "div"))
    floating = name == "div" or e.type.floating
    type_ = pick(rng, (ty.F32, ty.F32, ty.F64, ty.F16, ty.BF16)) if floating else weighted(rng, TYPES)
    if e.shape != p.statements[0].output.shape or type_ == ty.BOOL:
        return
    x = draw_view(rng, "x_updated", type_, e.shape)
    if x.layout.kind != "repeated" and not any(x.static):
        p.statements = [Statement(x, Call(FUNCTIONS[name], [Leaf(x), e]), FUNCTIONS[name].infix)]
