#!/usr/bin/env python3
"""Tables of estimate_coverage.csv (benchmarks/programs/estimate_coverage.cpp).

For each optimiser, noise and budget: how often the 95 % interval of the recommended point holds its
true value, the mean lead of the estimate over that value, and the width. Then the same by landscape,
and the probability of being best and the expected regret beside what came true.
"""

import argparse
import csv
import pathlib
import re
from collections import defaultdict

from intervals import mean_interval, wilson_interval

ARENA = pathlib.Path(__file__).resolve().parents[2] / "configs" / "papers" / "arena.yaml"
FEWEST = 20  # runs of a cell that is judged by itself
BINS = [0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0]


def landscapes(path):
    """(name, noise) of every function, by its place in the study."""
    names = []
    for text in re.findall(r"- \{function: (.*)\}$", path.read_text(encoding="utf-8"), re.MULTILINE):
        kind, _, noise = text.partition(", noise: ")
        numbers = re.findall(r"(dimensions|seed): (\d+)", kind)
        name = " ".join([kind.split(",")[0], *[("seed " if key == "seed" else "") + n for key, n in numbers]])
        names.append((name, "wins and losses" if noise == "win_loss" else "normal"))
    return names


def holds(row):
    return row["low"] <= row["true_value"] <= row["high"]


def lead(row):
    return row["estimate"] - row["true_value"]


def read(paths):
    """The rows that claim anything, with numbers, and the name and noise of their landscape."""
    names = landscapes(ARENA)
    rows = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if not row["low"]:
                    continue
                numbers = {key: float(value) for key, value in row.items() if key not in ("optimiser", "objective")}
                place = row["objective"]
                name, noise = names[int(place)] if place.isdigit() else (place, "wins and losses")
                rows.append({**numbers, "optimiser": row["optimiser"], "name": name, "noise": noise})
    return rows


def grouped(rows, *keys):
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return groups


def print_budgets(rows):
    print("| optimiser, noise | evaluations | runs | coverage | estimate less truth | width |")
    print("|" + "---|" * 6)
    for (optimiser, noise, budget), cell in sorted(grouped(rows, "optimiser", "noise", "budget").items()):
        hits = sum(map(holds, cell))
        _, low, high = wilson_interval(hits, len(cell))
        _, bias, half = mean_interval([lead(row) for row in cell])
        width = mean_interval([row["high"] - row["low"] for row in cell])[1]
        print(f"| {optimiser}, {noise} | {budget:,.0f} | {len(cell):,} | {100 * hits / len(cell):.1f} % "
              f"[{100 * low:.1f}, {100 * high:.1f}] | {bias:+.3f} ± {half:.3f} | {width:.3f} |")


def print_landscapes(rows, optimiser):
    chosen = [row for row in rows if row["optimiser"] == optimiser]
    budgets = sorted({row["budget"] for row in chosen})
    print(f"\n| {optimiser}: landscape, noise | " + " | ".join(f"{b:,.0f}: coverage, lead" for b in budgets) + " |")
    print("|" + "---|" * (1 + len(budgets)))
    outside = total = 0
    for (name, noise), cells in grouped(chosen, "name", "noise").items():
        texts = []
        for budget in budgets:
            cell = [row for row in cells if row["budget"] == budget]
            if not cell:
                texts.append("")
                continue
            hits = sum(map(holds, cell))
            _, low, high = wilson_interval(hits, len(cell))
            if len(cell) >= FEWEST:
                total += 1
                outside += high < 0.92 or low > 0.98
            texts.append(f"{hits / len(cell):.2f}, {mean_interval([lead(row) for row in cell])[1]:+.3f}")
        print(f"| {name}, {noise} | " + " | ".join(texts) + " |")
    print(f"\n{outside} of {total} cells with {FEWEST} runs and more are outside 92 to 98 % for certain, by a 95 % interval of the share.")


def print_best(rows, optimiser):
    chosen = [row for row in rows if row["optimiser"] == optimiser]
    print(f"\n| {optimiser}: claimed probability of being best | runs | mean claim | came true |")
    print("|" + "---|" * 4)
    for low, high in zip(BINS, BINS[1:]):
        part = [row for row in chosen if low <= row["best_probability"] < high or high == row["best_probability"] == 1]
        if not part:
            continue
        hits = sum(row["regret"] < 1e-9 for row in part)
        ends = wilson_interval(hits, len(part))[1:]
        print(f"| {low:.2f} to {high:.2f} | {len(part):,} | {mean_interval([r['best_probability'] for r in part])[1]:.3f} "
              f"| {hits / len(part):.3f} [{ends[0]:.3f}, {ends[1]:.3f}] |")
    print(f"\n| {optimiser}: noise, evaluations | expected regret | regret |")
    print("|" + "---|" * 3)
    for (noise, budget), cell in sorted(grouped(chosen, "noise", "budget").items()):
        _, regret, half = mean_interval([row["regret"] for row in cell])
        claimed = mean_interval([row["expected_regret"] for row in cell])[1]
        print(f"| {noise}, {budget:,.0f} | {claimed:.3f} | {regret:.3f} ± {half:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv", nargs="+")
    rows = read(parser.parse_args().csv)
    print_budgets(rows)
    for optimiser in sorted({row["optimiser"] for row in rows}):
        print_landscapes(rows, optimiser)
        print_best(rows, optimiser)


if __name__ == "__main__":
    main()
