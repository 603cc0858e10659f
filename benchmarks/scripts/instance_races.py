#!/usr/bin/env python3
"""Table of racing, NTBEA and irace on instances (benchmarks/programs/instance_effects.cpp, instance_effects.R).

For each size of the effects, and for all instances together or --by instances: the mean regret of a search
with a 95 % interval, and its difference from `--against`, paired by landscape, instances and run. A run of
all landscapes and instances together is one observation.
"""

import argparse
import csv
from collections import defaultdict

from intervals import mean_interval


def read_cells(files):
    """(effect, instances, landscape, run) -> search -> regret, of 300 evaluations without interaction."""
    cells = defaultdict(dict)
    for name in files:
        with open(name, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["interaction"] != "0" or row["evaluations"] != "300":
                    continue
                search = row["optimiser"] + (", as noise" if row["method"] == "kept" else "")
                key = row["effect"], row["instances"], row["landscape"], row["run"]
                cells[key][search] = float(row["regret"])
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv", nargs="+")
    parser.add_argument("--against", default="irace")
    parser.add_argument("--by", choices=["instances", "landscape"])
    arguments = parser.parse_args()
    cells = read_cells(arguments.csv)
    searches = sorted({search for found in cells.values() for search in found})
    column = {"instances": 1, "landscape": 2}.get(arguments.by)
    print(f"| effects | {arguments.by or 'instances'} | search | runs x cells | regret | against {arguments.against} |")
    print("|" + "---|" * 6)
    for effect, part in sorted({(key[0], key[column] if column else "all") for key in cells},
                               key=lambda pair: (float(pair[0]), len(pair[1]), pair[1])):
        for search in searches:
            runs = defaultdict(list)
            for key, found in cells.items():
                wanted = key[0] == effect and (column is None or key[column] == part)
                if wanted and search in found and arguments.against in found:
                    runs[key[3]].append((found[search], found[arguments.against]))
            if not runs:
                continue
            most = max(len(pairs) for pairs in runs.values())
            whole = [pairs for pairs in runs.values() if len(pairs) == most]
            n, mean, half = mean_interval([sum(a for a, _ in pairs) / most for pairs in whole])
            text = f"{mean:.3f} ± {half:.3f}"
            _, gap, error = mean_interval([sum(a - b for a, b in pairs) / most for pairs in whole])
            beside = "" if search == arguments.against else f"{gap:+.3f} ± {error:.3f}"
            print(f"| {effect} | {part} | {search} | {n} x {most} | {text} | {beside} |")


if __name__ == "__main__":
    main()
