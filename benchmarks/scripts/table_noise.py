#!/usr/bin/env python3
"""How much of a weighting's gain in Table 2 of Goodman and Lucas (2020) is the noise of the recorded games?

    benchmarks/scripts/table_noise.py asteroids build/release/apps/ntune > benchmarks/results/table_2_noise.csv

The recorded games of every point are split at random into two halves. NTBEA draws its games from one half;
what it recommends is worth the mean of that half to the study, and the mean of the other half to us. The
error of the first mean is a property of the point that an optimiser may find and follow; the second is free
of it. Prints CSV: for each split and weighting the gain over vanilla by both means, paired by run, and in
the end the mean of all splits with Student's 95 % interval.
"""

import argparse
import collections
import csv
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from recorded_table import observations  # noqa: E402

# 0.975 quantiles of Student's t for 1 to 30 degrees of freedom.
T975 = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]
STUDIES = {"asteroids": ("ntbea_table_2_asteroids", "asteroids_1.csv"),
           "planet_wars": ("ntbea_table_2_planet_wars", "planet_wars_1.csv")}


def read_table(path):
    """Comments, header, and for each row its values as text and its games."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    header, *rows = [line for line in lines if not line.startswith("#")]
    table = []
    for row in rows:
        *values, games = row.split(",")
        table.append((tuple(values), [float(payoff) for payoff in observations(games)]))
    return comments, header, table


def write_table(path, comments, header, table):
    with open(path, "w", encoding="utf-8") as file:
        for line in (*comments, header):
            print(line, file=file)
        for values, payoffs in table:
            counts = collections.Counter(sorted(payoffs))
            games = " ".join(f"{p:g}*{n}" if n > 1 else f"{p:g}" for p, n in counts.items())
            print(",".join((*values, games)), file=file)


def recommendations(ntune, study, table, runs, seed, folder):
    """The points that the runs of each optimiser recommend, as the text of their values."""
    text = study.read_text(encoding="utf-8")
    lines = []
    for line in text.splitlines():
        key = line.partition(":")[0]
        line = {"objective": f"objective: {{table: {table}}}", "runs": f"runs: {runs}", "seed": f"seed: {seed}"}.get(
            key, line)
        if key != "published":
            lines.append(line)
    path = folder / "study.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = folder / "out"
    subprocess.run([ntune, "run", path, "--out", out, "--threads", "1", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    found = collections.defaultdict(list)
    with open(out / "runs.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = list(row.items())
            first = [name for name, _ in values].index("true_value") + 1
            found[row["optimiser"]].append(tuple(value for _, value in values[first:]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(STUDIES))
    parser.add_argument("ntune", help="the program")
    parser.add_argument("--splits", type=int, default=12)
    parser.add_argument("--runs", type=int, default=400)
    arguments = parser.parse_args()
    study, table_name = STUDIES[arguments.game]
    comments, header, table = read_table(ROOT / "benchmarks" / "results" / table_name)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["game", "split", "weighting", "runs", "games_of_a_half", "gain_same_half", "gain_other_half"])
    gains = collections.defaultdict(list)
    for split in range(arguments.splits):
        draw = random.Random(split)
        halves = ([], [])
        for values, payoffs in table:
            payoffs = payoffs[:]
            draw.shuffle(payoffs)
            middle = len(payoffs) // 2
            halves[0].append((values, payoffs[:middle]))
            halves[1].append((values, payoffs[middle:2 * middle]))
        means = [{values: statistics.fmean(payoffs) for values, payoffs in half} for half in halves]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_table(folder / "half.csv", comments, header, halves[0])
            found = recommendations(arguments.ntune, ROOT / "configs" / "papers" / f"{study}.yaml",
                                    folder / "half.csv", arguments.runs, 2020 + split, folder)
        for weighting, points in found.items():
            if weighting == "vanilla":
                continue
            gain = [statistics.fmean(mean[a] - mean[b] for a, b in zip(points, found["vanilla"])) for mean in means]
            gains[weighting].append(gain)
            out.writerow([arguments.game, split, weighting, len(points), len(halves[0][0][1]),
                          *(f"{one:.4f}" for one in gain)])
    for weighting, all_gains in gains.items():
        row = []
        for same_or_other in zip(*all_gains):
            mean = statistics.fmean(same_or_other)
            half = T975[len(all_gains) - 2] * statistics.stdev(same_or_other) / len(all_gains) ** 0.5
            row.append(f"{mean:.4f} [{mean - half:.4f} {mean + half:.4f}]")
        out.writerow([arguments.game, "all", weighting, arguments.runs, "", *row])


if __name__ == "__main__":
    main()
