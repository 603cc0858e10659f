#!/usr/bin/env python3
"""Tables of crashes.csv (benchmarks/programs/crashes.cpp).

For each optimiser, kind and share (or other columns, --by): failures as a share of the evaluations,
and the true value's difference to the run with the crashing part forbidden (or to another method,
--against), paired by run, with a 95 % interval. With --details also by landscape. With --summary FILE
as a small CSV.
"""

import argparse
import csv
import math
from collections import defaultdict

from intervals import mean_interval

KEYS = ["optimiser", "kind", "share"]
DETAILS = KEYS + ["landscape", "noise"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv")
    parser.add_argument("--against", default="forbidden", help="the method to compare with")
    parser.add_argument("--by", default=",".join(KEYS), help="columns that make a row, by commas")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--summary")
    arguments = parser.parse_args()
    keys = DETAILS if arguments.details else arguments.by.split(",")
    if unknown := set(keys) - set(DETAILS):
        parser.error(f"--by: {', '.join(sorted(unknown))}: columns are {', '.join(DETAILS)}")
    with open(arguments.csv, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    reference = {tuple(row[k] for k in DETAILS) + (row["run"],): row
                 for row in rows if row["method"] == arguments.against}
    cells = defaultdict(lambda: {"differences": [], "failures": [], "values": [], "none": 0, "bad": 0})
    for row in rows:
        cell = cells[tuple(row[k] for k in keys) + (row["method"],)]
        cell["failures"].append(int(row["failures"]) / max(1, int(row["evaluations"])))
        value = float(row["true_value"] or 0.0)
        cell["none"] += row["true_value"] == ""
        cell["bad"] += row["recommends_crash"] == "1"
        cell["values"].append(value)
        other = reference.get(tuple(row[k] for k in DETAILS) + (row["run"],))
        if other is not None:
            cell["differences"].append(value - float(other["true_value"]))
    lines = [keys + ["method", "n", "value", f"to_{arguments.against}", "half_width", "failures", "without_payoff",
                     "recommends_crash"]]
    for key, cell in sorted(cells.items()):
        n, value, _ = mean_interval(cell["values"])
        _, difference, half = mean_interval(cell["differences"] or [math.nan])
        _, failures, _ = mean_interval(cell["failures"])
        lines.append(list(key) + [n, f"{value:.4f}", f"{difference:+.4f}", f"{half:.4f}", f"{failures:.4f}",
                                  cell["none"], cell["bad"]])
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join(str(word).ljust(width) for word, width in zip(line, widths)).rstrip())
    if arguments.summary:
        with open(arguments.summary, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)


if __name__ == "__main__":
    main()
