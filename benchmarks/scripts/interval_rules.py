#!/usr/bin/env python3
"""What narrower rules for the interval of a mean (lib/ntune/core/mean_interval.h) would cover.

Goes over the single games and differences of interval_coverage.csv with 10 and 30 games (or others,
--sizes), exactly, for other numbers of pseudo-values and other weights of the result that was seen.
The first rule is the one in use; its largest difference to the file's coverage is printed.
"""

import argparse
import csv
import math

IN_USE = (1.5, 0.6)
RULES = [IN_USE, (1.5, 0.5), (1.0, 0.6), (1.0, 0.5), (0.5, 0.6), (0.5, 0.5), (0.0, 0.6), (0.0, 0.5)]
TAIL = 0.025
RAREST = 1e-8  # rarer results are left out


def fraction(a, b, x):
    """Continued fraction of the incomplete beta function (Press et al. 2007, section 6.4)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(tiny, 1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, 300):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1.0 / ((1.0 + term * d) or tiny)
            c = (1.0 + term / c) or tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-10:
            break
    return value


def ibeta(a, b, x):
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * fraction(a, b, x) / a
    return 1.0 - front * fraction(b, a, 1.0 - x) / b


def results_of(row):
    """The cell's mean, and (probability, mean, variance) of every sample, as shares of wins."""
    n, mean, share = int(row["n"]), float(row["mean"]), float(row["share"])
    if row["family"] == "games":
        win, draw = mean - share / 2, share
    else:
        win, draw = (share + mean) / 2, 1.0 - share
    shares = (max(0.0, win), draw, max(0.0, 1.0 - win - draw))
    results = []
    for wins in range(n + 1):
        for draws in range(n - wins + 1):
            counts = (wins, draws, n - wins - draws)
            if any(k > 0 and p < 1e-12 for k, p in zip(counts, shares)):
                continue
            log = math.lgamma(n + 1) + sum(k * math.log(p) - math.lgamma(k + 1) for k, p in zip(counts, shares) if k > 0)
            if log > math.log(RAREST):
                score = (wins + draws / 2) / n
                results.append((math.exp(log), score, max(0.0, (wins + draws / 4) / n - score * score)))
    return n, win + draw / 2, results


def coverage(cell, pseudo, tie):
    n, mean, results = cell
    held = 0.0
    for chance, score, variance in results:
        most = score * (1.0 - score)
        factor = min(1.0, (variance / most + pseudo / n) / (1.0 + pseudo / n)) if most > 0.0 else 1.0
        if factor < 1e-7:
            continue
        wins, losses = score * n / factor, (1.0 - score) * n / factor
        as_many = ibeta(wins, losses + 1.0, mean) if wins > 1e-12 else 1.0
        more = ibeta(wins + 1.0, losses, mean) if losses > 1e-12 else 0.0
        above_low = wins <= 1e-12 or tie * as_many + (1.0 - tie) * more >= TAIL
        below_high = losses <= 1e-12 or (1.0 - tie) * as_many + tie * more <= 1.0 - TAIL
        held += chance if above_low and below_high else 0.0
    return held


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv")
    parser.add_argument("--sizes", default="10,30", help="numbers of games, by commas")
    arguments = parser.parse_args()
    with open(arguments.csv, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file)
                if row["family"] in ("games", "difference") and row["n"] in arguments.sizes.split(",")]
    cells = [results_of(row) for row in rows]
    reachable = [row["reachable"] == "1" for row in rows]
    for pseudo, tie in RULES:
        covered = [coverage(cell, pseudo, tie) for cell in cells]
        if (pseudo, tie) == IN_USE:
            error = max(abs(c - float(row["coverage"])) for c, row in zip(covered, rows))
            print(f"{len(cells)} cells; largest difference to the file: {error:.1e}")
        high = sum(c > 0.98 and possible for c, possible in zip(covered, reachable))
        print(f"{pseudo} pseudo-values, tie {tie}: above 98 % {high}, below 93 % {sum(c < 0.93 for c in covered)}, "
              f"least {100 * min(covered):.1f} %", flush=True)


if __name__ == "__main__":
    main()
