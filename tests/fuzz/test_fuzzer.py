# SPDX-License-Identifier: Apache-2.0
"""Shows that the fuzzer can fail: a planted wrong value, a written gap and a lost statement are reported, and the shrinker
reduces a planted failure to its cause. Also pins the model against numbers computed by hand. Needs no compiler."""
import pathlib
import re
import unittest
from unittest import mock

import numpy as np

from . import arithmetic, cpp, folds, refusals, run, shrink  # noqa: F401 - arithmetic fills the table of functions
from . import dtypes as ty
from .draw import draw_program
from .activations import ACTIVATIONS
from .draw_maps import BINARY, BITS, UNARY
from .elementwise import FUNCTIONS
from .folds import NoIdentity
from .nodes import Call, Index, Leaf, Number
from .parts import Part, draw_steps
from .program import Program, Statement, View, lay_out
from .reduce_nodes import Reduce
from .scan_nodes import Scan, Sort
from .values import Values, convert, stored


def view(name, values, type_=ty.F32, kind="row_major"):
    values = np.asarray(values, type_.dtype)
    return View(name, type_, values.shape, lay_out(kind, values.shape), values)


def output(shape=(), type_=ty.F32, kind="row_major"):
    return View("y", type_, shape, lay_out(kind, shape))


def of(name, *kids):
    return Call(FUNCTIONS[name], kids)


def one(expression, out):
    return Program([Statement(out, expression)], "test")


def memory(program):
    """The buffers after a run without faults."""
    raw = [v.bytes() for v in program.buffers()]
    names = [v.name for v in program.buffers()]
    for out, e in zip(program.outputs(), program.expected()):
        unit = raw[names.index(out.name)].view(f"u{out.type.size}")
        unit[out.layout.offsets(out.shape)[e.written]] = ty.encode(out.type, e.low)[e.written]
    return raw


class Model(unittest.TestCase):
    x = view("x", [[1, 2, 3], [4, 5, 6]])

    def values(self, expression, shape=()):
        e = one(expression, output(tuple(expression.shape) if expression.rank else shape)).expected()[0]
        return np.asarray(e.low), np.asarray(e.high)

    def test_operands_of_lower_rank(self):
        v = Leaf(view("v", [10, 20, 30]))
        low, high = self.values(of("add", Reduce("sum", Leaf(self.x)), Reduce("sum", v)))
        self.assertEqual((low, high), (81, 81))
        low, high = self.values(of("div", Reduce("sum", of("mul", Leaf(self.x), v)), Reduce("sum", v)))
        self.assertTrue(low <= 460 / 60 <= high and high - low < 1e-4)

    def test_index_counts_in_its_own_operand(self):
        c = Leaf(view("c", np.ones((1, 4))))
        e = Reduce("sum", of("mul", c, Index(0)), (1,), True)
        self.assertEqual(self.values(e)[0].tolist(), [[0.0]])
        self.assertEqual(self.values(of("add", Index(0), Index(1)), (2, 2))[0].tolist(), [[0, 1], [1, 2]])

    def test_integers(self):
        a = Values(ty.I32, [300, -300])
        self.assertEqual(convert(a, ty.I8).value.tolist(), [44, -44])
        f = Values(ty.F32, [300.0, -1.0, np.nan, 2.9])
        self.assertEqual(convert(f, ty.U8).value.tolist(), [255, 0, 0, 2])
        norm = Reduce("norm<2>", Leaf(view("i", [60000, 80000], ty.I32)))
        self.assertAlmostEqual(float(self.values(norm)[0]), 100000, delta=0.1)
        self.assertEqual(ty.promote(ty.I8, ty.U16), ty.I32)
        self.assertEqual(ty.promote(ty.I32, ty.U32), ty.U32)
        self.assertEqual(ty.floating(ty.I8, ty.I16), ty.F32)

    def test_rounding(self):
        self.assertEqual(float(ty.round_to(ty.BF16, 1 + 2.0**-8)), 1.0)
        self.assertEqual(float(ty.round_to(ty.BF16, 1 + 3 * 2.0**-8)), 1 + 2.0**-6)
        for t in (ty.F16, ty.BF16, ty.F32, ty.F64):
            some = ty.round_to(t, [0.1, -3.0, np.inf, 1e-5])
            self.assertTrue(np.array_equal(ty.decode(t, ty.encode(t, some)), some))

    def test_errors_are_carried(self):
        third = of("div", Leaf(self.x), Number(3.0, ty.F64))
        v = Reduce("sum", third).values(())
        self.assertTrue(0 < v.error < 1e-5 and abs(v.value - 7) < v.error)
        self.assertEqual(float(Reduce("sum", Leaf(self.x)).values(()).error), 0)
        # 1/3 * 3 may be 1 or not: the comparison is not known.
        vague = of("equal", of("mul", third, Number(3.0, ty.F64)), Leaf(self.x)).values((2, 3))
        self.assertFalse(np.all(vague.known))

    def test_folds_of_nothing(self):
        e = Leaf(view("e", np.zeros((0, 3))))
        self.assertEqual(self.values(Reduce("sum", e, (0,)))[0].tolist(), [0, 0, 0])
        with self.assertRaises(NoIdentity):
            self.values(Reduce("max", e, (0,)))
        self.assertEqual(self.values(Reduce("max", e, (1,)))[0].size, 0)
        self.assertEqual(self.values(Scan("cummax", e, 0))[0].size, 0)

    def test_order(self):
        s = Leaf(view("s", [2, np.nan, 1, 2, -np.inf]))
        self.assertEqual(self.values(Sort(s, False, True))[0].tolist(), [4, 2, 0, 3, 1])
        self.assertEqual(self.values(Sort(s, True, True))[0].tolist(), [0, 3, 2, 4, 1])
        self.assertEqual(int(self.values(Reduce("argmax", s))[0]), 1)
        self.assertEqual(int(self.values(Reduce("nanargmax", s))[0]), 0)
        self.assertEqual(folds.last_kept(Values(ty.F32, [3.0, 5.0, 0.0])).value, 5)

    def test_halves_round_once(self):
        low, high, known = stored(Values(ty.F32, [1 + 2.0**-11], [0.0]), ty.F16)
        self.assertTrue(known.all() and low == high == 1)


