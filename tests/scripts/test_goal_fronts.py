"""Fronts and hypervolumes of the benchmark of several goals."""

import contextlib
import io
import itertools
import math
import pathlib
import random
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "scripts"))

import goal_fronts  # noqa: E402


class GoalFronts(unittest.TestCase):
    def test_volumes_by_hand(self):
        self.assertAlmostEqual(goal_fronts.hypervolume([(0, 0)], 2), 1.1**2)
        self.assertAlmostEqual(goal_fronts.hypervolume([(0, 1), (1, 0), (1, 1), (2, 0)], 2), 2 * 0.1 * 1.1 - 0.1**2)
        self.assertAlmostEqual(goal_fronts.hypervolume([(0, 0, 0.1)], 3), 1.1**2)
        self.assertEqual(goal_fronts.hypervolume([(0, 0, 1.2)], 3), 0)

    def test_volumes_are_those_of_counted_places(self):
        rng = random.Random(1)
        for goals in (2, 3):
            costs = [tuple(rng.randrange(12) / 10 for _ in range(goals)) for _ in range(9)]
            places = itertools.product(*[[(i + 0.5) / 10 for i in range(11)]] * goals)
            counted = sum(any(all(a < b for a, b in zip(one, place)) for one in costs) for place in places)
            self.assertAlmostEqual(goal_fronts.hypervolume(costs, goals), counted / 10**goals)
            self.assertAlmostEqual(goal_fronts.hypervolume(goal_fronts.front_of(costs), goals), counted / 10**goals)

    def test_the_front_of_dtlz2_is_a_sphere(self):
        for name, goals in (("dtlz2_2", 2), ("dtlz2_3", 3)):
            problem = goal_fronts.Grid(name, 0)
            for point in itertools.product(range(0, 11, 5), repeat=4):
                radius = math.hypot(*problem.truth(point))
                self.assertEqual(abs(radius - 1) < 1e-12, all(value == 5 for value in point[goals - 1:]), point)
            whole = [point + (5,) * (5 - goals) for point in itertools.product(range(11), repeat=goals - 1)]
            self.assertAlmostEqual(goal_fronts.shares(problem)(whole), 1)

    def test_a_table(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("# a comment\nspeed,flag,win,ms\n7,true,1*3 0,1 2*2\n9,true,0*2,4\n7,false,1,8\n9,false,0,8\n")
            file.flush()
            table = goal_fronts.Table(file.name)
        self.assertEqual(table.values, [2, 2])
        win, ms = table.truth((0, 0))
        self.assertEqual((win, round(math.exp(ms), 6)), (-0.75, round(5 / 3, 6)))
        self.assertEqual(goal_fronts.shares(table)([(0, 0), (0, 1)]), 1)
        self.assertLess(goal_fronts.shares(table)([(0, 0)]), 1)


    def test_the_tables_of_the_page_are_those_of_the_file(self):
        page = (ROOT / "benchmarks/results/goals.md").read_text(encoding="utf-8").splitlines()
        for problems in re.findall(r"goal_fronts.csv --table (.*)", "\n".join(page)):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                goal_fronts.print_table(ROOT / "benchmarks/results/goal_fronts.csv", problems.split())
            for line in printed.getvalue().splitlines():
                self.assertIn(line, page)


if __name__ == "__main__":
    unittest.main()
