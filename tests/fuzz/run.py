# SPDX-License-Identifier: Apache-2.0
"""Compiles a batch of programs as one file, runs it, and compares what it leaves in memory with what numpy says."""
import re
import shlex
import struct
import subprocess
from pathlib import Path

import numpy as np

from . import cpp, refusals
from . import dtypes as ty
from .folds import NoIdentity

ROOT = Path(__file__).resolve().parents[2]
SANITIZE = ["-g1", "-fsanitize=address,undefined", "-fno-sanitize=null,object-size,vptr", "-fno-sanitize-recover=all",
            "-fno-omit-frame-pointer"]


class Toolchain:
    """How programs are compiled and started."""

    def __init__(self, target="host", compiler=None, sanitize=False, arch="native", flags="", seconds=300):
        self.target, self.sanitize, self.arch, self.seconds = target, sanitize, arch, seconds
        self.compiler = compiler or ("nvcc" if target == "cuda" else "g++")
        self.flags = shlex.split(flags)
        self.suffix = ".cu" if target == "cuda" else ".cpp"

    def command(self, source, binary):
        c = [self.compiler, "-std=c++20", "-O1", f"-I{ROOT / 'include'}", f"-I{ROOT / 'tests'}"]
        if self.target == "cuda":
            c += [f"-arch={self.arch}", "--extended-lambda", "--expt-relaxed-constexpr", "-w"]
        else:
            c += ["-w"] + (SANITIZE if self.sanitize else [])
        if self.target == "emulated":
            c += ["-DFUZZ_EMULATED"]
        c += ["-fsyntax-only", str(source)] if binary is None else [str(source), "-o", str(binary)]
        c += self.flags  # behind the source, where libraries belong
        return c + (["-lboost_context"] if self.target == "emulated" and binary is not None else [])

    def compile(self, source, binary):
        """(whether it compiled, what the compiler said). binary None: only the syntax."""
        if binary is None and self.target == "cuda":
            binary = source.with_suffix(".alone")
        done = subprocess.run(self.command(source, binary), capture_output=True, text=True, errors="replace")
        return done.returncode == 0, done.stderr + (done.stdout if done.returncode else "")


class Outcome:
    """kind: ok, refused, or what is wrong: compile, exception, no exception, values, outside, input, crash."""

    def __init__(self, kind, detail="", compared=0, skipped=0):
        self.kind, self.detail, self.compared, self.skipped = kind, detail, compared, skipped

    @property
    def wrong(self):
        return self.kind not in ("ok", "refused")


def run_batch(programs, tool, directory, name="batch"):
    """One Outcome per program."""
    directory = Path(directory)
    outcomes = [None] * len(programs)
    alive = list(range(len(programs)))
    binary = directory / name
    while alive:
        source = binary.with_suffix(tool.suffix)
        text, owner = cpp.source([programs[i] for i in alive])
        source.write_text(text)
        fine, said = tool.compile(source, binary)
        if fine:
            break
        blamed = blame(said, source, owner, len(alive))
        for place in blamed:
            outcomes[alive[place]] = compile_alone(programs[alive[place]], tool, directory, name)
        # Programs that compile alone stay; if nobody is to blame, nothing would change.
        gone = {alive[p] for p in blamed if outcomes[alive[p]] is not None}
        if not gone:
            for i in alive:
                outcomes[i] = Outcome("compile", refusals.first_sentence(said))
            return outcomes
        alive = [i for i in alive if i not in gone]
    execute([programs[i] for i in alive], alive, outcomes, tool, binary)
    return outcomes


def blame(said, source, owner, count):
    """The positions of the programs whose lines the compiler's messages mention; all, if none."""
    lines = {int(n) for n in re.findall(re.escape(source.name) + r"[:(](\d+)", said)}
    found = {owner[n - 1] for n in lines if n <= len(owner) and owner[n - 1] is not None}
    return sorted(found) or list(range(count))


def compile_alone(program, tool, directory, name):
    """The outcome of a program that does not compile; None if it does."""
    source = directory / (name + "_alone" + tool.suffix)
    source.write_text(cpp.source([program])[0])
    fine, said = tool.compile(source, None)
    if fine:
        return None
    sentence = refusals.first_sentence(said)
    known = refusals.documented(sentence)
    return Outcome("refused", known) if known else Outcome("compile", sentence)


