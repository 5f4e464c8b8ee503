# SPDX-License-Identifier: Apache-2.0
"""A fused kernel for arrays with a dictionary, compared with NumPy's formula, and, where PyTorch is, as its op
torch.ops.fuse.softmax."""
import array_interface_ops
import numpy as np


def check_numpy() -> None:
    x = np.random.default_rng(7).standard_normal((300, 1000), dtype=np.float32)
    x.flags.writeable = False
    for a in (x, x[::2, ::-3], np.asfortranarray(x)):
        out = np.empty(a.shape, np.float32)
        array_interface_ops.softmax(a, out, 0)
        e = np.exp(a.astype(np.float64) - a.max(1, keepdims=True))
        worst = np.abs(out - e / e.sum(1, keepdims=True)).max()
        print(f"numpy: largest difference from float64: {worst:.2g}")
        assert worst < 1e-6
    for wrong, why in ((x.astype(np.float64), "float64"), (x.astype(">f4"), "another byte order"), (x[0], "a vector")):
        try:
            array_interface_ops.softmax(wrong, np.empty((300, 1000), np.float32), 0)
        except RuntimeError as error:
            print("refused:", error)
        else:
            raise AssertionError(f"{why} was taken")
    try:
        array_interface_ops.softmax(x, x, 0)
    except RuntimeError as error:
        print("refused:", error)
    else:
        raise AssertionError("a read-only output was taken")


def check_torch(torch, device: str) -> None:
    @torch.library.custom_op("fuse::softmax", mutates_args=())
    def softmax(x: torch.Tensor) -> torch.Tensor:
        """softmax of the rows of a float32 matrix, in one kernel."""
        out = torch.empty_like(x)
        if x.is_cuda:
            array_interface_ops.softmax(x.detach(), out, torch.cuda.current_stream().cuda_stream)
        else:
            array_interface_ops.softmax(x.detach().numpy(), out.numpy(), 0)
        return out

    softmax.register_fake(torch.empty_like)
    x = torch.randn(300, 1000, device=device)
    for a in (x, x.T.contiguous().T, x[::2]):
        worst = (torch.ops.fuse.softmax(a) - a.double().softmax(1)).abs().max().item()
        print(f"{device}: largest difference from PyTorch in float64: {worst:.2g}")
        assert worst < 1e-6


if __name__ == "__main__":
    check_numpy()
    try:
        import torch
    except ImportError:
        print("SKIPPED: no torch, so no op of PyTorch")
    else:
        check_torch(torch, "cuda" if torch.cuda.is_available() else "cpu")
