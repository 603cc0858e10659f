#!/usr/bin/env python3
"""Marginal means of a recorded table of Asteroids I beside those of the 2018 program.

The published means are of a nearly uniform sample of single games of the variant 2019, 45 to 170 a
value; their own standard errors are therefore about 200 to 500.
"""

import argparse
import csv
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

from recorded_table import observations  # noqa: E402

# Option, published mean by value.
PUBLISHED = {
    "sequence_length": {"5": 578, "10": 1849, "15": 1901, "20": 2614, "50": 3804, "100": 4899,
                        "150": 4017},
    "shift_buffer": {"false": 1490, "true": 4144},
    "flip_one": {"false": 2493, "true": 3181},
    "resample": {"1": 3186, "2": 2786, "3": 2551},
    "mutated_points": {"0": 1889, "1": 3025, "2": 3226, "3": 3189},
}
# Of sequence_length with and without the shift buffer.
SHIFTED = {"5": 460, "10": 1706, "15": 1994, "20": 3248, "50": 6190, "100": 8033, "150": 7094}
UNSHIFTED = {"5": 714, "10": 1991, "15": 1808, "20": 1954, "50": 1419, "100": 1504, "150": 941}


def read(path):
    """Rows as (settings, observations), an observation for each time that it was made."""
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        for row in rows:
            yield row, [float(value) for value in observations(row.pop("observations"))]


def mean_and_error(points):
    """Mean over points, and the standard error that the games of each leave."""
    means = [sum(games) / len(games) for games in points]
    variances = [sum((game - mean) ** 2 for game in games) / (len(games) - 1) / len(games)
                 for games, mean in zip(points, means)]
    return sum(means) / len(means), math.sqrt(sum(variances)) / len(points)


def ranks(means):
    ordered = sorted(means)
    return [ordered.index(mean) for mean in means]


def rank_correlation(a, b):
    n = len(a)
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(ranks(a), ranks(b))) / (n * (n * n - 1))


def print_marginals(title, published, rows, option, condition=None):
    ours, cells = [], []
    for value, mean in published.items():
        points = [games for row, games in rows
                  if row[option] == value and condition in (None, row["shift_buffer"])]
        own, error = mean_and_error(points)
        ours.append(own)
        cells.append(f"{value}: {mean:,} / {own:,.0f} ± {error:.0f}")
    ratios = [own / mean for own, mean in zip(ours, published.values())]
    correlation = rank_correlation(ours, list(published.values()))
    print(f"| {title} | {'; '.join(cells)} | {correlation:.2f} | "
          f"{min(ratios):.2f} to {max(ratios):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", metavar="TABLE.csv")
    rows = list(read(parser.parse_args().table))
    print("| | published / ours ± its error | rank correlation | ours over published |")
    print("|---|---|---|---|")
    for option, published in PUBLISHED.items():
        print_marginals(option, published, rows, option)
    print_marginals("sequence_length, shift_buffer", SHIFTED, rows, "sequence_length", "true")
    print_marginals("sequence_length, no shift_buffer", UNSHIFTED, rows, "sequence_length", "false")


if __name__ == "__main__":
    main()
