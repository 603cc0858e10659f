#!/usr/bin/env python3
"""Table of cost_scales.csv (benchmarks/programs/cost_scales.cpp).

True cost of what searches recommend, `scale: auto` beside `scale: linear`, with 95 % intervals: of the logarithm of
their ratio, paired by run, and how far estimates are from the truth.
"""

import argparse
import math
from collections import defaultdict

from csv_rows import rows_of
from intervals import mean_interval

COLUMNS = ["landscape", "dimensions", "noise", "size", "budget", "run", "optimiser", "cost", "estimate"]


def read(path, only):
    """(cost, estimate) by group of noise and budget, by landscape and run, and by scale."""
    found = defaultdict(lambda: defaultdict(dict))
    for row in rows_of(path, COLUMNS):
        if not f"{row['landscape']},{row['dimensions']}".startswith(only):
            continue
        group = (row["noise"], float(row["size"]), int(row["budget"]))
        scale = "linear" if "linear" in row["optimiser"] else "auto"
        run = (row["landscape"], row["dimensions"], int(row["run"]))
        found[group][run][scale] = (float(row["cost"]), float(row["estimate"]))
    return found


def share(values):
    """Geometric mean of ratios less 1, in per cent, with its interval."""
    _, mean, half = mean_interval([math.log(value) for value in values])
    low, middle, high = (100 * math.expm1(mean + side * half) for side in (-1, 0, 1))
    return f"{middle:+.1f} % [{low:.1f}, {high:.1f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv")
    parser.add_argument("--only", default="", help="LANDSCAPE or LANDSCAPE,DIMENSIONS, as valley,6")
    options = parser.parse_args()
    found = read(options.csv, options.only)
    print("| noise | evaluations | n | `linear` | `auto` | `auto` less `linear` | estimates, `linear` | `auto` |")
    print("|---" * 8 + "|")
    for (noise, size, budget), runs in sorted(found.items()):
        pairs = [run for run in runs.values() if len(run) == 2]
        cells = [f"{noise} {size:g}", str(budget), str(len(pairs))]
        cells += [f"{sum(run[scale][0] for run in pairs) / len(pairs):.3f}" for scale in ("linear", "auto")]
        cells.append(share([run["auto"][0] / run["linear"][0] for run in pairs]))
        cells += [f"{100 * (sum(run[scale][1] / run[scale][0] for run in pairs) / len(pairs) - 1):+.0f} %"
                  for scale in ("linear", "auto")]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
