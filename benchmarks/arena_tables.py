#!/usr/bin/env python3
"""Tables of the arena from arena_parts.csv, in Markdown: what `auto` takes against NTBEA and the others.

    benchmarks/arena_tables.py 100       # of all functions and landscapes at this budget
    benchmarks/arena_tables.py ranks     # mean ranks of the optimisers over all cells

A cell is a landscape with one noise; an optimiser's rank there is that of its mean true value. `auto`
is what it stands for in the cell. Level with the best: not below it in the paired 95 % interval.
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
RANKED = ["auto", "compact_ga", "ntbea", "ntbea_inverse_root", "ntbea_tag", "spsa", "racing", "tpe",
          "rmhc", "random"]
# Gaussian processes as `auto` does not take them, and a preset that is NTBEA again.
NOT_OTHERS = ["gaussian_process", "pooled_starts", "gaussian_process_starts", "ntbea_paper"]
# Spaces of no more than 2,000 points, all of which one Gaussian process holds.
SMALL = ["hartmann3", "branin", "goldstein_price", "nk10", "planet_wars_1", "asteroids_1", "slide3"]
LANDSCAPES = {"hartmann3": "Hartmann-3", "hartmann6": "Hartmann-6", "branin": "Branin",
              "goldstein_price": "Goldstein-Price", "one_max10": "OneMax, 10 of 5 values",
              "trap12": "Trap 12", "nk10": "NK 10", "nk20": "NK 20", "nk50": "NK 50"}
for dimensions, values in (4, "random, 4 of 10 values"), (6, "6 of 5"), (10, "10 of 6"):
    for seed in 1, 2, 3:
        LANDSCAPES[f"gaussian_landscape{dimensions}_s{seed}"] = values if seed == 1 else ""
NOISES = {"win_loss": "wins and losses", "gaussian0.2": "normal"}


def auto_of(landscape, budget):
    if budget < 1000:
        return "gaussian_process"
    several = budget > 2000 and landscape not in SMALL
    return "gaussian_process_starts" if several else "pooled_starts"


def read_cells():
    """{(budget, landscape, noise): {optimiser: row}}, with what `auto` stands for as `auto`."""
    cells = collections.defaultdict(dict)
    with PARTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            budget = int(row["budget"])
            is_auto = row["optimiser"] == auto_of(row["landscape"], budget)
            row["mean"] = float(row["mean"])
            name = "auto" if is_auto else row["optimiser"]
            cells[budget, row["landscape"], row["noise"]][name] = row
    return cells


def print_table(head, body):
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    for row in body:
        print("| " + " | ".join(row) + " |")


def budget_table(budget):
    cells = {key[1:]: cell for key, cell in read_cells().items() if key[0] == budget}
    counts = {noise: collections.Counter() for noise in NOISES}
    rows = []
    for landscape, text in LANDSCAPES.items():
        line = [text]
        for noise, count in counts.items():
            cell = cells[landscape, noise]
            auto, ntbea = cell["auto"], cell["ntbea"]
            best = max((row for name, row in cell.items() if name not in ["auto", "ntbea", *NOT_OTHERS]),
                       key=lambda row: row["mean"])
            low, high = float(auto["difference_low"]), float(auto["difference_high"])
            top = max(best["mean"], ntbea["mean"])
            level = auto["level"] == "True" or auto["mean"] >= top
            count.update(above=low > 0.0, below=high < 0.0, level=level)
            bold = ["**" if not level and row["mean"] == top else "" for row in (ntbea, best)]
            line += [f"{bold[0]}{ntbea['mean']:.3f}{bold[0]}", f"{auto['mean']:.3f}",
                     f"{float(auto['difference']):+.3f} [{low:.3f}, {high:.3f}]",
                     f"{bold[1]}`{best['optimiser']}` {best['mean']:.3f}{bold[1]}"]
        rows.append([field.replace("-0.000", "0.000") for field in line])
    print_table([f"{budget:,}", *(field for text in NOISES.values()
                                  for field in (f"NTBEA, {text}", "`auto`", "difference", "best other"))],
                rows)
    print()
    for noise, count in counts.items():
        print(f"{NOISES[noise]}: of {len(rows)} cells `auto` is above NTBEA in {count['above']}, below in "
              f"{count['below']}, level with or ahead of the best in {count['level']}")


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


def main():
    if sys.argv[1:] == ["ranks"]:
        rank_table()
    elif len(sys.argv) == 2 and sys.argv[1] in map(str, BUDGETS):
        budget_table(int(sys.argv[1]))
    else:
        sys.exit(f"arena_tables: a budget of {', '.join(map(str, BUDGETS))} or 'ranks' is allowed")


if __name__ == "__main__":
    main()
