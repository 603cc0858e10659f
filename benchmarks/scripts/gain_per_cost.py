#!/usr/bin/env python3
"""Tables of gain_per_cost.csv (benchmarks/programs/gain_per_cost.cpp).

The regret of studies with a budget of costs by the power of the cost that divides what a point
promises, with 95 % intervals: for each kind of costs, and paired with power 0. The runs of one
number share their streams, so intervals are over the means of runs.
"""

import argparse
import csv
from collections import defaultdict

from intervals import mean_interval


def text(values, sign=""):
    _, mean, half = mean_interval(values)
    return f"{mean:{sign}.3f} ± {half:.3f}"


def read(path):
    """Regret and evaluations by exponent, of every cell and run."""
    found = defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            name = row["landscape"].strip("{}").split(",")[0].split(": ")[1]
            costs = f"{row['costs']} {row['scatter']}".replace(" 0", "")
            key = (name, costs, row["budget"], int(row["run"]))
            found[key][row["exponent"]] = (float(row["regret"]), float(row["evaluations"]))
    most = max(len(methods) for methods in found.values())
    return {key: methods for key, methods in found.items() if len(methods) == most}


def by_run(found, cell, value):
    """Means over the cells of each run."""
    runs = defaultdict(list)
    for key, methods in found.items():
        if cell(key):
            runs[key[3]].append(value(methods))
    return [sum(values) / len(values) for values in runs.values()]


def print_table(found, title, label, groups, exponents, value, sign=""):
    print(f"\n| {title} | n | " + " | ".join(exponents) + " |\n" + "|---" * (2 + len(exponents)) + "|")
    for group in groups:
        rows = [by_run(found, lambda key: group in (None, label(key)), lambda m: value(m, e)) for e in exponents]
        print(f"| {group or 'all'} | {len(rows[0])} | " + " | ".join(text(row, sign) for row in rows) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv")
    found = read(parser.parse_args().csv)
    exponents = sorted(next(iter(found.values())), key=float)
    kinds = list(dict.fromkeys(key[1] for key in found))
    cells = list(dict.fromkeys(", ".join(key[:3]) for key in found))
    others = [exponent for exponent in exponents if float(exponent) > 0]

    def less(methods, exponent):
        return methods[exponent][0] - methods["0"][0]

    print_table(found, "regret by cell", lambda key: ", ".join(key[:3]), cells, exponents, lambda m, e: m[e][0])
    print_table(found, "regret by costs", lambda key: key[1], kinds, exponents, lambda m, e: m[e][0])
    print_table(found, "less power 0", lambda key: key[1], [None, *kinds], others, less, "+")
    print_table(found, "less power 0", lambda key: key[2], ["50", "150"], others, less, "+")
    print_table(found, "less power 0", lambda key: key[0], sorted({k[0] for k in found}), others, less, "+")
    print_table(found, "evaluations", lambda key: key[1], kinds, exponents, lambda m, e: m[e][1])


if __name__ == "__main__":
    main()
