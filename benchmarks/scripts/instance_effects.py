#!/usr/bin/env python3
"""Tables of instance_effects.csv (benchmarks/programs/instance_effects.cpp).

For each optimiser, number of evaluations, size of the effects and interaction: the regret where the
effects are kept and where they are removed, and their difference, paired by landscape, instances and
run, with a 95 % interval of the runs' means. With --goal A,B: A evaluations with the effects removed
beside B with the effects kept. With --by instances also by the number of instances.
"""

import argparse
import csv
from collections import defaultdict

from intervals import mean_interval

PAIR = ["landscape", "optimiser", "effect", "interaction", "instances", "run"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv")
    parser.add_argument("--by", default="", help="more columns that make a row: instances, landscape")
    parser.add_argument("--goal", default="", help="two numbers of evaluations, by a comma")
    arguments = parser.parse_args()
    with open(arguments.csv, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    regret = {tuple(row[k] for k in PAIR) + (row["evaluations"], row["method"]): float(row["regret"]) for row in rows}
    counts = sorted({int(row["evaluations"]) for row in rows})
    pairs = [(str(n), str(n)) for n in counts]
    if arguments.goal:
        pairs = [tuple(arguments.goal.split(","))]
    more = [key for key in arguments.by.split(",") if key]
    columns = ["optimiser", "effect", "interaction"] + more
    print("| removed at | kept at | " + " | ".join(columns) + " | runs | removed | kept | difference |")
    print("|" + "---|" * (len(columns) + 6))
    for removed_at, kept_at in pairs:
        # A run of all landscapes and instances together is one observation.
        cells = defaultdict(lambda: defaultdict(list))
        for key in {key[:-2] for key in regret}:
            removed = regret.get(key + (removed_at, "removed"))
            kept = regret.get(key + (kept_at, "kept"))
            if removed is None or kept is None:
                continue
            named = dict(zip(PAIR, key))
            cells[tuple(named[c] for c in columns)][named["run"]].append((removed, kept))
        for cell, runs in sorted(cells.items()):
            most = max(len(values) for values in runs.values())
            whole = [values for values in runs.values() if len(values) == most]
            means = [[sum(v[i] for v in values) / most for i in (0, 1)] for values in whole]
            n, difference, half = mean_interval([a - b for a, b in means])
            print(f"| {removed_at} | {kept_at} | " + " | ".join(cell) + f" | {n} x {most} | "
                  f"{sum(a for a, _ in means) / n:.4f} | {sum(b for _, b in means) / n:.4f} | "
                  f"{difference:+.4f} ± {half:.4f} |")


if __name__ == "__main__":
    main()
