#!/usr/bin/env python3
"""Tuning by duels beside SPSA and fixed opponents, on simulated games.

usage: duels.py run PROGRAM FILE [--part N]    add what is missing to the CSV file
       duels.py table FILE                     its tables in Markdown

PROGRAM is build/release/benchmarks/programs/duels. Every cell has the landscapes of the seeds 201 to
212, which served for no choice. A row is a mean over them, with half the width of its 95 % interval.
"""

import argparse
import csv
import subprocess

LANDSCAPES = 12
FIRST = 201

# Name, options of the program.
CELLS = [
    (f"bowl, d = {d}, {round(100 * draws)} % draws",
     ["--landscape", "bowl", "--dimensions", str(d), "--draws", str(draws)])
    for d in (4, 8, 16)
    for draws in (0.0, 0.4, 0.9)
] + [
    ("NK, d = 10, k = 2, 40 % draws",
     ["--landscape", "nk", "--dimensions", "10", "--interactions", "2", "--draws", "0.4"]),
    ("mixed and conditional, d = 10, 40 % draws", ["--landscape", "mixed", "--draws", "0.4"]),
    ("smooth and random, d = 4, 40 % draws",
     ["--landscape", "smooth", "--dimensions", "4", "--draws", "0.4"]),
    ("bowl, d = 4, 40 % draws, openings of 100 Elo",
     ["--landscape", "bowl", "--dimensions", "4", "--draws", "0.4", "--openings", "100"]),
    ("bowl, d = 4, 40 % draws, 20 Elo not transitive",
     ["--landscape", "bowl", "--dimensions", "4", "--draws", "0.4", "--non-transitive", "20"]),
]
# Games, methods.
PARTS = [
    (1000, ["duels", "spsa", "spsa_duels"]),
    (5000, ["spsa_duels"]),
    (1000, ["gaussian_process", "ntbea"]),
    (4000, ["duels", "spsa"]),
    (20000, ["spsa_duels"]),
]


def run(arguments):
    for number, (games, methods) in enumerate(PARTS, 1):
        if arguments.part not in (0, number):
            continue
        for _, options in CELLS:
            for method in methods:
                subprocess.run(
                    [arguments.program, arguments.file, *options, "--games", str(games),
                     "--method", method, "-n", str(LANDSCAPES), "--first", str(FIRST)],
                    check=True)


def key_of(row):
    return tuple(row[name] for name in ("landscape", "dimensions", "interactions", "draws",
                                        "openings", "non_transitive"))


def key_of_options(options):
    values = {"--landscape": "bowl", "--dimensions": "4", "--interactions": "2", "--draws": "0.4",
              "--openings": "0", "--non-transitive": "0"}
    values.update(zip(options[::2], options[1::2]))
    values["--draws"] = f"{float(values['--draws']):g}"
    return tuple(values.values())


def text(row):
    return f"{float(row['won']):.1f} ± {float(row['half_width']):.1f}" if row else "–"


def print_table(header, lines):
    print(f"\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for line in lines:
        print(f"| {' | '.join(line)} |")


def table(arguments):
    with open(arguments.file, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for games, later in ((1000, 5000), (4000, 20000)):
        won, fixed, claimed = [], [], []
        covered = claims = 0
        for name, options in CELLS:
            own = [row for row in rows if key_of(row) == key_of_options(options)]

            def find(method, count):
                return next((row for row in own
                             if row["method"] == method and int(row["games"]) == count), None)

            spsa = [row for row in own
                    if row["method"].startswith("spsa ") and int(row["games"]) == games]
            best = max(spsa, key=lambda row: float(row["won"]), default=None)
            duels = find("duels", games)
            if duels is None:
                continue
            covered += int(duels["covered"])
            claims += int(duels["claims"])
            setting = best["method"].removeprefix("spsa ") if best else "–"
            won.append((name, text(duels), text(best), text(find("spsa_duels", games)),
                        text(find("spsa_duels", later))))
            if find("ntbea", games):
                fixed.append((name, text(duels), text(find("gaussian_process", games)),
                              text(find("ntbea", games))))
            claimed.append((name, f"{duels['covered']} of {duels['claims']}",
                            duels["claim_width"], setting))
        print_table((f"{games:,} games", "duels", "best of 40 SPSA", "default SPSA",
                     f"the same, {later:,}"), won)
        if fixed:
            print_table((f"{games:,} games", "duels", "fixed: process", "fixed: NTBEA"), fixed)
        print_table((f"{games:,} games", "claims held", "their width", "best setting of SPSA"),
                    claimed)
        if claims:
            print(f"\nclaims held: {covered} of {claims}, {100 * covered / claims:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run")
    command.add_argument("program")
    command.add_argument("file")
    command.add_argument("--part", type=int, default=0, help="one of the parts 1 to 5; 0: all")
    command.set_defaults(call=run)
    command = commands.add_parser("table")
    command.add_argument("file")
    command.set_defaults(call=table)
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
