#!/usr/bin/env python3
"""How many runs of a study recommend one of the best points, with Wilson's 95 % intervals.

RUNS is the file runs.csv of a study whose objectives know their true values. The best points are
those with the largest true values that any run of the objective recommends. So Section 5.1 of
Goodman and Lucas (2020), "25 to 35 % of all runs recommend one of the three top parameter settings":

    ntune run configs/papers/ntbea_table_s1.yaml --out DIR
    benchmarks/scripts/best_shares.py DIR/runs.csv --objective hartmann3 --evaluations 3000
"""

import argparse
import collections
import sys

from csv_rows import rows_of
from intervals import wilson_interval


def best_shares(rows, best):
    """(objective, evaluations, optimiser, runs, share, low, high), and the least of the best values by objective."""
    values = collections.defaultdict(list)
    for row in rows:
        key = row["objective"], int(row["evaluations"]), row["optimiser"]
        values[key].append(float(row["true_value"]))
    least = {}
    for objective in {key[0] for key in values}:
        found = {value for key, all_values in values.items() if key[0] == objective for value in all_values}
        least[objective] = sorted(found, reverse=True)[:best][-1]
    shares = []
    for key, all_values in values.items():
        hits = sum(value >= least[key[0]] for value in all_values)
        shares.append((*key, len(all_values), *wilson_interval(hits, len(all_values))))
    return shares, least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", metavar="RUNS", help="runs.csv of a study")
    parser.add_argument("--best", type=int, default=3, metavar="N", help="so many values count as the best (default 3)")
    parser.add_argument("--objective", help="that objective alone")
    parser.add_argument("--evaluations", type=int, metavar="N", help="runs of that length alone")
    arguments = parser.parse_args()
    rows = rows_of(arguments.runs, ("objective", "evaluations", "optimiser", "true_value"))
    wanted = [row for row in rows
              if arguments.objective in (None, row["objective"])
              and arguments.evaluations in (None, int(row["evaluations"]))]
    if not wanted:
        print(f"{arguments.runs}: no such runs", file=sys.stderr)
        return 2
    shares, least = best_shares(wanted, arguments.best)
    print("| objective | evaluations | optimiser | n | share of the best | least of their values |")
    print("|---|---|---|---|---|---|")
    for objective, evaluations, optimiser, n, share, low, high in shares:
        print(f"| {objective} | {evaluations:,} | {optimiser} | {n:,} | {100 * share:.1f} % [{100 * low:.1f}, "
              f"{100 * high:.1f}] | {least[objective]:.4f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
