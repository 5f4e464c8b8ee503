# SPDX-License-Identifier: Apache-2.0
"""Programs as C++: one function each, many in a file, with harness.hpp around them."""
from .derivative_nodes import Derivative
from .nodes import Call
from .reduce_nodes import FORMULAS, Reduce, Softmax
from .scan_nodes import Compact


def numbers(values):
    return ", ".join(map(str, values))


def view_text(view, place):
    """The declaration of a view; place: the number of its buffer."""
    name = f'<"{view.name}">' if view.named else ""
    t = view.type.cpp
    pointer = f"c.at<{t}>({place}, {view.layout.origin})"
    if any(view.static):
        listed = ", ".join(str(e) if s else "fuse::dynamic" for e, s in zip(view.shape, view.static))
        rest = [e for e, s in zip(view.shape, view.static) if not s]
        shape = f"fuse::extents<{listed}>{{{numbers(rest)}}}"
    else:
        shape = f"fuse::shape({numbers(view.shape)})"
    strides = f", fuse::strides({numbers(view.layout.strides)})" if view.shape else ""
    return f"const auto {view.name} = fuse::view{name}({pointer}, {shape}{strides});"


def type_is_certain(node):
    """Whether the type of the expression is documented: formulas of integers say only that it is floating."""
    return not any(isinstance(n, Compact) or (isinstance(n, Softmax) or (isinstance(n, Reduce) and n.op in FORMULAS)
                    or (isinstance(n, Call) and n.function.name == "pow")) and not n.kids[0].type.floating
                   for n in node.walk())


def body(program):
    """The lines of a program's function."""
    lines = []
    captured = {}
    for node in program.nodes():
        capture = getattr(getattr(node, "function", None), "capture", None)
        if capture:
            captured[capture[0]] = capture[1]
    lines += list(captured.values())
    if program.block_items:
        lines.append(f"c.blocks_of({program.block_items});")
    output_names = {v.name for v in program.outputs()}
    for place, view in enumerate(program.buffers()):
        if not (program.by_value and view.name in output_names):
            lines.append(view_text(view, place))
    places = {v.name: i for i, v in enumerate(program.buffers())}
    statements = []
    for i, s in enumerate(program.statements):
        e, written = f"e{i}", s.expression.kids[-1] if s.op else s.expression
        lines.append(f"const auto {e} = {written.cpp()};")
        if type_is_certain(written):
            lines.append(f"static_assert(std::is_same_v<fuse::value_t<decltype({e})>, {written.type.cpp}>);")
        statements.append(f"{s.output.name} {s.op or ''}= {e}")
    if program.by_value:
        out = program.statements[0].output
        lines.append(f"c.put<{out.type.cpp}>({places[out.name]}, {out.layout.origin}, c.value(e0));")
    else:
        lines += [f"c.eval({s});" for s in (statements if program.separate else [", ".join(statements)])]
    return lines


def source(programs):
    """A translation unit and, for each line of it, the position of its program or None."""
    derives = any(isinstance(n, Derivative) for p in programs for n in p.nodes())
    lines = ['#include "fuzz/harness.hpp"'] + ['#include "fuzz/functors.hpp"'] * derives + [""]
    owner = [None] * len(lines)
    for i, program in enumerate(programs):
        block = [f"// {program.label}", f"void program{i}(fuzz::Case& c) {{"]
        block += ["    " + line for line in body(program)] + ["}", ""]
        lines += block
        owner += [i] * len(block)
    table = ", ".join(f"program{i}" for i in range(len(programs)))
    lines += [f"int main(int argc, char** argv) {{ return fuzz::run(argc, argv, {{{table}}}); }}"]
    return "\n".join(lines) + "\n", owner + [None]


def readable(program):
    """The program as a person would write it: for reports."""
    text = [line for line in body(program) if not line.startswith("static_assert")]
    text = [t.replace("std::int", "int").replace("std::uint", "uint") for t in text]
    for view in program.leaves():
        flat = view.data.ravel()
        some = ", ".join(ty_text(view.type, x) for x in flat[:12]) + (", ..." if flat.size > 12 else "")
        text.append(f"// {view.name}: {view.type.name}{view.shape} = {{{some}}}")
    return text


def ty_text(type_, x):
    return f"{float(x):.{17 if type_.name == 'f64' else 9}g}" if type_.floating else str(int(x))
