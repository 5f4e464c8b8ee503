# SPDX-License-Identifier: Apache-2.0
"""What the library may refuse: the sentences of docs/errors.md and docs/limits_and_faq.md. Any other is a defect."""
import re

from .parts import Cut

# The beginnings of compile-time sentences; each has a line in docs/errors.md or a rule in docs/language.md.
AT_COMPILE_TIME = (
    "keepdims or expand_dims is missing: a reduced value would be broadcast along another axis than its own",
    "a sort cannot be one kernel with a scan or a reduction",
    "a sort runs along the last axis of the kernel",
    "at most 8 axes",
    "index<>() and random numbers count in the whole expression, of which this is a part",
    "index<>() and random numbers count in the expression as it is",
    "this compares the truth of a comparison with a number",
)
NO_IDENTITY = re.compile(r"shape_error: .* of no elements: this reduction has no identity")
STRETCHED = re.compile(r"shape_error: gradient: .* is stretched to ")
STILL_READ = re.compile(r"argument_error: output .* overlaps .*, which "
                        "(this eval still reads when it writes there|another step of the same eval reads or writes after it)")
OTHER_SPACE = re.compile(r"shape_error: .*does not share the iteration space of this eval")


def first_sentence(stderr):
    """The first sentence of the library among a compiler's messages, or its first error."""
    found = re.search(r"error: static(?: assertion failed|_assert failed)[^:\n]*:? \"?fuse: ([^\"\n]*)", stderr)
    found = found or re.search(r"(?:error|assertion failed).*?fuse: ([^\"\n]*)", stderr)
    if found:
        return found.group(1).strip()
    error = re.search(r"(?:fatal )?error: [^\n]*", stderr)
    return error.group(0) if error else stderr.strip()[:300] or "the compiler failed without a message"


def documented(sentence):
    return next((s for s in AT_COMPILE_TIME if sentence.startswith(s)), None)


def spaces_differ(program):
    """Whether the outputs of one eval have several shapes: then the statements may have to be evaluated one by one."""
    return len({s.output.shape for s in program.statements}) > 1 or any(isinstance(n, Cut) for n in program.nodes())


def written_in_steps(program):
    """Whether several outputs are inputs of an eval that may be in steps."""
    inputs = {v.name for v in program.leaves()}
    return program.family != "map" and len(program.statements) > 1 and any(v.name in inputs for v in program.outputs())


def permitted_exception(program, message, no_identity):
    """The documented sentence behind a run-time exception, if numpy raises as well or the statements do not belong
    together; else None."""
    if NO_IDENTITY.match(message) and no_identity:
        return "of no elements: this reduction has no identity"
    if OTHER_SPACE.match(message) and spaces_differ(program):
        return "does not share the iteration space of this eval"
    if STILL_READ.match(message) and written_in_steps(program):
        return "output overlaps what another step reads"
    if STRETCHED.match(message) and any(e == 1 and not s for v in program.leaves() for e, s in
                                        zip(v.shape, v.static or (False,) * len(v.shape))):
        return "gradient: an extent of 1 that only at run time turns out to be stretched"
    return None
