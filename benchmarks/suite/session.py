# SPDX-License-Identifier: Apache-2.0
"""One run: builds, compiles the peers' kernels meanwhile, and measures case by case."""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import programs

PROGRAMS = "benchmarks/suite"


def has_gpu():
    try:
        return "GPU" in subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return False


def has_torch():
    try:
        import torch

        return torch.cuda.is_available()
    except ImportError:
        return False


def chosen(args):
    cases = programs.list_cases(args.build / PROGRAMS, args.seed or 1, 20)
    gpu = has_gpu() and not args.cpu
    return [c for c in cases if (c["where"] == "cpu" or gpu or args.list) and (c["quick"] or not args.quick) and
            re.search(args.filter, c["key"])]


def set_caches():
    """Kernels that torch.compile makes in one process are found by the next."""
    for name, folder in (("TORCHINDUCTOR_CACHE_DIR", "fuse_bench_inductor"), ("TRITON_CACHE_DIR", "fuse_bench_triton")):
        os.environ.setdefault(name, os.path.join(tempfile.gettempdir(), folder))
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")


def compile_shard(args):
    """A worker: every n-th case of the GPU."""
    set_caches()
    from . import torch_peers

    index, count = map(int, args.compile_shard.split("/"))
    cases = [c for c in chosen(args) if c["where"] == "gpu"]
    torch_peers.compile_only(cases[index::count], args.autotune)


def build(args, with_gpu, with_torch):
    """The C++ programs and, at the same time, the kernels of torch.compile, on all cores."""
    jobs = str(os.cpu_count() or 2)
    targets = ["bench_suite_host"] + (["bench_suite"] if with_gpu else [])
    command = ["cmake", "--build", str(args.build), "--parallel", jobs, "--target", *targets]
    print(f"Building {' and '.join(targets)}" + (" and torch.compile's kernels" if with_torch else ""), flush=True)
    workers = []
    if with_torch:
        count = max(1, (os.cpu_count() or 2) * 3 // 4)
        options = [f"--seed={args.seed}", f"--filter={args.filter}", f"--build={args.build}"]
        options += [o for o, given in (("--quick", args.quick), ("--autotune", args.autotune)) if given]
        workers = [subprocess.Popen([sys.executable, "-m", "suite", *options, "--compile-shard", f"{i}/{count}"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-8000:], done.stderr[-2000:])
        for w in workers:
            w.terminate()
        sys.exit("The suite does not build.")
    for w in workers:
        w.wait()


def progress(number, total, case, entries, bare):
    times = {e["library"]: e["us"] for e in entries if "us" in e}
    line = f"[{number}/{total}] {case['key']:<38}"
    if "fuse" in times:
        us = times.pop("fuse")
        line += f" fuse {us:9.2f} us"
        line += f" {100 * bare / us:5.1f} % of {case['roof']}" if bare else ""
        if times:
            best = min(times, key=times.get)
            line += f"  {best} {times[best]:.2f} ({us / times[best]:.2f})"
    else:
        line += " fuse was not timed"
    wrong = [e["library"] for e in entries if e.get("wrong")]
    print(line + (f"  WRONG: {', '.join(wrong)}" if wrong else ""), flush=True)


class Run:
    def __init__(self, args, gpu, torch):
        samples = args.samples or (7 if args.quick else 11)
        self.environment = {}
        self.programs = {"cpu": programs.Program(args.build / PROGRAMS / "host/bench_suite_host", samples)}
        self.environment["cpu"] = self.programs["cpu"].environment
        self.peers = {}
        try:
            from . import cpu_peers

            self.peers["cpu"] = cpu_peers.Peers(samples)
        except ImportError:
            print("No numpy here: the CPU is measured without the peers of Python.")
        if gpu:
            self.programs["gpu"] = programs.Program(args.build / PROGRAMS / "bench_suite", samples)
            self.environment["gpu"] = self.programs["gpu"].environment
        if torch:
            from . import torch_peers

            self.peers["gpu"] = torch_peers.Peers(samples, args.autotune)
        for where, peers in self.peers.items():
            self.environment[f"python_{where}"] = peers.environment()

    def measure(self, case):
        answer = self.programs[case["where"]].measure(case["key"])
        entries = answer.pop("entries", [])
        peers = self.peers.get(case["where"])
        if peers and "failed" not in answer:
            entries += peers.measure(case, answer["sets"]) if case["where"] == "gpu" else peers.measure(case)
        answer["entries"] = entries
        return answer


def result_path(args, environment):
    if args.out:
        return args.out
    words = environment.get("gpu", {}).get("gpu", "cpu").lower().replace("nvidia ", "").split()
    kind = "-suite-quick" if args.quick else "-suite"
    folder = Path(__file__).resolve().parents[1] / "results"
    return folder / f"{words[0]}-{datetime.date.today().isoformat()}{kind}{'-part' if args.filter else ''}.json"


def run(args):
    if args.seed is None:
        args.seed = int(time.time()) % 1000000
    print(f"Shapes are drawn from --seed {args.seed}.", flush=True)
    set_caches()
    cases = chosen(args)
    gpu = any(c["where"] == "gpu" for c in cases)
    torch = gpu and not args.no_torch and has_torch()
    if not gpu and not args.cpu:
        print("No GPU, or no case for it: the cases of the CPU only.")
    elif gpu and not args.no_torch and not torch:
        print("No torch with CUDA in this Python: without torch eager, torch.compile, Liger and QuACK.")
    build(args, gpu, torch)
    print(f"Ready after {time.time() - args.started:.0f} s; {len(cases)} cases", flush=True)
    session = Run(args, gpu, torch)
    data = {"date": datetime.date.today().isoformat(), "quick": args.quick, "filter": args.filter, "seed": args.seed,
            "environment": session.environment, "cases": [], "skipped": []}
    path = result_path(args, session.environment)
    path.parent.mkdir(parents=True, exist_ok=True)
    for number, case in enumerate(cases, 1):
        if time.time() - args.started > 60 * args.minutes:
            data["skipped"].append(case["key"])
            continue
        begin = time.time()
        answer = session.measure(case)
        answer["seconds"] = time.time() - begin
        data["cases"].append(described(case) | answer)
        progress(number, len(cases), case, answer["entries"], answer.get("bare_us"))
        if number % 10 == 0:
            write(path, data)
    write(path, data)
    print(f"Done after {time.time() - args.started:.0f} s: {path}" +
          (f"; {len(data['skipped'])} cases were not run" if data["skipped"] else ""))
    return path


def described(case):
    """What the report says of a case."""
    return {k: v for k, v in case.items() if k not in ("inputs", "outputs", "quick")}


def rounded(value):
    return float(f"{value:.5g}") if isinstance(value, float) else value


def write(path, data):
    """A case a line, so that two runs can be compared with diff."""
    lines = []
    for case in data["cases"]:
        entries = [{k: rounded(v) for k, v in e.items()} for e in case["entries"]]
        lines.append("    " + json.dumps({k: rounded(v) for k, v in case.items()} | {"entries": entries}))
    head = json.dumps({k: v for k, v in data.items() if k != "cases"}, indent=2)[:-2]
    path.write_text(head + ',\n  "cases": [\n' + ",\n".join(lines) + "\n  ]\n}\n", encoding="utf-8")
