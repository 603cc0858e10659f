#!/usr/bin/env python3
"""What an optimiser gains where: the arena of a crossed design, averaged by factor.

    scripts/arena.sh --study configs/papers/arena_crossed.yaml --out DIR
    benchmarks/scripts/crossed_design.py [DIR/summary.csv]    # default: arena_crossed.csv
    benchmarks/scripts/crossed_design.py --study configs/papers/arena_choice.yaml \
        benchmarks/results/gaussian_process_options.csv       # of another study: all its landscapes together

Each landscape counts as one observation, the mean of its runs paired with the arena's reference; the
95 % interval (normal) is over landscapes, so that it speaks of landscapes of this kind, not of these alone.
"""

import argparse
import collections
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import arena  # noqa: E402
import arena_report  # noqa: E402

FACTORS = ["dimensions", "amplitude", "shift", "length_scale", "length_spread"]


def read_differences(path):
    """{budget: {optimiser: {(landscape, noise): difference to the reference}}}."""
    differences = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["difference"]:
                cells = differences[int(row["budget"])][row["optimiser"]]
                cells[row["landscape"], row["noise"]] = float(row["difference"])
    return differences


def groups_of(objectives):
    """Names and landscapes: all of them, then those of each value of each factor."""
    groups = {"all": list(objectives)}
    for factor in FACTORS:
        if not all(factor in objective for objective in objectives.values()):
            continue
        for value in sorted({objective[factor] for objective in objectives.values()}):
            groups[f"{factor} {value}"] = [
                name for name, objective in objectives.items() if objective[factor] == value]
    return groups


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("summary", metavar="summary.csv", nargs="?",
                        default=ROOT / "benchmarks/results/arena_crossed.csv")
    parser.add_argument("--study", default=ROOT / "configs/papers/arena_crossed.yaml",
                        help="whose landscapes they are (arena_crossed.yaml)")
    arguments = parser.parse_args()
    _, objectives, _ = arena.read_study(arguments.study)
    try:
        differences = read_differences(arguments.summary)
    except OSError as problem:
        sys.exit(f"crossed_design.py: {problem}")
    except (KeyError, ValueError):
        sys.exit(f"crossed_design.py: {arguments.summary}: is no summary.csv of the arena")
    for budget, optimisers in sorted(differences.items()):
        print(f"| {budget} evaluations, n | {' | '.join(optimisers)} |")
        print("|---" * (len(optimisers) + 1) + "|")
        for name, landscapes in groups_of(objectives).items():
            fields = []
            for cells in optimisers.values():
                values = [cells[landscape] for landscape in landscapes if landscape in cells]
                whole = len(values) == len(landscapes)
                fields.append(
                    "{:+.3f} ± {:.3f}".format(*arena_report.interval(values)) if whole else "")
            print(f"| {name}, {len(landscapes)} | {' | '.join(fields)} |")
        print()


if __name__ == "__main__":
    main()
