#!/usr/bin/env python3
"""Which share of a small budget should ask whether the recommendation beats the default.

Searches of `auto` on functions with win-or-loss noise are run once for each number of evaluations. Their
recommendations have known true values. Then hold-outs are drawn: as many games of the recommendation as of the
default, together SHARE of the budget. The recommendation is taken if the 95 % interval of the difference lies above
0; else the default is kept. Decision regret: what the one that is kept falls short of the best point, in winning
probability. The default falls short of it by GAP.

    benchmarks/scripts/hold_out_shares.py --ntune build/release/apps/ntune --csv benchmarks/results/hold_out_shares.csv
"""

import argparse
import csv
import math
import os
import random
import subprocess
import tempfile

FUNCTIONS = {"hartmann3": None, "hartmann6": None, "branin": None, "goldstein_price": None}
BUDGETS = (100, 200, 400, 1000)
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
GAPS = (0.05, 0.1, 0.2, 0.4)


def searches(ntune, function, iterations, runs):
    """True values of what the runs recommend, and the best value of the space."""
    with tempfile.TemporaryDirectory() as folder:
        study = os.path.join(folder, "study.yaml")
        with open(study, "w", encoding="utf-8") as file:
            file.write(f"{{objective: {{function: {function}, noise: win_loss}}, runs: {runs}, "
                       f"iterations: {iterations}, re_evaluation: 0, hold_out: 0, seed: 7}}\n")
        out = os.path.join(folder, "out")
        subprocess.run([ntune, "run", study, "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(out, "runs.csv"), encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("#")]
        return [float(row["true_value"]) for row in csv.DictReader(lines)]


def is_shown(rng, ours, theirs, games):
    """Whether so many games of each show ours to be better: the interval of the difference, with one
    win and one loss added to each so that it has a width."""
    wins = [sum(rng.random() < p for _ in range(games)) for p in (ours, theirs)]
    rates = [(won + 1) / (games + 2) for won in wins]
    error = math.sqrt(sum(rate * (1 - rate) / (games + 2) for rate in rates))
    return rates[0] - rates[1] > 1.96 * error


def decision_regret(rng, values, best, gap, games, draws):
    """Mean regret, and how often the recommendation is taken."""
    regret, taken = 0.0, 0
    default = best - gap
    for _ in range(draws):
        value = rng.choice(values)
        if is_shown(rng, value, default, games):
            taken += 1
            regret += best - value
        else:
            regret += gap
    return regret / draws, taken / draws


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ntune", default="ntune", help="the command")
    parser.add_argument("--csv", default="hold_out_shares.csv", help="file to write")
    parser.add_argument("--runs", type=int, default=60, help="searches for each number of evaluations")
    parser.add_argument("--draws", type=int, default=2000, help="hold-outs drawn in each cell")
    arguments = parser.parse_args()
    rng = random.Random(1)
    rows, sums = [], {}
    for function in FUNCTIONS:
        found = {}
        for budget in BUDGETS:
            for share in SHARES:
                games = round(budget * share / 2)
                found[budget, share] = searches(arguments.ntune, function, budget - 2 * games, arguments.runs)
        best = max(max(values) for values in found.values())
        for (budget, share), values in found.items():
            for gap in GAPS:
                regret, taken = decision_regret(rng, values, best, gap, round(budget * share / 2), arguments.draws)
                rows.append((function, budget, share, gap, f"{regret:.5f}", f"{taken:.4f}"))
                sums.setdefault((budget, share), []).append(regret)
    with open(arguments.csv, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("function", "budget", "share", "gap", "regret", "taken"))
        writer.writerows(rows)
    print("| budget | " + " | ".join(f"{round(100 * share)} %" for share in SHARES) + " |")
    print("|" + "---|" * (len(SHARES) + 1))
    for budget in BUDGETS:
        means = [sum(sums[budget, share]) / len(sums[budget, share]) for share in SHARES]
        print(f"| {budget:,} | " + " | ".join(f"{mean:.4f}" for mean in means) + " |")


if __name__ == "__main__":
    main()
