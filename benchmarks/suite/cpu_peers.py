# SPDX-License-Identifier: Apache-2.0
"""Peers of Python on the CPU: numpy, and torch where it is installed, on as many cores as they use by themselves. Timed
by the clock, in turns; checked against the same formula in float64."""
import time

import numpy as np

from .numpy_formulas import FORMULAS as NUMPY

TYPES = {"f32": np.float32, "i64": np.int64}


def array(description, random):
    """An input. Random numbers are drawn in float, as large ones in float64 would not fit beside each other."""
    low, high, shape = description["low"], description["high"], description["shape"]
    if description["fill"] == "targets":
        return np.where(random.random(shape) < low, -100, random.integers(0, int(high), shape))
    a = random.random(shape, np.float32)
    a *= np.float32(high - low)
    a += np.float32(low)
    return a


def widened(a):
    return a.astype(np.float64) if a.dtype == np.float32 else a


def numpy_error(case, got, wanted):
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.abs(np.asarray(got, np.float64) - wanted) / (np.abs(wanted) + case["scale"])
    return float(np.where(got == wanted, 0, error).max())


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
            output = case["outputs"][0]
            out = np.empty(output["shape"], TYPES[output["type"]])
            yield "numpy", lambda: NUMPY[problem](out, *arrays), lambda _: out
        if self.torch:
            from .formulas import FORMULAS

            tensors = [self.torch.from_numpy(a) for a in arrays]
            yield "torch eager", lambda: FORMULAS[problem].eager(*tensors), lambda r: r.numpy()

    def measure(self, case):
        if case["type"] != "f32":
            return []
        random = np.random.default_rng(1)
        arrays = [array(a, random) for a in case["inputs"]]
        wanted = self.reference(case, [widened(a) for a in arrays])
        entries, right = [], []
        for library, run, as_numpy in self.contestants(case, arrays):
            entry = {"library": library}
            entries.append(entry)
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
        if case["problem"] in NUMPY:
            output = case["outputs"][0]
            out = np.empty(output["shape"], np.int64 if output["type"] == "i64" else np.float64)
            NUMPY[case["problem"]](out, *wide)
            return out
        if self.torch:
            from .formulas import FORMULAS

            return FORMULAS[case["problem"]].math(*[self.torch.from_numpy(a) for a in wide]).numpy()
        return None
