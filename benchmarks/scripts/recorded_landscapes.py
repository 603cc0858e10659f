#!/usr/bin/env python3
"""What is known of recorded landscapes, and how much of their gain each system found.

recorded_landscapes.py tables FILE...    of each table: points, observations, and its reliability
recorded_landscapes.py systems PEERS.csv a table of what compare_peers.py wrote

Reliability is the share of the variance between the points' means that is not the error of the means
(observations taken as independent). A gain is the way from the median of all points to the best, here from
0 to 100.
"""

import argparse
import collections
import csv
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "scripts"))

import arena  # noqa: E402
import arena_report  # noqa: E402
import compare_peers  # noqa: E402

STUDY = os.path.join(os.path.dirname(HERE), "studies", "recorded.yaml")
COLUMNS = {"auto": ["auto"], "NTBEA": ["ntbea"], "Optuna": ["optuna_tpe", "optuna_tpe_multivariate", "optuna_cmaes"],
           "irace": ["irace"], "pagmo": ["pagmo_gaco", "pagmo_sga"]}


def observed(path):
    """The observations of every point."""
    with open(path, encoding="utf-8", newline="") as file:
        _, rows = compare_peers.read_table(file)
    return [[float(value) for value in compare_peers.observations(row[-1])] for row in rows]


def reliability(points):
    means = [statistics.fmean(point) for point in points]
    errors = [statistics.variance(point) / len(point) for point in points]
    return 1.0 - statistics.fmean(errors) / statistics.variance(means)


def print_tables(paths):
    print("| table | points | observations each | median | best | reliability |")
    print("|---|---|---|---|---|---|")
    for path in paths:
        points = observed(path)
        values = compare_peers.true_values(points)
        counts = sorted({len(point) for point in points})
        print(f"| `{os.path.basename(path)}` | {len(points):,} | {'-'.join(map(str, counts))} "
              f"| {statistics.median(values):.4g} | {max(values):.4g} | {reliability(points):.3f} |")


def cell_text(rows, systems, median):
    """Mean gain of the best of these systems by its best rule, with half of the 95 % interval."""
    found = collections.defaultdict(list)
    for row in rows:
        if row["system"] in systems:
            gain = (float(row["true_value"]) - median) / (float(row["optimum"]) - median)
            found[row["system"], row["rule"]].append(100.0 * gain)
    if not found:
        return ""
    best = max(found, key=lambda key: statistics.fmean(found[key]))
    mean, half = arena_report.interval(found[best])
    return f"{mean:.1f} ± {half:.1f}"


def print_systems(path):
    _, objectives, _ = arena.read_study(STUDY)
    medians = {landscape: statistics.median(compare_peers.true_values(observed(entry["table"])))
               for (landscape, _), entry in objectives.items()}
    cells = collections.defaultdict(list)
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cells[row["landscape"], int(row["budget"])].append(row)
    print(f"| landscape, evaluations | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    for landscape, median in medians.items():
        for budget in sorted(budget for name, budget in cells if name == landscape):
            rows = cells[landscape, budget]
            texts = [cell_text(rows, systems, median) for systems in COLUMNS.values()]
            print(f"| {landscape}, {budget:,} | {' | '.join(texts)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("tables").add_argument("tables", nargs="+", metavar="FILE")
    commands.add_parser("systems").add_argument("peers", metavar="PEERS.csv")
    arguments = parser.parse_args()
    if arguments.command == "tables":
        print_tables(arguments.tables)
    else:
        print_systems(arguments.peers)


if __name__ == "__main__":
    try:
        main()
    except (OSError, arena.ArenaError) as error:
        sys.exit(f"recorded_landscapes: {error}")
