# SPDX-License-Identifier: Apache-2.0
"""The problems in NumPy: f(out, inputs...), where out is the array of the first output. In float64 they are their own
reference."""
import numpy as np


def softmax(y, x, axis):
    np.subtract(x, x.max(axis, keepdims=True), out=y)
    np.exp(y, out=y)
    y /= y.sum(axis, keepdims=True)


def layer_norm(y, x, w, b):
    np.subtract(x, x.mean(1, keepdims=True), out=y)
    y /= np.sqrt(np.square(y).mean(1, keepdims=True) + 1e-5)
    y *= w
    y += b


def cross_entropy(out, x, t):
    kept = np.flatnonzero(t >= 0)
    most = x.max(1, keepdims=True)
    losses = np.log(np.exp(x - most).sum(1)) + most[:, 0]
    out[0] = (losses[kept] - x[kept, t[kept]]).mean()


def row_sort(y, x):
    np.copyto(y, x)
    y.sort(1)


def mse(out, a, b):
    out[0] = np.square(a - b).mean()


FORMULAS = {
    "mse": mse,
    "sum": lambda out, x: x.sum(0, keepdims=True, out=out),
    "cumsum": lambda y, x: np.cumsum(x, out=y),
    "softmax": lambda y, x: softmax(y, x, 1),
    "softmax_middle": lambda y, x: softmax(y, x, 1),
    "layer_norm": layer_norm,
    "cross_entropy": cross_entropy,
    "row_sum": lambda y, x: x.sum(1, out=y),
    "row_argmax": lambda y, x: x.argmax(1, out=y),
    "column_sum": lambda y, x: x.sum(0, out=y),
    "row_cumsum": lambda y, x: np.cumsum(x, 1, out=y),
    "column_cumsum": lambda y, x: np.cumsum(x, 0, out=y),
    "transpose": lambda y, x: np.multiply(x.T, 2.5, out=y, dtype=x.dtype),
    "row_sort": row_sort,
    "exp": lambda y, x: np.exp(x, out=y),
    "log": lambda y, x: np.log(x, out=y),
    "tanh": lambda y, x: np.tanh(x, out=y),
    "sin": lambda y, x: np.sin(x, out=y),
    "cos": lambda y, x: np.cos(x, out=y),
    "pow": lambda y, x: np.power(x, x.dtype.type(2.5), out=y),
}
