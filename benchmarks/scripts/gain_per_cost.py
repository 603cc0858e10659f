#!/usr/bin/env python3
"""Table of gain_per_cost.csv (benchmarks/programs/gain_per_cost.cpp).

For each landscape, scatter of the costs and budget: the regret of the Gaussian process and of the
three wrappers, and the differences of those that weigh the cost to the one that does not and to the
Gaussian process, paired by run, with 95 % intervals.
"""

import argparse
import csv
from collections import defaultdict

from intervals import mean_interval

METHODS = ["gaussian_process", "gain", "gain per root of cost", "gain per cost"]


def text(values, sign=""):
    _, mean, half = mean_interval(values)
    return f"{mean:{sign}.3f} ± {half:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv")
    arguments = parser.parse_args()
    regrets = defaultdict(lambda: defaultdict(dict))
    with open(arguments.csv, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cell = (row["landscape"].strip("{}").split(",")[0].split(": ")[1], row["sd_log_cost"], row["budget"])
            regrets[cell][row["method"]][int(row["run"])] = float(row["regret"])
    print("| landscape, scatter, budget | runs | " + " | ".join(METHODS) + " | root - gain | cost - gain | cost - gaussian_process |")
    print("|" + "---|" * 9)
    for cell, methods in regrets.items():
        runs = sorted(set.intersection(*(set(methods[m]) for m in METHODS)))

        def difference(a, b):
            return text([methods[a][r] - methods[b][r] for r in runs], "+")

        print(f"| {', '.join(cell)} | {len(runs)} | " + " | ".join(text([methods[m][r] for r in runs]) for m in METHODS)
              + f" | {difference(METHODS[2], METHODS[1])} | {difference(METHODS[3], METHODS[1])}"
              + f" | {difference(METHODS[3], METHODS[0])} |")


if __name__ == "__main__":
    main()
