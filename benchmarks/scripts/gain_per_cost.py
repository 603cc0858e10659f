#!/usr/bin/env python3
"""Tables of gain_per_cost.csv (benchmarks/programs/gain_per_cost.cpp).

For each landscape, scatter of the costs and budget: the regret of the Gaussian process and of the
three wrappers, with 95 % intervals. Then differences of methods, paired. The runs of one number
share their streams, so an interval is over the means of runs.
"""

import argparse
import csv
from collections import defaultdict

from intervals import mean_interval

METHODS = ["gaussian_process", "gain", "gain per root of cost", "gain per cost"]
PAIRS = [(2, 1), (3, 1), (3, 2), (1, 0), (2, 0), (3, 0)]


def text(values, sign=""):
    _, mean, half = mean_interval(values)
    return f"{mean:{sign}.3f} ± {half:.3f}"


def read(path):
    """Regrets by method, of every cell and run."""
    regrets = defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            name = row["landscape"].strip("{}").split(",")[0].split(": ")[1]
            regrets[name, row["sd_log_cost"], row["budget"], int(row["run"])][row["method"]] = float(row["regret"])
    return {key: methods for key, methods in regrets.items() if len(methods) == len(METHODS)}


def print_regrets(regrets):
    print("| landscape, scatter, budget | runs | " + " | ".join(METHODS) + " |")
    print("|" + "---|" * (2 + len(METHODS)))
    for cell in dict.fromkeys(key[:3] for key in regrets):
        rows = [methods for key, methods in regrets.items() if key[:3] == cell]
        values = [text([row[method] for row in rows]) for method in METHODS]
        print(f"| {', '.join(cell)} | {len(rows)} | " + " | ".join(values) + " |")


def difference(regrets, pair, chosen):
    runs = defaultdict(list)
    for key, methods in regrets.items():
        if chosen(key):
            runs[key[3]].append(methods[METHODS[pair[0]]] - methods[METHODS[pair[1]]])
    return text([sum(values) / len(values) for values in runs.values()], "+")


def print_differences(regrets):
    print("\n| regret less regret | all | scatter 1 | scatter 2 | budget 50 | budget 150 |")
    print("|" + "---|" * 6)
    chosen = [lambda key: True] + [
        lambda key, place=place, value=value: key[place] == value
        for place, value in ((1, "1"), (1, "2"), (2, "50"), (2, "150"))
    ]
    for pair in PAIRS:
        values = [difference(regrets, pair, choice) for choice in chosen]
        print(f"| {METHODS[pair[0]]} less {METHODS[pair[1]]} | " + " | ".join(values) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv")
    regrets = read(parser.parse_args().csv)
    print_regrets(regrets)
    print_differences(regrets)


if __name__ == "__main__":
    main()
