# SPDX-License-Identifier: Apache-2.0
"""Derivatives as nodes of expressions. What is expected of them is the finite difference of what numpy says of the
expression that is differentiated; how far a right program may be from it, extended.py."""
import numpy as np

from .extended import LONG, Evaluation, Slope, extended, lined_up, name_of, slope_of
from .nodes import Node
from .values import Values

UNITS = 256  # allowed: so many times what rounding each intermediate result once does


def settled_slope(type_, eps, slope):
    """Values of a Slope; not known where the finite differences are not, or where rounding may do anything."""
    size = np.max(np.abs(slope.value), initial=0, where=np.isfinite(slope.value))
    error = slope.bound + UNITS * eps * (slope.spread + np.abs(slope.value)) + type_.tiny
    known = np.isfinite(error) & (error <= max(1e-8, 4 * UNITS * eps) * np.maximum(size, 1e-3))
    return Values(type_, slope.value, np.where(known, error, 0), known)


def coarsest(*nodes):
    """The eps of the least precise type in which something is computed."""
    return max(n.type.eps for top in nodes for n in top.walk())


class StopGradient(Node):
    def __init__(self, kid):
        self.kids = (kid,)

    def with_kids(self, kids):
        return StopGradient(*kids)

    type = property(lambda self: self.kids[0].type)

    def extended(self, e, space):
        return e.still(self.kids[0], space)

    def cpp(self):
        return f"fuse::stop_gradient({self.kids[0].cpp()})"


class Measured(Node):
    """An expression of smooth functions, with what extended.py says of its value."""

    def __init__(self, kid):
        self.kids = (kid,)

    def with_kids(self, kids):
        return Measured(*kids)

    type = property(lambda self: self.kids[0].type)
    rank = property(lambda self: self.kids[0].rank)
    shape = property(lambda self: self.kids[0].shape)

    def values(self, space):
        plain, *noisy = (extended(self.kids[0], space, **what) for what in ({}, *({"noise": 1e-4, "seed": s} for s in (1, 2))))
        spread = np.max([np.abs(x - plain) for x in noisy], 0) / 1e-4
        return settled_slope(self.type, coarsest(self.kids[0]), Slope(plain, np.zeros(plain.shape), spread))

    def cpp(self):
        return self.kids[0].cpp()


class Derivative(Node):
    """kids: what is differentiated, the variable, and what else the kind needs."""

    rank = property(lambda self: self.kids[1].rank)
    shape = property(lambda self: self.kids[1].shape)
    type = property(lambda self: self.kids[1].type)
    known = None

    def __init__(self, *kids):
        self.kids = tuple(kids)

    def with_kids(self, kids):
        return type(self)(*kids)

    def values(self, space):
        if self.known is None:
            slope = self.slope(name_of(self.kids[1]), tuple(self.shape))
            self.known = settled_slope(self.type, coarsest(*self.kids), slope)
        return self.known


class Gradient(Derivative):
    def slope(self, name, shape):
        return slope_of(self.kids[0], name, shape)

    def cpp(self):
        return f"gradient({self.kids[0].cpp()}, {self.kids[1].cpp()})"


class Weighted(Node):
    """sum(y * dy), dy a constant: the scalar whose gradient vjp(y, x, dy) is."""

    rank, shape = 0, ()

    def __init__(self, y, dy):
        self.kids = (y, dy)

    type = property(lambda self: self.kids[0].type)

    def extended(self, e, space):
        y, dy = lined_up([e.full(self.kids[0]), e.still(self.kids[1], self.kids[0].shape)])
        products = e.touch(y * dy)
        return np.sum(products.reshape(len(products), -1), 1)


class Vjp(Derivative):
    def slope(self, name, shape):
        return slope_of(Weighted(self.kids[0], self.kids[2]), name, shape)

    def cpp(self):
        return f"vjp({self.kids[0].cpp()}, {self.kids[1].cpp()}, {self.kids[2].cpp()})"


class Hessian(Derivative):
    """(loss, z, x, v): the derivative with respect to z of sum(gradient(loss, x) * v)."""

    def loss(self):
        return self.kids[0]

    def slope(self, name, shape):
        v = Evaluation({}).full(self.kids[3])[0]
        return slope_of(self.loss(), name, shape, (name_of(self.kids[2]), v))

    def cpp(self):
        loss, z, x, v = (k.cpp() for k in self.kids)
        return f"gradient(sum(gradient({loss}, {x}) * {v}), {z})"


class VjpOfVjp(Hessian):
    """(y, z, x, v, dy): vjp(vjp(y, x, dy), z, v)."""

    def loss(self):
        return Weighted(self.kids[0], self.kids[4])

    def cpp(self):
        y, z, x, v, dy = (k.cpp() for k in self.kids)
        return f"vjp(vjp({y}, {x}, {dy}), {z}, {v})"


class Penalty(Derivative):
    """(loss, x): the gradient of the sum of squares of the gradient, twice the Hessian times the gradient."""

    def slope(self, name, shape):
        first = slope_of(self.kids[0], name, shape)
        second = slope_of(self.kids[0], name, shape, (name, 2 * first.value.astype(LONG)))
        second.bound = second.bound + np.max(first.bound, initial=0) * np.abs(second.value)
        return second

    def cpp(self):
        loss, x = (k.cpp() for k in self.kids)
        return f"gradient(sum(square(gradient({loss}, {x}))), {x})"


class Loss(Node):
    """A loss of two operands of one shape, the mean over all elements."""

    FORMULAS = {
        "mse_loss": lambda x, t: (x - t)**2,
        "l1_loss": lambda x, t: np.abs(x - t),
        "huber_loss": lambda x, t: np.where(np.abs(x - t) <= 1, (x - t)**2 / 2, np.abs(x - t) - LONG(0.5)),
        "binary_cross_entropy_with_logits": lambda x, t: np.maximum(x, 0) - x * t + np.log1p(np.exp(-np.abs(x))),
    }
    rank, shape = 0, ()

    def __init__(self, name, x, t):
        self.function, self.kids = name, (x, t)

    def with_kids(self, kids):
        return Loss(self.function, *kids)

    @property
    def type(self):
        from . import dtypes as ty
        return ty.floating(*(k.type for k in self.kids))

    def extended(self, e, space):
        x, t = lined_up([e.touch(e.full(k)) for k in self.kids])
        each = e.touch(self.FORMULAS[self.function](x, t))
        return np.mean(each.reshape(len(each), -1), 1)

    def cpp(self):
        return f"{self.function}({', '.join(k.cpp() for k in self.kids)})"
