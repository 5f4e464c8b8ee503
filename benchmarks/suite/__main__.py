# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/bench."""
import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

parser = argparse.ArgumentParser(
    prog="scripts/bench",
    description="Builds and runs the suite of benchmarks: fuse beside CUB, Thrust, cuBLAS, PyTorch, torch.compile, "
    "Liger and QuACK, as far as they are installed, on the GPU that is here, and fuse::host beside the standard "
    "library, numpy and torch on the CPU. Every result is compared with float64 before it is timed; a wrong one is not "
    "timed. Writes a table, a JSON file and pictures.")
parser.add_argument("--filter", default="", metavar="REGEX",
                    help="only cases such as 'softmax bf16 2048x65536' that match")
parser.add_argument("--quick", action="store_true", help="a sixth of the cases, fewer samples: about two minutes")
parser.add_argument("--list", action="store_true", help="print the cases and end")
parser.add_argument("--cpu", action="store_true", help="only the cases of the CPU")
parser.add_argument("--host", action="store_true",
                    help="fuse::host beside Eigen, the parallel algorithms of the standard library, Thrust with OpenMP "
                    "and numpy: every case of the CPU with each compiler, with plain and with the best flags, on one "
                    "core and on all")
parser.add_argument("--compilers", default="g++,clang++", metavar="A,B", help="of --host")
parser.add_argument("--flags", default="-O2,-O3 -march=native", metavar="A,B", help="of --host: sets of flags")
parser.add_argument("--threads", default="1,all", metavar="A,B", help="of --host: numbers of cores")
parser.add_argument("--seed", type=int, default=None, help="of the shapes that are drawn (default: the time)")
parser.add_argument("--samples", type=int, default=None, help="timed batches of each library (default 11, quick 7)")
parser.add_argument("--minutes", type=float, default=float("inf"),
                    help="start no case after so many, the build included; the rest is reported as not run")
parser.add_argument("--autotune", action="store_true", help="torch.compile with max-autotune as well, which takes long")
parser.add_argument("--no-torch", action="store_true", help="leave out the peers of Python on the GPU")
parser.add_argument("--out", type=Path, default=None,
                    help="the JSON file (default: benchmarks/results/GPU-DATE-suite.json)")
parser.add_argument("--report", type=Path, metavar="JSON", help="only print the table of an earlier run, and draw it")
parser.add_argument("--publish", type=Path, metavar="JSON",
                    help="write an earlier run to docs/benchmarks.md, with pictures")
parser.add_argument("--self-test", action="store_true", help="test the report and the list of cases, without a GPU")
parser.add_argument("--build", type=Path, default=ROOT / "build/bench", help=argparse.SUPPRESS)
parser.add_argument("--started", type=float, default=time.time(), help=argparse.SUPPRESS)
parser.add_argument("--compile-shard", default="", help=argparse.SUPPRESS)


def publish(path):
    from . import pictures, report, results

    found = results.Results(path)
    docs = ROOT / "docs"
    if not pictures.draw(found, docs / "benchmarks"):
        sys.exit("The page needs its pictures.")
    source = Path("..") / path.resolve().relative_to(ROOT)
    report.write_page(found, docs / "benchmarks.md", source)
    print("docs/benchmarks.md and docs/benchmarks/*.svg are written.")


def show(path):
    from . import pictures, report, results

    found = results.Results(path)
    print(report.terminal(found.rows))
    for key, library, why in found.trouble():
        print(f"not timed: {key}: {library}: {why}")
    print(report.summary(found))
    if pictures.draw(found, ROOT / "build/bench/pictures"):
        print("Pictures: build/bench/pictures/*.svg")


def main():
    args = parser.parse_args()
    if args.self_test:
        import unittest

        return unittest.main(module="suite.test_suite", argv=["bench"])
    if args.publish:
        return publish(args.publish)
    if args.report:
        return show(args.report)
    from . import session

    if args.host:
        from . import host_session

        return show(host_session.run(args))
    if args.compile_shard:
        return session.compile_shard(args)
    if args.list:
        for case in session.chosen(args):
            print(case["where"], case["key"])
        return None
    path = session.run(args)
    print()
    return show(path)


main()
