#!/usr/bin/env python3
"""Tables of the arena from arena_parts.csv, in Markdown: what `auto` takes against NTBEA and the others.

    benchmarks/scripts/arena_tables.py 100       # of all functions and landscapes at this budget
    benchmarks/scripts/arena_tables.py games     # of the recorded games
    benchmarks/scripts/arena_tables.py ranks     # mean ranks of the optimisers over all cells
    benchmarks/scripts/arena_tables.py choice    # what there is to gain by choosing an optimiser for each cell

A cell is a landscape with one noise; an optimiser's rank there is that of its mean true value. `auto`
is what it stands for in the cell. Level with the best: not below it in the paired 95 % interval.
"""

import argparse
import collections
import csv
import functools
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import arena_report  # noqa: E402

PARTS = ROOT / "benchmarks/results/arena_parts.csv"
BUDGETS = [100, 300, 1000, 3000]
RANKED = ["auto", "compact_ga", "ntbea", "ntbea_inverse_root", "ntbea_tag", "spsa", "racing", "tpe",
          "rmhc", "random"]
# Models that `auto` does not take in the cell, and a preset that is NTBEA again.
NOT_OTHERS = ["gaussian_process", "pooled_starts", "gaussian_process_starts", "smoothed_n_tuple",
              "regression_n_tuple", "ntbea_paper"]
LANDSCAPES = {"hartmann3": "Hartmann-3", "hartmann6": "Hartmann-6", "branin": "Branin",
              "goldstein_price": "Goldstein-Price", "one_max10": "OneMax, 10 of 5 values",
              "trap12": "Trap 12", "nk10": "NK 10", "nk20": "NK 20", "nk50": "NK 50"}
for dimensions, values in (4, "random, 4 of 10 values"), (6, "6 of 5"), (10, "10 of 6"):
    for seed in 1, 2, 3:
        LANDSCAPES[f"gaussian_landscape{dimensions}_s{seed}"] = values if seed == 1 else ""
GAMES = {"planet_wars_1": "RHEA in Planet Wars", "asteroids_1": "RHEA in Asteroids",
         "slide3": "SlideThree search"}
NOISES = {"win_loss": "wins and losses", "gaussian0.2": "normal"}


def auto_of(budget):
    return "gaussian_process" if budget < 1000 else "pooled_starts"


def read_cells():
    """{(budget, landscape, noise): {optimiser: row}}, with what `auto` stands for as `auto`."""
    cells = collections.defaultdict(dict)
    with PARTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            budget = int(row["budget"])
            is_auto = row["optimiser"] == auto_of(budget)
            row["mean"] = float(row["mean"])
            name = "auto" if is_auto else row["optimiser"]
            cells[budget, row["landscape"], row["noise"]][name] = row
    return cells


def print_table(head, body):
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    for row in body:
        print("| " + " | ".join(row) + " |")


class Comparison:
    """`auto` in a cell beside NTBEA and the best of the others."""

    def __init__(self, cell):
        self.auto, self.ntbea = cell["auto"], cell["ntbea"]
        self.best = max((row for name, row in cell.items() if name not in ["auto", "ntbea", *NOT_OTHERS]),
                        key=lambda row: row["mean"])
        self.low, self.high = (float(self.auto[f"difference_{end}"]) for end in ("low", "high"))
        self.top = max(self.best["mean"], self.ntbea["mean"])
        self.level = self.high >= 0.0 and (self.auto["level"] == "True" or self.auto["mean"] >= self.top)

    def fields(self):
        bold = ["**" if not self.level and row["mean"] == self.top else "" for row in (self.ntbea, self.best)]
        places = 3 if abs(self.top) < 10.0 else 0  # of a share, of a score
        ntbea, auto, best, difference, low, high = (f"{value:,.{places}f}" for value in (
            self.ntbea["mean"], self.auto["mean"], self.best["mean"], float(self.auto["difference"]),
            self.low, self.high))
        fields = [f"{bold[0]}{ntbea}{bold[0]}", auto,
                  f"{'' if difference.startswith('-') else '+'}{difference} [{low}, {high}]",
                  f"{bold[1]}`{self.best['optimiser']}` {best}{bold[1]}"]
        return [re.sub(r"[+-](0|0\.000)(?![.0-9])", r"\1", field) for field in fields]


def budget_table(budget):
    """A table for each noise, and how often `auto` is above and below."""
    cells = {key[1:]: cell for key, cell in read_cells().items() if key[0] == budget}
    for noise, title in NOISES.items():
        compared = [Comparison(cells[landscape, noise]) for landscape in LANDSCAPES]
        print_table([f"{budget:,}, {title}", "NTBEA", "`auto`", "difference", "best other"],
                    [[name, *one.fields()] for name, one in zip(LANDSCAPES.values(), compared)])
        print(f"\n{title}: of {len(compared)} cells `auto` is above NTBEA in {sum(one.low > 0.0 for one in compared)}, "
              f"below in {sum(one.high < 0.0 for one in compared)}, level with or ahead of the best in "
              f"{sum(one.level for one in compared)}\n")


def game_table():
    cells = read_cells()
    print_table(["", "games", "NTBEA", "`auto`", "difference", "best other"],
                [[name, f"{budget:,}", *Comparison(cells[budget, game, "own"]).fields()]
                 for game, name in GAMES.items() for budget in BUDGETS])


def rank_table():
    cells = read_cells()
    columns = {}
    for budget in BUDGETS:
        own = [cell for key, cell in cells.items() if key[0] == budget]
        names = [name for name in RANKED if all(name in cell for cell in own)]
        columns[budget] = {name: statistics.fmean(
            arena_report.rank(cell[name]["mean"], [cell[other]["mean"] for other in names])
            for cell in own) for name in names}
    print_table(["mean rank", *(f"{budget:,}" for budget in BUDGETS)],
                [[f"`{name}`", *(f"{ranks[name]:.1f}" if name in ranks else ""
                                 for ranks in columns.values())] for name in RANKED])


def choice_table():
    """True value above that of `auto`, if in each cell the best mean were known beforehand."""
    cells = read_cells()
    body = []
    for budget in BUDGETS:
        compared = [Comparison(cell) for key, cell in cells.items() if key[0] == budget and key[2] in NOISES]
        fields = [f"{budget:,}"]
        for top_of in (lambda one: one.ntbea["mean"]), (lambda one: one.top):
            gains = [max(top_of(one) - one.auto["mean"], 0.0) for one in compared]
            fields.append(f"{statistics.fmean(gains):.4f} in {sum(gain > 0.0 for gain in gains)} of {len(gains)}, "
                          f"at most {max(gains):.3f}")
        body.append(fields)
    print_table(["evaluations", "the better of `auto` and NTBEA", "the best of all"], body)


def main():
    tables = {"games": game_table, "ranks": rank_table, "choice": choice_table,
              **{str(budget): functools.partial(budget_table, budget) for budget in BUDGETS}}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=tables)
    tables[parser.parse_args().table]()


if __name__ == "__main__":
    main()
