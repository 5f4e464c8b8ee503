# SPDX-License-Identifier: Apache-2.0
"""What follows from a results file, and from nothing else: per case fuse's time, the best peer's, the roof's."""
import json
import math


def geometric_mean(values):
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def shape_text(shape):
    """Lengths of vectors are easier to read as powers: 268435456 is 2^28."""
    n = shape[0]
    if len(shape) == 1 and n >= 1 << 17 and n & (n - 1) == 0:
        return f"2^{n.bit_length() - 1}"
    return "x".join(map(str, shape))


class Row:
    """A case in which fuse was timed."""

    def __init__(self, case):
        self.case = case
        times = {e["library"]: e["us"] for e in case["entries"] if "us" in e}
        self.us = times.pop("fuse")
        self.peers = dict(sorted(times.items(), key=lambda item: item[1]))
        self.peer = next(iter(self.peers), None)
        self.ratio = self.us / self.peers[self.peer] if self.peer else math.nan
        bare = case.get("bare_us")
        self.percent = 100 * bare / self.us if bare else math.nan
        self.shape = shape_text(case["shape"])
        place = case.get("setting") or ("CPU" if case["where"] == "cpu" else "")
        self.name = case["problem"] + (f" ({place})" if place else "")

    def percent_of(self, us):
        return 100 * self.case["bare_us"] / us


class Results:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.data = json.load(f)
        self.path = path
        self.cases = self.data["cases"]
        self.rows = [Row(c) for c in self.cases if any(e["library"] == "fuse" and "us" in e for e in c["entries"])]

    def behind(self, margin=1.02):
        """The rows in which a peer is faster by more than 2 %, the worst first."""
        return sorted((r for r in self.rows if r.ratio > margin), key=lambda r: -r.ratio)

    def compared(self):
        return [r for r in self.rows if not math.isnan(r.ratio)]

    def mean_ratio(self):
        return geometric_mean(r.ratio for r in self.compared())

    def groups(self):
        """The classes of cases, in their order."""
        found = {}
        for r in self.rows:
            found.setdefault(r.case["group"] + (" on the CPU" if r.case["where"] == "cpu" else ""), []).append(r)
        return found

    def trouble(self):
        """Entries that were wrong or refused, and cases that failed: what was not timed, and why."""
        for case in self.cases:
            key = case["key"] + (f" ({case['setting']})" if "setting" in case else "")
            if "failed" in case:
                yield key, "the suite", case["failed"]
            for e in case["entries"]:
                if e.get("wrong"):
                    yield key, e["library"], f"wrong: error {e['error'] or math.inf:.1e}"
                elif "refused" in e:
                    yield key, e["library"], e["refused"]
