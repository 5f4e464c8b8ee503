# SPDX-License-Identifier: Apache-2.0
"""The activations of torch.nn.functional, with their defaults. They join the table of elementwise.py."""
import numpy as np

from .elementwise import FUNCTIONS, _sigmoid, lipschitz, monotone

SELU_SCALE, SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


def _softplus(x):
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))


def _elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0.0)))


def _tanhshrink(x):
    """x - tanh(x), near 0 by its series: the difference would cancel."""
    s = x * x
    series = x * s * (1 / 3 - s * (2 / 15 - s * (17 / 315 - s * (62 / 2835 - s * 1382 / 155925))))
    return np.where(np.abs(x) < 0.03, series, x - np.tanh(x))


monotone("logsigmoid", lambda x: -_softplus(-x), 8)
monotone("leaky_relu", lambda x: np.where(x > 0, x, 0.01 * x), 4)
monotone("elu", _elu, 6)
monotone("celu", _elu, 8)
monotone("selu", lambda x: SELU_SCALE * np.where(x > 0, x, SELU_ALPHA * np.expm1(np.minimum(x, 0.0))), 8)
monotone("hardsigmoid", lambda x: np.clip(x / 6 + 0.5, 0.0, 1.0), 8)
monotone("tanhshrink", _tanhshrink, 16)
lipschitz("mish", lambda x: np.where(np.isneginf(x), np.nan, x) * np.tanh(_softplus(x)), 1.2, 16)
lipschitz("hardswish", lambda x: np.where(np.isneginf(x), np.nan, x) * np.clip(x / 6 + 0.5, 0.0, 1.0), 1.6, 16)

ACTIVATIONS = ("logsigmoid", "leaky_relu", "elu", "celu", "selu", "hardsigmoid", "tanhshrink", "mish", "hardswish")
assert all(name in FUNCTIONS for name in ACTIVATIONS)
