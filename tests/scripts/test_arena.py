"""The scripts of the arena: names, blocks, what survives an interruption, statistics, rules of peers."""

import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

import arena  # noqa: E402
import arena_report  # noqa: E402
import compare_peers  # noqa: E402
import recorded_table  # noqa: E402


def row(landscape="nk10", optimiser="ntbea", run=0, value=0.5, seed=1, seconds="1e-3", optimum=""):
    return dict(zip(arena.FIELDS, [landscape, "win_loss", "300", optimiser, str(seed), str(run),
                                   repr(value), repr(value), optimum, seconds]))


class Names(unittest.TestCase):
    def test_every_landscape_of_the_arena_has_a_name_of_its_own(self):
        study, objectives, optimisers = arena.read_study(
            os.path.join(ROOT, "configs/papers/arena.yaml"))
        self.assertEqual(len(objectives), len(study["objectives"]))
        for key in (("nk10", "win_loss"), ("gaussian_landscape4_s1", "gaussian0.2"),
                    ("planet_wars_1", "own"), ("branin", "win_loss"), ("slide3", "own")):
            self.assertIn(key, objectives)
        self.assertEqual(len(optimisers), len(study["optimisers"]))
        self.assertTrue(os.path.exists(objectives["slide3", "own"]["table"]))

    def test_patterns_choose(self):
        names = ["nk10", "nk20", "trap12", "nk10"]
        self.assertEqual(arena.chosen("trap12,nk*", names, "landscape"), ["trap12", "nk10", "nk20"])
        self.assertEqual(arena.chosen(None, names, "landscape"), ["nk10", "nk20", "trap12"])
        with self.assertRaisesRegex(arena.ArenaError, "no landscape 'nk3'; there are nk10"):
            arena.chosen("nk3", names, "landscape")


class Blocks(unittest.TestCase):
    def test_runs_are_dealt_in_fifties(self):
        self.assertEqual(arena.blocks_of(120, 7), [(7, 50), (8, 50), (9, 20)])

    def test_a_torn_line_and_a_short_block_are_run_again(self):
        with tempfile.TemporaryDirectory() as folder:
            store = arena.Store(folder)
            store.add([row(run=run) for run in range(3)])
            store.add([row(optimiser="grid", run=run) for run in range(3)])
            with open(store.path, "a", encoding="utf-8") as file:
                file.write("nk10,win_loss,300,rmhc,1,0,0.4")
            again = arena.Store(folder)
            ntbea, grid, rmhc = (("nk10", "win_loss", "300", name, "1")
                                 for name in ("ntbea", "grid", "rmhc"))
            self.assertEqual([again.counts[key] for key in (ntbea, grid, rmhc)], [3, 3, 0])
            again.drop_short({ntbea: 3, grid: 5})
            self.assertEqual([again.counts[key] for key in (ntbea, grid)], [3, 0])
            self.assertEqual(len(arena.Store(folder).read()[0]), 3)


class Report(unittest.TestCase):
    def test_intervals_regret_and_paired_differences(self):
        rows = [row(run=run, value=0.1 * run, optimum="0.9") for run in range(5)]
        rows += [row(optimiser="grid", run=run, value=0.1 * run + 0.05 * (run % 2), optimum="0.9",
                     seconds="3e-3") for run in range(5)]
        grid, ntbea = arena_report.summarise(rows, "ntbea")
        self.assertEqual((grid["optimiser"], ntbea["optimiser"]), ("grid", "ntbea"))
        self.assertAlmostEqual(ntbea["mean"], 0.2)
        self.assertAlmostEqual(ntbea["high"] - 0.2, 1.959964 * 0.158114 / 5 ** 0.5, places=6)
        self.assertAlmostEqual(ntbea["regret"], 0.7)
        self.assertAlmostEqual(grid["difference"], 0.02)
        # 0, 0.05, 0, 0.05, 0: deviation 0.027386.
        self.assertAlmostEqual(grid["difference_high"] - 0.02, 1.959964 * 0.0273861 / 5 ** 0.5,
                               places=6)
        self.assertTrue(ntbea["level"])
        self.assertEqual((grid["rank"], ntbea["rank"]), (1.0, 2.0))

    def test_the_mean_rank_is_over_landscapes_that_have_all_optimisers(self):
        rows = [row("nk10", "a", 0, 0.5), row("nk10", "b", 0, 0.5), row("nk20", "a", 0, 0.7),
                row("nk20", "b", 0, 0.5), row("trap12", "b", 0, 0.9)]
        ranks = arena_report.mean_ranks(arena_report.summarise(rows, "a"))
        self.assertEqual(ranks[300, "a"][0], (1.5 + 1.0) / 2)
        self.assertEqual(ranks[300, "b"][0], (1.5 + 2.0) / 2)
        self.assertEqual(ranks[300, "a"][2], 2)


class Peers(unittest.TestCase):
    def test_the_three_rules(self):
        trials = [(7, 1.0)] + [(3, 1.0)] * 4 + [(3, -1.0)] * 2 + [(4, 1.0)] * 4 + [(4, -1.0)]
        self.assertEqual(compare_peers.answers(7, trials),
                         {"own": 7, "most_sampled": 3, "mean": 4})
        self.assertEqual(compare_peers.answers(1, [(1, -1.0), (2, 1.0)]),
                         {"own": 1, "most_sampled": 2, "mean": 2})

    def test_recorded_observations(self):
        self.assertEqual(recorded_table.observations("-1*2 0.5"), ["-1", "-1", "0.5"])
        self.assertEqual(compare_peers.true_values([[-1.0, 1.0, 1.0, 1.0], [-1.0]]), [0.75, 0.0])
        self.assertEqual(compare_peers.true_values([[1.0, 3.0], [-1.0]]), [2.0, -1.0])

    def test_a_recorded_table_is_laid_out_for_peers(self):
        with tempfile.TemporaryDirectory() as folder:
            table, path = os.path.join(folder, "games.csv"), os.path.join(folder, "out")
            with open(table, "w", encoding="utf-8") as file:
                file.write("# comment\nbook,depth,observations\ntrue,2,1*2\ntrue,4,0\n"
                           "false,2,-3 3\nfalse,4,5\n")
            self.assertEqual(compare_peers.write_table("", {"table": table}, path), [1, 0, 0, 5])
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "2u 2\nrecorded\n1 1\n0\n-3 3\n5\n")

    def test_order_of_values(self):
        self.assertTrue(compare_peers.is_ordered(["0.5", "1", "10"]))
        self.assertTrue(compare_peers.is_ordered(["3", "2", "1"]))
        self.assertFalse(compare_peers.is_ordered(["true", "false"]))
        self.assertFalse(compare_peers.is_ordered(["1", "3", "2"]))


if __name__ == "__main__":
    unittest.main()
