# SPDX-License-Identifier: Apache-2.0
"""Expressions in extended precision at many points at once, and their derivatives by finite differences.

Arrays have an axis in front: one entry for each point. What a variable is moved by is added wherever an expression reads
it, by its name. With `noise` every intermediate result is off by a random factor near 1, the same at all points: how far
a derivative moves then is what the rounding of a right program may do to it."""
import numpy as np

from .nodes import Call, Cast, ExpandDims, Index, Leaf, Named, Number
from .reduce_nodes import Reduce, Softmax
from .scan_nodes import Take
from .smooth import REAL

LONG = np.longdouble
STEPS = np.array([-6, -4, -3, -2, -1, 1, 2, 3, 4, 6], LONG) / 2
SLOPES = {1: np.array([-1, 9, 0, -45, 0, 0, 45, 0, -9, 1], LONG) / 60,  # at the steps 1, 2, 3
          2: np.array([0, 0, -1, 9, -45, 45, -9, 1, 0, 0], LONG) / 30}  # at half of them
MOST_AT_ONCE = 4_000_000


def lined_up(arrays):
    """Axes of extent 1 behind the first, so that all have as many."""
    most = max(a.ndim for a in arrays)
    return [a.reshape(a.shape[:1] + (1,) * (most - a.ndim) + a.shape[1:]) for a in arrays]


def name_of(node):
    """The name by which a node may be a variable."""
    if isinstance(node, (Leaf, Named, Number)):
        return getattr(node, "name", None) or (node.view.name if isinstance(node, Leaf) else None)
    return None


class Evaluation:
    """moved: name -> array of (points, *shape) that is added to the variable."""

    def __init__(self, moved, noise=0, seed=0):
        self.moved, self.noise, self.seed, self.count, self.known = moved, noise, seed, 0, {}

    def touch(self, x):
        if not self.noise:
            return x
        self.count += 1
        r = np.random.default_rng([self.seed, self.count]).uniform(-1, 1, x.shape[1:])
        return x * (1 + LONG(self.noise) * r)

    def of(self, node, space):
        key = (id(node), tuple(space))
        if key not in self.known:
            with np.errstate(all="ignore"):
                value = self.rule(node)(self, node, tuple(space))
            if name_of(node) in self.moved:
                value, step = lined_up([value, self.moved[name_of(node)]])
                value = value + step
            self.known[key] = value
        return self.known[key]

    def full(self, node):
        """With all elements of its shape."""
        value = self.of(node, node.shape)
        value = value.reshape(value.shape[:1] + (1,) * (len(node.shape) + 1 - value.ndim) + value.shape[1:])
        return np.broadcast_to(value, value.shape[:1] + tuple(node.shape))

    def still(self, node, space):
        """The value where nothing is moved."""
        return Evaluation({}, self.noise, self.seed + 1).of(node, space)

    @staticmethod
    def rule(node):
        own = getattr(type(node), "extended", None)
        return (lambda e, n, space: n.extended(e, space)) if own else next(RULES[t] for t in type(node).__mro__ if t in RULES)


def _call(e, node, space):
    kids = [e.of(k, space) for k in node.operands()]
    return e.touch(REAL[(node.function.name, node.function.arity)](*lined_up(kids)))


def _expand_dims(e, node, space):
    kid = e.full(node.kids[0])
    return np.expand_dims(kid, node.axis + 1)


def total(e, x, axes):
    return e.touch(np.sum(x, axes, keepdims=True))


def mean(e, x, axes, less=0):
    n = int(np.prod([x.shape[a] for a in axes]))
    return total(e, x, axes) / LONG(n - less)


def variance(e, x, axes, less):
    return mean(e, e.touch(e.touch(x - mean(e, x, axes))**2), axes, less)


def logsumexp(e, x, axes):
    top = np.max(x, axes, keepdims=True)
    return top + np.log(total(e, e.touch(np.exp(x - top)), axes))


def power_norm(p):
    return lambda e, x, axes: total(e, e.touch(np.abs(x)**p), axes)**(LONG(1) / p)


def extreme(f):
    return lambda e, x, axes: f(x, axes, keepdims=True)


FOLDS = {
    "sum": total, "nansum": total, "mean": mean, "nanmean": mean, "logsumexp": logsumexp,
    "prod": lambda e, x, axes: e.touch(np.prod(x, axes, keepdims=True)), "max": extreme(np.max), "min": extreme(np.min),
    "nanmax": extreme(np.max), "nanmin": extreme(np.min), "norm<1>": power_norm(1), "norm<2>": power_norm(2),
    "norm<3>": power_norm(3), "norm<fuse::inf>": lambda e, x, axes: np.max(np.abs(x), axes, keepdims=True),
    "var<0>": lambda e, x, axes: variance(e, x, axes, 0), "var<1>": lambda e, x, axes: variance(e, x, axes, 1),
    "stddev<0>": lambda e, x, axes: np.sqrt(variance(e, x, axes, 0)),
    "stddev<1>": lambda e, x, axes: np.sqrt(variance(e, x, axes, 1)),
    "count_nonzero": lambda e, x, axes: np.sum(x != 0, axes, keepdims=True) + LONG(0),
}


