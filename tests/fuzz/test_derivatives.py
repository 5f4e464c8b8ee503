# SPDX-License-Identifier: Apache-2.0
"""Tests of the programs of derivatives: the finite differences against derivatives by hand, and planted errors. Needs no
compiler."""
import pathlib
import re
import unittest

import numpy as np

from . import dtypes as ty
from . import cpp, run
from .derivative_nodes import Gradient, Hessian, Measured, Penalty, StopGradient, Vjp
from .draw_derivatives import draw_program
from .elementwise import FUNCTIONS
from .nodes import Call, Leaf, Number
from .program import Program, Statement, View, lay_out
from .reduce_nodes import Reduce
from .smooth import BINARY, CALLS, SMOOTH, UNARY

X = np.array([[0.5, -1.25, 2], [1.5, 0.75, -0.5]])


def leaf(name, values, type_=ty.F64):
    values = np.asarray(values, float)
    return Leaf(View(name, type_, values.shape, lay_out("row_major", values.shape), values))


def of(name, *kids):
    return Call(CALLS[name], kids)


def one(node):
    return Program([Statement(View("y", node.type, tuple(node.shape), lay_out("row_major", tuple(node.shape))), node)])


def judged(program, results):
    """The outcome of a run that leaves these numbers in the one output."""
    raw = [v.bytes() for v in program.buffers()]
    out = program.outputs()[0]
    raw[[v.name for v in program.buffers()].index(out.name)].view(f"u{out.type.size}")[out.layout.offsets(out.shape)] = \
        ty.encode(out.type, np.broadcast_to(ty.round_to(out.type, results), out.shape))
    return run.judge(program, "", raw).kind


class FiniteDifferences(unittest.TestCase):
    x, w, v = leaf("x", X), leaf("w", [2, -1, 0.5]), leaf("v", X[::-1])

    def close(self, node, expected):
        got = node.values(())
        self.assertTrue(np.all(got.known))
        self.assertLess(np.max(got.error), 1e-9)
        self.assertTrue(np.all(np.abs(got.value - expected) <= got.error), (got.value, expected))

    def test_first_derivatives(self):
        self.close(Gradient(Reduce("sum", of("square", self.x)), self.x), 2 * X)
        self.close(Gradient(Reduce("mean", of("mul", self.x, self.w)), self.w), X.sum(0) / 6)
        self.close(Gradient(Reduce("max", self.x), self.x), X == 2)
        self.close(Vjp(of("exp", self.x), self.x, self.v), np.exp(X) * X[::-1])
        # dy is a constant, and so is what stop_gradient holds.
        self.close(Vjp(of("square", self.x), self.x, self.x), 2 * X * X)
        self.close(Gradient(Reduce("sum", of("mul", self.x, StopGradient(self.x))), self.x), X)

    def test_second_derivatives(self):
        loss = Reduce("sum", of("mul", of("square", self.x), self.w))
        self.close(Hessian(loss, self.x, self.x, self.v), 2 * X[::-1] * [2, -1, 0.5])
        self.close(Hessian(loss, self.w, self.x, self.v), (2 * X * X[::-1]).sum(0))
        self.close(Penalty(Reduce("sum", of("square", self.x)), self.x), 8 * X)

    def test_functions_agree_with_those_of_values(self):
        """Two descriptions of every function, written apart."""
        for name in UNARY + BINARY:
            f = CALLS[name]
            if FUNCTIONS.get(name) is not f or f.apply is None:
                continue
            sides = [[0.4], [0.7]] if f.arity == 2 else [[1.45]] if name == "acosh" else [[0.4]]
            kids = [leaf("ab"[i], s) for i, s in enumerate(sides)]
            self.assertTrue(SMOOTH[(f.name, f.arity)](*(np.asarray(s) for s in sides)), name)
            got, plain = Measured(Call(f, kids)).values((1,)).value, Call(f, kids).values((1,)).value
            self.assertLess(abs(float(got[0] - plain[0])), 1e-14, name)

    def test_a_kink_is_not_compared(self):
        near = leaf("near", [0.0004, 1.0])
        self.assertEqual(Gradient(Reduce("sum", of("relu", near)), near).values(()).known.tolist(), [False, True])


