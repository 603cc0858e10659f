#!/usr/bin/env python3
"""A game agent that wins more often when it searches deeper, but loses on time when too deep.

Plays some games and prints W or L for each. See configs/command.yaml.
"""

import argparse
import random


def win_probability(depth, book):
    return (0.45 if book else 0.40) + 0.05 * depth - 0.006 * depth * depth


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, required=True)
    parser.add_argument("--book", choices=["true", "false"], required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--games", type=int, default=1)
    options = parser.parse_args()
    games = random.Random(options.seed)
    for _ in range(options.games):
        won = games.random() < win_probability(options.depth, options.book == "true")
        print("W" if won else "L")


if __name__ == "__main__":
    main()
