# SPDX-License-Identifier: Apache-2.0
"""Reductions and scans of Values along axes.

The error of a sum of n numbers is that of its elements and (log2(n) + 4) * eps * sum |x|, as docs/op_table.md promises
(times a constant); running sums have the classical bound n * eps * sum |x|, for any order of addition. Sums of numbers on
a common grid that fit the significand are exact in every order."""
import numpy as np

from . import dtypes as ty
from .elementwise import over, plus
from .values import Values, convert, settled


class NoIdentity(Exception):
    """A reduction without identity has no elements to fold: numpy raises, the library throws."""


def rows(v, axes):
    """v with the reduced axes last, merged into one: shape (kept..., n)."""
    kept = [a for a in range(len(v.shape)) if a not in axes]
    n = int(np.prod([v.shape[a] for a in axes], dtype=np.int64)) if axes else 1
    shape = tuple(v.shape[a] for a in kept) + (n,)
    return v.map(lambda x: np.transpose(x, kept + list(axes)).reshape(shape))


def sums_exact(v, total):
    """Whether sums of |x| up to total, in any order, have no rounding at all."""
    digits = v.type.digits
    ok = np.zeros(total.shape, bool)
    with np.errstate(all="ignore"):
        for scale in (1.0, 16.0, 1024.0):
            whole = np.all((v.value * scale == np.rint(v.value * scale)) & (v.error == 0), axis=-1)
            whole = whole if whole.shape == total.shape else whole[..., None]
            ok |= whole & (total * scale < 2.0**digits)
    return ok


def sum_(v, acc):
    v = convert(v, acc)
    known = np.all(v.known, axis=-1)
    with np.errstate(all="ignore"):
        if not acc.floating:
            return Values(acc, np.sum(v.value, axis=-1, dtype=acc.dtype), None, known)
        n = max(v.shape[-1], 1)
        total = np.sum(np.abs(v.value), axis=-1)
        value = np.sum(v.value.astype(np.longdouble), axis=-1).astype(np.float64)
        more = np.where(sums_exact(v, total), 0.0, (np.log2(n) + 4) * acc.eps * total + n * acc.tiny)
        known = known & ~(np.isfinite(total) & (total > acc.largest))
        return settled(acc, value, np.sum(v.error, axis=-1) + np.where(np.isfinite(total), more, 0.0), known)


def prod_(v, acc, cumulative=False):
    v = convert(v, acc)
    f = (lambda x: np.cumprod(x, axis=-1)) if cumulative else (lambda x: np.prod(x, axis=-1))
    known = np.logical_and.accumulate(v.known, axis=-1) if cumulative else np.all(v.known, axis=-1)
    with np.errstate(all="ignore"):
        if not acc.floating:
            f = np.cumprod if cumulative else np.prod
            return Values(acc, f(v.value, axis=-1, dtype=acc.dtype), None, known)
        size = np.abs(v.value)
        wide = v.value.astype(np.longdouble)
        value = f(wide).astype(np.float64)
        # A part of the product must neither overflow nor vanish, in whatever order it is taken.
        finite = np.where(np.isfinite(wide) & (size > 0), np.abs(wide), 1)
        most, least = f(np.maximum(finite, 1)), f(np.minimum(finite, 1))
        whole = (f((v.value == np.rint(v.value)) & (v.error == 0)) != 0) & (most < 2.0**acc.digits)
        spread = (f(np.abs(wide) + v.error) - f(np.abs(wide))).astype(np.float64)
        error = np.where(whole, 0.0, spread + (v.shape[-1] + 1) * acc.eps * np.abs(value))
        known = known & (whole | ((most <= acc.largest) & (least >= acc.tiny)))
        return settled(acc, value, np.where(np.isfinite(value), error, 0.0), known)


def mean_(v, acc, less=0):
    n = v.shape[-1]
    total = sum_(v, acc)
    t = ty.floating(acc)
    if n <= less:
        return Values(t, np.full(total.shape, np.nan))
    return over(convert(total, t), Values(t, np.full(total.shape, float(n - less))))


def without_elements(v, type_):
    """The result where there is nothing to fold and nothing to fold it into."""
    if np.prod(v.shape[:-1]) > 0:
        raise NoIdentity
    return Values(type_, np.zeros(v.shape[:-1]))


def extremum(v, smaller, ignore_nan=False, cumulative=False):
    if v.shape[-1] == 0:
        return v if cumulative else without_elements(v, v.type)
    f = (np.fmin if smaller else np.fmax) if ignore_nan else (np.minimum if smaller else np.maximum)
    fold = f.accumulate if cumulative else f.reduce
    spread = (np.maximum.accumulate if cumulative else np.maximum.reduce)(v.error, axis=-1)
    known = (np.logical_and.accumulate if cumulative else np.logical_and.reduce)(v.known, axis=-1)
    with np.errstate(all="ignore"):
        value = fold(v.value, axis=-1)
    error = np.where(np.isfinite(value), spread, 0.0) if v.type.floating else None
    return Values(v.type, value, error, known)


def nan_as_zero(v):
    if not v.type.floating:
        return v
    nan = np.isnan(v.value)
    return Values(v.type, np.where(nan, 0.0, v.value), np.where(nan, 0.0, v.error), v.known)


