# SPDX-License-Identifier: Apache-2.0
"""Liger and QuACK, where they can be imported: their forward and backward kernels by problem, called as directly as
they allow. Arguments as in formulas.py."""


def liger():
    import importlib.metadata

    import liger_kernel.ops.cross_entropy as cross_entropy
    import liger_kernel.ops.fused_add_rms_norm as fused_add
    import liger_kernel.ops.layer_norm as layer_norm
    import liger_kernel.ops.rms_norm as rms_norm
    import liger_kernel.ops.softmax as softmax

    def softmax_backward(p, g):
        block, warps = softmax.calculate_settings(p.shape[1])
        return softmax._softmax_backward(g, p, block, warps, False)

    def rms_backward(dy, x, w, rstd):
        block, warps = rms_norm.calculate_settings(x.shape[1])
        return rms_norm.rms_norm_backward(dy, x, w, rstd.view(-1), 0.0, 0, block, warps, False, None, needs_dw=False)[0]

    def layer_backward(dy, x, w, rstd, mean):
        return layer_norm.layer_norm_backward(dy, x, w, w, mean.view(-1), rstd.view(-1), False, False)[0]

    calls = {
        "softmax": lambda x: softmax._softmax_forward(x)[0],
        "softmax_backward": softmax_backward,
        "layer_norm": lambda x, w, b: layer_norm.layer_norm_forward(x, w, b, 1e-5)[0],
        "layer_norm_backward": layer_backward,
        "rms_norm": lambda x, w: rms_norm.rms_norm_forward(x, w, 1e-6, 0.0, "llama", None)[0],
        "rms_norm_backward": rms_backward,
        "add_rms_norm": lambda x, r, w: fused_add.fused_add_rms_norm_forward(x, r, w, 1e-6, 0.0, "llama")[:2],
        "cross_entropy": lambda x, t: cross_entropy.cross_entropy_forward(x, t, None, -100, 0.0, 0.0, "mean", None,
                                                                          False)[0],
    }
    return importlib.metadata.version("liger_kernel"), calls


def quack():
    import importlib.metadata

    from quack import cross_entropy, rmsnorm, softmax

    calls = {
        "softmax": lambda x: softmax(x),
        "rms_norm": lambda x, w: rmsnorm(x, w, eps=1e-6),
        "cross_entropy": lambda x, t: cross_entropy(x, t, ignore_index=-100, reduction="mean"),
    }
    return importlib.metadata.version("quack-kernels"), calls


def available():
    """{name: (version, {problem: call})} of what is installed."""
    found = {}
    for name, load in (("Liger", liger), ("QuACK", quack)):
        try:
            found[name] = load()
        except Exception as e:  # noqa: BLE001 - whatever keeps a peer from loading, the others run
            print(f"No {name}: {type(e).__name__}: {str(e)[:100]}")
    return found


# Those that wait for the GPU inside, so that no graph can be made of them.
NOT_CAPTURABLE = {("Liger", "cross_entropy")}
