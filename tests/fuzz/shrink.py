# SPDX-License-Identifier: Apache-2.0
"""Makes a failing program smaller: a round tries many simpler variants in one file and goes on with the simplest that
still fails."""
import tempfile
import time

import numpy as np

from . import dtypes as ty
from .folds import NoIdentity
from .nodes import Leaf, Number
from .parts import Part
from .program import Program, Statement, View, lay_out
from .reduce_nodes import Reduce
from .run import run_batch


def rebuilt(node, replace):
    """The tree with every node n for which replace(n) is not None replaced by it."""
    new = replace(node)
    if new is not None:
        return new
    kids = [rebuilt(k, replace) for k in node.kids]
    return node if all(a is b for a, b in zip(kids, node.kids)) else node.with_kids(kids)


def output_for(old, expression):
    """The output of a changed expression: as it was where it still fits, else a plain one."""
    shape = tuple(expression.shape)
    if old.data is not None or (expression.rank and shape != old.shape):
        return View("y_" + old.name if old.data is not None else old.name, expression.type, shape, lay_out("row_major", shape))
    return old


def with_views(program, change):
    """The program over changed views; change(view) may return the view itself."""
    known = {v.name: change(v) for v in program.leaves()}

    def leaf(n):
        return n.over(known[n.view.name]) if isinstance(n, Leaf) else None

    statements = []
    for s in program.statements:
        e = rebuilt(s.expression, leaf)
        out = known.get(s.output.name) if s.output.data is not None else output_for(s.output, e)
        statements.append(Statement(out, e))
    return remade(program, statements)


def remade(program, statements):
    by_value = program.by_value and len(statements) == 1 and statements[0].output.shape == () and \
        statements[0].expression.rank == 0
    return Program(statements, program.family, program.block_items, by_value, program.label, program.separate)


def variants(p):
    """Functions that make simpler programs, the boldest first; one that makes no sense may raise."""
    if len(p.statements) > 1:
        for i in range(len(p.statements)):
            yield lambda i=i: remade(p, p.statements[:i] + p.statements[i + 1:])
    for i, s in enumerate(p.statements):
        for node in s.expression.walk():
            for new in simpler(node):
                yield lambda i=i, node=node, new=new: with_node(p, i, node, new())
    yield from plainer(p)
    for e in sorted({e for v in p.leaves() for e in v.shape if e > 2}, reverse=True):
        for less in sorted({2, 3, e // 2, e - 1} - {e}):
            yield lambda e=e, less=less: with_views(
                p, lambda v: resized(v, tuple(less if x == e else x for x in v.shape)))
    for v in p.leaves():
        for data in (np.ones(v.shape), np.arange(1, v.data.size + 1).reshape(v.shape) % 5 + 1):
            if v.type.kind != "b":
                yield lambda v=v, data=data: with_view(p, v, data=data.astype(v.type.dtype))


def simpler(node):
    """Functions that make what may stand in the place of a node: one of its operands, a plain form of itself."""
    for kid in node.kids:
        if not isinstance(kid, Number):
            yield lambda kid=kid: kid
    if isinstance(node, Part):
        yield lambda: Leaf(View(node.view.name + "p", node.view.type, node.shape, lay_out("row_major", node.shape), node.data))
    if isinstance(node, Reduce):
        yield lambda: Reduce(node.op, node.kids[0])
        yield lambda: Reduce(node.op, node.kids[0], node.axes, node.keep)
        yield lambda: Reduce("sum", node.kids[0], node.axes, node.keep)


def with_node(p, i, node, new):
    """The program with a node of statement i replaced."""
    s = p.statements[i]
    e = rebuilt(s.expression, lambda n: new if n is node else None)
    return remade(p, p.statements[:i] + [Statement(output_for(s.output, e), e)] + p.statements[i + 1:])


def with_output(p, i, shape, type_):
    """The program with a plain output of statement i."""
    s = p.statements[i]
    name = "y_" + s.output.name if s.output.data is not None else s.output.name
    out = View(name, type_, shape, lay_out("row_major", shape))
    return remade(p, p.statements[:i] + [Statement(out, s.expression)] + p.statements[i + 1:])


def with_view(p, view, **what):
    return with_views(p, lambda v: v.changed(**what) if v is view else v)


def plainer(p):
    """The same with plain layouts, types, sizes of blocks."""
    yield lambda: Program(p.statements, p.family, None, p.by_value, p.label, p.separate)
    yield lambda: Program(p.statements, p.family, p.block_items, False, p.label, p.separate)
    yield lambda: Program(p.statements, p.family, p.block_items, p.by_value, p.label, False)
    for i, s in enumerate(p.statements):
        yield lambda i=i, s=s: with_output(p, i, s.output.shape, s.expression.type)
        if not s.expression.rank and s.output.data is None:  # a scalar that fills its output
            for shape in ((), tuple(min(e, 2) for e in s.output.shape), s.output.shape[1:]):
                yield lambda i=i, s=s, shape=shape: with_output(p, i, shape, s.output.type)
    for v in p.leaves():
        yield lambda v=v: with_view(p, v, layout=lay_out("row_major", v.shape), named=True, static=())
        yield lambda v=v: with_view(p, v, type_=ty.F32, data=ty.round_to(ty.F32, v.data))


def resized(view, shape):
    if shape == view.shape:
        return view
    data = view.data[tuple(slice(0, e) for e in shape)]
    return view.changed(shape=shape, data=data, layout=lay_out(view.layout.kind, shape))


def made(make):
    """The variant, or None where it makes no sense."""
    try:
        p = make()
        for node in p.nodes():
            axes = getattr(node, "axes", None) or ()
            if any(not -node.kids[0].rank <= a < node.kids[0].rank for a in axes):
                return None
        p.expected()
    except NoIdentity:
        pass
    except Exception:  # noqa: BLE001 - whatever is wrong with it
        return None
    return p if p.leaves() else None


def shrink(program, outcome, tool, rounds=25, width=12, seconds=240):
    """(the smallest program found, its outcome)."""
    started = time.monotonic()
    tried = set()
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(rounds):
            size = program.size()
            candidates = []
            for make in variants(program):
                v = made(make)
                text = signature(v) if v and v.size() < size else None
                if text and text not in tried:
                    tried.add(text)
                    candidates.append(v)
            candidates.sort(key=lambda v: v.size())
            found = None
            while candidates and found is None and time.monotonic() - started < seconds:
                some, candidates = candidates[:width], candidates[width:]
                for v, o in zip(some, run_batch(some, tool, scratch, "shrink")):
                    if o.kind == outcome.kind and (o.kind != "compile" or o.detail[:36] == outcome.detail[:36]):
                        if found is None or v.size() < found[0].size():
                            found = (v, o)
            if found is None:
                break
            program, outcome = found
    return program, outcome


def signature(p):
    """What tells two variants apart."""
    return repr([(s.expression.cpp(), s.output.name, s.output.type.name, s.output.shape, s.output.layout.kind)
                 for s in p.statements] + [(v.name, v.type.name, v.shape, v.layout.kind, v.named, v.static,
                                            hash(np.asarray(v.data).tobytes())) for v in p.leaves()] +
                [p.block_items, p.by_value, p.separate])

