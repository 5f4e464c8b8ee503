# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/fuzz."""
import argparse
import os
import sys
import unittest

from . import cpp, draw, draw_derivatives
from .campaign import run_campaign
from .run import Toolchain


def main():
    p = argparse.ArgumentParser(prog="scripts/fuzz", description="Random programs of the library compared with numpy; "
                                "docs/testing.md says more. Exit status 1 if anything is wrong.")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--minutes", type=float, help="start no more batches after this time")
    p.add_argument("--programs", type=int, help="number of programs (100, unless --minutes is given)")
    p.add_argument("--first", type=int, default=0, help="number of the first program of the seed")
    p.add_argument("--only", type=int, metavar="NUMBER", help="this one program, with its text")
    p.add_argument("--derivatives", action="store_true", help="programs of gradients, instead of the others")
    p.add_argument("--target", choices=("host", "emulated", "cuda"), default="host")
    p.add_argument("--compiler", help="g++, clang++ or nvcc")
    p.add_argument("--arch", default="native", help="nvcc's -arch")
    p.add_argument("--flags", default="", help="further options of the compiler")
    p.add_argument("--sanitize", action="store_true", help="AddressSanitizer and UBSan")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--batch", type=int, default=16, help="programs per file")
    p.add_argument("--out", metavar="DIR", help="keep the generated files here")
    p.add_argument("--shrink", type=int, default=5, metavar="N", help="make so many of the failures smaller")
    p.add_argument("--self-test", action="store_true", help="the tests of the fuzzer itself, which compile nothing")
    a = p.parse_args()
    if a.self_test:
        tests = unittest.defaultTestLoader.loadTestsFromNames(["fuzz.test_fuzzer", "fuzz.test_derivatives"])
        return unittest.TextTestRunner().run(tests).wasSuccessful() is False
    drawing = draw_derivatives.draw_program if a.derivatives else draw.draw_program
    if a.only is not None:
        a.first, a.programs = a.only, 1
    if a.minutes is None and a.programs is None:
        a.programs = 100
    tool = Toolchain(a.target, a.compiler, a.sanitize, a.arch, a.flags)
    most = {"host": 40000, "emulated": 4000, "cuda": 300000}[a.target]
    if a.only is not None:
        print("\n".join(cpp.readable(drawing(a.seed, a.only, most))))
    report = run_campaign(a.seed, tool, a.minutes, a.programs, a.first, a.jobs, a.batch, most, a.out, a.shrink, drawing)
    return 1 if report.wrong else 0


sys.exit(main())
