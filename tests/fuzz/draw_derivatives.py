# SPDX-License-Identifier: Apache-2.0
"""Random programs of derivatives: expressions of smooth functions over a few variables, reduced to a loss or left as an
array, differentiated once or twice."""
import numpy as np

from . import dtypes as ty
from .derivative_nodes import Gradient, Hessian, Loss, Measured, Penalty, StopGradient, Vjp, VjpOfVjp
from .draw_data import chance, draw_layout, pick, weighted
from .draw_maps import Drawing
from .extended import extended
from .nodes import Call, Cast, ExpandDims, Index, Leaf, Named, Number
from .parts import Part, draw_steps
from .program import Program, Statement, View, lay_out
from .reduce_nodes import Reduce, Softmax
from .scan_nodes import Take
from .smooth import BINARY, CALLS, SMOOTH, UNARY

TYPES = ((ty.F64, 62), (ty.F32, 26), (ty.F16, 6), (ty.BF16, 6))
EXTENTS = (((2, 3, 4, 5, 7), 80), ((1,), 9), ((9, 16, 17), 6), ((33, 64, 65), 2), ((0,), 3))
FOLDS = (("sum", 20), ("mean", 20), ("max", 8), ("min", 6), ("prod", 6), ("norm<1>", 3), ("norm<2>", 8), ("norm<3>", 3),
         ("norm<fuse::inf>", 3), ("var<0>", 4), ("var<1>", 4), ("stddev<0>", 3), ("stddev<1>", 4), ("logsumexp", 8),
         ("nansum", 2), ("nanmean", 2), ("nanmax", 2), ("nanmin", 2), ("count_nonzero", 1))
OF_NOTHING = ("sum", "prod", "nansum")  # that have a value, and a derivative, of no elements
NORMS = ("softmax", "log_softmax", "layer_norm", "rms_norm", "l2_normalize")
LARGEST = 40
MOST_TWICE = 14  # nodes of what is differentiated twice: what a derivative uses twice stands in it twice


def at_good_places(function, kids):
    """Whether a call is smooth and of a moderate size."""
    node = Call(function, kids)
    values = [extended(k, node.shape) for k in node.operands()]
    with np.errstate(all="ignore"):
        return bool(SMOOTH[(function.name, function.arity)](*values)) and moderate(node)


def moderate(node):
    x = extended(node)
    return bool(np.all(np.isfinite(x)) and np.all(np.abs(x) < LARGEST))


