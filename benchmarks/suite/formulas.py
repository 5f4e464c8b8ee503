# SPDX-License-Identifier: Apache-2.0
"""The problems as PyTorch formulas. `math` is the plain formula, of inputs in any floating type: in float64 it is the
reference of all Python peers, in float32 what torch.compile gets, as fuse keeps 16-bit data in float as well. `eager`
is the fastest that torch offers without compiling; None where it has nothing. Arguments are the inputs of the case in
the order in which bench_list prints them."""
import torch
import torch.nn.functional as F

aten = torch.ops.aten


class Formula:
    def __init__(self, math, eager=None, has_eager=True, compiles=True, capturable=True):
        self.math = math
        self.eager = (eager or math) if has_eager else None
        self.compiles, self.capturable = compiles, capturable


def statistics(x):
    return x.sum(), x.square().sum(), x.min(), x.max(), x.abs().max()


def mean_and_var(x, axes):
    var, mean = torch.var_mean(x, axes, correction=0)
    return mean, var


def transposed(x):
    y = torch.empty(x.shape[1], x.shape[0], dtype=x.dtype, device=x.device)
    return torch.mul(x.t(), 2.5, out=y)


def masked_softmax(x, mask):
    return F.softmax(torch.where(mask, x * 0.125, -float("inf")), -1)


def softmax_backward(p, g):
    return p * (g - (g * p).sum(-1, keepdim=True))


def layer_norm(x, w, b):
    return F.layer_norm(x, x.shape[-1:], w, b, 1e-5)


def rms_norm(x, w):
    return F.rms_norm(x, x.shape[-1:], w, 1e-6)


def add_rms_norm(x, r, w):
    h = x + r
    return rms_norm(h, w), h


def layer_norm_backward(dy, x, w, rstd, mean):
    g, xhat = dy * w, (x - mean) * rstd
    return rstd * (g - g.mean(-1, keepdim=True) - xhat * (g * xhat).mean(-1, keepdim=True))


def rms_norm_backward(dy, x, w, rstd):
    g, xhat = dy * w, x * rstd
    return rstd * (g - xhat * (g * xhat).mean(-1, keepdim=True))


def kl_rows(a, b, reduction="batchmean"):
    # The gradient is a difference of probabilities, which logarithms in bf16 have none of.
    wide = torch.float32 if a.dtype == torch.bfloat16 else None
    student, teacher = F.log_softmax(a, -1, dtype=wide), F.log_softmax(b, -1, dtype=wide)
    return F.kl_div(student, teacher, reduction=reduction, log_target=True)


def label_smoothing(x, t):
    return F.cross_entropy(x, t, label_smoothing=0.1)


def distillation(a, b):
    student, teacher = F.log_softmax(a / 2, -1), F.log_softmax(b / 2, -1)
    return 4 * F.kl_div(student, teacher, reduction="batchmean", log_target=True)


def focal_loss(x, t):
    p, each = torch.sigmoid(x), F.binary_cross_entropy_with_logits(x, t, reduction="none")
    p_t = p * t + (1 - p) * (1 - t)
    return ((0.25 * t + 0.75 * (1 - t)) * each * (1 - p_t) ** 2).mean()


def causal_softmax(x):
    below = torch.ones(x.shape[1:], dtype=torch.bool, device=x.device).tril()
    return F.softmax(torch.where(below, x, -float("inf")), -1)


def laplacian(x):
    around = x.roll(1, 0) + x.roll(-1, 0) + x.roll(1, 1) + x.roll(-1, 1)
    return x + 0.1 * (around - 4 * x)


def pair_sums(x, y):
    return torch.exp(-(x[:, None].float() - y.float()).square()).sum(1)


def standardize(x):
    var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return (x - mean) * var.rsqrt()


def minmax_scale(x):
    low, high = torch.aminmax(x, dim=-1, keepdim=True)
    return (x - low) / (high - low)


def add_layer_norm(x, r, w, b):
    h = x + r
    return layer_norm(h, w, b), h


def batch_norm(x, w, b):
    return F.batch_norm(x, None, None, w, b, training=True)


def batch_norm_training(x, w, b):
    var, mean = torch.var_mean(x, (0, 2, 3), correction=0, keepdim=True)
    rstd = torch.rsqrt(var + 1e-5)
    return (x - mean) * rstd * w.view(1, -1, 1, 1) + b.view(1, -1, 1, 1), mean.flatten(), rstd.flatten()


