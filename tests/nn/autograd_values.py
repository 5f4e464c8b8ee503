#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes autograd_values.txt: what the functions of the catalogue and their gradients are in PyTorch, in float64.

    tests/nn/autograd_values.py > tests/nn/autograd_values.txt      (torch 1.13 or later)

Where PyTorch has no such function its formula is written in PyTorch.
"""
import math

import torch
import torch.nn.functional as F

from autograd_entries import Operand, case, fixed, real

PAIR = [[(3, 4)] * 2, [(5, 7)] * 2]
TRIPLE = [[(3, 4)] * 3, [(5, 7)] * 3]


def columns(w, x):
    """A vector along axis 1 of x."""
    return w.reshape([1, -1] + [1] * (x.dim() - 2))


def focal(o, x, t, gamma):
    p = torch.sigmoid(x)
    ce = F.binary_cross_entropy_with_logits(x, t, reduction="none")
    a = o * t + (1 - o) * (1 - t) if o >= 0 else 1
    return a * (1 - (p * t + (1 - p) * (1 - t)))**gamma * ce


def stirling(t):
    inner = t.clamp(min=1.0)
    return torch.where(t > 1, inner * inner.log() - inner + (2 * math.pi * inner).log() / 2, torch.zeros_like(t))


def differences():
    pair = [real(), real()]
    case("mse_loss", lambda o, a, b: F.mse_loss(a, b, reduction="none"), pair, PAIR)
    case("mse_loss, mean", lambda o, a, b: ((a - b)**2).mean(), pair,
         [[(3, 4), (4,)], [(5, 7), (7,)], [(0, 3), (3,)], [(1, 1), (1,)]])
    case("l1_loss", lambda o, a, b: F.l1_loss(a, b, reduction="none"), pair, PAIR,
         special=[(0, [[1, 2, 3]], [[1, 3, 2]])])
    case("huber_loss", lambda o, a, b: F.huber_loss(a, b, reduction="none", delta=o), pair, PAIR, [1, 0.4],
         [(1, [[1, 0, 2, 1e200]], [[0, 1, 2, -1e200]])])
    case("smooth_l1_loss", lambda o, a, b: F.smooth_l1_loss(a, b, reduction="none", beta=o), pair, PAIR, [1, 0, 0.4],
         [(1, [[1, 0, 2, 1e200]], [[0, 1, 2, -1e200]]), (0, [[1, 2, 5]], [[2, 3, 3]])])
    signs = Operand("sign")
    case("margin_ranking_loss", lambda o, a, b, c: F.margin_ranking_loss(a, b, c, margin=o, reduction="none"),
         [real(), real(), signs], TRIPLE, [0, 0.5], [(0, [[0.5, 1, 2]], [[0.5, 1, 2]], [[1, -1, 1]])])
    case("hinge_embedding_loss", lambda o, a, b: F.hinge_embedding_loss(a, b, margin=o, reduction="none"),
         [real(), signs], PAIR, [1, 0.3], [(1, [[1, 1, 0, 2]], [[1, -1, -1, -1]])])


def likelihoods():
    case("binary_cross_entropy_with_logits",
         lambda o, a, b: F.binary_cross_entropy_with_logits(a, b, reduction="none"), [real(-9, 9), real(0, 1)], PAIR,
         special=[(0, [[800, 800, -800, -800, 0]], [[0, 1, 0, 1, 0.5]])])
    chances = [real(0.01, 0.99), real(0, 1)]
    bce = lambda x, t: -(t * x.log() + (1 - t) * (1 - x).log())
    case("binary_cross_entropy", lambda o, a, b: bce(a, b), chances, PAIR)
    case("binary_cross_entropy, 0 and 1", lambda o, a, b: F.binary_cross_entropy(a, b, reduction="none"),
         [chances[0], fixed(0, 1)], PAIR[:1],
         special=[(0, [[0, 0, 0, 1, 1, 1, 1e-300]], [[0, 1, 0.5, 0, 1, 0.5, 1]])])
    case("binary_cross_entropy, weight, mean", lambda o, a, b, c: (c * bce(a, b)).mean(), chances + [real(0, 2)],
         [[(3, 4), (3, 4), (4,)], [(5, 7), (5, 7), (7,)]])
    case("sigmoid_focal_loss", lambda o, a, b: focal(o, a, b, 2), [real(-5, 5), real(0, 1)], PAIR, [0.25, -1],
         [(0.25, [[800, 800, -800, -800, 0]], [[0, 1, 0, 1, 0.5]])])
    case("sigmoid_focal_loss, gamma", lambda o, a, b: focal(0.75, a, b, o), [real(-5, 5), real(0, 1)], PAIR, [1.5, 3])
    count = Operand("real", 0, 5)
    case("poisson_nll_loss, full", lambda o, a, b: a.exp() - b * a + stirling(b), [real(), count], PAIR,
         special=[(0, [[0, 1, 2, -800]], [[0, 1, 2, 3]])])
    case("poisson_nll_loss, counts", lambda o, a, b: a - b * (a + o).log(), [real(0.1, 4), count], PAIR, [1e-8, 0.1],
         [(1e-8, [[0, 0, 1e-9]], [[0, 1, 2]])])
    case("gaussian_nll_loss, full, sum",
         lambda o, a, b, c: F.gaussian_nll_loss(a, b, c, full=True, eps=o, reduction="sum"),
         [real(), real(), real(0.1, 2)], TRIPLE, [1e-6, 0.5],
         [(1e-3, [[0, 1, 2]], [[1, 2, 3]], [[0, 1e-3, 1e-4]])])


def divergences():
    case("kl_div, batchmean", lambda o, a, b: F.kl_div(a, b, reduction="batchmean"), [real(-4, 0), real(0.01, 1)], PAIR)
    case("kl_div, log_target", lambda o, a, b: F.kl_div(a, b, reduction="none", log_target=True),
         [real(-4, 0), real(-4, 0)], PAIR)
    case("js_div", lambda o, a, b: (a * (2 * a / (a + b)).log() + b * (2 * b / (a + b)).log()) / 2,
         [real(0.01, 1), real(0.01, 1)], PAIR)
    case("info_nce", lambda o, a: F.cross_entropy(a / o, torch.arange(a.shape[0])), [real()], [[(3, 4)], [(5, 7)]], [1, 0.3],
         [(1, [[1e300, 0], [-1e300, 1e300]]), (1, [[2.0]]), (1, [[3, 3], [5, 5]])])
    case("distillation_loss", lambda o, a, b: o * o * (F.kl_div(
        F.log_softmax(a / o, 1), F.log_softmax(b / o, 1), reduction="none", log_target=True)).sum(1),
         [real(), real()], PAIR, [1, 2.5],
         [(1, [[800, -800, 0]], [[-800, 800, 0]])])
    dice = lambda a, b, axes, o: 1 - (2 * (a * b).sum(axes) + o) / (a.sum(axes) + b.sum(axes) + o)
    case("dice_loss", lambda o, a, b: dice(a, b, -1, 1e-5), [real(0, 1), real(0, 1)], PAIR,
         special=[(0, [[0, 0]], [[0, 0]]), (0, [[1, 0]], [[1, 0]])])
    case("dice_loss, axes, mean", lambda o, a, b: dice(a, b, (1, 2), o).mean(), [real(0, 1), real(0, 1)],
         [[(2, 3, 2)] * 2, [(3, 5, 4)] * 2], [0.5])


def softmaxes():
    one = [[(3, 4)], [(5, 7)], [(2, 40)], [(0, 3)]]
    case("softmax", lambda o, a: F.softmax(a / o, -1), [real()], one, [1, 0.3],
         [(1, [[0, -math.inf, 1], [-math.inf] * 3, [1e300, -1e300, 1e300]]), (1, [[5.0]])])
    case("softmax, axis", lambda o, a: F.softmax(a, 1), [real()], [[(2, 3, 2)], [(3, 5, 4)]])
    case("log_softmax", lambda o, a: F.log_softmax(a / o, -1), [real()], one, [1, 0.3],
         [(1, [[0, -math.inf, 1], [-math.inf] * 3, [1e300, -1e300, 1e300]]), (1, [[5.0]])])
    case("softmin", lambda o, a: F.softmin(a, 0), [real()], one)
    case("masked_softmax", lambda o, a, b: F.softmax(a.masked_fill(b < 0.3, -math.inf), -1), [real(), fixed(0, 1)], PAIR,
         special=[(0, [[1, 2, 3], [1, math.inf, 3], [4, 5, 6]], [[1, 0, 1], [1, 0, 1], [0, 0, 0]])])
    case("causal_softmax", lambda o, a: F.softmax(
        a.masked_fill(torch.ones_like(a).tril(int(o)) == 0, -math.inf), -1), [real()], [[(1, 3, 4)], [(2, 5, 7)]], [0, 2])


def row_norms():
    scaled = [real(), real(0.5, 1.5), real()]
    with_columns = [[(3, 4), (4,), (4,)], [(5, 7), (7,), (7,)], [(0, 3), (3,), (3,)]]
    rms = lambda x, eps: x / ((x**2).mean(-1, True) + eps).sqrt()
    case("layer_norm", lambda o, a, b, c: F.layer_norm(a, a.shape[-1:], b, c, eps=o), scaled, with_columns, [1e-5, 0.1],
         [(1e-5, [[5, 5, 5], [1e8, 1e8, -1e8]], [1, 2, 3], [1, 1, 1]), (1e-5, [[5]], [2], [1])])
    case("layer_norm, axes", lambda o, a: F.layer_norm(a, a.shape[1:]), [real()], [[(2, 3, 2)], [(3, 4, 5)]])
    case("rms_norm", lambda o, a, b: rms(a, o) * b, scaled[:2], [s[:2] for s in with_columns], [1e-6, 0.1],
         [(1e-6, [[0, 0, 0]], [1, 2, 3])])
    case("add_layer_norm", lambda o, a, b, c, d: F.layer_norm(a + b, a.shape[-1:], c, d),
         [real(), real(), real(0.5, 1.5), real()], [[s[0]] + s for s in with_columns])
    case("add_rms_norm", lambda o, a, b: rms(a + b, o), [real(), real()], PAIR, [0.1])
    case("layer_norm_with_statistics, rstd", lambda o, a: 1 / (a.var(-1, unbiased=False, keepdim=True) + o).sqrt(), [real()], [[(3, 4)], [(5, 7)]], [0.1])


def scalings():
    small = [[(3, 4)], [(5, 7)]]
    case("l2_normalize", lambda o, a: F.normalize(a, dim=-1), [real()], small, special=[(0, [[0, 0], [3, 4]])])
    case("cosine_similarity", lambda o, a, b: F.cosine_similarity(a, b, dim=-1), [real(), real()], PAIR,
         special=[(0, [[0, 0, 0], [1, 2, 3], [0, 0, 0]], [[1, 2, 3], [1, 2, 3], [0, 0, 0]])])
    case("standardize", lambda o, a: (a - a.mean(-1, True)) / a.std(-1, keepdim=True, unbiased=True), [real()], small)
    case("minmax_scale", lambda o, a: (a - a.amin(0, True)) / (a.amax(0, True) - a.amin(0, True)) * (o - 0.5) + 0.5,
         [real()], small, [1.5, 3], [(1.5, [[1, 3], [2, 3], [1, 4]])])
    case("clip_grad_norm", lambda o, a: a * torch.clamp(o / (a.norm() + 1e-6), max=1.0), [real()], small, [100, 0.5], [(1, [[0, 0, 0]])])


def channel_norms():
    scaled = [real(), real(0.5, 1.5), real()]
    channels = [[(2, 3, 2), (3,), (3,)], [(3, 4, 5), (4,), (4,)]]
    case("batch_norm", lambda o, a, b, c, d, e: (a - columns(b, a)) / (columns(c, a) + o).sqrt() * columns(d, a) + columns(e, a),
         [real(), real(), real(0.3, 2), real(0.5, 1.5), real()], [s + s[1:] for s in channels], [1e-5, 0.1])
    case("batch_norm_training", lambda o, a, b, c: F.batch_norm(a, None, None, b, c, training=True, eps=o), scaled, channels,
         [1e-5, 0.1], [(1e-5, [[[1, 1], [1, 2]], [[1, 1], [3, 4]]], [1, 2], [0, 1])])
    case("batch_norm_training, running_var", lambda o, a, b: (1 - o) * b + o * a.var((0, 2), unbiased=True), [real(), fixed(0.5, 1.5)],
         [s[:2] for s in channels], [0.3])
    case("instance_norm", lambda o, a, b, c: F.instance_norm(a, weight=b, bias=c, eps=o), scaled, channels, [1e-5])


def group_norms():
    scaled = [real(), real(0.5, 1.5), real()]
    groups = [[(2, 4, 3), (4,), (4,)], [(3, 6, 5), (6,), (6,)]]
    case("group_norm", lambda o, a, b, c: F.group_norm(a, 2, b, c, eps=o).unflatten(1, (2, -1)), scaled, groups, [1e-5, 0.1])
    case("group_norm, groups", lambda o, a: F.group_norm(a.flatten(1, 2), a.shape[1]).reshape(a.shape), [real()],
         [[(2, 2, 2, 3)], [(3, 2, 3, 5)]])


def class_losses():
    matrix = [[(4, 3), (4,)], [(7, 5), (7,)]]
    deep = [[(2, 3, 2), (2, 2)], [(2, 5, 4), (2, 4)]]
    ignored = lambda n: Operand("ignored", n)
    weighted = [[m[0], m[1], (m[0][1],)] for m in matrix]
    deep_weighted = [[m[0], m[1], (m[0][1],)] for m in deep]
    weight = real(0.2, 2)

    def nll(x, t, w=None):
        """PyTorch refuses gradients with respect to the weight."""
        kept = (t != -100).to(torch.float64)
        at = t.clamp(min=0)
        w = torch.ones(x.shape[1], dtype=torch.float64) if w is None else w
        scale = kept * w[at]
        return -x.gather(1, at.unsqueeze(1)).squeeze(1) * scale, scale, kept

    def ce(x, t, w=None, part=0.0):
        each, scale, kept = nll(F.log_softmax(x, 1), t, w)
        columns_ = 1 if w is None else columns(w, x)
        even = -(F.log_softmax(x, 1) * columns_).mean(1) * kept
        return each * (1 - part) + even * part, scale, kept

    def mean(parts):
        return parts[0].sum() / parts[1].sum()

    def z(x, kept):
        return torch.logsumexp(x, 1)**2 * kept

    def soft(x, p, w, part=0.0):
        p = p * (1 - part) + part / x.shape[1]  # for rows that sum up to 1, see below
        return -(F.log_softmax(x, 1) * p * columns(w, x)).sum(1)

    # The formulas above are PyTorch's.
    x, t, w = real().made(1, (7, 5)), ignored(5).made(2, (7,)), weight.made(3, (5,)).detach()
    for part in (0.0, 0.3):
        assert torch.allclose(mean(ce(x, t, w, part)), F.cross_entropy(x, t, w, label_smoothing=part))
        assert torch.allclose(ce(x, t, w, part)[0], F.cross_entropy(x, t, w, label_smoothing=part, reduction="none"))
        p = torch.softmax(real().made(2, (7, 5)), 1)
        assert torch.allclose(soft(x, p, w, part).mean(), F.cross_entropy(x, p, w, label_smoothing=part))

    none = [-100, -100]
    two = [[1, 2, 3], [4, 5, 7]]
    print("# classes")
    for n, s in ((3, 0), (5, 1)):
        case("nll_loss", lambda o, a, b: nll(a, b)[0], [real(-4, 0), ignored(n)], [deep[s]])
        case("nll_loss, weight, mean", lambda o, a, b, c: mean(nll(a, b, c)), [real(-4, 0), ignored(n), weight],
             [weighted[s]])
        case("cross_entropy, mean", lambda o, a, b: F.cross_entropy(a, b), [real(), ignored(n)], [matrix[s]],
             special=[(0, two, none), (0, [[0, -math.inf], [0, -math.inf], [9e99, 0]], [0, 1, 1])])
        case("cross_entropy", lambda o, a, b: F.cross_entropy(a, b, reduction="none"), [real(), ignored(n)], [deep[s]])
        case("cross_entropy, weight, mean", lambda o, a, b, c: mean(ce(a, b, c)), [real(), ignored(n), weight],
             [weighted[s]])
    print("# smoothed_classes")
    for n, s in ((3, 0), (5, 1)):
        case("cross_entropy, weight, label_smoothing", lambda o, a, b, c: ce(a, b, c, o)[0],
             [real(), ignored(n), weight], [weighted[s]], [1, 0.3])
        case("cross_entropy, z_loss, sum", lambda o, a, b: (ce(a, b)[0] + o * z(a, ce(a, b)[2])).sum(),
             [real(), ignored(n)], [matrix[s]], [0.2], [(0.2, two, none)])
    case("cross_entropy, probabilities, mean", lambda o, a, b: -(F.log_softmax(a, 1) * b).sum(1).mean(),
         [real(), real(0, 1)], [[m[0], m[0]] for m in matrix])
    case("cross_entropy, probabilities, weight, label_smoothing", lambda o, a, b, c: soft(a, b, c, o),
         [real(), real(0, 1), weight], [[m[0], m[0], m[2]] for m in deep_weighted], [0.3])


def cosine_embedding(a, b, sign, margin):
    """F.cosine_embedding_loss, whose 1e-12 is a float."""
    c = (a * b).sum(-1) / (((a * a).sum(-1) + 1e-12) * ((b * b).sum(-1) + 1e-12)).sqrt()
    return torch.where(sign == 1, 1 - c, (c - margin).clamp(min=0))


def embeddings():
    signs = Operand("sign")
    case("cosine_embedding_loss", lambda o, a, b, c: cosine_embedding(a, b, c, o),
         [real(-1, 2), real(-1, 2), signs], [[(3, 4), (3, 4), (3,)], [(5, 7), (5, 7), (5,)]], [0, 0.2],
         [(0, [[0, 0], [1, 2], [0, 0], [1, 0]], [[1, 2], [1, 2], [0, 0], [0, 1]], [-1, 1, 1, -1])])
    case("triplet_margin_loss", lambda o, a, b, c: F.triplet_margin_loss(a, b, c, margin=o, reduction="none"),
         [real(), real(), real()], TRIPLE, [1, 3], [(1, [[1, 2, 3]], [[1, 2, 3]], [[1, 2, 3]]), (0, [[1, 2, 3]], [[1, 2, 3]], [[1, 2, 3]])])
    case("triplet_margin_loss, p = 1, swap",
         lambda o, a, b, c: F.triplet_margin_loss(a, b, c, margin=o, p=1, swap=True, reduction="none"),
         [real(), real(), real()], TRIPLE, [5], [(1, [[1, 2, 3]], [[1, 2, 3]], [[1, 2, 3]])])
    case("triplet_margin_loss, p = 3",
         lambda o, a, b, c: F.triplet_margin_loss(a, b, c, margin=o, p=3, reduction="none"),
         [real(), real(), real()], TRIPLE, [3])


def statistics():
    def off(x, axis=-1):
        return x - x.mean(axis, True)

    case("covariance", lambda o, a, b: (off(a) * off(b)).sum(-1) / (a.shape[-1] - 1), [real(), real()], PAIR)
    case("correlation", lambda o, a, b: (off(a) * off(b)).sum(-1) / (off(a).norm(dim=-1) * off(b).norm(dim=-1)),
         [real(), real()], PAIR)
    one = [[(3, 4)], [(5, 7)]]
    case("skewness", lambda o, a: (off(a)**3).mean(-1) / (off(a)**2).mean(-1)**1.5, [real()], one)
    case("kurtosis", lambda o, a: (off(a, 0)**4).mean(0) / (off(a, 0)**2).mean(0)**2 - 3, [real()], one)


if __name__ == "__main__":
    for group in (differences, likelihoods, divergences, softmaxes, row_norms, scalings, channel_norms, group_norms,
                  embeddings, statistics):
        print("#", group.__name__)
        group()
    class_losses()
