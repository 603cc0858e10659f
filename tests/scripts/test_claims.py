"""The claims of the papers on the pages of results are those of configs/claims."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "scripts"))

import claims  # noqa: E402

CLAIM = {"paper": "A (2000)", "place": "Table 1", "claim": "a | b", "measured": "0.5", "n": "100 games",
         "verdict": "open", "command": "slide3 reproduce 4.2", "time": "3 s"}


class Claims(unittest.TestCase):
    def test_a_table_for_each_paper(self):
        text = claims.table([CLAIM, {**CLAIM, "paper": "B (2001)", "n": ""}])
        self.assertEqual(text.count("| claim | measured |"), 2)
        self.assertIn("| Table 1: a \\| b | 0.5; n = 100 games | open | 1 |\n", text)
        self.assertIn("\n1. `slide3 reproduce 4.2`, 3 s\n", text)

    def test_a_command_is_named_once(self):
        text = claims.table([CLAIM, {**CLAIM, "command": "slide3 database"}, CLAIM])
        self.assertEqual(text.count("`slide3 reproduce 4.2`"), 1)
        self.assertIn("| open | 2 |\n", text)
        self.assertIn("\n2. `slide3 database`, 3 s\n", text)

    def test_measured_without_a_count(self):
        text = claims.table([CLAIM, {**CLAIM, "paper": "B (2001)", "n": ""}])
        self.assertIn("| 0.5 | open |", text)

    def test_a_common_count_stands_above(self):
        text = claims.table([CLAIM, CLAIM, CLAIM, {**CLAIM, "n": "7 runs"}, {**CLAIM, "n": ""}])
        self.assertIn("\nA (2000); n = 100 games, unless a row has another:\n", text)
        self.assertEqual(text.count("| 0.5 | open |"), 3)
        self.assertIn("| 0.5; n = 7 runs | open |", text)
        self.assertIn("| 0.5; exact | open |", text)

    def test_the_rest_of_a_page_stays(self):
        page = "# A\n" + claims.BEGIN + "old\n" + claims.END + "below\n"
        new = claims.with_table(page, [CLAIM])
        self.assertTrue(new.startswith("# A\n"))
        self.assertTrue(new.endswith("below\n"))
        self.assertNotIn("old", new)
        with self.assertRaises(ValueError):
            claims.with_table("# A\n", [CLAIM])

    def test_pages_are_as_their_claims(self):
        for laboratory in claims.LABORATORIES:
            page = (ROOT / "benchmarks" / "results" / f"{laboratory}.md").read_text(encoding="utf-8")
            self.assertEqual(claims.with_table(page, claims.read_claims(laboratory)), page,
                             f"{laboratory}.md: run benchmarks/scripts/claims.py")


if __name__ == "__main__":
    unittest.main()
