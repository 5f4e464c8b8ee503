# SPDX-License-Identifier: Apache-2.0
"""The element types: their C++ and numpy names, the C++ rules for types of results, and rounding to each of them."""
from typing import NamedTuple

import numpy as np


class Type(NamedTuple):
    name: str
    cpp: str
    kind: str  # b bool, i signed, u unsigned, f floating
    size: int
    digits: int  # bits of a float's significand, of an integer's value
    dtype: object  # numpy's type of the values; float64 for all floating types

    @property
    def floating(self):
        return self.kind == "f"

    @property
    def eps(self):
        """The distance from 1 to the next number: twice the relative error of one rounding."""
        return 2.0 ** (1 - self.digits) if self.floating else 0.0

    @property
    def largest(self):
        if self.floating:
            return {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38,
                    "f64": 1.7976931348623157e308}[self.name]
        return 1 if self.kind == "b" else np.iinfo(self.dtype).max

    @property
    def tiny(self):
        """The smallest normal number: below it, errors are absolute."""
        return {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}.get(self.name, 0.0)


BOOL = Type("bool", "bool", "b", 1, 1, np.dtype(np.bool_))
I8, I16, I32, I64 = (Type(f"i{b}", f"std::int{b}_t", "i", b // 8, b - 1, np.dtype(f"int{b}")) for b in (8, 16, 32, 64))
U8, U16, U32, U64 = (Type(f"u{b}", f"std::uint{b}_t", "u", b // 8, b, np.dtype(f"uint{b}")) for b in (8, 16, 32, 64))
F16 = Type("f16", "fuse::float16", "f", 2, 11, np.dtype(np.float64))
BF16 = Type("bf16", "fuse::bfloat16", "f", 2, 8, np.dtype(np.float64))
F32 = Type("f32", "float", "f", 4, 24, np.dtype(np.float64))
F64 = Type("f64", "double", "f", 8, 53, np.dtype(np.float64))

INTEGERS = (I8, I16, I32, I64, U8, U16, U32, U64)
ALL = (BOOL,) + INTEGERS + (F16, BF16, F32, F64)
BY_NAME = {t.name: t for t in ALL}


def computed(t):
    """What functors see: the 16-bit floats are float."""
    return F32 if t in (F16, BF16) else t


def promote(a, b=None):
    """The type of a + b in C++."""
    b = a if b is None else b
    if a.floating or b.floating:
        return F64 if F64 in (a, b) else F32
    a, b = (I32 if t.size < 4 else t for t in (a, b))
    if a.kind == b.kind:
        return a if a.size >= b.size else b
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    return signed if signed.size > unsigned.size else unsigned


def common(*types):
    """std::common_type: equal types stay, others are promoted."""
    result = types[0]
    for t in types[1:]:
        result = result if t == result else promote(result, t)
    return result


def floating(*types):
    """The type of mathematical functions and of true division."""
    if any(t.floating for t in types):
        return common(*types)
    return F64 if any(t.size > 2 for t in types) else F32


def accumulator(t):
    """The type in which sums and products fold."""
    if t.floating:
        return t
    return U64 if t.kind == "u" else I64


def mean_accumulator(t):
    """The type in which means fold: a sum of 64-bit integers might wrap around."""
    return F64 if t in (I64, U64) else accumulator(t)


def round_to(t, values):
    """float64 numbers rounded once, to nearest even, to a floating type; as float64."""
    values = np.asarray(values, np.float64)
    with np.errstate(all="ignore"):
        if t.name == "f64":
            return values
        if t.name == "f32":
            return values.astype(np.float32).astype(np.float64)
        if t.name == "f16":
            return values.astype(np.float16).astype(np.float64)
        # bfloat16: the exponent of a float, 8 bits of significand.
        _, exponent = np.frexp(np.where(np.isfinite(values), values, 1.0))
        unit = np.ldexp(1.0, np.maximum(exponent, -125) - 8)
        rounded = np.where(np.isfinite(values), np.rint(values / unit) * unit, values)
        return np.where(np.abs(rounded) > t.largest, np.copysign(np.inf, rounded), rounded)


def encode(t, values):
    """The bytes of elements of type t, as an unsigned integer array of their size."""
    values = np.asarray(values)
    if t.name == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    real = {"f16": np.float16, "f32": np.float32, "f64": np.float64}.get(t.name, t.dtype)
    return np.ascontiguousarray(values.astype(real)).view(f"u{t.size}").reshape(values.shape)


def decode(t, raw):
    """The inverse of encode."""
    if t.name == "bf16":
        return (raw.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if t.floating:
        return raw.view(f"f{t.size}").astype(np.float64)
    return raw != 0 if t.kind == "b" else raw.view(t.dtype)
