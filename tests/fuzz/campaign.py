# SPDX-License-Identifier: Apache-2.0
"""A run of many programs: batches on all cores, counted, and what is wrong shrunk and printed."""
import concurrent.futures
import tempfile
import time
from collections import Counter
from pathlib import Path

from . import cpp
from .draw import draw_program
from .run import Outcome, run_batch
from .shrink import shrink


def draw(drawing, seed, number, most):
    """The program, or the outcome that says why it could not be drawn: a defect of the fuzzer itself."""
    try:
        return drawing(seed, number, most)
    except Exception as e:  # noqa: BLE001 - whatever it is, it must not stop the run
        return Outcome("fuzzer", f"seed {seed}, program {number} cannot be drawn: {type(e).__name__}: {e}")


def run_numbers(seed, numbers, tool, most, keep=None, drawing=draw_program):
    """Draws, compiles and runs programs; a list of (number, program, outcome)."""
    drawn = [(n, draw(drawing, seed, n, most)) for n in numbers]
    programs = [(n, p) for n, p in drawn if not isinstance(p, Outcome)]
    name = f"seed{seed}_{numbers[0]}"
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(keep) if keep else Path(scratch)
        directory.mkdir(parents=True, exist_ok=True)
        outcomes = run_batch([p for _, p in programs], tool, directory, name) if programs else []
    results = [(n, p.family, o) for (n, p), o in zip(programs, outcomes)]
    return results + [(n, "", p) for n, p in drawn if isinstance(p, Outcome)]


class Report:
    """What a run found."""

    def __init__(self):
        self.programs = self.compared = self.skipped = 0
        self.refused, self.families, self.wrong = Counter(), Counter(), []

    def add(self, number, family, outcome):
        self.programs += 1
        self.families[family] += 1
        self.compared += outcome.compared
        self.skipped += outcome.skipped
        if outcome.kind == "refused":
            self.refused[outcome.detail] += 1
        elif outcome.wrong:
            self.wrong.append((number, outcome))

    def lines(self):
        for sentence, count in self.refused.most_common():
            yield f"  refused {count}: {sentence}"
        yield f"  not compared: {self.skipped:,} elements, which rounding may decide either way"
        yield (f"fuzz: {self.programs:,} programs, {self.compared:,} elements compared, "
               f"{sum(self.refused.values()):,} refused, {len(self.wrong):,} wrong")


def run_campaign(seed, tool, minutes=None, programs=None, first=0, jobs=2, batch=16, most=40000, keep=None, shrunk=5,
                 drawing=draw_program, say=print):
    """Runs programs first, first + 1, ... of the seed until the time or the number is over. drawing: which programs."""
    report, started = Report(), time.monotonic()
    end = None if programs is None else first + programs
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        waiting, following = {}, first

        def more():
            nonlocal following
            late = minutes is not None and time.monotonic() - started > 60 * minutes
            if late or (end is not None and following >= end):
                return
            numbers = list(range(following, following + batch if end is None else min(following + batch, end)))
            following = numbers[-1] + 1
            waiting[pool.submit(run_numbers, seed, numbers, tool, most, keep, drawing)] = numbers

        for _ in range(jobs + 1):
            more()
        while waiting:
            done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                waiting.pop(future)
                for number, family, outcome in future.result():
                    report.add(number, family, outcome)
                    if outcome.wrong:
                        say(f"seed {seed}, program {number} ({family}): {outcome.kind}: {outcome.detail}", flush=True)
                more()
        late = None if minutes is None else started + 60 * minutes + 300
        for number, outcome in report.wrong[:shrunk]:
            if outcome.kind == "fuzzer" or (late and time.monotonic() > late):
                continue
            try:
                small, how = shrink(drawing(seed, number, most), outcome, tool)
            except Exception as e:  # noqa: BLE001 - the report must come
                say(f"seed {seed}, program {number} cannot be made smaller: {type(e).__name__}: {e}")
                continue
            say(f"\n--- seed {seed}, program {number}, made smaller: {how.kind}: {how.detail}")
            say("\n".join("    " + line for line in cpp.readable(small)), flush=True)
    for line in report.lines():
        say(line)
    return report