def _reduce(e, node, space):
    axes = tuple(a + 1 for a in node.folded())
    folded = FOLDS[node.op](e, e.touch(e.full(node.kids[0])), axes)
    return folded if node.keep else np.squeeze(folded, axes)


def _softmax(e, node, space):
    x = e.touch(e.full(node.kids[0]))
    axes = (node.axis % len(node.kids[0].shape) + 1,)
    if "softmax" in node.name:
        log = e.touch(x - logsumexp(e, x, axes))
        return log if node.name == "log_softmax" else e.touch(np.exp(log))
    if node.name == "layer_norm":
        return e.touch((x - mean(e, x, axes)) / np.sqrt(variance(e, x, axes, 0) + LONG(1) / 10**5))
    if node.name == "rms_norm":
        return e.touch(x / np.sqrt(mean(e, x * x, axes) + node.kids[0].type.eps))
    return e.touch(x / np.maximum(power_norm(2)(e, x, axes), LONG(1) / 10**12))


def _take(e, node, space):
    x = e.full(node.kids[0])
    at = np.broadcast_to(node.kids[1].view.data, node.shape).astype(np.int64)
    n = node.kids[0].shape[node.axis]
    inside = (at >= 0) & (at < n)
    place = np.expand_dims(np.where(inside, at, 0), node.axis)[None]
    got = np.take_along_axis(x, np.broadcast_to(place, x.shape[:1] + place.shape[1:]), node.axis + 1)
    return np.where(inside, np.squeeze(got, node.axis + 1), LONG(0))


def _leaf(e, node, space):
    return node.values(space).value.astype(LONG)[None]


def _number(e, node, space):
    return np.reshape(LONG(node.number) / node.denominator if node.form == "constant" else LONG(node.values(()).value), 1)


RULES = {Call: _call, ExpandDims: _expand_dims, Reduce: _reduce, Softmax: _softmax, Take: _take, Leaf: _leaf, Index: _leaf,
         Number: _number, Named: lambda e, n, space: e.of(n.kids[0], space),
         Cast: lambda e, n, space: e.touch(e.of(n.kids[0], space))}


def extended(node, space=None, **what):
    """The value at one point."""
    e = Evaluation({}, **what)
    return e.of(node, node.shape if space is None else space)[0]


class Slope:
    """bound: on the error of the finite differences. spread: what a relative error of 1 of every intermediate result does."""

    def __init__(self, value, bound, spread):
        self.value, self.bound, self.spread = (np.asarray(a, np.float64) for a in (value, bound, spread))


def differences(f, n, h, second):
    """(at the steps 1, 2, 3, at half of them, the largest value): f(step of each point, direction of each point)."""
    grid = np.stack(np.meshgrid(STEPS, STEPS, indexing="ij"), -1).reshape(-1, 2) if second else STEPS[:, None]
    points = np.repeat(np.eye(n, dtype=LONG), len(grid), 0)
    steps = np.tile(grid, (n, 1)) * h
    values = f(points * steps[:, :1], steps[:, -1] if second else None)
    values = values.reshape((n,) + (len(STEPS),) * (2 if second else 1))
    results = []
    for kind in (1, 2):
        slopes = values @ SLOPES[kind] / h
        results.append(slopes @ SLOPES[kind] / h if second else slopes)
    return results[0], results[1], np.max(np.abs(values), initial=0)


def slope_of(loss, name, shape, along=None, seeds=(1, 2)):
    """The derivative of a scalar with respect to the variable of this name; along: (name, v), that of the derivative in
    direction v of another variable."""
    n = int(np.prod(shape))
    h = LONG(4e-3 if along else 1e-3)
    if n == 0:
        return Slope(*(np.zeros(shape),) * 3)

    def at(noise, seed):
        def f(steps, second):
            moved = {name: steps.reshape((-1,) + tuple(shape))}
            if along:
                more = second.reshape((-1,) + (1,) * along[1].ndim) * along[1]
                moved[along[0]] = moved[along[0]] + more if along[0] == name else more
            value = Evaluation(moved, noise, seed).of(loss, ())
            return np.broadcast_to(value, len(steps))

        return differences(f, n, h, along is not None)

    coarse, fine, size = at(0, 0)
    floor = 32 * np.finfo(LONG).eps * size / (h * h if along else h)
    noise = 1e-4
    spread = np.zeros(n)
    for seed in seeds:
        spread = np.maximum(spread, np.abs(at(noise, seed)[1] - fine) / noise)
    return Slope(*(a.reshape(shape) for a in (fine, np.abs(coarse - fine) + floor, spread)))
