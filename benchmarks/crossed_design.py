#!/usr/bin/env python3
"""What an optimiser gains where: the arena of a crossed design, averaged by factor.

    scripts/arena.sh --study configs/papers/arena_crossed.yaml --out DIR
    benchmarks/crossed_design.py DIR/arena.csv [--reference ntbea] [--budgets 100,300]

Each landscape counts as one observation, the mean of its runs paired with the reference's; the 95 %
interval (normal) is over landscapes, so that it speaks of landscapes of this kind, not of these alone.
"""

import argparse
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import arena  # noqa: E402
import arena_report  # noqa: E402

FACTORS = ["dimensions", "amplitude", "shift", "length_scale", "length_spread"]


def groups_of(objectives):
    """Names and landscapes: all of them, then those of each value of each factor."""
    groups = {"all": list(objectives)}
    for factor in FACTORS:
        for value in sorted({objective[factor] for objective in objectives.values()}):
            groups[f"{factor} {value}"] = [
                name for name, objective in objectives.items() if objective[factor] == value]
    return groups


def difference(cells, budget, optimiser, reference, landscapes):
    """Mean and half of the 95 % interval over landscapes, or None where one was not run."""
    means = []
    for landscape in landscapes:
        results = cells[(*landscape, budget)]
        against = arena_report.paired(results[optimiser], results[reference])
        if against is None:
            return None
        means.append(against[0])
    return arena_report.interval(means)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", metavar="arena.csv")
    parser.add_argument("--study", default=ROOT / "configs/papers/arena_crossed.yaml")
    parser.add_argument("--reference", default="ntbea")
    parser.add_argument("--budgets", type=arena.budget_list)
    arguments = parser.parse_args()
    try:
        _, objectives, _ = arena.read_study(arguments.study)
        with open(arguments.runs, encoding="utf-8", newline="") as file:
            cells, _, _ = arena_report.read_cells(csv.DictReader(file))
    except (OSError, KeyError) as problem:
        sys.exit(f"crossed_design.py: {problem}")
    groups = groups_of(objectives)
    for budget in arguments.budgets or sorted({cell[2] for cell in cells}):
        optimisers = list(dict.fromkeys(
            name for cell, results in cells.items() if cell[2] == budget for name in results
            if name != arguments.reference))
        print(f"| {budget} evaluations, n | {' | '.join(optimisers)} |")
        print("|---" * (len(optimisers) + 1) + "|")
        for name, landscapes in groups.items():
            fields = []
            for optimiser in optimisers:
                found = difference(cells, budget, optimiser, arguments.reference, landscapes)
                fields.append("" if found is None else "{:+.3f} ± {:.3f}".format(*found))
            print(f"| {name}, {len(landscapes)} | {' | '.join(fields)} |")
        print()


if __name__ == "__main__":
    main()
