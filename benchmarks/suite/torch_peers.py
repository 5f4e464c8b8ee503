# SPDX-License-Identifier: Apache-2.0
"""Peers of Python on the GPU, with the protocol of contest.cu: inputs of their own in as many sets of buffers, each
result compared with float64 first, batches in turns, replayed from CUDA graphs, medians in microseconds."""
import math
import statistics
import time

import torch

from . import kernel_libraries, torch_data
from .formulas import FORMULAS

BATCH_US = 1000


class Contestant:
    def __init__(self, library, call, capturable=True):
        self.library, self.call, self.capturable = library, call, capturable
        self.graph, self.us, self.flushed = None, [], []


class Events:
    def __init__(self):
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def __call__(self, run):
        self.begin.record()
        run()
        self.end.record()
        self.end.synchronize()
        return self.begin.elapsed_time(self.end) * 1000


def capture(work):
    """As torch.cuda.graph, without its garbage collection, which takes longer than the timing."""
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    graph.capture_begin(capture_error_mode="thread_local")
    try:
        work()
    finally:
        graph.capture_end()
    return graph


def compiled(case, mode=None):
    """torch.compile of the formula in float32, its results in the types of the outputs."""
    formula = FORMULAS[case["problem"]]
    types = [torch_data.TYPES[a["type"]] for a in case["outputs"]]

    def call(*tensors):
        wide = torch_data.in_type(tensors, torch.float32) if case["type"] == "bf16" else tensors
        results = torch_data.as_list(formula.math(*wide))
        return [r if r.dtype == t or not r.is_floating_point() else r.to(t)
                for r, t in zip(results, types * len(results))]

    torch._dynamo.reset()
    return torch.compile(call, dynamic=False, fullgraph=True, **({"mode": mode} if mode else {}))


class Peers:
    def __init__(self, samples, autotune):
        torch.set_grad_enabled(False)
        self.samples, self.autotune = samples, autotune
        self.libraries = kernel_libraries.available()
        torch.cuda.set_stream(torch.cuda.Stream())  # graphs are captured on a stream that is not the default one
        self.junk = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")

    def environment(self):
        import triton

        versions = {"torch": torch.__version__, "triton": triton.__version__, "torch_cuda": torch.version.cuda}
        return versions | {name: version for name, (version, _) in self.libraries.items()}

    def contestants(self, case):
        problem = case["problem"]
        formula = FORMULAS[problem]
        if formula.eager:
            yield "torch eager", lambda: formula.eager, formula.capturable
        if formula.compiles:
            yield "torch.compile", lambda: compiled(case), True
            if self.autotune:
                yield "torch.compile, autotuned", lambda: compiled(case, "max-autotune-no-cudagraphs"), True
        for name, (_, calls) in self.libraries.items():
            if problem in calls:
                capturable = (name, problem) not in kernel_libraries.NOT_CAPTURABLE
                yield name, lambda call=calls[problem]: call, capturable

    def measure(self, case, sets):
        wall = case["clock"] == "wall"
        tensors = [torch_data.inputs(case, "cuda") for _ in range(sets)]
        wanted = FORMULAS[case["problem"]].math(*torch_data.in_type(tensors[0], torch.float64))
        entries, right = [], []
        for library, make, capturable in self.contestants(case):
            entry = {"library": library}
            entries.append(entry)
            try:
                call = make()
                got = call(*tensors[0])
                entry["error"] = torch_data.error(case, got, wanted, tensors[0])
                if not entry["error"] <= torch_data.tolerance(case, got):
                    entry["wrong"] = True
                    continue
                contestant = Contestant(library, call, capturable)
                if not wall:
                    self.warm_up(contestant, tensors)
                right.append((contestant, entry))
            except Exception as e:  # noqa: BLE001 - a peer that refuses a shape does not end the run
                entry["refused"] = f"{type(e).__name__}: {str(e)[:200]}"
                torch.cuda.synchronize()
        del wanted
        (self.by_clock if wall else self.by_events)([c for c, _ in right], tensors)
        for c, entry in right:
            c.us.sort()
            entry.update(us=statistics.median(c.us), p10=c.us[len(c.us) // 10], p90=c.us[len(c.us) * 9 // 10],
                         how="clock" if wall else "graph" if c.graph else "loop")
            if c.flushed:
                entry["flushed_us"] = statistics.median(c.flushed)
        right.clear()
        del tensors
        if torch.cuda.memory_reserved() > 24 << 30:
            torch.cuda.empty_cache()
        return entries

    def warm_up(self, c, tensors):
        """Decides how many launches make a batch, and captures it."""
        n, timer = len(tensors), Events()
        kept = [None] * n

        def launch(count):
            for i in range(count):
                kept[i % n] = c.call(*tensors[i % n])

        launch(min(n, 3))
        once = timer(lambda: launch(3)) / 3
        per = max(2, min(400, round(BATCH_US / max(once, 1))))
        c.per_batch = math.ceil(per / n) * n
        c.batch = lambda: launch(c.per_batch)
        if c.capturable:
            try:
                c.graph = capture(c.batch)
                c.batch = c.graph.replay
            except Exception as e:  # noqa: BLE001
                print(f"    {c.library} is not captured: {type(e).__name__} {str(e)[:80]}")
                torch.cuda.synchronize()

    def by_events(self, contestants, tensors):
        timer = Events()
        for s in range(-1, self.samples):
            for c in contestants:
                us = timer(c.batch) / c.per_batch
                self.junk.fill_(s & 0xff)
                flushed = timer(lambda: c.call(*tensors[0]))
                if s >= 0:
                    c.us.append(us)
                    c.flushed.append(flushed)

    def by_clock(self, contestants, tensors):
        """Until the number is on the host."""
        for s in range(-20, 20 * self.samples):
            for c in contestants:
                begin = time.perf_counter()
                for r in torch_data.as_list(c.call(*tensors[0])):
                    r.item()
                if s >= 0:
                    c.us.append((time.perf_counter() - begin) * 1e6)


def compile_only(cases, autotune):
    """Fills the caches of torch.compile, in a process of its own, several of which run side by side."""
    torch.set_grad_enabled(False)
    for case in cases:
        if not FORMULAS[case["problem"]].compiles:
            continue
        try:
            tensors = torch_data.inputs(case, "cuda")
            for mode in [None] + (["max-autotune-no-cudagraphs"] if autotune else []):
                compiled(case, mode)(*tensors)
            del tensors
            torch.cuda.empty_cache()
        except Exception as e:  # noqa: BLE001 - it fails again, and is reported, when it is measured
            print(f"{case['key']}: {type(e).__name__} {str(e)[:100]}")
