# SPDX-License-Identifier: Apache-2.0
"""Random shapes, layouts and numbers. Small integers are the most frequent data: their sums have no rounding, so that a
single lost or doubled element shows."""
import numpy as np

from . import dtypes as ty
from .program import LAYOUTS, View, lay_out

SMALL = (2, 3, 4, 5, 7, 8)
EXTENTS = ((SMALL, 50), ((1,), 9), ((0,), 4), ((11, 13, 17, 29), 10), ((31, 32, 33), 10), ((63, 64, 65, 100, 128), 9),
           ((255, 256, 257), 5), ((1000, 1023), 1), ((4095, 4096, 4097), 2))
TYPES = ((ty.F32, 40), (ty.F64, 12), (ty.F16, 6), (ty.BF16, 6), (ty.BOOL, 4), (ty.I8, 5), (ty.I16, 4), (ty.I32, 9),
         (ty.I64, 5), (ty.U8, 4), (ty.U16, 3), (ty.U32, 4), (ty.U64, 4))


def weighted(rng, table):
    weights = np.array([w for _, w in table], float)
    return table[rng.choice(len(table), p=weights / weights.sum())][0]


def chance(rng, p):
    return rng.random() < p


def pick(rng, sequence):
    return sequence[int(rng.integers(len(sequence)))]


def draw_domain(rng, most):
    """The extents of the iteration space, `most` elements at the most."""
    rank = weighted(rng, ((1, 22), (2, 46), (3, 24), (4, 6), (5, 2)))
    if chance(rng, 0.25) and most >= 130 * 64:
        # Rows whose length is a multiple of the host's 64 items, more elements than one block takes.
        shape = [int(rng.integers(130, 320)), 64 * int(rng.integers(1, 3))]
    else:
        shape = [int(pick(rng, weighted(rng, EXTENTS))) for _ in range(rank)]
    while np.prod([max(e, 1) for e in shape]) > most:
        worst = int(np.argmax(shape))
        shape[worst] = int(pick(rng, SMALL))
    return tuple(shape)


def draw_shape(rng, domain, rank, stretch=0.2):
    """The last `rank` axes of the domain, some of extent 1."""
    shape = list(domain[len(domain) - rank:])
    if chance(rng, stretch):
        shape = [1 if chance(rng, 0.5) else e for e in shape]
    return tuple(shape)


def draw_numbers(rng, type_, shape):
    """Numbers of the computed type that the element type holds."""
    if type_.kind == "b":
        return rng.random(shape) < rng.choice([0.1, 0.5, 0.9])
    # Many equal numbers show sums that are folded one after the other.
    same = 25 if np.prod(shape) > 1500 else 5
    kind = weighted(rng, (("small", 50), ("real", 28), ("same", same), ("special", 7), ("wide", 9)))
    if type_.floating:
        if kind == "real" or kind == "wide":
            scale = 2.0 if kind == "real" else float(rng.choice([0.01, 30.0, 1000.0]))
            numbers = rng.uniform(-scale, scale, shape)
        elif kind == "same":
            numbers = np.full(shape, float(rng.choice([0.1, 1.0, -3.0])))
        else:
            numbers = rng.integers(-4, 5, shape).astype(float)
        if kind == "special" and numbers.size:
            flat = numbers.ravel()
            for value in (np.nan, np.inf, -np.inf):
                if chance(rng, 0.6):
                    flat[rng.integers(flat.size)] = value
        return ty.round_to(type_, numbers)
    low = -4 if type_.kind == "i" else 0
    if kind == "wide":
        info = np.iinfo(type_.dtype)
        if chance(rng, 0.5):
            return rng.integers(info.min, info.max, shape, dtype=type_.dtype, endpoint=True)
        return rng.choice(np.array([info.min, info.max, 0, 1], type_.dtype), shape)
    if kind == "real":
        return rng.integers(-100 if type_.kind == "i" else 0, 101, shape).astype(type_.dtype)
    return rng.integers(low, 5, shape).astype(type_.dtype)


def draw_layout(rng, shape, output):
    if shape and shape[-1] % 64 == 0 and chance(rng, 0.4):
        return lay_out(pick(rng, ("half", "padded")), shape, 64)
    kind = "row_major" if chance(rng, 0.5) else pick(rng, LAYOUTS if output else LAYOUTS + ("repeated",))
    return lay_out(kind, shape, int(pick(rng, (1, 3, 8, 64))))


def draw_view(rng, name, type_, shape, numbers=None):
    """An input."""
    static = tuple(chance(rng, 0.5) for _ in shape) if chance(rng, 0.08) else ()
    return View(name, type_, shape, draw_layout(rng, shape, False),
                draw_numbers(rng, type_, shape) if numbers is None else numbers, not chance(rng, 0.08), static)
