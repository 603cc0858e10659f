#!/usr/bin/env python3
"""Which of our matches of MATERIAL and DEFAULT differ from the published ones beyond chance?

    bao reproduce N --players MATERIAL,DEFAULT --repeats 11 --out FILE ...   # N = 1 to 8
    benchmarks/scripts/bao_misses.py benchmarks/results/bao_matches_1000.csv

Prints CSV: for each match the published games of 100, ours in per cent, z of the difference of the two
shares, its p and whether Holm's procedure over all matches finds it at 5 %; then chi-square of the four
matches of each tournament.
"""

import argparse
import csv
import math
import sys

# Donkers, van den Herik and Uiterwijk (2005), Tables 1 to 8: MATERIAL and DEFAULT, games of 100 that South won.
PUBLISHED = {
    1: (54, 55, 48, 43), 2: (66, 57, 71, 69), 3: (64, 57, 46, 47), 4: (68, 60, 63, 58),
    5: (61, 59, 50, 64), 6: (75, 69, 64, 61), 7: (73, 76, 59, 76), 8: (67, 66, 49, 48)}
PAIRS = [(s, n) for s in ("MATERIAL", "DEFAULT") for n in ("MATERIAL", "DEFAULT")]
GAMES = 100


def z_of(wins, games, published):
    """z of our share less the published one, with the pooled share's error."""
    pooled = (wins + published) / (games + GAMES)
    return (wins / games - published / GAMES) / math.sqrt(pooled * (1 - pooled) * (1 / games + 1 / GAMES))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matches", metavar="MATCHES.csv")
    with open(parser.parse_args().matches, encoding="utf-8", newline="") as file:
        ours = {(int(row["tournament"]), row["south"], row["north"]): row for row in csv.DictReader(file)}
    rows = []
    for tournament, published in PUBLISHED.items():
        for (south, north), wins in zip(PAIRS, published):
            row = ours.get((tournament, south, north))
            if row is None:
                continue
            games, south_wins = int(row["games"]), int(row["south_wins"])
            z = z_of(south_wins, games, wins)
            rows.append([tournament, south, north, games, wins, round(100 * south_wins / games, 1), round(z, 2),
                         math.erfc(abs(z) / math.sqrt(2)), "no"])
    falling = True
    for rank, row in enumerate(sorted(rows, key=lambda row: row[7])):
        falling = falling and row[7] * (len(rows) - rank) < 0.05
        row[8] = "yes" if falling else "no"
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["tournament", "south", "north", "games", "published", "ours", "z", "p", "beyond_chance"])
    for row in rows:
        out.writerow([*row[:7], f"{row[7]:.4f}", row[8]])
    for tournament in PUBLISHED:
        squares = [row[6] ** 2 for row in rows if row[0] == tournament]
        if squares:
            print(f"# tournament {tournament}: chi-square {sum(squares):.1f} of {len(squares)}")


if __name__ == "__main__":
    main()
