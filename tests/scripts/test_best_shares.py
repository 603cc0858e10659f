"""Shares of runs that recommend one of the best points."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "scripts"))

import best_shares  # noqa: E402
import intervals  # noqa: E402


def runs(optimiser, values):
    return [{"objective": "f", "evaluations": "300", "optimiser": optimiser, "true_value": str(value)}
            for value in values]


class BestShares(unittest.TestCase):
    def test_the_best_values_are_those_of_all_optimisers(self):
        rows = runs("a", [0.5, 0.4, 0.4, 0.1]) + runs("b", [0.3, 0.2, 0.2, 0.2])
        shares, least = best_shares.best_shares(rows, 3)
        self.assertEqual(least, {"f": 0.3})
        self.assertEqual([(row[2], row[3], row[4]) for row in shares], [("a", 4, 0.75), ("b", 4, 0.25)])

    def test_wilson(self):
        share, low, high = intervals.wilson_interval(83, 190)  # as `bao match` has it
        self.assertAlmostEqual(share, 0.437, places=3)
        self.assertAlmostEqual(low, 0.368, places=3)
        self.assertAlmostEqual(high, 0.508, places=3)


if __name__ == "__main__":
    unittest.main()
