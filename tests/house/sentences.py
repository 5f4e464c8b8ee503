#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every sentence that a compiler prints for the library is asked for by a wrong program: sentences.py ROOT.

A sentence is the text of a static_assert, or of a macro for one, that begins with 'fuse: '; other static_asserts are
about the implementation. Wrong programs are those of tests/compile/negative, which say '// expect: sentence'."""
import re
import sys
from pathlib import Path

# What no program is known to make a compiler say.
UNREACHED = {
    "fuse: no kernel family takes this program":
        "a net: what is not refused before has a kernel",
    "fuse: these reductions and scans cannot be the steps of one kernel":
        "a net: steps are known for all that no other sentence refuses",
    "fuse: this eval has more operands than kernel parameters can hold":
        "64 operands fit, and a map refuses a functor that does not; it is left for several large ones together",
}

LITERAL = r'"((?:[^"\\]|\\.)*)"'


def plain(text):
    """Without comments, a macro on one line."""
    text = text.replace("\\\n", " ")
    return re.sub(rf"{LITERAL}|//[^\n]*", lambda m: m[0] if m[0].startswith('"') else "", text)


def closed(text, begin):
    """From behind an opening parenthesis to the one that closes it."""
    depth, at = 1, begin
    while depth:
        token = re.compile(rf"{LITERAL}|[()]").search(text, at)
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        at = token.end()
    return text[begin:at]


def spoken(text):
    """The places of a header where a sentence may be: arguments of static_assert and of macros, and their definitions."""
    for found in re.finditer(r"\bstatic_assert\(|\bFUSE_[A-Z_]+\(|\[\[nodiscard\(", text):
        yield closed(text, found.end())
    yield from re.findall(r"#define [^\n]*", text)


def sentences(text):
    """Adjacent literals are one text; of a macro or parameter among them it is not known what it says (None)."""
    for place in spoken(text):
        for run in re.finditer(rf"{LITERAL}(?:\s*(?:{LITERAL}|#?[A-Z_]+\b))*", place):
            parts = [None]
            for part in re.finditer(rf"{LITERAL}|#?[A-Z_]+", run[0]):
                if part[0].startswith('"'):
                    said = part[1].replace('\\"', '"')
                    if parts[-1] is None:
                        parts.append(said)
                    else:
                        parts[-1] += said
                else:
                    parts.append(None)
            if parts[1].startswith("fuse: "):
                yield tuple(parts[1:])


def asked_for(sentence, expected):
    """Whether it has the expected text, or begins with as much of it as is known."""
    if None not in sentence:
        return expected in sentence[0]
    known = "".join(".+?" if part is None else re.escape(part) for part in sentence[:3])
    least = "".join(".+?" if part is None else re.escape(part[:20]) for part in sentence[:3])
    return bool(re.match(known, expected) or re.match(least, expected)) or \
        len(sentence[0]) > 20 and expected.startswith(sentence[0])


def main():
    root = Path(sys.argv[1])
    expected = set()
    for program in sorted((root / "tests/compile/negative").iterdir()):
        expected |= {text.strip() for text in re.findall(r"(?m)^// expect[^:]*: (.*)$", program.read_text())}
    count, missing = 0, set()
    for header in sorted((root / "include").rglob("*.hpp")):
        for sentence in set(sentences(plain(header.read_text()))):
            count += 1
            name = "...".join(part for part in sentence if part)
            if not any(asked_for(sentence, text) for text in expected) and \
                    not any(name.startswith(known) for known in UNREACHED):
                missing.add(f"{header.relative_to(root)}: {name}")
    print(*sorted(missing), f"{count} sentences, {len(missing)} without a wrong program", sep="\n")
    sys.exit(bool(missing) or not count)


main()
