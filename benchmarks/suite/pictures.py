# SPDX-License-Identifier: Apache-2.0
"""Pictures of a results file, as SVG: per class of cases bars in percent of the roof, and lines of percent of the roof
over the row length. Which files there are follows from the results, without matplotlib."""
import re
from pathlib import Path

from .results import geometric_mean

BARS_PER_PICTURE = 24
SUMMARY = ("Geometric means of percent of the roof, by class", "summary.svg")
COLOURS = {"fuse": "#c2410c", "torch eager": "#94a3b8", "torch.compile": "#2563eb",
           "torch.compile, autotuned": "#1e50c8", "Liger": "#7c3aed", "QuACK": "#db2777", "CUB": "#15803d",
           "CUB, vectors": "#4d7c0f", "Thrust": "#a3a300", "cuBLAS": "#0891b2", "numpy": "#2563eb",
           "best peer": "#94a3b8"}
INK = "#6e7a87"  # text and lines, to be read on white and on black
SWEEPS = ("softmax", "layer_norm", "rms_norm", "cross_entropy")


def file_name(text):
    return re.sub("[^a-z0-9]+", "_", text.lower()).strip("_") + ".svg"


def bar_groups(results, group):
    """The rows of a class in portions that a picture can show; those of a sweep are in the lines, and cases without a
    roof have no bar."""
    swept = {id(r) for rows in sweeps(results).values() for r in rows}
    rows = [r for r in results.groups()[group] if r.case.get("bare_us") and id(r) not in swept]
    return [rows[i:i + BARS_PER_PICTURE] for i in range(0, len(rows), BARS_PER_PICTURE)]


def bar_files(results, group):
    portions = bar_groups(results, group)
    several = len(portions) > 1
    return [(f"{group}{f', part {i + 1}' if several else ''}: percent of the roof",
             file_name(f"{group} {i + 1}" if several else group)) for i in range(len(portions))]


def sweeps(results):
    """{(problem, type): rows by length} of those that were measured at several lengths."""
    found = {}
    for r in results.rows:
        if r.case["origin"] == "length" and r.case["problem"] in SWEEPS:
            found.setdefault((r.case["problem"], r.case["type"]), []).append(r)
    return {k: sorted(v, key=lambda r: r.case["shape"][1]) for k, v in found.items() if len(v) > 2}


def sweep_files(results):
    problems = list(dict.fromkeys(problem for problem, _ in sweeps(results)))
    return [(f"{p}: time against row length", file_name(f"length {p}")) for p in problems]


def order(library):
    """Libraries in the order of the colours, others behind."""
    known = list(COLOURS)
    return (known.index(library), "") if library in known else (len(known), library)


def colour(library):
    return COLOURS.get(library, "#525252")


def draw_bars(plt, rows, title, path):
    libraries = ["fuse"] + sorted({p for r in rows for p in r.peers}, key=order)
    figure, axes = plt.subplots(figsize=(9, 1.2 + 0.12 * sum(1.5 + len(r.peers) + 1 for r in rows)))
    at, ticks, labels = 0.0, [], []
    for row in rows:
        first = at
        for library in libraries:
            us = row.us if library == "fuse" else row.peers.get(library)
            if us is not None:
                axes.barh(at, min(row.percent_of(us), 120), color=colour(library), height=0.9)
                at += 1
        ticks.append((first + at - 1) / 2)
        labels.append(f"{row.name} {row.case['type']} {row.shape}")
        at += 1.5
    finish_bars(plt, axes, at, ticks, labels, libraries)
    axes.set_title(title, fontsize=10, pad=34)
    save(plt, figure, path)


def finish_bars(plt, axes, end, ticks, labels, libraries):
    axes.axvline(100, color=INK, linewidth=0.8)
    axes.set_yticks(ticks, labels, fontsize=7)
    axes.set_ylim(end, -1.5)
    axes.set_xlim(0, 122)
    axes.set_xlabel("% of a bare kernel that moves as many bytes")
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour(lib)) for lib in libraries]
    axes.legend(handles, libraries, fontsize=7, loc="lower left", bbox_to_anchor=(0, 1), ncols=6, frameon=False)


