"""apps/examples/referee.py with mock engines that crash, stall and babble in the middle of a game.

With NTUNE in the environment also: what a study makes of them.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFEREE = ROOT / "apps/examples/referee.py"
MOCK = ROOT / "tests/apps/mock/engine.py"
NTUNE = os.environ.get("NTUNE")


def referee(*arguments, new="", old=""):
    """A match of two rounds by mocks; `new` and `old` are their troubles."""
    command = [sys.executable, "-B", REFEREE, "-judge", f"{sys.executable} '{MOCK}'",
               "-engine", "name=new", f"cmd={sys.executable}", f"args='{MOCK}' {new}",
               "-engine", "name=old", f"cmd={sys.executable}", f"args='{MOCK}' {old}",
               "-each", "nodes=1", "-openings", "plies=2", "-rounds", "2", "-patience", "2", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


class Match(unittest.TestCase):
    def test_both_colours_of_each_opening_are_played(self):
        match = referee()
        self.assertEqual(match.returncode, 0, match.stderr)
        self.assertEqual(match.stdout.splitlines(), [
            "Finished game 1 (new vs old): 0-1 {Black mates}",
            "Finished game 2 (old vs new): 0-1 {Black mates}",
            "Finished game 3 (new vs old): 0-1 {Black mates}",
            "Finished game 4 (old vs new): 0-1 {Black mates}",
            "Results of new vs old:",
            "Games: 4, Wins: 2, Losses: 2, Draws: 0, Points: 2.0 (50.00 %)",
            "Ptnml(0-2): [0, 0, 2, 0, 0]",
            "Tournament finished"])

    def test_an_engine_in_trouble_ends_the_match_without_a_result(self):
        for trouble, problem in {"crash": "has ended", "stall": "is silent for too long",
                                 "babble": "says too much",
                                 "garbage": r"makes the illegal move '\x07'",
                                 "illegal": "makes the illegal move 'e1e9'"}.items():
            side = "old" if trouble == "stall" else "new"
            with self.subTest(trouble=trouble):
                match = referee(**{side: f"{trouble} 3"})
                self.assertEqual(match.returncode, 1)
                self.assertEqual(match.stderr, f"referee.py: {side} {problem}\n")
                self.assertNotIn("Games:", match.stdout)

    def test_with_recover_the_engine_loses_that_game_and_starts_anew(self):
        for trouble, words in {"crash": " disconnects", "stall": "'s connection stalls",
                               "babble": " disconnects", "garbage": " makes an illegal move: ?",
                               "illegal": " makes an illegal move: e1e9"}.items():
            with self.subTest(trouble=trouble):
                match = referee("-recover", new=f"{trouble} 7")  # 5 moves a game
                self.assertEqual(match.returncode, 0, match.stderr)
                self.assertIn(f"Finished game 2 (old vs new): 1-0 {{Black{words}}}", match.stdout)
                self.assertIn("Finished game 3 (new vs old): 0-1 {Black mates}", match.stdout)
                self.assertIn("Games: 4, Wins: 0, Losses: 4, Draws: 0", match.stdout)
                self.assertIn("Ptnml(0-2): [2, 0, 0, 0, 0]", match.stdout)

    def test_an_engine_that_does_not_start_ends_the_match_even_so(self):
        match = referee("-recover", new="no_start 0")
        self.assertEqual((match.returncode, match.stderr), (1, "referee.py: new has ended\n"))

    def test_scores_end_games_that_both_hold_for_drawn_or_lost(self):
        match = referee("-draw", "movenumber=2", "movecount=2", "score=20")
        self.assertIn("Games: 4, Wins: 0, Losses: 0, Draws: 4, Points: 2.0 (50.00 %)", match.stdout)
        self.assertIn("{Draw by adjudication}", match.stdout)
        match = referee("-maxmoves", "2")
        self.assertIn("{Draw by adjudication: most moves}", match.stdout)
        match = referee("-resign", "movecount=1", "score=-100")
        self.assertIn("{Loss by adjudication}", match.stdout)
        match = referee("-resign", "movecount=1", "score=10", "twosided=true")
        self.assertIn("{Black mates}", match.stdout)

    def test_openings_come_in_order_or_shuffled_by_the_seed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "openings.epd"
            path.write_text("".join(f"kq/8/KQ w - - 0 {n}\n" for n in range(12)))
            given = ["-openings", f"file={path}"]
            self.assertEqual(referee(*given).stdout, referee(*given, "-srand", "2").stdout)
            shuffled = [referee(*given, "order=random", "-srand", str(seed)).stdout for seed in (1, 1, 2)]
            self.assertEqual(shuffled[0], shuffled[1])

    def test_wrong_arguments_are_said_in_one_line(self):
        for arguments, message in {
                ("-each", "nodes=1", "option.Skil=3"): "new has no option 'Skil'",
                ("-each", "nodes=1", "depth=2"): "new needs one of nodes=, depth= and st=",
                ("-each", "nodes=one"): "nodes=one is no number",
                ("-rounds", "x"): "-rounds x is no number",
                ("-openings", "file=/no/such"): "cannot read /no/such: No such file or directory",
                ("-engine", "cmd=x"): "there are 3 -engine, two are needed",
                ("-judge", "true"): "the judge has ended",
                ("-engines",): "-engines is not known; allowed: -engine -each -openings -srand -rounds "
                               "-draw -resign -maxmoves -recover -judge -patience"}.items():
            with self.subTest(arguments=arguments):
                match = referee(*arguments)
                self.assertEqual((match.returncode, match.stderr), (1, f"referee.py: {message}\n"))


@unittest.skipUnless(NTUNE, "NTUNE is not set")
class Study(unittest.TestCase):
    def test_settings_that_crash_are_failures_of_the_study(self):
        trouble = "{trouble}"
        study = f"""
objective:
  command: ['{sys.executable}', -B, '{REFEREE}', -judge, "{sys.executable} '{MOCK}'",
            -engine, name=new, 'cmd={sys.executable}', "args='{MOCK}' {trouble} 3",
            "{{params[Skill*]:option.{{name}}={{value}}}}",
            -engine, name=old, 'cmd={sys.executable}', "args='{MOCK}'",
            -each, nodes=1, -openings, plies=2, -srand, '{{seed}}', -rounds, '2', -patience, '5']
  result: fastchess
  retries: 0
space:
  trouble: [none, few, crash]
  Skill Level: {{integers: [1, 3]}}
runs: 1
iterations: 9
hold_out: 0
fail: skip
optimiser: grid
seed: 3
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "study.yaml"
            path.write_text(study)
            run = subprocess.run([NTUNE, "run", path, "--out", f"{folder}/out"], capture_output=True,
                                 text=True, timeout=120, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            result = json.loads(pathlib.Path(folder, "out", "result.json").read_text())
            self.assertIn(result["recommendation"]["parameters"]["trouble"], ["none", "few"])
            journal = pathlib.Path(folder, "out", "journal.log").read_text()
            self.assertIn("referee.py: new has ended", journal)


if __name__ == "__main__":
    unittest.main()
