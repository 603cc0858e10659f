#!/usr/bin/env python3
"""How near each hypothesis on the first programs of Heuser (2003) comes to the published quotas.

FILE is what slide_hypotheses writes. For each hypothesis: the root mean square difference to the
published quotas of the weak evaluations (Nb, Perm, Inv, L2), of Eu and Man, and how many cells have
the published quota within 0.03, about what two samples of 1,068 games differ by at most.
"""

import argparse
import math
import sys

from csv_rows import rows_of

STRONG = ("Eu", "Man")
NEAR = 0.03


def rms(differences):
    return math.sqrt(sum(d * d for d in differences) / len(differences)) if differences else None


def summary(rows, depths):
    """(hypothesis, rms of the weak and of the strong at each depth in turn, cells near, cells)."""
    by_hypothesis = {}
    for row in rows:
        by_hypothesis.setdefault(row["hypothesis"], []).append(row)
    for hypothesis, cells in by_hypothesis.items():
        numbers = []
        for strong in (False, True):
            for depth in depths:
                numbers.append(rms([float(c["quota"]) - float(c["published"]) for c in cells
                                    if int(c["depth"]) == depth and (c["evaluation"] in STRONG) == strong]))
        near = sum(abs(float(c["quota"]) - float(c["published"])) <= NEAR for c in cells)
        yield hypothesis, numbers, near, len(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE", help="rows of slide_hypotheses")
    arguments = parser.parse_args()
    rows = rows_of(arguments.file, ("hypothesis", "evaluation", "depth", "quota", "published"))
    depths = sorted({int(row["depth"]) for row in rows})
    names = [f"{group}, depth {depth}" for group in ("weak", "Eu, Man") for depth in depths]
    print("| hypothesis | " + " | ".join(names) + " | cells within 0.03 |")
    print("|" + "---|" * (len(names) + 2))
    for hypothesis, numbers, near, count in summary(rows, depths):
        texts = ["" if number is None else f"{number:.3f}" for number in numbers]
        print(f"| {hypothesis} | " + " | ".join(texts) + f" | {near} of {count} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
