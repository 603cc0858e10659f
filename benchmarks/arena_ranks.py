#!/usr/bin/env python3
"""Mean ranks of nine optimisers over all cells of the arena at a budget, from arena_parts.csv.

    benchmarks/arena_ranks.py

A cell is a landscape with one noise; an optimiser's rank there is that of its mean true value. `auto`
is what it stands for in the cell.
"""

import collections
import csv
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import arena_report  # noqa: E402

PARTS = ROOT / "benchmarks/arena_parts.csv"
BUDGETS = [100, 300, 1000, 3000]
OPTIMISERS = ["auto", "compact_ga", "ntbea", "ntbea_inverse_root", "ntbea_tag", "spsa", "racing",
              "rmhc", "random"]
# Spaces of no more than 2,000 points, all of which one Gaussian process holds.
SMALL = ["hartmann3", "branin", "goldstein_price", "nk10", "planet_wars_1", "asteroids_1", "slide3"]


def auto_of(landscape, budget):
    if budget < 1000:
        return "gaussian_process"
    several = budget > 2000 and landscape not in SMALL
    return "gaussian_process_starts" if several else "pooled_starts"


def main():
    cells = collections.defaultdict(dict)
    with PARTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            budget = int(row["budget"])
            name = row["optimiser"]
            if name == auto_of(row["landscape"], budget):
                name = "auto"
            cells[budget, row["landscape"], row["noise"]][name] = float(row["mean"])
    ranks = collections.defaultdict(list)
    for (budget, *_), means in cells.items():
        if not means.keys() >= set(OPTIMISERS):
            continue
        means = {name: means[name] for name in OPTIMISERS}
        for name, mean in means.items():
            ranks[name, budget].append(arena_report.rank(mean, means.values()))
    print("| mean rank, cells | " + " | ".join(
        f"{budget:,}, {len(ranks['auto', budget])}" for budget in BUDGETS) + " |")
    print("|---" * (len(BUDGETS) + 1) + "|")
    for name in OPTIMISERS:
        print(f"| `{name}` | " + " | ".join(
            f"{statistics.fmean(ranks[name, budget]):.1f}" for budget in BUDGETS) + " |")


if __name__ == "__main__":
    main()
