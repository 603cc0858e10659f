#!/usr/bin/env python3
"""Means of Planet Wars and Asteroids beside those of the published programs.

usage: arcade_cross_check.py NTUNE [--games N]

Three seeds of N games a row (500; a fifth of it for games of 2,000 ticks). z is the difference over
the combined standard error; a row is met if |z| < 3 for each seed and for all games together. The
references were measured with the published Java and Kotlin programs and a second program written
from the same rules.
"""

import argparse
import csv
import math
import subprocess
import sys
import tempfile

BEST = "mutated_points: 3, resample: 1, flip_one: true, shift_buffer: true"
ITSELF = "sequence_length: 5, mutated_points: 1"

def asteroids(variant, more=""):
    return f"{{game: asteroids, agent: {{variant: {variant}, {BEST}}}{more}}}"


def planet_wars(variant, opponent, agent=BEST):
    return f"{{game: planet_wars, agent: {{variant: {variant}, {agent}}}, opponent: {opponent}}}"


# Row, objective, share of the games, reference, its standard error.
ROWS = [
    ("Asteroids, 2019", asteroids(2019), 1, 8770, 60),
    ("Asteroids, 2020", asteroids(2020), 1, 9640, 60),
    ("Asteroids, 2019, 2,000 ticks", asteroids(2019, ", rules: {ticks: 2000}"), 0.2, 16400, 410),
    ("Planet Wars, 2019 against 2019", planet_wars(2019, "2019"), 1, 0.58, 0.015),
    ("Planet Wars, 2020 against 2020_faithful", planet_wars(2020, "2020_faithful"), 1, 0.64, 0.02),
    ("Planet Wars, 2020 against 2020", planet_wars(2020, "2020"), 1, 0.75, 0.02),
    ("Planet Wars, 2019 against itself", planet_wars(2019, "2019", ITSELF), 1, 0, 0),
    ("Planet Wars, 2020 against itself", planet_wars(2020, "2020_faithful", ITSELF), 1, 0, 0),
]


def measure(ntune, objective, games, seed):
    """Mean and standard error of the payoff."""
    length = 5 if ITSELF in objective else 100 if "asteroids" in objective else 15
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as study:
        study.write(f"objective: {objective}\n"
                    f"space: {{sequence_length: [{length}]}}\n"
                    "iterations: 1\n")
        study.flush()
        command = [ntune, "eval", study.name, "--set", f"sequence_length={length}",
                   "--times", str(games), "--seed", str(seed), "--format", "csv"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    row = next(csv.DictReader(output.splitlines()))
    mean, sd = float(row["value"]), float(row["sd"])
    if "planet_wars" in objective:  # a win rate, while the papers give the mean of +1 and -1
        mean, sd = 2 * mean - 1, 2 * sd
    return mean, sd / math.sqrt(games)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("ntune")
    arguments.add_argument("--games", type=int, default=500)
    options = arguments.parse_args()

    print("| | n | reference | measured | z | z of seeds 1, 2, 3 |\n|---|---|---|---|---|---|")
    missed = 0
    for name, objective, share, reference, reference_error in ROWS:
        games = round(share * options.games)
        results = [measure(options.ntune, objective, games, seed) for seed in (1, 2, 3)]
        mean = sum(mean for mean, _ in results) / 3
        error = math.sqrt(sum(error * error for _, error in results)) / 3
        scores = [(value - reference) / math.hypot(own, reference_error)
                  for value, own in [(mean, error), *results]]
        missed += any(abs(z) >= 3 for z in scores)
        digits = 0 if "asteroids" in objective else 3
        print(f"| {name} | {3 * games:,} | {reference:,} ± {reference_error} | "
              f"{mean:,.{digits}f} ± {error:.{digits}f} | {scores[0]:.1f} | "
              f"{', '.join(f'{z:.1f}' for z in scores[1:])} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
