#!/usr/bin/env python3
"""Tuning by duels beside SPSA and fixed opponents, on simulated games.

usage: duels.py run PROGRAM FILE [--part N]    add what is missing to the CSV file
       duels.py table FILE                     its tables in Markdown

PROGRAM is build/release/benchmarks/programs/duels. Every cell has the landscapes of the seeds 201 to
212, which served for no choice. A row is a mean over them, with half the width of its 95 % interval.
The part with Optuna needs python3-optuna.
"""

import argparse
import math
import statistics
import subprocess

import csv_rows

LANDSCAPES = 12
FIRST = 201
BOWLS = [(d, draws) for d in (2, 4, 8, 16, 32) for draws in (0.0, 0.3, 0.6, 0.9)]

# Name, options of the program.
CELLS = [
    (f"bowl, d = {d}, {round(100 * draws)} % draws",
     ["--landscape", "bowl", "--dimensions", str(d), "--draws", str(draws)])
    for d, draws in BOWLS
]
OTHERS = [
    ("NK, d = 10, k = 2, 40 % draws",
     ["--landscape", "nk", "--dimensions", "10", "--interactions", "2", "--draws", "0.4"]),
    ("mixed and conditional, d = 10, 40 % draws", ["--landscape", "mixed", "--draws", "0.4"]),
    ("smooth and random, d = 4, 40 % draws",
     ["--landscape", "smooth", "--dimensions", "4", "--draws", "0.4"]),
    ("bowl, d = 4, 40 % draws, openings of 100 Elo",
     ["--landscape", "bowl", "--dimensions", "4", "--draws", "0.4", "--openings", "100"]),
    ("bowl, d = 4, 40 % draws, 20 Elo not transitive",
     ["--landscape", "bowl", "--dimensions", "4", "--draws", "0.4", "--non-transitive", "20"]),
    ("bowl, d = 4, 40 % draws, 2 cliffs",
     ["--landscape", "bowl", "--dimensions", "4", "--draws", "0.4", "--cliffs", "2"]),
]
GAINS = [
    (f"d = {d}, {elo} Elo",
     ["--landscape", "bowl", "--dimensions", str(d), "--draws", "0.3", "--elo", str(elo)])
    for d in (4, 16) for elo in (20, 200)
]
FEW = [cell for cell in CELLS if "d = 4," in cell[0] or "d = 8, 30" in cell[0]]
# Bowls of 2, 4 and 8 parameters with 30 % draws, and others: a landscape takes Optuna 5 to 20 s of a core.
FOR_OPTUNA = CELLS[1:10:4] + OTHERS[:3]
# Games, methods, cells.
PARTS = [
    (1000, ["duels", "spsa", "spsa_duels"], CELLS + OTHERS),
    (5000, ["spsa_duels"], CELLS + OTHERS),
    (1000, ["clop", "gaussian_process", "ntbea"], CELLS + OTHERS),
    (10000, ["duels", "spsa", "spsa_duels", "ntbea"], CELLS + OTHERS),
    (50000, ["spsa_duels"], CELLS + OTHERS),
    (1000, ["optuna"], FOR_OPTUNA),
    (10000, ["clop"], FEW),
    (10000, ["gaussian_process"], CELLS + OTHERS),
    (100000, ["duels", "spsa", "spsa_duels"], CELLS + OTHERS),
    (500000, ["spsa_duels"], CELLS + OTHERS),
    (1000, ["duels", "spsa", "spsa_duels"], GAINS),
    (5000, ["spsa_duels"], GAINS),
    (10000, ["duels", "spsa", "spsa_duels"], GAINS),
    (50000, ["spsa_duels"], GAINS),
]
COLUMNS = ("landscape", "dimensions", "interactions", "elo", "draws", "openings",
           "non_transitive", "cliffs")
DEFAULTS = {"--landscape": "bowl", "--dimensions": "4", "--interactions": "2", "--elo": "60",
            "--draws": "0.4", "--openings": "0", "--non-transitive": "0", "--cliffs": "0"}


def run(arguments):
    for number, (games, methods, cells) in enumerate(PARTS, 1):
        if arguments.part not in (0, number):
            continue
        for _, options in cells:
            for method in methods:
                if method == "optuna":
                    add_optuna(arguments, options, games)
                    continue
                subprocess.run(
                    [arguments.program, arguments.file, *options, "--games", str(games),
                     "--method", method, "-n", str(LANDSCAPES), "--first", str(FIRST)],
                    check=True)


def rows_of(file):
    return csv_rows.rows_of(file, (*COLUMNS, "games", "method", "won", "half_width", "covered", "claims",
                                   "claim_excess", "claim_width"))


def key_of(row):
    return tuple(row[name] for name in COLUMNS)


def key_of_options(options):
    values = DEFAULTS | dict(zip(options[::2], options[1::2]))
    values["--draws"] = f"{float(values['--draws']):g}"
    return tuple(values.values())


