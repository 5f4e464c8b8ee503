# SPDX-License-Identifier: Apache-2.0
"""What can be tested of the suite without a GPU: the report of a sample, the list of cases, and, where torch is, the
formulas of the peers."""
import ast
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from . import pictures, report, results

HERE = Path(__file__).resolve().parent
SAMPLE = HERE / "sample_results.json"

TABLE = """\
case         type  shape       fuse us  % of roof   best peer      us      fuse / peer
softmax      f32   2097152x64  250.00   100.0 copy  torch.compile  400.00  0.62
softmax      f32   131072x1024 312.50   80.0 copy   torch.compile  250.00  1.25
softmax      f32   32768x4096  255.00   98.0 copy   torch.compile  252.00  1.01
sum          bf16  2^28        150.00   80.0 read   CUB            100.00  1.50
mse_value    f32   1024        15.00    -           Thrust         30.00   0.50
sum (CPU)    f32   32768       10.00    50.0 read   -              -       -"""


class Report(unittest.TestCase):
    sample = results.Results(SAMPLE)

    def test_table(self):
        squeezed = [re.sub(" +", " ", line).strip() for line in report.terminal(self.sample.rows).splitlines()]
        self.assertEqual(squeezed, [re.sub(" +", " ", line) for line in TABLE.splitlines()])

    def test_summary_counts_the_best_peer_of_each_case(self):
        self.assertIn("5 cases with a peer: fuse is faster by more than 2 % in 2, within 2 % in 1, slower in 2",
                      report.summary(self.sample))
        self.assertAlmostEqual(self.sample.mean_ratio(), (0.625 * 1.25 * 255 / 252 * 1.5 * 0.5) ** 0.2)

    def test_what_is_behind_comes_first_and_the_worst_of_it_first(self):
        self.assertEqual([(r.name, r.ratio) for r in self.sample.behind()], [("sum", 1.5), ("softmax", 1.25)])
        page = report.page(self.sample, Path("sample.json"), "pictures")
        self.assertEqual(re.findall("^## (.*)$", page, re.M),
                         ["Where fuse is behind", "What was not timed", "All classes", "Time against row length",
                          "Softmax", "Full reductions", "Small reductions", "Full reductions on the CPU"])
        self.assertLess(page.index("| sum | bf16 |"), page.index("| softmax | f32 | 131072x1024 |"))

    def test_the_page_says_what_is_missing(self):
        page = report.page(self.sample, Path("sample.json"), "pictures")
        for text in ("softmax f32 131072x1024: torch eager: wrong: error 5.0e-01", "compact f32 1000: fuse: an example",
                     "1 cases were not run", "in a short run", "from the seed 7", "cub 3.0.1"):
            self.assertIn(text, page)

    def test_text_above_the_generated_part_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text("# Title\n\nwords\n\n" + report.BEGIN + "old\n", encoding="utf-8")
            report.write_page(self.sample, page, Path("sample.json"))
            text = page.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("# Title\n\nwords\n\n" + report.BEGIN))
        self.assertNotIn("\nold\n", text)

    def test_every_picture_that_the_page_shows_is_drawn(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("no matplotlib")
        shown = re.findall(r"!\[.*\]\(pictures/(.*)\)", report.page(self.sample, Path("sample.json"), "pictures"))
        with tempfile.TemporaryDirectory() as folder:
            pictures.draw(self.sample, folder)
            self.assertEqual(sorted(shown), sorted(f.name for f in Path(folder).iterdir()))
            self.assertIn("length_softmax.svg", shown)


class List(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        compiler = os.environ.get("CXX", "g++")
        if not shutil.which(compiler):
            raise unittest.SkipTest(f"no {compiler}")
        cls.folder = tempfile.TemporaryDirectory()
        cls.binary = Path(cls.folder.name) / "bench_list"
        sources = [HERE / "list.cpp", HERE / "cases.cpp", HERE / "problem.cpp", *(HERE / "problems").glob("*.cpp")]
        command = [compiler, "-std=c++20", "-O0", "-pthread", *map(str, sources), "-o", str(cls.binary)]
        subprocess.run(command, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def cases(self, seed):
        lines = subprocess.check_output([str(self.binary), "--seed", str(seed)], text=True).splitlines()
        return [json.loads(line) for line in lines]

    def test_keys_are_unique_and_say_what_they_are(self):
        cases = self.cases(1)
        keys = [(c["where"], c["key"]) for c in cases]
        self.assertEqual(len(keys), len(set(keys)))
        for c in cases:
            self.assertEqual(c["key"], f"{c['problem']} {c['type']} {'x'.join(map(str, c['shape']))}")

    def test_bytes_are_those_of_inputs_and_outputs(self):
        by_key = {c["key"]: c for c in self.cases(1) if c["where"] == "gpu"}
        self.assertEqual(by_key["softmax bf16 131072x1024"]["bytes"], 2 * 2 * 131072 * 1024)
        self.assertEqual(by_key["cross_entropy f32 32768x4096"]["bytes"], 4 * 32768 * 4096 + 8 * 32768 + 4)
        self.assertEqual(by_key["compact f32 134217728"]["bytes"], 6 * 134217728)

    def test_drawn_shapes_follow_the_seed(self):
        drawn = [[c["key"] for c in self.cases(seed) if c["origin"] == "drawn"] for seed in (3, 3, 4)]
        self.assertEqual(drawn[0], drawn[1])
        self.assertNotEqual(drawn[0], drawn[2])
        self.assertEqual([len(keys) for keys in drawn], [20, 20, 20])

    def test_foreign_lengths_are_there(self):
        extents = {e for c in self.cases(1) for e in c["shape"]}
        self.assertLessEqual({50257, 5120, 4095, 49, 11008, 28672, 7919, 268435399}, extents)

    def test_every_problem_has_a_formula(self):
        tree = ast.parse((HERE / "formulas.py").read_text(encoding="utf-8"))
        table = next(n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "FORMULAS")
        self.assertLessEqual({c["problem"] for c in self.cases(1)}, {k.value for k in table.keys})

    def test_formulas_agree_with_float64(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no torch: the formulas of the peers are not tested")
        if not hasattr(torch.nn.functional, "rms_norm"):
            self.skipTest("a torch before 2.4, which has not all of the formulas and rounds bf16 otherwise")
        from . import torch_data
        from .formulas import FORMULAS

        seen = set()
        for case in self.cases(1):
            name = case["problem"], case["type"]
            formula = FORMULAS[case["problem"]]
            # Some of torch's gradients exist for GPUs only.
            if name in seen or not formula.eager or case["problem"].endswith("norm_backward"):
                continue
            seen.add(name)
            small = {1: [5003], 2: [37, 129], 3: [5, 21, 7], 4: [4, 64, 5, 9]}[len(case["shape"])]
            extents = dict(zip(case["shape"], small)) | {1: 1}
            for array in case["inputs"]:
                array["shape"] = [extents[e] for e in array["shape"]]
                array["high"] = small[-1] if array["fill"] == "targets" else array["high"]
            tensors = torch_data.inputs(case, "cpu")
            wanted = formula.math(*torch_data.in_type(tensors, torch_data.TYPES["f64"]))
            try:
                got = formula.eager(*tensors)
            except RuntimeError as e:
                if "not implemented for 'BFloat16'" in str(e):  # on a CPU
                    continue
                raise
            with self.subTest(case=name):
                self.assertLessEqual(torch_data.error(case, got, wanted, tensors), torch_data.tolerance(case, got))


if __name__ == "__main__":
    unittest.main()
