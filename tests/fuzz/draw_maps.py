# SPDX-License-Identifier: Apache-2.0
"""Random elementwise expressions. Each is evaluated as soon as it is drawn: a function that makes its operand unknown
(a comparison within the errors), or lets it grow without bounds, is drawn again."""
import numpy as np

from . import dtypes as ty
from .activations import ACTIVATIONS
from .arithmetic import lambdas
from .draw_data import TYPES, chance, draw_shape, draw_view, pick, weighted
from .elementwise import FUNCTIONS
from .folds import NoIdentity
from .nodes import Call, Cast, Index, Leaf, Named, Number
from .parts import Cut, Diff, Part, draw_steps
from .program import lay_out
from .ranges import BODIES, BroadcastTo, Let, Range, draw_range
from . import special  # noqa: F401 - its functions join the table

UNARY = ("neg", "abs", "square", "sqrt", "exp", "tanh", "sin", "cos", "sigmoid", "relu", "floor", "ceil", "round", "trunc",
         "sign", "isnan", "isfinite", "isinf", "not", "reciprocal", "rsqrt", "cbrt", "exp2", "expm1", "log", "log2", "log10",
         "log1p", "asin", "acos", "atan", "sinh", "asinh", "acosh", "atanh", "erf", "erfc", "gelu", "gelu_tanh", "silu",
         "softplus", "nan_to_num")
COMMON_UNARY = ("neg", "abs", "square", "relu", "tanh", "exp", "sqrt", "sigmoid")
BINARY = ("add", "sub", "mul", "max", "min", "div", "square2", "less", "greater", "equal", "not_equal", "less_equal",
          "greater_equal", "and", "or", "mod", "floor_divide", "pow", "hypot", "atan2", "fmod", "copysign", "logaddexp",
          "xlogy", "isclose", "maximum", "minimum")
COMMON_BINARY = ("add", "sub", "mul", "mul", "add", "max", "min", "div")
BITS = ("bit_and", "bit_or", "bit_xor", "shift_left", "shift_right")