def clip_grad_norm(x):
    return x * torch.clamp(1 / (torch.linalg.vector_norm(x) + 1e-6), max=1)


def adamw(x, g, m, v):
    """The tenth step with torch.optim's defaults, in the type of the moments."""
    g, m = g.to(m.dtype), m.lerp(g.to(m.dtype), 0.1)
    v = v.lerp(g * g, 0.001)
    root = (v / (1 - 0.999 ** 10)).sqrt() + 1e-8
    return x * (1 - 1e-5) - 1e-3 / (1 - 0.9 ** 10) * m / root, m, v


def derived(forward, of, loss=False):
    """The derivatives of forward(*inputs) with respect to the inputs numbered `of`: behind the loss itself, or of what
    is not one with the last input for dy. Eager PyTorch records its graph, the compiler sees torch.func's."""

    def math(*inputs):
        operands = inputs if loss else inputs[:-1]

        def at(*chosen):
            given = dict(zip(of, chosen))
            return forward(*(given.get(i, t) for i, t in enumerate(operands)))

        value, pull = torch.func.vjp(at, *(operands[i] for i in of))
        return (value, *pull(torch.ones_like(value))) if loss else pull(inputs[-1])

    def eager(*inputs):
        with torch.enable_grad():
            operands = list(inputs if loss else inputs[:-1])
            for i in of:
                operands[i] = operands[i].detach().requires_grad_()
            value = forward(*operands)
            slopes = torch.autograd.grad(value, [operands[i] for i in of], None if loss else inputs[-1])
        return (value.detach(), *slopes) if loss else slopes

    return Formula(math, eager)


def discounted(x):
    """No formula of torch; as a reference it is computed in blocks, within which powers of the factor are harmless."""
    factor = float(torch.tensor(0.9, dtype=torch.float32))
    block = 256
    n = x.numel()
    rows = F.pad(x.double(), (0, -n % block)).view(-1, block)
    powers = factor ** torch.arange(block, dtype=torch.float64, device=x.device)
    inside = (rows / powers).cumsum(1) * powers
    # What a block inherits fades to nothing within one: 0.9^256 is 2e-12.
    carry = F.pad(inside[:-1, -1], (1, 0))[:, None] * powers * factor
    return (inside + carry).view(-1)[:n]


