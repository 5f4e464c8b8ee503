# SPDX-License-Identifier: Apache-2.0
"""A fused kernel as a PyTorch op: torch.ops.fuse.add_rms_norm. Run as a program, it is compared with PyTorch's own."""
import fused_ops
import torch
from torch import Tensor


@torch.library.custom_op("fuse::add_rms_norm", mutates_args=())
def add_rms_norm(x: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
    """rms_norm(x + residual) * weight along the last axis of float32 matrices, in one kernel."""
    out = torch.empty_like(x)
    stream = torch.cuda.current_stream().cuda_stream if x.is_cuda else 0
    fused_ops.add_rms_norm(x.detach(), residual.detach(), weight.detach(), out, stream)
    return out


@add_rms_norm.register_fake
def _(x, residual, weight):
    return torch.empty_like(x)


def check(device: str) -> None:
    x, residual = torch.randn(2, 300, 1000, device=device)
    weight = torch.randn(1000, device=device)
    for a, b in ((x, residual), (x.T.contiguous().T, residual), (x[::2], residual[1::2])):
        got = torch.ops.fuse.add_rms_norm(a, b, weight)
        want = torch.nn.functional.rms_norm(a.double() + b.double(), (1000,), weight.double(), eps=2**-23)
        worst = (got - want).abs().max().item()
        print(f"{device}: largest difference from PyTorch in float64: {worst:.2g}")
        assert worst < 1e-5
    try:
        add_rms_norm(x.double(), residual, weight)
    except RuntimeError as error:
        print("refused:", error)
    else:
        raise AssertionError("a matrix of doubles was taken")


if __name__ == "__main__":
    for device in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
        check(device)
