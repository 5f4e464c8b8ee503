#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles wrong programs, and passes if each is refused and its compiler prints the text that its source asks for within
the first five lines:

    // expect: some text

A file that is several wrong programs, of which one is compiled at a time with FUSE_WRONG as its number, has

    // expect 1: some text
    // expect 2: some text

A program may have several such lines. The text is compared literally and must stand on one line. What is said later is
'// expect later: some text', and what only some compilers are asked for '// expect g++: some text' (or clang++, nvcc, or
several of them), as '// expect 1 g++ clang++: some text' with a number; a program of which a compiler is asked nothing is
not for that compiler. A file without any such line is an error: a typing mistake would make it pass.

Of the library's own sentences a compiler must not print two different ones.

A line '// flags: ...' adds compiler flags, separated by spaces. Such a file is not for nvcc.

A file proves that only its fault keeps it from compiling: if it mentions FUSE_CONTROL or FUSE_WRONG, it is compiled once
more with FUSE_CONTROL defined and FUSE_WRONG as 0, if --control is given, and must then pass.

    negative.py [--control] COMPILER SCRATCH COMMAND SOURCE...      the parts of COMMAND are separated by '|'

Nearly all of the second that one program takes are the headers. A compiler goes on after an error, and with each it names
the line of the program from which it came. So all programs of the same headers and flags are one file, each in a namespace
of its own, and what is printed is sorted by the programs. Of a template with the same arguments a compiler complains once:
names of views are other ones in each program, so that one does not hide what is wrong in another. What is not refused as
expected is compiled again, without the programs that are, and in the end alone and as it is written, which decides. That
is also what to do by hand: a failure begins with the command."""
import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

LINES_BEFORE_A_SENTENCE = 5
# g++ begins with '...: In function ...:' and '...:   required from ...'; nvcc names a line as '(17)'.
LEADS_TO_A_DIAGNOSTIC = re.compile(r"\S+: (In|At) |\S+:\d+:\d+:   ")
A_DIAGNOSTIC = re.compile(r"(?P<file>[^\s:(]+)(:\d+:\d+|\(\d+\)): ((fatal )?error|warning)\b")
A_PLACE = re.compile(A_DIAGNOSTIC.pattern + r"|(?P<of_macro>[^\s:(]+):\d+:\d+: note: in definition of macro")


def expectations(source, compiler):
    """{number of a program: [(said later, text)]} of what is asked for; a file that is one program has number 0."""
    lines = re.findall(r"(?m)^// expect *(\d*) *(later)? *([a-z+ ]*): (.*)$", source.read_text())
    if not lines:
        sys.exit(f"{source} has no line '// expect: text'")
    found = defaultdict(list)
    for number, later, compilers, said in lines:
        if not compilers or compiler in compilers.split():
            found[int(number or 0)].append((bool(later), said.strip()))
    return found


def flags_of(source):
    return " ".join(re.findall(r"(?m)^// flags: (.*)$", source.read_text())).split()


def headers_of(source, compiler):
    """What may change what is said of a program. Whether it includes all that it uses is seen by a host compiler alone."""
    headers = "fuse/(?:fuse|gradient|nn).hpp" if compiler == "nvcc" else "(?:fuse|support)/.*"
    return re.findall(rf"(?m)^#include <{headers}>$", source.read_text())


def print_of(command):
    """(whether the compiler accepts it, what it prints), in English with plain quotes whatever the machine's language."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                         env={**os.environ, "LC_ALL": "C"})
    return run.returncode == 0, run.stdout


def write_together(programs, scratch):
    """All programs in one file, behind all headers, which are not to be included inside a namespace."""
    headers, body = [], []
    for index, (source, number) in enumerate(programs):
        name = f"{source.stem}_{number}"
        text = re.sub(r'(?<=<)"(\w+)"(?=[,>])', rf'"\1_{index}"', source.read_text())
        # A file of its own, as g++ prints the lines that it names; not included, which takes a line to say.
        copy = scratch / f"{name}.cpp"
        copy.write_text(text)
        headers += re.findall(r"(?m)^#include <.*>$", text)
        body += [f"namespace {name} {{", f"#define FUSE_WRONG {number}", f'#line 1 "{copy}"', text, "#undef FUSE_WRONG",
                 "}"]
    headers.sort(key=lambda header: "fuse/" not in header)
    file = scratch / "together.cc"
    file.write_text("\n".join([*dict.fromkeys(headers), *body, ""]))
    return str(file)