class Driver(unittest.TestCase):
    def program(self):
        x = view("x", np.arange(6).reshape(2, 3), kind="padded")
        return one(of("mul", Leaf(x), Number(2.0, ty.F64)), output((2, 3), kind="padded"))

    def test_right_results_pass(self):
        p = self.program()
        o = run.judge(p, "", memory(p))
        self.assertEqual((o.kind, o.compared), ("ok", 6))

    def test_a_wrong_value_is_reported(self):
        p = self.program()
        raw = memory(p)
        raw[1].view(np.float32)[2] = 5
        o = run.judge(p, "", raw)
        self.assertEqual((o.kind, o.detail), ("values", "y(0, 2) is 5, want 4 (1 of 6 wrong)"))

    def test_a_written_gap_is_reported(self):
        p = self.program()
        raw = memory(p)
        raw[1].view(np.float32)[3] = 5
        self.assertEqual(run.judge(p, "", raw).kind, "outside")

    def test_a_written_input_and_a_lost_output_are_reported(self):
        p = self.program()
        raw = memory(p)
        raw[0][0] ^= 1
        self.assertEqual(run.judge(p, "", raw).kind, "input")
        self.assertEqual(run.judge(p, "", [v.bytes() for v in p.buffers()]).kind, "values")

    def test_refusals(self):
        p = self.program()
        message = "shape_error: max of no elements: this reduction has no identity"
        self.assertEqual(run.judge(p, message, memory(p)).kind, "exception")
        said = 'x.hpp:1:2: error: static assertion failed: fuse: a sort cannot be one kernel with a scan or a reduction, as in'
        self.assertTrue(refusals.documented(refusals.first_sentence(said)))
        self.assertFalse(refusals.documented(refusals.first_sentence(said.replace("a sort", "one sort"))))

    def test_every_function_is_drawn(self):
        folder = pathlib.Path(__file__).parents[2] / "include" / "fuse" / "lang"
        names = set()
        for header in "math", "activations", "selection":
            text = (folder / f"{header}.hpp").read_text()
            language = re.sub(r"^namespace detail {$.*?^}  // namespace detail$", "", text, flags=re.M | re.S)
            names |= set(re.findall(r"^constexpr (?:auto|map_t<[^(\n]*>)\s(\w+)\(", language, re.M))
        # A cast is a node. tan and cosh grow too fast.
        self.assertEqual(names - set(FUNCTIONS), {"cast", "tan", "cosh"})
        drawn = {*UNARY, *BINARY, *BITS, *ACTIVATIONS, "bit_not"}
        self.assertEqual({n for n, f in FUNCTIONS.items() if f.arity < 3} - drawn, set())

    def test_a_part_has_the_shape_that_was_asked_for(self):
        rng = np.random.default_rng(1)
        kinds = set()
        for _ in range(400):
            shape = tuple(int(e) for e in rng.integers(0, 5, rng.integers(0, 4)))
            whole, steps, contiguous = draw_steps(rng, shape)
            data = np.arange(np.prod(whole), dtype=float).reshape(whole)
            part = Part(View("x", ty.F32, whole, lay_out("row_major", whole), data), steps)
            self.assertEqual(part.shape, shape, part.cpp())
            kinds |= {step.text.split("<")[0].split("(")[0] for step in steps}
        self.assertTrue({"flip", "transpose", "slice", "select", "squeeze", "reshape"} <= kinds, kinds)

    def test_a_program_is_a_function_of_its_number(self):
        for number in range(40):
            first, second = (cpp.source([draw_program(5, number)])[0] for _ in range(2))
            self.assertEqual(first, second)


class Shrinking(unittest.TestCase):
    def test_a_planted_failure_shrinks_to_its_cause(self):
        """An imaginary library that cannot compute tanh."""

        def imaginary(programs, tool, directory, name):
            return [run.Outcome("values", "planted") if any("tanh" in s.expression.cpp() for s in p.statements)
                    else run.Outcome("ok") for p in programs]

        x, w = view("x", np.arange(12).reshape(3, 4), kind="spaced"), view("w", [1, 2, 3, 4], ty.F64)
        big = of("add", of("mul", Reduce("mean", of("tanh", of("sub", Leaf(x), Leaf(w))), (1,), True), Leaf(x)), Leaf(w))
        other = Statement(View("z", ty.F32, (4,), lay_out("row_major", (4,))), Reduce("sum", Leaf(x), (0,)))
        p = Program([Statement(output((3, 4), ty.F16), big), other], "test", 64)
        with mock.patch.object(shrink, "run_batch", imaginary):
            small, outcome = shrink.shrink(p, run.Outcome("values"), None)
        self.assertEqual(outcome.detail, "planted")
        self.assertEqual(len(small.statements), 1)
        self.assertIn(small.statements[0].expression.cpp(), ("tanh(x)", "tanh(w)"))
        self.assertLessEqual(max(small.leaves()[0].shape), 2)


if __name__ == "__main__":
    unittest.main()
