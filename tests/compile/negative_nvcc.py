#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles wrong programs with nvcc, and passes if each is refused with its sentence: see negative.cmake.

    negative_nvcc.py SCRATCH.cu COMMAND SOURCE...        the parts of COMMAND are separated by '|'

Nearly all of the second that one program takes are the headers. nvcc's front end goes on after an error, and below each
it names the line of the program from which it came. So the programs of all sources are one file, each in a namespace of
its own, and what is printed is sorted by these lines.

Of a template with the same arguments it complains once: programs of which nothing is said are compiled again, without
those of which something was."""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

LINES_BEFORE_A_SENTENCE = 5
COMPILER = "nvcc"
# nvcc -c reads a file for the host first, and says nothing else of a wrong one; nvcc -ptx and -cubin read it for the device
# alone, and have to refuse it as well.
READINGS = {
    "host": ("-Xcudafe", "--error_limit=100000", "-cuda"),
    "device": ("-Xcicc", "-O0", "-Xcicc", "--error_limit=100000", "-ptx"),
}


def expectations(source):
    """{number of a program: [(said later, text)]} of what nvcc is asked for; a file that is one program has number 0."""
    found = defaultdict(list)
    text = source.read_text()
    if "// flags: " not in text:
        for number, later, compilers, said in re.findall(r"(?m)^// expect *(\d*) *(later)? *([a-z+ ]*): (.*)$", text):
            if not compilers or COMPILER in compilers.split():
                found[int(number or 0)].append((bool(later), said.strip()))
    return found


def owners(source):
    """The program to which each line belongs: that between its '#if FUSE_WRONG == number' and the next; else 0."""
    of_line, number = [0], 0
    for line in source.read_text().splitlines():
        condition = re.match(r"#(if|elif|else|endif)(?: FUSE_WRONG == (\d+))?", line)
        if condition and (condition[2] or condition[1] != "if"):
            number = int(condition[2] or 0)
        of_line.append(number)
    return of_line


def one_file(programs):
    """All programs, behind all headers, which are not to be included inside a namespace."""
    headers, body = [], []
    for source, number in programs:
        headers += re.findall(r"(?m)^#include <.*>$", source.read_text())
        body += [f"namespace {source.stem}_{number} {{", f"#define FUSE_WRONG {number}", f'#include "{source}"',
                 "#undef FUSE_WRONG", "}"]
    headers.sort(key=lambda header: "fuse/" not in header)
    return "\n".join([*dict.fromkeys(headers), *body, ""])


def asked_by(diagnostic, sources):
    """(source, line) where a diagnostic says that it began: the last line of these sources that it names."""
    place = None
    for name, line in re.findall(r"^(\S+)\((\d+)\): ", diagnostic) + [
            (name, line) for line, name in re.findall(r"at line (\d+) of (\S+)", diagnostic)]:
        place = (sources[name], int(line)) if name in sources else place
    return place


def said_of(output, programs):
    """{program: what is printed of it}. A diagnostic that names no line of a source belongs to the one after it."""
    sources = {str(source): source for source, number in programs}
    of_line = {source: owners(source) for source in sources.values()}
    said, before = defaultdict(list), []
    for diagnostic in re.split(r"\n\s*\n", output):
        if not re.search(r"\): (error|warning)", diagnostic):
            continue
        before.append(diagnostic)
        place = asked_by(diagnostic, sources)
        if place:
            source, line = place
            said[source, of_line[source][line]] += before
            before = []
    if before:
        sys.exit("\n\n".join(before) + "\nnames no program")
    return {program: "\n\n".join(diagnostics) for program, diagnostics in said.items()}


def fault_of(expected, text):
    if not text:
        return "nothing is said of it"
    first = "\n".join(text.splitlines()[:LINES_BEFORE_A_SENTENCE])
    for later, wanted in expected:
        if wanted not in (text if later else first):
            return f"it is refused, but not with '{wanted}'"
    sentences = set(re.findall(r'static assertion failed with "(fuse: .*)"', text))
    sentences = {sentence for sentence in sentences if not any(wanted in sentence for later, wanted in expected)}
    if len(sentences) + any("fuse: " in wanted for later, wanted in expected) > 1:
        return "it is refused with different sentences"
    return None


def main():
    scratch, command = Path(sys.argv[1]), sys.argv[2].split("|")
    expected = {(source, number): wanted for source in map(Path, sys.argv[3:])
                for number, wanted in expectations(source).items()}
    faults = []
    for reading, options in READINGS.items():
        said, silent = {}, list(expected)
        while silent:
            scratch.write_text(one_file(silent))
            run = subprocess.run([*command, *options, "-o", "/dev/null", scratch], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
            said.update(said_of(run.stdout, silent))
            left = [program for program in silent if program not in said]
            if left == silent:
                break
            silent = left
        for source, number in [*expected, *(program for program in said if program not in expected)]:
            wanted, text = expected.get((source, number)), said.get((source, number), "")
            fault = fault_of(wanted, text) if wanted else "the lines that its programs share are refused"
            if fault:
                faults.append(f"{text[:2000]}\n{source} -DFUSE_WRONG={number}, read for the {reading}: {fault}")
    print(*faults, f"{len(expected)} programs, {len(faults)} not refused as expected", sep="\n\n")
    sys.exit(bool(faults) or not expected)


main()
