# SPDX-License-Identifier: Apache-2.0
"""Makes a failing program smaller: a round tries many simpler variants in one file and goes on with the simplest that
still fails."""
import tempfile
import time

import numpy as np

from . import dtypes as ty
from .draw_data import draw_numbers
from .folds import NoIdentity
from .nodes import Leaf, Number
from .program import Program, Statement, View, lay_out
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
        return Leaf(known[n.view.name]) if isinstance(n, Leaf) else None

    statements = []
    for s in program.statements:
        e = rebuilt(s.expression, leaf)
        out = known.get(s.output.name) if s.output.data is not None else output_for(s.output, e)
        statements.append(Statement(out, e))
    return remade(program, statements)


def remade(program, statements):
    by_value = program.by_value and len(statements) == 1 and statements[0].output.shape == () and \
        statements[0].expression.rank == 0
    return Program(statements, program.family, program.block_items, by_value, program.label)


def variants(p):
    """Simpler programs, the boldest first."""
    if len(p.statements) > 1:
        for i in range(len(p.statements)):
            yield remade(p, p.statements[:i] + p.statements[i + 1:])
    for i, s in enumerate(p.statements):
        for node in s.expression.walk():
            for kid in node.kids:
                if not isinstance(kid, Number):
                    e = rebuilt(s.expression, lambda n, node=node, kid=kid: kid if n is node else None)
                    if e.rank or not isinstance(e, Number):
                        yield remade(p, p.statements[:i] + [Statement(output_for(s.output, e), e)] + p.statements[i + 1:])
    yield from plainer(p)
    extents = sorted({e for v in p.leaves() for e in v.shape if e > 2}, reverse=True)
    for e in extents:
        for less in (2, 3, e // 2, e - 1):
            if less < e:
                yield with_views(p, lambda v, e=e, less=less: resized(v, tuple(less if x == e else x for x in v.shape)))
    for i, s in enumerate(p.statements):
        if not s.expression.rank and s.output.data is None:  # a scalar that fills its output
            for shape in {(), tuple(min(e, 2) for e in s.output.shape), s.output.shape[1:]} - {s.output.shape}:
                out = View(s.output.name, s.output.type, shape, lay_out("row_major", shape))
                yield remade(p, p.statements[:i] + [Statement(out, s.expression)] + p.statements[i + 1:])
    for v in p.leaves():
        for data in (np.ones(v.shape), np.arange(1, v.data.size + 1).reshape(v.shape) % 5 + 1):
            if v.type.kind != "b" and not np.array_equal(v.data, data):
                yield with_views(p, lambda w, v=v, data=data: w.changed(data=data.astype(w.type.dtype)) if w is v else w)


def plainer(p):
    """The same with plain layouts, types, sizes of blocks."""
    if p.block_items:
        yield Program(p.statements, p.family, None, p.by_value, p.label)
    if p.by_value:
        yield Program(p.statements, p.family, p.block_items, False, p.label)
    for i, s in enumerate(p.statements):
        o, e = s.output, s.expression
        if o.data is not None or o.layout.kind != "row_major" or o.type != e.type:
            plain = View("y_" + o.name if o.data is not None else o.name, e.type, o.shape, lay_out("row_major", o.shape))
            yield remade(p, p.statements[:i] + [Statement(plain, e)] + p.statements[i + 1:])
    for v in p.leaves():
        if v.layout.kind != "row_major" or v.static or not v.named:
            yield with_views(p, lambda w, v=v: w.changed(layout=lay_out("row_major", w.shape), named=True, static=())
                             if w is v else w)
        if v.type != ty.F32:
            yield with_views(p, lambda w, v=v: w.changed(type_=ty.F32, data=ty.round_to(ty.F32, w.data)) if w is v else w)


def resized(view, shape):
    if shape == view.shape:
        return view
    data = view.data[tuple(slice(0, e) for e in shape)]
    return view.changed(shape=shape, data=data, layout=lay_out(view.layout.kind, shape))


def sound(p):
    """Whether the variant can be evaluated at all."""
    try:
        p.expected()
    except NoIdentity:
        pass
    except Exception:  # noqa: BLE001 - a variant that makes no sense is no variant
        return False
    return bool(p.leaves())


def shrink(program, outcome, tool, rounds=25, width=12, seconds=240):
    """(the smallest program found, its outcome)."""
    started = time.monotonic()
    tried = set()
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(rounds):
            size = program.size()
            candidates = []
            for v in variants(program):
                text = signature(v) if sound(v) else None
                if text and text not in tried and v.size() < size:
                    tried.add(text)
                    candidates.append(v)
            candidates.sort(key=lambda v: v.size())
            found = None
            while candidates and found is None and time.monotonic() - started < seconds:
                some, candidates = candidates[:width], candidates[width:]
                for v, o in zip(some, run_batch(some, tool, scratch, "shrink")):
                    if o.kind == outcome.kind and (o.kind != "compile" or o.detail == outcome.detail):
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
                [p.block_items, p.by_value])


__all__ = ["draw_numbers", "shrink"]
