#!/usr/bin/env python3
"""Table of fidelity.csv (benchmarks/programs/fidelity.cpp).

For each case, budget and method: the regret, and its difference to the better of the searches at the
full level and to the better of those at the low level, paired by run, with 95 % intervals.
"""

import argparse
import csv
from collections import defaultdict

from intervals import mean_interval


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv")
    arguments = parser.parse_args()
    regrets = defaultdict(lambda: defaultdict(dict))
    with open(arguments.csv, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cell = (row["case"], int(row["budget"]))
            regrets[cell][row["method"]][int(row["run"])] = float(row["regret"])
    print("| case | budget | method | runs | regret | to the better at full | to the better at low |")
    print("|" + "---|" * 7)
    for (case, budget), methods in regrets.items():

        def mean(method):
            return mean_interval(list(methods[method].values()))[1]

        best = [min((m for m in methods if m.startswith(level)), key=mean) for level in ("full", "low")]
        for method, runs in methods.items():
            n, regret, half = mean_interval(list(runs.values()))
            differences = []
            for other in best:
                common = sorted(runs.keys() & methods[other].keys())
                _, difference, width = mean_interval([runs[r] - methods[other][r] for r in common])
                differences.append("" if method == other else f"{difference:+.3f} ± {width:.3f}")
            print(f"| {case} | {budget} | {method} | {n} | {regret:.3f} ± {half:.3f} | " + " | ".join(differences) + " |")


if __name__ == "__main__":
    main()
