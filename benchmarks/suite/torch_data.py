# SPDX-License-Identifier: Apache-2.0
"""The inputs of a case as tensors, as bench_list describes them, and the comparison of results with float64."""
import torch

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f64": torch.float64, "i64": torch.int64, "bool": torch.bool}


def make(array, device):
    """A tensor with random items, as far off the alignment of its memory as the array says."""
    count, offset = 1, array["offset"]
    for extent in array["shape"]:
        count *= extent
    dtype = TYPES[array["type"]]
    memory = torch.empty(count + offset, dtype=dtype, device=device)
    if array["fill"] == "mask":
        memory.copy_(torch.rand(count + offset, device=device) < array["high"])
    elif array["fill"] == "targets":
        memory.random_(0, int(array["high"]))
        memory[torch.rand(count + offset, device=device) < array["low"]] = -100
    else:
        memory.uniform_(array["low"], array["high"])
    return memory[offset:].view(array["shape"])


def inputs(case, device):
    return [make(a, device) for a in case["inputs"]]


def in_type(tensors, dtype):
    return [t.to(dtype) if t.is_floating_point() else t for t in tensors]


def as_list(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def error(case, got, wanted, tensors):
    """The largest |got - wanted| / (|wanted| + scale); of places, whether an element as large is there."""
    worst = 0.0
    for g, w in zip(as_list(got), as_list(wanted), strict=True):
        g = torch.as_tensor(g, device=w.device)
        if g.shape != w.shape:
            return float("inf")
        if not w.is_floating_point():
            x = tensors[0] if w.dim() == 0 else tensors[0].flatten(0, -2)
            same = x[g] == x[w] if w.dim() == 0 else x.gather(1, g[:, None]) == x.gather(1, w[:, None])
            worst = max(worst, 0.0 if bool(same.all()) else float("inf"))
            continue
        g, w = g.double(), w.double()
        e = torch.where(g == w, 0.0, (g - w).abs() / (w.abs() + case["scale"]))
        worst = max(worst, float(e.nan_to_num(float("inf"), float("inf")).max()) if e.numel() else 0.0)
    return worst


def tolerance(case, results):
    """What the C++ programs allow; a result that a peer rounds to bf16 may have the error of that, a gradient that of two
    passes."""
    rounded = any(torch.is_tensor(r) and r.dtype == torch.bfloat16 for r in as_list(results))
    return max(case["tolerance"], 5e-2 if case["group"] == "Gradients" else 2e-2) if rounded else case["tolerance"]
