#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NumPy on the cases of benchmarks/host.cpp: the least microseconds of each, in a second. host_numpy.py [rows columns]"""
import sys
import time

import numpy as np

rows, columns = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (512, 512)
random = np.random.default_rng(1)
x, y = random.standard_normal((2, rows, columns), dtype=np.float32)
z, turned = np.empty_like(x), np.empty((columns, rows), np.float32)
scale = np.ones((rows, 1), np.float32)


def softmax(axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


CASES = {
    "copy": lambda: np.multiply(x, np.float32(1), out=z),
    "mse": lambda: np.square(x - y).mean(),
    "sum": lambda: x.sum(),
    "row_sum": lambda: x.sum(1),
    "column_sum": lambda: x.sum(0),
    "row_max": lambda: x.max(1),
    "row_argmax": lambda: x.argmax(1),
    "column_argmax": lambda: x.argmax(0),
    "exp": lambda: np.exp(x, out=z),
    "log": lambda: np.log(x, out=z),
    "tanh": lambda: np.tanh(x, out=z),
    "row_scale": lambda: np.multiply(x, scale, out=z),
    "row_cumsum": lambda: np.cumsum(x, 1, out=z),
    "column_cumsum": lambda: np.cumsum(x, 0, out=z),
    "transpose": lambda: np.copyto(turned, x.T),
    "softmax": lambda: softmax(1),
    "column_softmax": lambda: softmax(0),
    "layer_norm": lambda: (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5),
}

np.seterr(all="ignore")  # the logarithm of what is negative
for name, run in CASES.items():
    begin, least, calls = time.perf_counter(), np.inf, 0
    while calls < 4 or time.perf_counter() - begin < 1:
        start = time.perf_counter()
        run()
        least, calls = min(least, time.perf_counter() - start), calls + 1
    print(f"{name:14s} {least * 1e6:10.1f}")