FORMULAS = {
    "sum": Formula(lambda x: x.sum()),
    "mse": Formula(lambda a, b: F.mse_loss(a, b)),
    "mse_unaligned": Formula(lambda a, b: F.mse_loss(a, b)),
    "mse_small": Formula(lambda a, b: F.mse_loss(a, b)),
    "mse_value": Formula(lambda a, b: F.mse_loss(a, b)),
    "statistics": Formula(statistics),
    "cosine": Formula(lambda a, b: F.cosine_similarity(a, b, 0)),
    "norm": Formula(lambda x: torch.linalg.vector_norm(x)),
    "argmax": Formula(lambda x: x.argmax()),
    "axpby": Formula(lambda a, b: 0.5 * a + 2 * b),
    "gelu_chain": Formula(lambda a, b, c: F.gelu(a * b + c), lambda a, b, c: F.gelu(torch.addcmul(c, a, b))),
    "transpose": Formula(lambda x: (x.t() * 2.5).contiguous(), transposed),
    "bias_relu": Formula(lambda x, b: F.relu(x + b)),
    "batch_norm_inference": Formula(lambda x, mean, var, w, b: F.relu(F.batch_norm(x, mean, var, w, b))),
    "scaled_error": Formula(lambda x, w, t: (x * w[:, None, None] - t).square().mean()),
    "laplacian": Formula(laplacian),
    "lower_triangle": Formula(torch.tril),
    "pair_sums": Formula(pair_sums),
    "to_nhwc": Formula(lambda x: x.permute(0, 2, 3, 1).contiguous()),
    "row_sum": Formula(lambda x: x.sum(1)),
    "row_argmax": Formula(lambda x: x.argmax(1)),
    "column_sum": Formula(lambda x: x.sum(0)),
    "middle_sum": Formula(lambda x: x.sum(1)),
    "statistics_nhwc": Formula(lambda x: mean_and_var(x, 0)),
    "statistics_nchw": Formula(lambda x: mean_and_var(x, (0, 2, 3))),
    "softmax": Formula(lambda x: F.softmax(x, -1)),
    "log_softmax": Formula(lambda x: F.log_softmax(x, -1)),
    "masked_softmax": Formula(masked_softmax),
    "scaled_softmax": Formula(lambda x, k: F.softmax(x.float() * k, -1).to(x.dtype)),
    "softmax_middle": Formula(lambda x: F.softmax(x, 1)),
    "softmax_backward": Formula(softmax_backward, lambda p, g: aten._softmax_backward_data(g, p, -1, p.dtype)),
    "layer_norm": Formula(layer_norm),
    "rms_norm": Formula(rms_norm),
    "add_rms_norm": Formula(add_rms_norm),
    "layer_norm_backward": Formula(
        layer_norm_backward,
        lambda dy, x, w, rstd, mean: aten.native_layer_norm_backward(dy, x, [x.shape[1]], mean, rstd, w, w,
                                                                     [True, False, False])[0]),
    "rms_norm_backward": Formula(
        rms_norm_backward,
        lambda dy, x, w, rstd: aten._fused_rms_norm_backward(dy, x, [x.shape[1]], rstd, w, [True, False])[0]),
    "cross_entropy": Formula(lambda x, t: F.cross_entropy(x, t)),
    "kl_rows": Formula(kl_rows),
    "mse_rows": Formula(lambda a, b: (a - b).square().mean(1).mean()),
    "cosine_rows": Formula(lambda a, b: (1 - F.cosine_similarity(a, b, 1)).mean()),
    "softmax_vjp": derived(lambda x: F.softmax(x, -1), [0]),
    "log_softmax_vjp": derived(lambda x: F.log_softmax(x, -1), [0]),
    "layer_norm_vjp": derived(layer_norm, [0]),
    "rms_norm_vjp": derived(rms_norm, [0]),
    "layer_norm_gradients": derived(layer_norm, [0, 1, 2]),
    "rms_norm_gradients": derived(rms_norm, [0, 1]),
    "cross_entropy_gradient": derived(lambda x, t: F.cross_entropy(x, t), [0], loss=True),
    "squared_error_gradient": derived(lambda a, b: F.mse_loss(a, b, reduction="sum"), [0], loss=True),
    "kl_gradient": derived(lambda a, b: kl_rows(a, b, "sum"), [0], loss=True),
    "cosine_gradient": derived(lambda a, b: (1 - F.cosine_similarity(a, b, 1)).sum(), [0], loss=True),
    "batch_norm_gradients": derived(batch_norm, [0, 1, 2]),
    "batch_norm_training": Formula(batch_norm_training, lambda x, w, b: aten.native_batch_norm(
        x, w, b, None, None, True, 0.1, 1e-5)),
    "group_norm": Formula(lambda x, w, b: F.group_norm(x, 32, w, b)),
    "instance_norm": Formula(lambda x, w, b: F.instance_norm(x, None, None, w, b)),
    "standardize": Formula(standardize),
    "minmax_scale": Formula(minmax_scale),
    "l2_normalize": Formula(lambda x: F.normalize(x, dim=-1)),
    "add_layer_norm": Formula(add_layer_norm),
    "causal_softmax": Formula(causal_softmax),
    "bce_with_logits": Formula(lambda x, t: F.binary_cross_entropy_with_logits(x, t)),
    "focal_loss": Formula(focal_loss),
    "smooth_l1_loss": Formula(lambda x, t: F.smooth_l1_loss(x, t)),
    "poisson_nll_loss": Formula(lambda x, t: F.poisson_nll_loss(x, t)),
    "label_smoothing": Formula(label_smoothing),
    "triplet_margin": Formula(lambda a, p, n: F.triplet_margin_loss(a, p, n)),
    "distillation": Formula(distillation),
    "clip_grad_norm": Formula(clip_grad_norm),
    "adamw": Formula(adamw),
    "cumsum": Formula(lambda x: x.cumsum(0)),
    "cumsum_unaligned": Formula(lambda x: x.cumsum(0)),
    "row_cumsum": Formula(lambda x: x.cumsum(1)),
    "column_cumsum": Formula(lambda x: x.cumsum(0)),
    "discounted_cumsum": Formula(discounted, has_eager=False, compiles=False),
    "row_sort": Formula(lambda x: x.sort(1).values),
    "exp": Formula(torch.exp),
    "log": Formula(torch.log),
    "tanh": Formula(torch.tanh),
    "erf": Formula(torch.erf),
    "sin": Formula(torch.sin),
    "cos": Formula(torch.cos),
    "pow": Formula(lambda x: x.pow(2.5)),
    "compact": Formula(lambda x: x[x > 0.25], compiles=False, capturable=False),
}
