#!/usr/bin/env python3
"""What narrower rules for the interval of a mean (lib/ntune/core/mean_interval.h) would cover.

Goes over the single games and differences of interval_coverage.csv with 10 and 30 games (or others,
--sizes), exactly, for other numbers of pseudo-values and other weights of the result that was seen.
The first rule is the one in use; its largest difference to the file's coverage is printed. With
--others: rules of another kind, for the single games alone.
"""

import argparse
import csv
import math

IN_USE = (1.5, 0.6)
RULES = [IN_USE, (1.5, 0.5), (1.0, 0.6), (1.0, 0.5), (0.5, 0.6), (0.5, 0.5), (0.0, 0.6), (0.0, 0.5)]
TAIL = 0.025
Z = 1.959964
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


def wilson_holds(n, score, mean):
    return (score - mean) ** 2 <= Z * Z * mean * (1.0 - mean) / n


def likely_variance(counts, mean):
    """Variance of a game by the most likely shares of wins, draws and losses with this mean."""
    scores = (1.0, 0.5, 0.0)
    counts = [max(k, 1e-9) for k in counts]
    low, high = -1.0 / (1.0 - mean), 1.0 / mean  # of the multiplier, so that all shares are positive
    for _ in range(200):
        middle = 0.5 * (low + high)
        lead = sum(k * (s - mean) / (1.0 + middle * (s - mean)) for k, s in zip(counts, scores))
        low, high = (middle, high) if lead > 0.0 else (low, middle)
    shares = [k / (1.0 + low * (s - mean)) for k, s in zip(counts, scores)]
    return sum(p * (s - mean) ** 2 for p, s in zip(shares, scores)) / sum(shares)


def other_coverages(cell):
    """Coverage of Wilson's interval, of the same for n / f games, and of the score test."""
    n, mean, results = cell
    held = [0.0, 0.0, 0.0]
    for chance, score, variance in results:
        most = score * (1.0 - score)
        factor = variance / most if most > 0.0 else 1.0
        draws = round(4.0 * n * (most - variance))
        wins = round(score * n - draws / 2)
        likely = likely_variance((wins, draws, n - wins - draws), mean)
        holds = (wilson_holds(n, score, mean), factor > 0.0 and wilson_holds(n / factor, score, mean),
                 (score - mean) ** 2 <= Z * Z * likely / n)
        held = [sum_ + (chance if hold else 0.0) for sum_, hold in zip(held, holds)]
    return held


def print_others(cells):
    names = ("Wilson, as if none were drawn", "Wilson for n / f games", "score test, most likely shares")
    print(f"{len(cells)} cells of wins, draws and losses")
    for name, covered in zip(names, zip(*(other_coverages(cell) for cell in cells))):
        print(f"{name}: above 98 % {sum(c > 0.98 for c in covered)}, below 93 % {sum(c < 0.93 for c in covered)}, "
              f"least {100 * min(covered):.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv")
    parser.add_argument("--sizes", default="10,30", help="numbers of games, by commas")
    parser.add_argument("--others", action="store_true", help="rules of another kind")
    arguments = parser.parse_args()
    with open(arguments.csv, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file)
                if row["family"] in ("games", "difference") and row["n"] in arguments.sizes.split(",")]
    if arguments.others:
        print_others([results_of(row) for row in rows if row["family"] == "games"])
        return
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