class Smooth:
    """The state of one program: its space, its variables, what else it reads."""

    def __init__(self, rng, most):
        self.rng = rng
        rank = weighted(rng, ((1, 22), (2, 48), (3, 24), (4, 6)))
        shape = [int(pick(rng, weighted(rng, EXTENTS))) for _ in range(rank)]
        while np.prod([max(e, 1) for e in shape]) > most:
            shape[int(np.argmax(shape))] = int(pick(rng, (2, 3)))
        self.domain = tuple(shape)
        self.count = 0
        self.mixed = chance(rng, 0.25)
        self.main = weighted(rng, TYPES)
        self.variables = [self.variable() for _ in range(int(rng.integers(1, 4)))]
        self.constants, self.named = [], []

    fresh = Drawing.fresh

    def view(self, name, shape, named=True, type_=None):
        """Extents of 1 that stretch are static, as they have to be, but for a few."""
        rng = self.rng
        t = type_ or (weighted(rng, TYPES) if self.mixed else self.main)
        tail = self.domain[len(self.domain) - len(shape):]
        static = tuple(e == 1 and (whole != 1 or chance(rng, 0.3)) or chance(rng, 0.1) for e, whole in zip(shape, tail))
        if chance(rng, 0.02):
            static = ()
        low, high = pick(rng, ((-2, 2), (-2, 2), (0.3, 2), (0.4, 0.8)))
        data = ty.round_to(t, rng.uniform(low, high, shape))
        return View(name, t, shape, draw_layout(rng, shape, False), data, named, static)

    def some_shape(self):
        rng = self.rng
        rank = len(self.domain) if chance(rng, 0.6) else int(rng.integers(0, len(self.domain) + 1))
        shape = self.domain[len(self.domain) - rank:]
        return tuple(1 if e > 1 and chance(rng, 0.12) else e for e in shape)

    def variable(self):
        rng, name = self.rng, self.fresh("x")
        if chance(rng, 0.1):
            return Number(float(np.round(rng.uniform(0.4, 1.5), 3)), pick(rng, (ty.F64, ty.F32)), "scalar", self.fresh("s"))
        shape = self.some_shape()
        if chance(rng, 0.12):
            whole, steps, contiguous = draw_steps(rng, shape)
            if whole and 0 not in whole:
                view = self.view(name, whole).changed(static=())
                view = view.changed(layout=lay_out("row_major", whole)) if contiguous else view
                return Part(view, steps, name + "part")
        return Leaf(self.view(name, shape))

    def constant(self):
        rng = self.rng
        if self.constants and chance(rng, 0.4):
            return pick(rng, self.constants)
        leaf = Leaf(self.view(self.fresh("c"), self.some_shape(), not chance(rng, 0.2)))
        if chance(rng, 0.08):
            v = leaf.view
            t = pick(rng, (ty.I32, ty.I64, ty.I8, ty.BOOL))
            leaf = Leaf(v.changed(type_=t, data=rng.integers(0, 2 if t == ty.BOOL else 4, v.shape).astype(t.dtype)))
        self.constants.append(leaf)
        return leaf

    def atom(self):
        rng = self.rng
        if self.named and chance(rng, 0.15):
            return pick(rng, self.named)
        return pick(rng, self.variables) if chance(rng, 0.7) else self.constant()

    def expression(self, depth):
        """Of any rank up to that of the domain."""
        if depth <= 0:
            return self.atom()
        for _ in range(6):
            node = self.step(depth)
            if node is not None and moderate(node):
                return node
        return self.atom()

    def step(self, depth):
        rng = self.rng
        kind = weighted(rng, (("unary", 24), ("binary", 32), ("number", 8), ("fold", 16), ("norm", 7), ("where", 3), ("three", 4),
                              ("user", 4), ("named", 4), ("stop", 3), ("cast", 2), ("index", 2), ("take", 2)))
        a = self.expression(depth - 1)
        if kind == "unary":
            return self.call(UNARY, [a])
        if kind == "named":
            self.named.append(Named(self.fresh("h"), a))
            return self.named[-1] if a.type.floating else a
        if kind == "stop":
            return StopGradient(a)
        if kind == "cast":
            return Cast(pick(rng, (ty.F64, ty.F32)), a)
        if kind == "fold":
            return self.folded_back(a)
        if kind == "norm":
            return self.norm(a)
        if kind == "take":
            return self.taken(a)
        if kind == "index":
            wide = [i - a.rank for i, e in enumerate(a.shape) if e > 1]  # elsewhere it would be 0
            return Call(CALLS["mul"], [a, Index(pick(rng, wide))]) if wide else None
        if kind == "number":
            number = Number(float(pick(rng, (0.5, 2.0, 0.3, -1.5))), pick(rng, (ty.F32, ty.F64)), pick(rng, ("plain", "scalar")))
            return self.call(BINARY, [a, number] if chance(rng, 0.7) else [number, a])
        b = self.expression(depth - 1 - int(chance(rng, 0.5)))
        if kind == "where":
            c = Call(CALLS[pick(rng, ("less", "greater"))], [a, b])
            return Call(CALLS["where"], [c, self.atom(), b]) if at_good_places(c.function, c.kids) else None
        if kind == "three":
            return self.call(("fma", "lerp", "clamp"), [a, b, self.atom()])
        return self.call(("blend", "slanted") if kind == "user" else BINARY, [a, b])

    def call(self, names, kids):
        """By one of the functions that are smooth here."""
        for i in self.rng.permutation(len(names))[:12]:
            if at_good_places(CALLS[names[i]], kids):
                return Call(CALLS[names[i]], kids)
        return None

    def fold(self, a, axes, keep):
        for _ in range(5):
            op = weighted(self.rng, FOLDS)
            n = int(np.prod([a.shape[i] for i in (range(a.rank) if axes is None else axes)]))
            if (n == 0 and op not in OF_NOTHING) or (n < 2 and op.endswith("<1>")) or (op == "prod" and n > 9):
                continue
            if not a.type.floating and op not in ("sum", "mean"):
                continue
            acc = ty.F64 if op in ("sum", "mean", "prod") and chance(self.rng, 0.06) else None
            node = Reduce(op, a, axes, keep, acc)
            if moderate(node) and (op[:3] not in ("var", "std", "nor") or np.all(np.abs(extended(node)) > 0.15)):
                return node
        return Reduce("sum", a, axes, keep)

    def some_axes(self, a):
        n = int(self.rng.integers(1, a.rank + 1))
        return tuple(sorted(int(i) for i in self.rng.choice(a.rank, n, replace=False)))

    def folded_back(self, a):
        """A reduction in a shape that broadcasts beside its operand, and mostly that."""
        rng = self.rng
        if a.rank == 0 or 0 in a.shape:
            return None
        axes = self.some_axes(a)
        if len(axes) == 1 and chance(rng, 0.3):
            node = ExpandDims(axes[0], self.fold(a, axes, False))
        else:
            node = self.fold(a, axes, axes != tuple(range(len(axes))) or chance(rng, 0.5))
        return self.call(("mul", "sub", "add", "div"), [a, node]) if chance(rng, 0.6) else node

    def norm(self, a):
        if a.rank == 0 or 0 in a.shape or not a.type.floating:
            return None
        node = Softmax(pick(self.rng, NORMS), a, -1 - int(self.rng.integers(a.rank)))
        x, axis = extended(a), node.axis
        if node.name not in ("softmax", "log_softmax") and (x.shape[axis] < 2 or np.min(np.std(x, axis)) < 0.2):
            return None
        return node

    def taken(self, a):
        if a.rank == 0 or 0 in a.shape or not a.type.floating:
            return None
        axis = int(self.rng.integers(a.rank))
        shape = tuple(e for i, e in enumerate(a.shape) if i != axis)
        t = pick(self.rng, (ty.I32, ty.I64))
        target = self.view(self.fresh("t"), shape).changed(
            type_=t, data=self.rng.integers(-1, a.shape[axis] + 1, shape).astype(t.dtype), static=())
        return ExpandDims(axis, Take(a, Leaf(target), axis))

    def loss(self, depth):
        """A scalar of several terms, some of them with maps around."""
        rng = self.rng
        e = self.expression(depth)
        if chance(rng, 0.15) and e.rank and e.type.floating:
            t = self.constant()
            node = Loss(pick(rng, tuple(Loss.FORMULAS)), e, t)
            if np.broadcast_shapes(e.shape, t.shape) == tuple(e.shape) == tuple(t.shape) and 0 not in e.shape and \
                    np.all(np.abs(np.abs(extended(e) - extended(t)) - 1) > 0.1):
                return node
        if e.rank and chance(rng, 0.3):
            e = self.fold(e, self.some_axes(e), False)
        value = self.fold(e, None, False) if e.rank else e
        if chance(rng, 0.25):
            value = self.call(UNARY, [value]) or value
        if chance(rng, 0.2):
            value = self.call(("add", "mul", "sub", "logaddexp"), [value, self.loss(depth - 1)]) or value
        return value