def draw_summary(plt, results, path):
    """Per class fuse beside the best peer of each case."""
    groups = {}
    for group, rows in results.groups().items():
        of_both = [r for r in rows if r.case.get("bare_us") and r.peer]
        if of_both:
            groups[group] = of_both
    figure, axes = plt.subplots(figsize=(6.4, 1 + 0.36 * len(groups)))
    for i, rows in enumerate(groups.values()):
        for j, (library, percents) in enumerate((("fuse", [r.percent for r in rows]),
                                                 ("best peer", [r.percent_of(r.peers[r.peer]) for r in rows]))):
            mean = geometric_mean(percents)
            # Of the CPU's caches, which several cores read faster than a bare loop, some bars would be four pages wide.
            end = min(mean, 120)
            axes.barh(3.5 * i + j, end, color=colour(library), height=0.9)
            axes.text(end + 0.8, 3.5 * i + j, f"{mean:.0f}", va="center", fontsize=7)
    finish_bars(plt, axes, 3.5 * len(groups), [3.5 * i + 0.5 for i in range(len(groups))],
                [f"{group} ({len(rows)})" for group, rows in groups.items()], ["fuse", "best peer"])
    axes.set_title("Geometric mean of the cases of a class; the best peer differs from case to case", fontsize=9,
                   pad=20)
    save(plt, figure, path)


def draw_sweep(plt, by_type, problem, path):
    figure, plots = plt.subplots(1, len(by_type), figsize=(5 * len(by_type), 3.6), squeeze=False)
    for axes, (type_, rows) in zip(plots[0], by_type.items()):
        lengths = [r.case["shape"][1] for r in rows]
        axes.plot(lengths, [r.case["bare_us"] for r in rows], color=INK, linewidth=0.8, linestyle="--",
                  label=f"bare {rows[0].case['roof']}")
        libraries = sorted({p for r in rows for p in r.peers}, key=order)
        for library in libraries + ["fuse"]:
            points = [(n, r.us if library == "fuse" else r.peers.get(library)) for n, r in zip(lengths, rows)]
            points = [p for p in points if p[1] is not None]
            axes.plot(*zip(*points), color=colour(library), marker="o", markersize=3,
                      linewidth=2.2 if library == "fuse" else 1.2, label=library)
        axes.set_xscale("log", base=2)
        axes.set_ylim(0, 4 * max(r.case["bare_us"] for r in rows))
        axes.set_xlabel("columns (as many elements in all)")
        axes.set_ylabel("microseconds")
        axes.set_title(f"{problem}, {type_}", fontsize=10)
        axes.grid(alpha=0.25)
    plots[0][-1].legend(fontsize=7)
    save(plt, figure, path)


def save(plt, figure, path):
    figure.savefig(path, bbox_inches="tight", transparent=True, metadata={"Date": None})
    plt.close(figure)


def draw(results, folder):
    """Writes all pictures; False without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        print("No matplotlib: no pictures (python3-matplotlib on Debian).")
        return False
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "fuse"  # the same picture has the same bytes
    plt.rcParams["svg.fonttype"] = "none"  # text stays text, a tenth of the size
    plt.rcParams["font.family"] = "sans-serif"
    plt.rcParams["font.sans-serif"] = ["DejaVu Sans", "Verdana", "Arial"]
    plt.rcParams["axes.spines.top"] = plt.rcParams["axes.spines.right"] = False
    for part in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"):
        plt.rcParams[part] = INK
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    draw_summary(plt, results, folder / SUMMARY[1])
    for group in results.groups():
        for (title, file), rows in zip(bar_files(results, group), bar_groups(results, group)):
            draw_bars(plt, rows, title, folder / file)
    found = sweeps(results)
    for _, file in sweep_files(results):
        problem = next(p for p, _ in found if file_name(f"length {p}") == file)
        draw_sweep(plt, {t: rows for (p, t), rows in found.items() if p == problem}, problem, folder / file)
    return True
