#!/usr/bin/env python3
"""Pig for two to eight: who first has 100 points wins. A turn adds up throws of a die; a 1 loses
the turn's points.

pig_table.py SEED SEATS    one game; SEATS is JSON, such as [{"hold": 20}, {"hold": 25}]
pig_table.py               a worker: a game for each line of JSON on standard input
pig_table.py --field 4     how often a single player wins who holds at n, where three hold at 20;
                           behind the number may stand other SEATS to try, one at a time

A game begins with the first seat, and its winner is printed by the number of the seat. What a
setting leaves out is {"hold": 20, "rush": 100, "pace": 0}. See configs/pig_table.yaml.
"""

import json
import random
import sys

from pig import turn  # beside this file

GOAL = 100


def winner(dice, seats):
    """The seat that wins, from 0."""
    scores = [0] * len(seats)
    while True:
        for seat, rule in enumerate(seats):
            other = max(score for player, score in enumerate(scores) if player != seat)
            scores[seat] += turn(dice, scores[seat], other, **rule)
            if scores[seat] >= GOAL:
                return seat


def work():
    """Answers requests until there are no more."""
    for line in sys.stdin:
        request = json.loads(line)
        won = winner(random.Random(request["seed"]), request["seats"])
        print(json.dumps({"id": request["id"], "winner": won + 1}), flush=True)


def show_field(players, rules, games=20_000):
    """Prints how often each rule wins from any seat, in per cent; level is 100 / players."""
    dice = random.Random(1)
    for rule in rules:
        won = 0
        for game in range(games):
            seats = [{}] * players
            seats[game % players] = rule
            won += winner(dice, seats) == game % players
        print(f"{json.dumps(rule)}: {100 * won / games:.1f} %", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--field"]:
        holds = [{"hold": hold} for hold in (16, 20, 25, 30, 34, 40)]
        show_field(int(sys.argv[2]), json.loads(sys.argv[3]) if len(sys.argv) > 3 else holds)
    elif sys.argv[1:2] == ["--help"]:
        print(__doc__.strip())
    elif len(sys.argv) > 1:
        table = json.loads(sys.argv[2])
        print(json.dumps({"winner": winner(random.Random(int(sys.argv[1])), table) + 1}))
    else:
        work()