class Planted(unittest.TestCase):
    x, w = leaf("x", X), leaf("w", [2, -1, 0.5])
    loss = Reduce("sum", of("mul", of("exp", x), of("square", w)))

    def test_right_derivatives_pass(self):
        for number in range(25):
            p = draw_program(11, number)
            s = p.statements[0]
            q = Program([s], "derivatives")
            self.assertEqual(judged(q, s.expression.values(s.output.shape).value), "ok", p.label)

    def test_wrong_ones_are_found(self):
        by_x, by_w = one(Gradient(self.loss, self.x)), one(Gradient(self.loss, self.w))
        right_x, right_w = np.exp(X) * [4, 1, 0.25], np.exp(X).sum(0) * [4, -2, 1]
        self.assertEqual([judged(by_x, right_x), judged(by_w, right_w)], ["ok", "ok"])
        for what, program, wrong in [("sign", by_x, -right_x), ("a factor", by_w, right_w / 2),
                                     ("no sum over the broadcast axis", by_w, np.exp(X)[0] * [4, -2, 1]),
                                     ("one row too few", by_w, np.exp(X)[1:].sum(0) * [4, -2, 1]),
                                     ("another row", by_x, right_x[::-1]), ("nothing", by_x, 0 * right_x)]:
            self.assertEqual(judged(program, wrong), "values", what)

    def test_a_dropped_path_is_found(self):
        """In random programs: what a derivation would give that forgets one of the places where the variable stands."""
        found = tried = 0
        for number in range(80):
            p = draw_program(12, number)
            node = next((s.expression for s in p.statements if type(s.expression) in (Gradient, Vjp)), None)
            if node is None or node.kids[1].rank == 0 or 0 in node.shape:
                continue
            whole = node.kids[0]
            for i, kid in enumerate(whole.kids):
                if isinstance(kid, (Leaf, Number)) or node.kids[1] not in list(kid.walk()):
                    continue
                forgets = whole.with_kids([StopGradient(k) if j == i else k for j, k in enumerate(whole.kids)])
                wrong = type(node)(forgets, *node.kids[1:]).values(())
                right = node.values(())
                if np.all(right.known) and np.max(np.abs(wrong.value - right.value)) > 1e-2:
                    tried += 1
                    found += judged(one(node), wrong.value) == "values"
        self.assertGreater(tried, 10)
        self.assertEqual(found, tried)


class Drawing(unittest.TestCase):
    def test_every_function_with_a_derivative_is_drawn(self):
        folder = pathlib.Path(__file__).parents[2] / "include" / "fuse" / "lang"
        names = set()
        for header in "math", "activations", "selection":
            text = (folder / f"{header}.hpp").read_text()
            language = re.sub(r"^namespace detail {$.*?^}  // namespace detail$", "", text, flags=re.M | re.S)
            names |= set(re.findall(r"^constexpr (?:auto|map_t<[^(\n]*>)\s(\w+)\(", language, re.M))
        # Constants, and a cast, which is a node.
        self.assertEqual(names - set(CALLS), {"isnan", "isinf", "isfinite", "isclose", "cast"})

    def test_a_program_is_a_function_of_its_number(self):
        for number in range(20):
            first, second = (cpp.source([draw_program(5, number)])[0] for _ in range(2))
            self.assertEqual(first, second)

    def test_few_elements_are_not_compared(self):
        unknown = total = 0
        for number in range(60):
            for e in draw_program(13, number).expected():
                unknown += int(np.sum(~e.known))
                total += e.known.size
        self.assertLess(unknown, 0.02 * total)
