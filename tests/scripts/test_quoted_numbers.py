"""Numbers that pages quote are those of the files that they come from.

A quote is a page, a pattern of its text whose groups are the numbers, and what the file says they are. To guard
another number, add a line to QUOTES. What a study prints is compared by tests/apps/examples_in_documents.py.
"""

import csv
import functools
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def rows(path, delimiter=","):
    with open(ROOT / path, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter=delimiter))


def text_of(page):
    """The text with single spaces, so that a sentence is found across lines."""
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


def percent(share, digits=0):
    return f"{100 * share:.{digits}f}"


def interval_coverage():
    cells = [float(row["coverage"]) for row in rows("benchmarks/results/interval_coverage.csv")
             if row["family"] in ("games", "difference", "pairs")]
    return len(cells), min(cells)


def arena(optimiser):
    """The cell of Hartmann-6 with wins and losses and 300 evaluations."""
    return next(row for row in rows("benchmarks/results/arena_parts.csv")
                if (row["landscape"], row["noise"], row["budget"], row["optimiser"])
                == ("hartmann6", "win_loss", "300", optimiser))


def arena_numbers():
    ours, other = arena("gaussian_process"), arena("ntbea")
    best = float(ours["mean"]) + float(ours["regret"])
    return [percent(best), percent(float(ours["mean"])), percent(float(other["mean"])), ours["n"]]


def crash_share(method):
    """Failures of NTBEA as a share of all evaluations, where a fifth of the settings crash."""
    found = [row for row in rows("benchmarks/results/crashes.csv", ";")
             if row["optimiser"] == "ntbea" and row["share"] == "0.2" and row["method"] == method]
    return sum(int(row["failures"]) for row in found) / sum(int(row["evaluations"]) for row in found)


def table_s1():
    return re.search(r"within 3 standard errors: (\d+) of (\d+) means",
                     (RESULTS / "table_s1.txt").read_text(encoding="utf-8")).groups()


def page_numbers():
    """What the page of the first study shows, as it is written there."""
    html = (ROOT / "configs/gallery/pig_page.html").read_text(encoding="utf-8")
    return set(re.findall(r'<data value="[^"]*">([^<]*)</data>', html))


def default_figure():
    """The win rates of the recommendation, the start next to it, and the default, in the figure of the gallery."""
    svg = (ROOT / "configs/gallery/default.svg").read_text(encoding="utf-8")
    labels = re.findall(r'text-anchor="end">([^<]*)</text>', svg)
    rates = re.findall(r"<title>[^<]*; win rate ([\d.]+) from", svg)
    by_label = dict(zip(labels, rates))
    return [f"{float(by_label[label]):.2f}" for label in ("recommended", "start #2", "default")]


def slide3_moves():
    """After how many moves the game of the gallery is won, and how many its shortest way has."""
    html = (ROOT / "configs/gallery/slide3_replay.html").read_text(encoding="utf-8")
    return [re.search(r'data-end="Win after (\d+) moves"', html).group(1), re.search(r'"scores":\[(\d+),', html).group(1)]


def rate_coverage():
    """The share of all intervals that hold the rate, and the least of a row of the table."""
    held = {}
    for row in rows("benchmarks/results/rate_coverage.csv"):
        held.setdefault((row["objective"], row["optimiser"]), []).append(
            float(row["low"]) <= float(row["true_value"]) <= float(row["high"]))
    shares = [sum(cell) / len(cell) for cell in held.values()]
    return [percent(sum(shares) / len(shares), 1), percent(min(shares), 1)]


@functools.lru_cache(maxsize=None)
def duels_table():
    return subprocess.run([ROOT / "benchmarks/scripts/duels.py", "table", RESULTS / "duels.csv"], capture_output=True,
                          text=True, check=True).stdout


def beside_spsa(games, rival):
    """In how many cells duels are ahead, level and behind."""
    standings = duels_table().partition(f"| duels after {games} games beside |")[2]
    return re.search(rf"^\| {rival} \| (\d+) \| (\d+) \| (\d+) \|", standings, re.MULTILINE).groups()


def imported_files():
    """Public files that were imported and checked, and all that were tried."""
    outcomes = [row["outcome"] for row in rows("benchmarks/results/import_files.csv")]
    return [outcomes.count("checked"), len(outcomes)]


