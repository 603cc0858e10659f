#!/usr/bin/env python3
"""Runs the studies whose results the documents show, and compares them line by line.

The pages must show what a study prints today: its values, intervals and finding.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NTUNE = ROOT / "build/release/apps/ntune"
RESULT = re.compile(r"^ +(new|today's|gain|value|Elo|nElo|default|difference|finding|estimate|best)  .*$", re.MULTILINE)


def shown(document, first):
    """Lines of a result in a document: the block that begins with the line `first`, or holds it."""
    blocks = (ROOT / document).read_text(encoding="utf-8").split("\n\n")
    for block in blocks:
        if first in block:
            return [" ".join(match.group().split()) for match in RESULT.finditer(block)]
    raise AssertionError(f"{document} shows no line '{first}'")


def output(*arguments):
    """The lines that ntune prints, with single spaces."""
    result = subprocess.run([NTUNE, *arguments], capture_output=True, text=True, timeout=1500,
                            check=True)
    return [" ".join(line.split()) for line in result.stdout.split("\n")]


def printed(study, *options):
    return output("run", ROOT / study, "--quiet", *options)


class ExamplesTest(unittest.TestCase):
    def compare(self, study, *documents):
        lines = printed(study)
        value = next(line for line in lines if line.startswith("value "))
        for document in documents:
            found = shown(document, "  new      " if document == "README.md" else "value        ")
            self.assertGreater(len(found), 2, document)
            for line in found:
                self.assertIn(line, lines, f"{document}: {study} prints {value}")

    def test_pig(self):
        self.compare("configs/pig.yaml", "README.md", "configs/results.md")

    def test_default(self):
        finding = re.search(r"Better than the default: (\S+) % of games won for (\S+) %, gain (\S+ points \[.*\])\.",
                            (ROOT / "configs/gallery/README.md").read_text(encoding="utf-8"))
        new, today, gain = finding.groups()
        lines = printed("configs/default.yaml")
        self.assertIn(f"Use the new setting: it wins {new} %, today's {today} %.", lines)
        self.assertIn(f"gain +{gain}", lines)

    def test_pig_table(self):
        lines = printed("configs/pig_table.yaml")
        for document in ("configs/tables.md", "configs/gallery/README.md"):
            text = " ".join((ROOT / document).read_text(encoding="utf-8").split())
            rate = re.search(r"hurry once anybody has 70 points: (\S+ % \[[^]]*\]) of", text).group(1)
            self.assertTrue(any(line.startswith(f"new {rate}") for line in lines), f"{document}: {rate}, {lines}")

    def test_goals(self):
        lines = printed("configs/goals.yaml")
        self.assertTrue(any("front" in line.split() for line in lines), lines)

    def test_programs_in_cpp(self):
        for name, first in (("lambda_objective", "value        0.0480"),
                            ("lambda_match", "value        0.6275"), ("optimiser_alone", "sampled 219")):
            result = subprocess.run([NTUNE.parent / f"example_{name}"], capture_output=True, text=True,
                                    timeout=600, check=True)
            lines = [" ".join(line.split()) for line in result.stdout.split("\n")]
            blocks = (ROOT / "lib/README.md").read_text(encoding="utf-8").split("\n\n")
            found = next(block for block in blocks if first in block)
            for line in found.split("\n"):
                self.assertIn(" ".join(line.split()), lines, name)

    def test_merge(self):
        document = "configs/clusters.md"
        with tempfile.TemporaryDirectory() as folder:
            seeds = [f"{folder}/seed-{seed}" for seed in (1, 2)]
            for seed, out in enumerate(seeds, 1):
                printed("configs/default.yaml", "--seed", str(seed), "--out", out)
            lines = output("merge", *seeds, "--out", f"{folder}/merged", "--quiet")
        found = shown(document, "value        ")
        picks = [" ".join(match.split()) for match in re.findall(
            r"^ +0\.\d+ +\[.*$", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE)]
        self.assertEqual(len(picks), 2)
        self.assertGreater(len(found), 3)
        for line in found + picks:
            self.assertIn(line, lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", type=pathlib.Path, default=NTUNE)
    known, rest = parser.parse_known_args()
    NTUNE = known.ntune.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
