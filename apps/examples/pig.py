#!/usr/bin/env python3
"""Pig: who first has 100 points wins. A turn adds up throws of a die; a 1 loses the turn's points.

Plays games against the rule "hold at 20" and prints W or L for each. See configs/pig.yaml.
"""

import argparse
import random


def turn(dice, mine, other, hold=20, rush=100, pace=0):
    """Points of one turn of a player who has `mine` points, where the best of the others has `other`."""
    target = 100 - mine
    if max(mine, other) < rush:
        target = min(target, hold + pace * (other - mine))
    points = 0
    while points < target:
        throw = dice.randint(1, 6)
        if throw == 1:
            return 0
        points += throw
    return points


def wins(dice, rule, begins):
    """True if a player by this rule beats one who holds at 20."""
    scores = [0, 0]
    player = 0 if begins else 1
    while max(scores) < 100:
        mine, other = scores[player], scores[1 - player]
        rules = rule if player == 0 else (20, 100, 0)
        scores[player] += turn(dice, mine, other, *rules)
        player = 1 - player
    return scores[0] >= 100


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hold", type=int, required=True)
    parser.add_argument("--rush", type=int, required=True)
    parser.add_argument("--pace", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    rule = (options.hold, options.rush, options.pace)
    for game in range(200):
        print("W" if wins(dice, rule, game % 2 == 0) else "L")


if __name__ == "__main__":
    main()