QUOTES = [
    ("README.md", r"(\d+) of (\d+) public files \[import\]", imported_files),
    ("benchmarks/results/import_files.md", r"takes the study \| (\d+) \|", lambda: imported_files()[:1]),
    ("README.md", r"setting in 50,000: in (\d+) of 26 simulated cells, level in (\d+) \(",
     lambda: beside_spsa("1,000", "default SPSA, 50,000")[:2]),
    *[("configs/engines.md", rf"\| {ours} games, SPSA's default setting with {theirs} \| (\d+) \| (\d+) \| (\d+) \|",
       lambda ours=ours, theirs=theirs: beside_spsa(ours, f"default SPSA, {theirs}"))
      for ours, theirs in (("1,000", "5,000"), ("1,000", "50,000"), ("10,000", "50,000"), ("10,000", "500,000"))],
    ("configs/engines.md", r"chosen in hindsight \| (\d+) \| (\d+) \| (\d+) \|",
     lambda: beside_spsa("1,000", "best of 40 SPSA")),
    ("README.md", r"In all (\d+) cases of games .*? at least (\d+) times in 100",
     lambda: [interval_coverage()[0], int(100 * interval_coverage()[1])]),
    ("benchmarks/results/intervals.md", r"In all (\d+) cells of games .*? at least ([\d.]+) % of the time",
     lambda: [interval_coverage()[0], percent(interval_coverage()[1], 1)]),
    ("README.md", r"the best point wins (\d+) %\. In 300 games ntune finds points that win (\d+) %, plain NTBEA (\d+) %,"
     r" as a mean of (\d+) runs", arena_numbers),
    ("configs/optimisers.md", r"\(at 300\) \| `gaussian_process` \| .*? \| ([\d.]+), NTBEA ([\d.]+) \|",
     lambda: [f"{float(arena(name)['mean']):.3f}" for name in ("gaussian_process", "ntbea")]),
    ("README.md", r"a fifth of the settings crash, (\d+) % of NTBEA's evaluations fail, and (\d+) % without",
     lambda: [percent(crash_share("learn")), percent(crash_share("skip"))]),
    ("README.md", r"All (\d+) rows of a published table on NTBEA agree within three", lambda: [table_s1()[0]]),
    ("benchmarks/results/ntbea.md", r"all (\d+) means and (\d+) deltas lie within three", table_s1),
    ("benchmarks/results/calibration.md",
     r"In all cells together ([\d.]+) % of the intervals hold the true rate, and at least ([\d.]+) % in each", rate_coverage),
    ("configs/gallery/README.md", r"the recommendation ([\d.]+), a start ([\d.]+), the default ([\d.]+)\.\]",
     default_figure),
    ("configs/gallery/README.md", r"the player wins in (\d+) moves; without.*? shortest way has (\d+)", slide3_moves),
]


class QuotedNumbers(unittest.TestCase):
    def test_quotes(self):
        for page, pattern, values in QUOTES:
            with self.subTest(page=page, pattern=pattern):
                found = re.search(pattern, text_of(page))
                self.assertIsNotNone(found, "the page no longer says so: mend the pattern")
                self.assertEqual(list(found.groups()), [str(value) for value in values()])

    def test_the_first_page_shows_what_its_picture_shows(self):
        shown = page_numbers()
        html = (ROOT / "configs/gallery/pig_page.html").read_text(encoding="utf-8")
        blocks = (ROOT / "README.md").read_text(encoding="utf-8").split("\n\n")
        story = next(block for block in blocks if "\n      today's  " in block)
        for number in re.findall(r"[\d.]+ %|\+[\d.]+ points \[[^]]*\]|Elo [^\n]*\]", story):
            self.assertIn(number, html)
        blocks = (ROOT / "configs/results.md").read_text(encoding="utf-8").split("\n\n")
        details = next(block for block in blocks if "    Details\n      value        " in block)
        for name in ("value", "default", "difference"):
            line = re.search(rf"^ +{name} +([+-]?[\d.]+) .*?\[([\d.]+), ([\d.]+)\]", details, re.MULTILINE)
            for number in line.groups():
                self.assertIn(number, shown, name)

    def test_games_of_a_decision(self):
        table = subprocess.run([ROOT / "benchmarks/scripts/decision_games.py"], capture_output=True, text=True, check=True)
        self.assertIn(table.stdout, (ROOT / "configs/results.md").read_text(encoding="utf-8"))

    def test_published_columns(self):
        """Mean, sd and delta of Table 2 on the page of the arcade are those of the files of published numbers."""
        page = (RESULTS / "arcade.md").read_text(encoding="utf-8")
        table = page[page.index("| | published mean, sd, delta |"):]
        table = [line.split("|")[1:3] for line in table.split("\n\n")[0].split("\n")[2:]]
        published = [row for game in ("planet_wars", "asteroids")
                     for row in rows(f"configs/papers/ntbea_table_2_{game}.csv")]
        self.assertEqual(len(table), len(published))
        for (name, numbers), row in zip(table, published):
            self.assertTrue(name.strip().endswith(row["optimiser"]), name)
            digits = 0 if float(row["mean"]) > 1 else 3
            self.assertEqual(numbers.strip(), f"{float(row['mean']):,.{digits}f}, {float(row['sd']):.{digits}f}, "
                                              f"{float(row['delta']):+.{digits}f}")


if __name__ == "__main__":
    unittest.main()