def nanmean(v):
    if not v.type.floating:
        return mean_(v, ty.mean_accumulator(v.type))
    total = sum_(nan_as_zero(v), v.type)
    count = np.sum(~np.isnan(v.value), axis=-1).astype(float)
    return over(total, Values(v.type, ty.round_to(v.type, count), None, total.known))


def peak_to_peak(v):
    t = ty.promote(v.type)
    return plus(convert(extremum(v, False), t), convert(extremum(v, True), t), -1)


def position(v, smaller, ignore_nan=False):
    """argmin, argmax: not known if another element is within the errors of the winner."""
    if v.shape[-1] == 0:
        return without_elements(v, ty.I64)
    value = v.value
    nan = np.isnan(value) if v.type.floating else np.zeros(v.shape, bool)
    if v.type.floating:
        lost = np.inf if smaller else -np.inf
        # Behind the infinities of the same sign: a NaN that is ignored never wins.
        key = np.where(nan, lost, value)
        rank = np.where(nan, 1 if ignore_nan else -1, 0)
    else:
        key, rank = value, np.zeros(v.shape, int)
    best_rank = rank.min(axis=-1, keepdims=True)
    candidates = np.where(rank == best_rank, key, lost) if v.type.floating else key
    best = (np.min if smaller else np.max)(candidates, axis=-1, keepdims=True)
    winners = (rank == best_rank) & ((key == best) | (rank < 0))
    place = np.argmax(winners, axis=-1)
    if ignore_nan:
        place = np.where(np.all(nan, axis=-1), -1, place)
    known = np.all(v.known, axis=-1)
    if not v.type.floating:
        return Values(ty.I64, place, None, known)
    with np.errstate(all="ignore"):
        near = (np.abs(key - best) <= 2 * np.max(v.error, axis=-1, keepdims=True)) & (rank == best_rank)
    inexact = np.any(v.error > 0, axis=-1) & (best_rank[..., 0] >= 0)
    vague = inexact & (near.sum(axis=-1) > 1)
    return Values(ty.I64, place, None, known & ~vague)


def truth(v, how):
    t = convert(v, ty.BOOL)
    known = np.all(t.known, axis=-1)
    if how == "any":
        return Values(ty.BOOL, np.any(t.value, axis=-1), None, known)
    if how == "all":
        return Values(ty.BOOL, np.all(t.value, axis=-1), None, known)
    return Values(ty.I64, np.count_nonzero(t.value, axis=-1), None, known)


def bitwise(v, how):
    if v.type.kind == "b":
        f = {"bit_and": np.all, "bit_or": np.any, "bit_xor": lambda x, axis: np.sum(x, axis=axis) % 2 == 1}[how]
        return Values(v.type, f(v.value, axis=-1), None, np.all(v.known, axis=-1))
    f = {"bit_and": np.bitwise_and, "bit_or": np.bitwise_or, "bit_xor": np.bitwise_xor}[how]
    start = v.type.dtype.type(0) if how != "bit_and" else np.invert(np.zeros((), v.type.dtype))
    return Values(v.type, f.reduce(v.value, axis=-1, initial=start).astype(v.type.dtype), None, np.all(v.known, axis=-1))


def last_kept(v):
    """Last of harness.hpp: the last element that is not zero, 0 if there is none. It does not commute."""
    v = convert(v, ty.F32)
    solid = v.value != 0
    at = v.shape[-1] - 1 - np.argmax(solid[..., ::-1], axis=-1) if v.shape[-1] else np.zeros(v.shape[:-1], int)
    found = np.any(solid, axis=-1)
    take = lambda x: np.take_along_axis(x, at[..., None], axis=-1)[..., 0] if v.shape[-1] else np.zeros(v.shape[:-1])
    vague = np.any((np.abs(v.value) <= v.error) & (v.error > 0), axis=-1)
    return Values(ty.F32, np.where(found, take(v.value), 0.0), np.where(found, take(v.error), 0.0),
                  np.all(v.known, axis=-1) & ~vague)


def cumsum(v, acc):
    v = convert(v, acc)
    known = np.logical_and.accumulate(v.known, axis=-1)
    with np.errstate(all="ignore"):
        if not acc.floating:
            return Values(acc, np.cumsum(v.value, axis=-1, dtype=acc.dtype), None, known)
        total = np.cumsum(np.abs(v.value), axis=-1)
        value = np.cumsum(v.value.astype(np.longdouble), axis=-1).astype(np.float64)
        n = np.arange(1, v.shape[-1] + 1)
        exact = sums_exact(v, total[..., -1:]) if v.shape[-1] else np.zeros(total.shape, bool)
        more = np.where(exact, 0.0, (n + 1) * acc.eps * total + n * acc.tiny)
        known = known & ~(np.isfinite(total) & (total > acc.largest))
        return settled(acc, value, np.cumsum(v.error, axis=-1) + np.where(np.isfinite(total), more, 0.0), known)


def shifted(v, first):
    """An exclusive scan: the first result is the identity."""
    def move(x, start):
        return np.concatenate([np.broadcast_to(np.asarray(start, x.dtype), x[..., :1].shape), x[..., :-1]], axis=-1)

    return Values(v.type, move(v.value, first), move(v.error, 0.0), move(v.known, True)) if v.shape[-1] else v
