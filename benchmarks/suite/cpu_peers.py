# SPDX-License-Identifier: Apache-2.0
"""Peers of Python on the CPU: numpy, and torch where it is installed, on as many cores as they use by themselves. Timed
by the clock, in turns; checked against the same formula in float64."""
import time

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def layer_norm(x, w, b):
    mean = x.mean(1, keepdims=True)
    return (x - mean) / np.sqrt(np.square(x - mean).mean(1, keepdims=True) + 1e-5) * w + b


NUMPY = {
    "mse": lambda a, b: np.square(a - b).mean(),
    "sum": lambda x: x.sum(),
    "softmax": softmax,
    "layer_norm": layer_norm,
    "row_sum": lambda x: x.sum(1),
    "row_argmax": lambda x: x.argmax(1),
    "transpose": lambda x: np.multiply(x.T, 2.5, order="C", dtype=x.dtype),
    "column_sum": lambda x: x.sum(0),
}


def array(description, random):
    a = random.uniform(description["low"], description["high"], description["shape"])
    return a.astype(np.float32)


def numpy_error(case, got, wanted):
    return float((np.abs(np.asarray(got, np.float64) - wanted) / (np.abs(wanted) + case["scale"])).max())


def microseconds(run, count):
    begin = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - begin) * 1e6 / count


class Peers:
    def __init__(self, samples):
        self.samples = samples
        try:
            import torch

            torch.set_grad_enabled(False)
            self.torch = torch
        except ImportError:
            self.torch = None
            print("No torch here: numpy is the only peer of Python on the CPU.")

    def environment(self):
        return {"numpy": np.__version__} | ({"torch": self.torch.__version__} if self.torch else {})

    def contestants(self, case, arrays):
        """Library, what runs, and its result as an array of numpy."""
        problem = case["problem"]
        if problem in NUMPY:
            yield "numpy", lambda: NUMPY[problem](*arrays), np.asarray
        if self.torch:
            from .formulas import FORMULAS

            tensors = [self.torch.from_numpy(a) for a in arrays]
            yield "torch eager", lambda: FORMULAS[problem].eager(*tensors), lambda r: r.numpy()

    def measure(self, case):
        if case["type"] != "f32":
            return []
        random = np.random.default_rng(1)
        arrays = [array(a, random) for a in case["inputs"]]
        wide = [a.astype(np.float64) for a in arrays]
        entries, right = [], []
        for library, run, as_numpy in self.contestants(case, arrays):
            entry = {"library": library}
            entries.append(entry)
            if case["problem"] in NUMPY:
                entry["error"] = numpy_error(case, as_numpy(run()), NUMPY[case["problem"]](*wide))
            else:
                wanted = self.reference(case, wide)
                entry["error"] = numpy_error(case, as_numpy(run()), wanted)
            if not entry["error"] <= case["tolerance"]:
                entry["wrong"] = True
                continue
            right.append((run, entry, max(1, min(10000, int(2000 / max(0.1, microseconds(run, 1))))), []))
        for s in range(-1, self.samples):
            for run, _, count, us in right:
                taken = microseconds(run, count)
                if s >= 0:
                    us.append(taken)
        for _, entry, _, us in right:
            us.sort()
            entry.update(us=us[len(us) // 2], p10=us[len(us) // 10], p90=us[len(us) * 9 // 10], how="clock")
        return entries

    def reference(self, case, wide):
        from .formulas import FORMULAS

        return FORMULAS[case["problem"]].math(*[self.torch.from_numpy(a) for a in wide]).numpy()
