# SPDX-License-Identifier: Apache-2.0
"""scripts/bench --host: the cases of the CPU with several compilers and flags, on one core and on all. Each setting is
a program of its own, in which fuse and the C++ libraries take turns; numpy, which has the code of its wheel, follows
before the next setting."""
import datetime
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

from . import programs, session

ROOT = Path(__file__).resolve().parents[2]


def cpu_name():
    try:
        return re.search("^model name\\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)[1].strip()
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def first_line(command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")[0]


def usable_compilers(names):
    """Those that are here; of others the run says so."""
    found = {}
    for name in names:
        try:
            found[name] = first_line([name, "--version"])
        except FileNotFoundError:
            print(f"No {name} here.")
    return found


def run_or_end(command, log):
    with open(log, "w", encoding="utf-8") as f:
        if subprocess.run(command, stdout=f, stderr=subprocess.STDOUT, check=False).returncode != 0:
            print(log.read_text(encoding="utf-8")[-8000:])
            sys.exit(f"{' '.join(command)} failed.")


def build(args, compiler, flags):
    """The folder of the programs that one compiler makes with one set of flags."""
    folder = args.build.parent / ("bench-host-" + re.sub("[^a-z0-9]+", "-", f"{compiler}{flags}".lower()).strip("-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Building with {compiler} {flags}", flush=True)
    run_or_end(["cmake", "--preset", "release", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=None",
                f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={flags} -DNDEBUG", "-DFUSE_CUDA=OFF",
                "-DFUSE_BUILD_TESTS=OFF", "-DFUSE_BUILD_EXAMPLES=OFF", "-DFUSE_BUILD_BENCHMARKS=ON",
                "-DFUSE_WARNINGS_AS_ERRORS=OFF"],
               folder / "configure.log")
    for line in (folder / "configure.log").read_text(encoding="utf-8").splitlines():
        if "bench: " in line:
            print(line.split("bench: ")[1] + " here: left out")
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 2))
    run_or_end(["cmake", "--build", str(folder), "--parallel", jobs, "--target", "bench_list", "bench_suite_host"],
               folder / "build.log")
    return folder


class Setting:
    """One program on some of the cores."""

    def __init__(self, name, folder, cores, samples):
        self.name, self.cores = name, cores
        self.program = self.on_cores(
            lambda: programs.Program(folder / session.PROGRAMS / "host/bench_suite_host", samples,
                                     {"OMP_NUM_THREADS": str(len(cores))}))

    def on_cores(self, f):
        """With this process, and what it starts, on the cores of the setting: TBB and OpenMP count those."""
        if not hasattr(os, "sched_setaffinity"):
            return f()
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, self.cores)
        try:
            return f()
        finally:
            os.sched_setaffinity(0, before)

    def measure(self, case, peers):
        answer = self.program.measure(case["key"])
        if peers and "failed" not in answer:
            answer["entries"] += self.on_cores(lambda: peers.measure(case))
        answer.setdefault("entries", [])
        return session.described(case) | answer | {"setting": self.name}


def numbers_of_cores(text, cores):
    return sorted({len(cores) if word == "all" else min(int(word), len(cores)) for word in text.split(",")})


def settings(args, samples):
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    compilers = usable_compilers(args.compilers.split(","))
    found, folder = [], None
    for compiler in compilers:
        for flags in args.flags.split(","):
            folder = build(args, compiler, flags.strip())
            for count in numbers_of_cores(args.threads, cores):
                name = f"{compiler} {flags.strip()}, {count} core{'s' if count > 1 else ''}"
                found.append(Setting(name, folder, cores[:count], samples))
    if not found:
        sys.exit("No compiler.")
    return found, folder, {"cpu": cpu_name(), "cores": len(cores)} | compilers


def run(args):
    samples = args.samples or (7 if args.quick else 11)
    try:
        from . import cpu_peers

        peers = cpu_peers.Peers(samples)
    except ImportError:
        print("No numpy here: left out.")
        peers = None
    places, folder, environment = settings(args, samples)
    environment |= places[0].program.environment | (peers.environment() if peers else {})
    cases = [c for c in programs.list_cases(folder / session.PROGRAMS, 1, 0) if c["where"] == "cpu" and
             (c["quick"] or not args.quick) and re.search(args.filter, c["key"])]
    print(f"Ready after {time.time() - args.started:.0f} s; {len(cases)} cases, {len(places)} settings", flush=True)
    data = {"date": datetime.date.today().isoformat(), "quick": args.quick, "filter": args.filter, "seed": 1,
            "environment": {"host": environment}, "cases": [], "skipped": []}
    path = args.out or ROOT / "benchmarks/results" / f"host-{data['date']}{'-quick' if args.quick else ''}.json"
    for number, case in enumerate(cases, 1):
        for place in places:
            if time.time() - args.started > 60 * args.minutes:
                data["skipped"].append(f"{case['key']} ({place.name})")
                continue
            answer = place.measure(case, peers)
            data["cases"].append(answer)
            shown = {"key": f"{case['key']} {place.name}", "roof": case["roof"]}
            session.progress(number, len(cases), shown, answer["entries"], answer.get("bare_us"))
        session.write(path, data)
    print(f"Done after {time.time() - args.started:.0f} s: {path}" +
          (f"; {len(data['skipped'])} cases were not run" if data["skipped"] else ""))
    return path
