# SPDX-License-Identifier: Apache-2.0
"""Draws docs/figures/*.svg from what explain(...).dot() says of an eval, which a test keeps true (tests/docs/one_kernel.cpp),
with Graphviz. The pictures of benchmarks are drawn by `scripts/bench --publish`."""
import subprocess
from pathlib import Path

INK = "#6e7a87"  # to be read on white and on black
ACCENT = "#c2410c"


def in_one_kernel(graph):
    """A frame around all that is computed: what is read stands outside of it."""
    inside = [line for line in graph.splitlines() if line.lstrip().startswith(("value", "write")) and "[" in line]
    rest = [line for line in graph.splitlines() if line not in inside and "rankdir" not in line]  # from top to bottom
    frame = ['  subgraph cluster_kernel {', '    label = "one kernel";', f'    color = "{ACCENT}";',
             f'    fontcolor = "{ACCENT}";', '    style = rounded;', '    labeljust = l;', *inside, "  }"]
    return "\n".join([*rest[:-1], *frame, rest[-1]])


def draw(source):
    settings = [f"-N{name}={value}" for name, value in
                {"color": INK, "fontcolor": INK, "fontsize": 12, "margin": "0.15,0.08"}.items()]
    settings += ["-Gbgcolor=transparent", "-Gfontname=monospace", "-Gfontsize=12", f"-Ecolor={INK}"]
    drawn = subprocess.run(["dot", "-Tsvg", *settings], input=in_one_kernel(source.read_text()), text=True, check=True,
                           capture_output=True)
    source.with_suffix(".svg").write_text(drawn.stdout)
    print(source.with_suffix(".svg"))


for graph in sorted((Path(__file__).resolve().parent.parent / "docs/figures").glob("*.dot")):
    draw(graph)