class Drawing:
    """The state of one program being drawn: its random numbers, its iteration space and the leaves that it has."""

    def __init__(self, rng, domain):
        self.rng, self.domain = rng, tuple(domain)
        self.leaves = []
        self.count = 0
        self.mixed = chance(rng, 0.35)  # types of every kind, or mostly one
        self.main = weighted(rng, TYPES)

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def draw_type(self):
        return weighted(self.rng, TYPES) if self.mixed or chance(self.rng, 0.15) else self.main

    def leaf(self, rank=None, domain=None, least=0, stretch=0.2):
        """A view whose axes are the last ones of the domain; one that is there already, now and then."""
        domain = self.domain if domain is None else domain
        rng = self.rng
        known = [v for d, v in self.leaves if d == domain and (len(v.shape) == rank if rank is not None
                                                               else len(v.shape) >= least)]
        if known and chance(rng, 0.45):
            return Leaf(pick(rng, known))
        if rank is None:
            rank = len(domain) if chance(rng, 0.6) else int(rng.integers(least, len(domain) + 1))
        shape = draw_shape(rng, domain, rank, stretch)
        if chance(rng, 0.12):
            return self.part(shape)
        if shape and chance(rng, 0.06):
            return self.without_memory(shape)
        if shape and chance(rng, 0.04):
            return self.cut(shape)
        if shape and chance(rng, 0.05):
            axis = int(rng.integers(len(shape)))
            return Diff(self.fresh_leaf(tuple(e + (a == axis) for a, e in enumerate(shape))), axis)
        leaf = self.fresh_leaf(shape)
        self.leaves.append((domain, leaf.view))
        return leaf

    def fresh_leaf(self, shape):
        return Leaf(draw_view(self.rng, self.fresh("x"), self.draw_type(), shape))

    def part(self, shape):
        """A part of a view, with or without a name of its own."""
        whole, steps, contiguous = draw_steps(self.rng, shape)
        view = self.fresh_leaf(whole).view
        if contiguous:
            view = view.changed(layout=lay_out("row_major", whole))
        return Part(view, steps, view.name + "part" if chance(self.rng, 0.3) else None)

    def without_memory(self, shape):
        """An array of this shape that is computed where it is used."""
        rng = self.rng
        if len(shape) == 1 and chance(rng, 0.7):
            return draw_range(rng, shape[0])
        few = self.leaf(int(rng.integers(0, len(shape) + 1)), shape, 0, 0.5)
        kid = Index(-1 - int(rng.integers(len(shape)))) if chance(rng, 0.3) else few
        return BroadcastTo(kid, shape)

    def cut(self, shape):
        """A part of an expression."""
        whole, steps, _ = draw_steps(self.rng, shape, False)
        return Cut(self.cuttable(whole), steps)

    def cuttable(self, shape):
        """An expression of exactly this shape that counts no positions."""
        e = self.joined(self.spanning(1, len(shape), shape), self.fresh_leaf(shape))
        counts = e.shape != shape or any(isinstance(n, (Index, BroadcastTo, Range)) for n in e.walk())
        return Call(FUNCTIONS["neg"], [self.fresh_leaf(shape)]) if counts else e

    def number(self, type_):
        rng = self.rng
        whole = int(rng.integers(-3, 6))
        form = rng.random()
        if form < 0.12:
            if chance(rng, 0.5) or not type_.floating:
                return Number(whole, ty.I32, "constant")
            return Number(1, ty.F32, "constant", None, int(pick(rng, (2, 3, 4))))
        if form < 0.3:
            t = pick(rng, (ty.F32, ty.F64, ty.I32, type_ if type_ != ty.BOOL else ty.F32))
            n = abs(whole) if t.kind == "u" else whole
            return Number(n if not t.floating else n * 0.5, t, "scalar", self.fresh("k") if chance(rng, 0.5) else None)
        if type_.floating or chance(rng, 0.3):
            return Number(float(pick(rng, (0.5, 2.0, 0.1, -1.5, 3.0, 1e-3))), pick(rng, (ty.F32, ty.F64)))
        return Number(whole, ty.I32)

    def good(self, node):
        """Whether its elements are known nearly everywhere, with small errors."""
        try:
            v = node.values(tuple(node.shape))
        except NoIdentity:
            return True
        if v.value.size == 0:
            return True
        if np.mean(v.known) < 0.97:
            return False
        if not v.type.floating:
            return True
        with np.errstate(all="ignore"):
            size = np.abs(v.value[np.isfinite(v.value) & v.known])
            wide = v.error[np.isfinite(v.value) & v.known] > 1e-2 * (1 + size)
        return (size.size == 0 or float(size.max()) < 1e12) and (wide.size == 0 or np.mean(wide) < 0.02)

    def elementwise(self, depth, atom):
        """A map of atoms; atom() draws one: a leaf, a reduction, ..."""
        if depth <= 0:
            return atom()
        for _ in range(4):
            node = self.step(depth, atom)
            if node is not None and self.good(node):
                return node
        return atom()

    def step(self, depth, atom):
        rng = self.rng
        kind = weighted(rng, (("unary", 25), ("binary", 42), ("number", 14), ("where", 4), ("clamp", 3), ("fma", 2), ("lerp", 2),
                              ("cast", 4), ("lambda", 4), ("named", 2), ("let", 2)))
        a = self.elementwise(depth - 1, atom)
        if kind == "unary" and a.type.floating and chance(rng, 0.15):
            return Call(FUNCTIONS[pick(rng, ACTIVATIONS)], [a])
        if kind == "unary" and not a.type.floating and chance(rng, 0.1):
            return Call(FUNCTIONS["bit_not"], [a])
        if kind == "unary":
            return Call(FUNCTIONS[pick(rng, COMMON_UNARY if chance(rng, 0.4) else UNARY)], [a])
        if kind == "cast":
            return Cast(weighted(rng, TYPES), a)
        if kind == "named":
            # A name is an identity: one for each place that it stands in.
            return Named(self.fresh("h"), a)
        if kind == "let":
            return Let(a, pick(rng, BODIES))
        if kind == "number":
            f = FUNCTIONS[pick(rng, COMMON_BINARY if chance(rng, 0.7) else BINARY)]
            operands = [a, self.number(a.type)]
            return Call(f, operands if chance(rng, 0.7) else operands[::-1])
        if kind == "clamp":
            low, high = (Number(-1, ty.I32), Number(2, ty.I32)) if not a.type.floating else \
                (Number(-1.0, ty.F64), Number(1.5, ty.F32))
            return Call(FUNCTIONS["clamp"], [a, low, high])
        if kind == "lambda":
            f = pick(rng, lambdas(pick(rng, (ty.F32, ty.F64)), self.fresh("k"), int(rng.integers(2, 5))))
            return Call(f, [a] + [self.elementwise(depth - 2, atom) for _ in range(f.arity - 1)])
        b = self.elementwise(depth - 1 - int(chance(rng, 0.6)), atom)
        if kind == "where":
            c = Call(FUNCTIONS[pick(rng, ("less", "greater", "not_equal"))], [a, self.number(a.type)])
            return Call(FUNCTIONS["where"], [c, a, b] if chance(rng, 0.7) else [c, b, Number(0, ty.I32)])
        if kind == "fma":
            return Call(FUNCTIONS["fma"], [a, b, self.number(a.type)])
        if kind == "lerp":
            return Call(FUNCTIONS["lerp"], [a, b, Number(float(pick(rng, (0.25, 0.5, 1.0, 1.5))), ty.F32)])
        names = COMMON_BINARY if chance(rng, 0.7) else BINARY
        if not a.type.floating and not b.type.floating and chance(rng, 0.25):
            names = BITS
        return Call(FUNCTIONS[pick(rng, names)], [a, b])

    def indexed(self, leaf):
        """A leaf with the coordinate along one of its axes."""
        axis = -1 - int(self.rng.integers(leaf.rank))
        f = FUNCTIONS[pick(self.rng, ("add", "mul", "less_equal"))]
        return Call(f, [leaf, Index(axis)] if f.name != "less_equal" else [Index(axis), leaf])

    def atom(self, least=0, domain=None):
        """A leaf of at least this rank, sometimes with an index."""
        leaf = self.leaf(None, domain, least)
        return self.indexed(leaf) if leaf.rank and chance(self.rng, 0.08) else leaf

    def spanning(self, depth, rank, domain=None):
        """A map in which one leaf has this rank; the others at most."""
        domain = self.domain if domain is None else domain
        tail = domain[len(domain) - rank:]
        spine = self.leaf(rank, domain, 0, 0.2)
        if chance(self.rng, 0.1) and rank:
            spine = self.indexed(spine)
        if depth <= 0:
            return spine
        rest = self.elementwise(depth - 1, lambda: self.atom(0, tail) if tail == domain else self.below(domain, rank))
        return self.joined(spine, rest)

    def below(self, domain, rank):
        return self.leaf(int(self.rng.integers(0, rank + 1)), domain)

    def joined(self, a, b):
        for _ in range(4):
            f = FUNCTIONS[pick(self.rng, COMMON_BINARY)]
            node = Call(f, [a, b] if chance(self.rng, 0.5) else [b, a])
            if self.good(node):
                return node
        return a