class Games:
    """Matches with the default, played by the program."""

    def __init__(self, program, options, seed):
        self.process = subprocess.Popen(
            [program, "none", *options, "--serve", "--first", str(seed)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.values = [int(word) for word in self.process.stdout.readline().split()]

    def answer(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def play(self, point):
        return self.answer(" ".join(map(str, point)))

    def elo(self, point):
        return self.answer("? " + " ".join(map(str, point)))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def won_by_optuna(arguments, options, games, seed):
    """Elo of the best trial above the default, by TPE with its own settings."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    match = Games(arguments.program, options, seed)
    unordered = len(match.values) if "nk" in options else 2 if "mixed" in options else 0

    def objective(trial):
        return match.play([
            trial.suggest_categorical(f"p{i}", list(range(values))) if i < unordered
            else trial.suggest_int(f"p{i}", 0, values - 1)
            for i, values in enumerate(match.values)])

    study = optuna.create_study(direction="maximize",
                                sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(objective, n_trials=games // 2)
    won = match.elo([study.best_params[f"p{i}"] for i in range(len(match.values))])
    match.close()
    return won


def add_optuna(arguments, options, games):
    known = {key_of(row) for row in rows_of(arguments.file)
             if row["method"] == "optuna" and int(row["games"]) == games}
    key = key_of_options(options)
    if key in known:
        return
    won = [won_by_optuna(arguments, options, games, FIRST + i) for i in range(LANDSCAPES)]
    n, mean = len(won), statistics.fmean(won)
    half_width = 1.96 * statistics.stdev(won) / math.sqrt(n)  # normal, as in the rows of the program
    with open(arguments.file, "a", encoding="utf-8") as file:
        file.write(",".join(key) + f",{games},optuna,{FIRST},{n},"
                   f"{mean:.2f},{half_width:.2f},0,0,0.0,0.0\n")


def text(row):
    return f"{float(row['won']):.1f} ± {float(row['half_width']):.1f}" if row else "–"


def standing(own, other):
    """Whether duels are ahead, level or below: level where the interval of the difference, taken as
    unpaired, holds 0."""
    difference = float(own["won"]) - float(other["won"])
    half_width = math.hypot(float(own["half_width"]), float(other["half_width"]))
    return "level" if abs(difference) <= half_width else "ahead" if difference > 0 else "below"


def print_standings(games, standings):
    """In how many cells duels are ahead of each of the others, level with it, or below it."""
    lines = []
    for name, found in standings.items():
        below = ", ".join(cell for cell, how in found if how == "below")
        counts = [sum(how == which for _, how in found) for which in ("ahead", "level", "below")]
        if found:
            lines.append((name, *map(str, counts), below or "–"))
    print_table((f"duels after {games:,} games beside", "ahead", "level", "below", "below in"), lines)


def print_table(header, lines):
    if not lines:
        return
    print(f"\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for line in lines:
        print(f"| {' | '.join(line)} |")


class Cell:
    """The rows of one kind of landscape."""

    def __init__(self, rows, options):
        key = key_of_options(options)
        self.rows = [row for row in rows if key_of(row) == key]

    def find(self, method, games):
        return next((row for row in self.rows
                     if row["method"] == method and int(row["games"]) == games), None)

    def best_spsa(self, games):
        settings = [row for row in self.rows
                    if row["method"].startswith("spsa ") and int(row["games"]) == games]
        return max(settings, key=lambda row: float(row["won"]), default=None)


def print_gains(rows):
    """Little and much to be won."""
    lines = []
    for games in (1000, 10000):
        for name, options in GAINS:
            cell = Cell(rows, options)
            duels = cell.find("duels", games)
            if duels is None:
                continue
            claims = f"{duels['covered']} of {duels['claims']}, {float(duels['claim_excess']):+}"
            lines.append((f"{games:,} games, {name}", text(duels), text(cell.best_spsa(games)),
                          text(cell.find("spsa_duels", games)),
                          text(cell.find("spsa_duels", 5 * games)), claims))
    print_table(("to be won", "duels", "best of 40 SPSA", "default SPSA", "five times the games",
                 "claims held, too high by"), lines)


def table(arguments):
    rows = rows_of(arguments.file)
    for games in (1000, 10000, 100000):
        won, fixed, claimed = [], [], []
        covered = claims = 0
        standings = {name: [] for name in (
            "best of 40 SPSA", f"default SPSA, {5 * games:,}", f"default SPSA, {50 * games:,}", "CLOP",
            "fixed: process", "fixed: NTBEA", "fixed: Optuna")}
        for name, options in CELLS + OTHERS:
            cell = Cell(rows, options)
            best = cell.best_spsa(games)
            duels = cell.find("duels", games)
            if duels is None:
                continue
            covered += int(duels["covered"])
            claims += int(duels["claims"])
            setting = best["method"].removeprefix("spsa ") if best else "–"
            longer = cell.find("spsa_duels", 5 * games)
            won.append((name, text(duels), text(best),
                        text(cell.find("spsa_duels", games)), text(longer)))
            others = [cell.find(method, games)
                      for method in ("clop", "gaussian_process", "ntbea", "optuna")]
            rivals = [best, longer, cell.find("spsa_duels", 50 * games), *others]
            for rival, found in zip(rivals, standings.values()):
                if rival is not None:
                    found.append((name, standing(duels, rival)))
            if any(others):
                fixed.append((name, text(duels), *map(text, others)))
            claimed.append((name, f"{duels['covered']} of {duels['claims']}",
                            duels["claim_excess"], duels["claim_width"], setting))
        print_table((f"{games:,} games", "duels", "best of 40 SPSA",
                     "default SPSA", f"the same, {5 * games:,}"), won)
        print_table((f"{games:,} games", "duels", "CLOP", "fixed: process", "fixed: NTBEA",
                     "fixed: Optuna"), fixed)
        print_table((f"{games:,} games", "claims held", "too high by", "their width",
                     "best setting of SPSA"), claimed)
        print_standings(games, standings)
        if claims:
            print(f"\nclaims held: {covered} of {claims}, {100 * covered / claims:.1f} %")
    print_gains(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run")
    command.add_argument("program")
    command.add_argument("file")
    command.add_argument("--part", type=int, default=0, choices=range(len(PARTS) + 1), metavar="N",
                         help=f"one of the parts 1 to {len(PARTS)}; 0: all")
    command.set_defaults(call=run)
    command = commands.add_parser("table")
    command.add_argument("file")
    command.set_defaults(call=table)
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
