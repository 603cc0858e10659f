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
import compare_peers  # noqa: E402
import recorded_table  # noqa: E402
from intervals import mean_interval  # noqa: E402

STUDY = os.path.join(os.path.dirname(HERE), "studies", "recorded.yaml")
COLUMNS = {"auto": ["auto"], "NTBEA": ["ntbea"], "Optuna": ["optuna_tpe", "optuna_tpe_multivariate", "optuna_cmaes"],
           "irace": ["irace"], "pagmo": ["pagmo_gaco", "pagmo_sga"]}


def observed(path):
    """The observations of every point."""
    with open(path, encoding="utf-8", newline="") as file:
        _, rows = recorded_table.read_table(file)
    try:
        points = [[float(value) for value in recorded_table.observations(row[-1])] for row in rows]
    except ValueError as error:
        raise arena.ArenaError(f"{path}: is no table of observations: {error}") from None
    if len(points) < 2 or min(map(len, points)) < 2:
        raise arena.ArenaError(f"{path}: has less than two points, or a point of less than two observations")
    return points


def reliability(points):
    means = [statistics.fmean(point) for point in points]
    errors = [statistics.variance(point) / len(point) for point in points]
    return 1.0 - statistics.fmean(errors) / statistics.variance(means)


def print_tables(paths):
    tables = {path: observed(path) for path in paths}
    print("| table | points | observations each | median | best | reliability |")
    print("|---|---|---|---|---|---|")
    for path, points in tables.items():
        values = compare_peers.true_values(points)
        counts = sorted({len(point) for point in points})
        print(f"| `{os.path.basename(path)}` | {len(points):,} | {'-'.join(map(str, counts))} "
              f"| {statistics.median(values):.4g} | {max(values):.4g} | {reliability(points):.3f} |")


def interval_text(values, sign=""):
    _, mean, half = mean_interval(values)
    return f"{mean:{sign}.1f} ± {half:.1f}"


def paired_text(rows, median):
    """Gain of `auto` less that of NTBEA, paired by run."""
    gains = {system: {(row["seed"], row["run"]): gain_of(row, median) for row in rows if row["system"] == system}
             for system in ("auto", "ntbea")}
    return interval_text([gain - gains["ntbea"][run] for run, gain in gains["auto"].items()], "+")


def gain_of(row, median):
    return 100.0 * (float(row["true_value"]) - median) / (float(row["optimum"]) - median)


def cell_text(rows, systems, median):
    """Mean gain of the best of these systems by its best rule, with half of the 95 % interval."""
    found = collections.defaultdict(list)
    for row in rows:
        if row["system"] in systems:
            found[row["system"], row["rule"]].append(gain_of(row, median))
    if not found:
        return ""
    best = max(found, key=lambda key: statistics.fmean(found[key]))
    return interval_text(found[best])


def print_systems(path):
    _, objectives, _ = arena.read_study(STUDY)
    medians = {landscape: statistics.median(compare_peers.true_values(observed(entry["table"])))
               for (landscape, _), entry in objectives.items()}
    cells = collections.defaultdict(list)
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        for name in compare_peers.FIELDS:
            if name not in (rows.fieldnames or ()):
                raise arena.ArenaError(f"{path}: is not written by compare_peers.py: it has no column '{name}'")
        for row in rows:
            cells[row["landscape"], int(row["budget"])].append(row)
    print(f"| landscape, evaluations | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    paired = []
    for landscape, median in medians.items():
        for budget in sorted(budget for name, budget in cells if name == landscape):
            rows = cells[landscape, budget]
            texts = [cell_text(rows, systems, median) for systems in COLUMNS.values()]
            print(f"| {landscape}, {budget:,} | {' | '.join(texts)} |")
            paired.append(f"{landscape}, {budget:,}: {paired_text(rows, median)}")
    print("\n`auto` less NTBEA, paired by run", *paired, sep="\n")


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
