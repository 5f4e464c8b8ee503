# SPDX-License-Identifier: Apache-2.0
"""Entries of autograd_values.txt: operands that a formula makes, and what a function and its gradients are in PyTorch.

An entry is the name of a case, a number that is its option, a line for each operand (extents, kind, bounds or
elements), one for the gradient dy with respect to the result, unless that is a scalar, and the results y, da, db, ...;
the entries of a group follow its name, behind #. Operands are not stored but made by a formula, here and in
autograd_values.hpp. Of more than LARGE numbers there are SUMS sums, weighted by numbers of the same formula.
"""
import math

import torch

LARGE = 12
SUMS = 3
WORD = 0xFFFFFFFF


def uniform(seed, i):
    """A number in [0, 1): the mixer lowbias32 (github.com/skeeto/hash-prospector)."""
    h = (i + seed * 1000003) & WORD
    h ^= h >> 16
    h = (h * 0x7FEB352D) & WORD
    h ^= h >> 15
    h = (h * 0x846CA68B) & WORD
    h ^= h >> 16
    return h / 2.0**32


KINDS = {
    "real": lambda u, i, low, high: low + (high - low) * u,
    "sign": lambda u, i: -1 if u < 0.5 else 1,
    "bit": lambda u, i: 0 if u < 0.5 else 1,
    "class": lambda u, i, n: math.floor(u * n),
    "ignored": lambda u, i, n: -100 if i % 3 == 1 else math.floor(u * n),
}


def numbers(seed, kind, bounds, count):
    return [KINDS[kind](uniform(seed, i), i, *bounds) for i in range(count)]


class Operand:
    def __init__(self, kind, *bounds, varies=None):
        self.kind = kind
        self.bounds = bounds
        self.varies = kind == "real" if varies is None else varies

    def tensor(self, values, shape):
        dtype = torch.int64 if self.kind in ("class", "ignored") else torch.float64
        return torch.tensor(values, dtype=dtype).reshape(shape).requires_grad_(self.varies)

    def made(self, seed, shape):
        return self.tensor(numbers(seed, self.kind, self.bounds, math.prod(shape)), shape)


def real(low=-2.0, high=2.0):
    return Operand("real", low, high)


def fixed(low, high):
    return Operand("real", low, high, varies=False)


def text(values):
    return " ".join("%.11g" % (v + 0.0) for v in values)


def result(tensor):
    values = tensor.detach().reshape(-1).tolist()
    if len(values) > LARGE:
        weights = [numbers(11 + k, "real", (-1, 1), len(values)) for k in range(SUMS)]
        values = [sum(w * v for w, v in zip(row, values)) for row in weights]
    return text(values)


def entry(name, function, option, operands, tensors, kinds):
    """kinds: what stands behind the extents of each operand."""
    y = function(option, *tensors)
    print("case", name)
    print("option", text([option]))
    for letter, x, kind in zip("abcde", tensors, kinds):
        print(letter, *x.shape, *kind)
    seed = torch.tensor(1.0, dtype=torch.float64)
    if y.dim() > 0:
        print("dy", *y.shape, "real", -1, 1)
        seed = torch.tensor(numbers(9, "real", (-1, 1), y.numel()), dtype=torch.float64).reshape(y.shape)
    print("y", result(y))
    varying = [i for i, o in enumerate(operands) if o.varies]
    for i, slope in zip(varying, torch.autograd.grad(y, [tensors[i] for i in varying], seed)):
        print("d" + "abcde"[i], result(slope))


def case(name, function, operands, shapes, options=(0,), special=()):
    """function(option, operands...); shapes: for each entry those of the operands. Every option with the first one, the
    last option with all. special: entries with elements of their own, option and operands."""
    for shape, option in [(shapes[0], o) for o in options[:-1]] + [(s, options[-1]) for s in shapes]:
        tensors = [o.made(1 + i, s) for i, (o, s) in enumerate(zip(operands, shape))]
        entry(name, function, option, operands, tensors, [(o.kind, text(o.bounds)) for o in operands])
    for option, *given in special:
        tensors = [o.tensor(g, torch.tensor(g).shape) for o, g in zip(operands, given)]
        entry(name, function, option, operands, tensors, [("list", text(x.detach().reshape(-1).tolist())) for x in tensors])