def execute(programs, numbers, outcomes, tool, binary):
    """Runs the programs of a file; after a crash, those behind the one that crashed."""
    if not programs:
        return
    data, result = binary.with_suffix(".data"), binary.with_suffix(".result")
    with open(data, "wb") as f:
        for p in programs:
            views = p.buffers()
            f.write(struct.pack("<Q", len(views)))
            for v in views:
                raw = v.bytes()
                f.write(struct.pack("<Q", raw.size))
                f.write(raw.tobytes())
    first = 0
    while first < len(programs):
        result.unlink(missing_ok=True)
        try:
            done = subprocess.run([str(binary), str(data), str(result), str(first)], capture_output=True, text=True,
                                  errors="replace", timeout=tool.seconds)
            how = crash_text(done.returncode, done.stderr)
        except subprocess.TimeoutExpired:
            how = f"still running after {tool.seconds} s"
        raw = result.read_bytes() if result.exists() else b""
        at = 0
        while first < len(programs):
            taken = read_result(raw, at, programs[first])
            if taken is None:
                break
            at, message, buffers = taken
            outcomes[numbers[first]] = judge(programs[first], message, buffers)
            first += 1
        if first < len(programs):
            outcomes[numbers[first]] = Outcome("crash", how)
            first += 1


def crash_text(code, stderr):
    found = re.search(r"(ERROR: AddressSanitizer|runtime error|terminate called)[^\n]*", stderr)
    return f"exit status {code}: " + (found.group(0) if found else stderr.strip()[-300:])


def read_result(raw, at, program):
    """(position behind it, message, bytes of each buffer), or None where the file ends."""
    if at + 8 > len(raw):
        return None
    length = struct.unpack_from("<Q", raw, at)[0]
    message = raw[at + 8:at + 8 + length].decode(errors="replace")
    at += 8 + length
    buffers = []
    for v in program.buffers():
        size = v.layout.count * v.type.size
        buffers.append(np.frombuffer(raw, np.uint8, size, at) if at + size <= len(raw) else None)
        at += size
    return (at, message, buffers) if at <= len(raw) else None


def judge(program, message, buffers):
    """Compares the memory after a run with what should stand there."""
    try:
        expected = program.expected()
    except NoIdentity:
        if message and refusals.permitted_exception(program, message, True):
            return Outcome("refused", refusals.permitted_exception(program, message, True))
        if message:
            return Outcome("exception", message)
        return Outcome("no exception", "numpy has no value for this")
    if message:
        allowed = refusals.permitted_exception(program, message, False)
        return Outcome("refused", allowed) if allowed else Outcome("exception", message)
    return compare(program, expected, buffers)


def compare(program, expected, buffers):
    outputs = {v.name: e for v, e in zip(program.outputs(), expected)}
    compared = skipped = 0
    for view, raw in zip(program.buffers(), buffers):
        before = view.bytes()
        e = outputs.get(view.name)
        if e is None:
            if not np.array_equal(before, raw):
                return Outcome("input", f"input {view.name} was written")
            continue
        at = view.layout.offsets(view.shape)
        touched = np.zeros(view.layout.count, bool)
        touched[at[e.written]] = True
        unit = f"u{view.type.size}"
        now, was = raw.view(unit), before.view(unit)
        got = ty.decode(view.type, now[at.ravel()]).reshape(view.shape)
        wrong = e.known & e.written & ~inside(got, e.low, e.high)
        if np.any(wrong):
            return Outcome("values", describe(view, got, e, wrong), int(np.sum(e.written)))
        strange = ~touched & (now != was)
        if np.any(strange):
            return Outcome("outside", f"{int(strange.sum())} elements outside of {view.name} were written, first at "
                                      f"{int(np.flatnonzero(strange)[0])} of {view.layout.count}")
        compared += int(np.sum(e.known & e.written))
        skipped += int(np.sum(~e.known & e.written))
    return Outcome("ok", "", compared, skipped)


def inside(got, low, high):
    if got.dtype.kind != "f":
        return (got >= low) & (got <= high)
    with np.errstate(all="ignore"):
        return ((got >= low) & (got <= high)) | (np.isnan(got) & np.isnan(low))


def describe(view, got, e, wrong):
    place = np.unravel_index(np.argmax(wrong), wrong.shape) if wrong.shape else ()
    low, high = (cpp.ty_text(view.type, x[place]) for x in (e.low, e.high))
    want = low if low == high else f"{low} to {high}"
    where = f"({', '.join(map(str, place))})"
    return f"{view.name}{where} is {cpp.ty_text(view.type, got[place])}, want {want} ({int(wrong.sum())} of {wrong.size} wrong)"