def output(d, name, node):
    t = node.type if chance(d.rng, 0.8) else pick(d.rng, (ty.F32, ty.F64, ty.F16, ty.BF16))
    return View(name, t, tuple(node.shape), draw_layout(d.rng, tuple(node.shape), True))


def chosen_variables(d, node):
    """With respect to what it is differentiated: mostly what it contains."""
    inside = list(node.walk())
    those = [v for v in d.variables + d.named if v in inside]
    if not those or chance(d.rng, 0.05):
        those = d.variables
    return [those[i] for i in d.rng.permutation(len(those))[:3]]


def size_of(node):
    return sum(1 for _ in node.walk())


def draw_nodes(d, depth):
    """What the statements of one program evaluate."""
    rng = d.rng
    kind = weighted(rng, (("gradient", 48), ("vjp", 30), ("second", 22)))
    if kind == "gradient":
        loss = d.loss(depth)
        if not loss.type.floating:
            return []
        chosen = chosen_variables(d, loss)
        some = [Gradient(loss, v) for v in chosen]
        if chance(rng, 0.15):
            some[0] = Call(CALLS["sub"], [chosen[0], Call(CALLS["mul"], [some[0], Number(0.5, ty.F32)])])
        return ([Measured(loss)] if chance(rng, 0.7) else []) + some
    y = d.expression(depth)
    if not y.type.floating:
        return []
    dy = Leaf(d.view(d.fresh("d"), tuple(y.shape), True))
    dy = Call(CALLS["mul"], [dy, pick(rng, d.variables)]) if chance(rng, 0.2) else dy
    dy = dy if tuple(dy.shape) == tuple(y.shape) else dy.kids[0]
    if kind == "vjp":
        return [Vjp(y, v, dy) for v in chosen_variables(d, y)] + ([Measured(y)] if chance(rng, 0.4) else [])
    of_array = chance(rng, 0.25)
    loss = y if of_array else d.loss(depth - 1)
    if not loss.type.floating or size_of(loss) > MOST_TWICE:
        return []
    x, z = (pick(rng, chosen_variables(d, loss)) for _ in range(2))
    v = Leaf(d.view(d.fresh("v"), tuple(x.shape)))
    if of_array:
        return [VjpOfVjp(y, z, x, v, dy if isinstance(dy, Leaf) else dy.kids[0])]
    return [Penalty(loss, x)] if size_of(loss) < MOST_TWICE // 2 and chance(rng, 0.5) else [Hessian(loss, z, x, v)]


def draw_program(seed, number, most=40000):
    """Program `number` of a seed."""
    rng = np.random.default_rng([seed, number])
    for attempt in range(40):
        d = Smooth(rng, 600 if chance(rng, 0.04) else 60)
        nodes = [n for n in draw_nodes(d, int(rng.integers(1, 5))) if n.type.floating]
        label = f"seed {seed}, program {number}: derivatives {d.domain}"
        p = Program([Statement(output(d, d.fresh("y"), n), n) for n in nodes], "derivatives", None, False, label)
        p.separate = chance(rng, 0.3)
        p.block_items = int(pick(rng, (64, 24, 100))) if chance(rng, 0.4) else None
        if nodes and p.leaves() and comparable(p):
            return p
    return p


def comparable(p):
    """Whether nearly all elements are known well enough."""
    expected = p.expected()
    known, size = sum(int(np.sum(e.known)) for e in expected), sum(e.known.size for e in expected)
    return size == 0 or known >= 0.9 * size