def diagnostics_of(output):
    """The errors and warnings, with as many lines about inclusions as if nothing had been printed before: a compiler says
    once how it came to a header. -H says how deep each is; what a macro refuses g++ takes for in the header of the macro."""
    depths = {file: len(dots) for dots, file in re.findall(r"(?m)^(\.+) (\S+)$", output)}
    diagnostics, before = [], []
    for line in re.sub(r"(?m)^(\.+ |In file included from | +from \S+:\d).*\n", "", output).splitlines():
        if LEADS_TO_A_DIAGNOSTIC.match(line):
            before.append(line)
            continue
        if A_DIAGNOSTIC.match(line):
            diagnostics.append([*before, line])
        elif diagnostics:
            diagnostics[-1] += [*before, line]
        before = []
    for lines in diagnostics:
        places = [place["file"] or place["of_macro"] for place in map(A_PLACE.match, lines) if place]
        yield ["In file included from"] * max(depths.get(place, 0) for place in places) + lines


def said_of(output, programs):
    """{program: what is printed of it}. A diagnostic that names none belongs to the one after it."""
    by_name = {f"{source.stem}_{number}": (source, number) for source, number in programs}
    said, before = defaultdict(list), []
    for diagnostic in diagnostics_of(output):
        before += diagnostic
        # As a file or, where nvcc says no more, as a namespace.
        named = [word for word in re.findall(r"\w+", "\n".join(diagnostic)) if word in by_name]
        if named:
            said[by_name[named[-1]]] += before
            before = []
    return {program: "\n".join(lines) for program, lines in said.items()}


def fault_of(expected, accepted, text):
    """What is wrong about a program of which this is printed, or None; nothing is expected of one that is to compile."""
    if expected is None:
        return None if accepted else "without its fault it does not compile either"
    if accepted or not re.search(r": (fatal )?error\b", text):
        return "it compiles, and must not"
    first = "\n".join(text.splitlines()[:LINES_BEFORE_A_SENTENCE])
    for later, wanted in expected:
        if wanted not in (text if later else first):
            return f"it is refused, but not with '{wanted}'" + ("" if later else f" in {LINES_BEFORE_A_SENTENCE} lines")
    sentences = set(re.findall(r'error: static[ _]assert.*?(fuse: [^"\n]*)', text))
    return f"it is refused with {len(sentences)} different sentences" if len(sentences) > 1 else None


def faults_of(programs, compiler, command, scratch):
    """The faults of programs, {program: what is expected of it}, of the same headers and flags."""
    left, faults = list(programs), []
    # nvcc has no such lines to count.
    depths = [] if compiler == "nvcc" else ["-H"]
    while len(left) > 1:
        accepted, output = print_of([*command, *depths, write_together(left, scratch)])
        said = said_of(output, left)
        again = [program for program in left if fault_of(programs[program], accepted, said.get(program, ""))]
        if len(again) == len(left):
            break
        left = again
    for source, number in left:
        alone = [*command, f"-DFUSE_WRONG={number}", str(source)]
        accepted, output = print_of(alone)
        fault = fault_of(programs[source, number], accepted, output)
        if fault:
            faults.append(f"{' '.join(alone)}\n{output[:4000]}\n{source}, FUSE_WRONG {number}: {fault}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--control", action="store_true")
    parser.add_argument("compiler")
    parser.add_argument("scratch", type=Path)
    parser.add_argument("command")
    parser.add_argument("sources", nargs="+", type=Path)
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    groups = defaultdict(list)
    for source in options.sources:
        if options.compiler != "nvcc" or not flags_of(source):
            groups[source.suffix, *flags_of(source), *headers_of(source, options.compiler)].append(source)
    count, faults = 0, []
    for sources in groups.values():
        command = [*options.command.split("|"), *flags_of(sources[0])]
        wrong = {(source, number): expected for source in sources
                 for number, expected in expectations(source, options.compiler).items()}
        count += len(wrong)
        faults += faults_of(wrong, options.compiler, command, options.scratch)
        # Those of .cpp files are for a compiler of the host.
        if options.control and (options.compiler == "nvcc") == (sources[0].suffix == ".cu"):
            right = [source for source in sources if re.search("FUSE_(CONTROL|WRONG)", source.read_text())]
            faults += faults_of({(source, 0): None for source in right}, options.compiler, [*command, "-DFUSE_CONTROL"],
                                options.scratch)
    print(*faults, f"{count} programs, {len(faults)} faults", sep="\n\n")
    sys.exit(bool(faults) or not count)


main()
