#!/usr/bin/env python3
"""Plays Planet Wars with `arcade match`, from the path: how many games are won, and how much time they take.

planet_wars.py SEED tick_budget=500 sequence_length=15 ...
prints {"win": 0.75, "ms": 8.1}: the share of four games that Rolling Horizon Evolution with these options wins against
the opponent `2020`, and milliseconds of the processor that a game takes for both players.
"""

import json
import os
import subprocess
import sys

GAMES = 4


def main():
    seed, *options = sys.argv[1:]
    match = subprocess.Popen(["arcade", "match", "--agent", "rhea:" + ",".join(options), "--seed", seed, "--games",
                              str(GAMES), "--threads", "1", "--format", "json", "--quiet"], stdout=subprocess.PIPE)
    text = match.stdout.read()
    _, status, used = os.wait4(match.pid, 0)
    if status != 0:
        sys.exit(f"arcade match has ended with {os.waitstatus_to_exitcode(status)}")
    told = json.loads(text)
    print(json.dumps({"win": (told["wins"] + told["draws"] / 2) / GAMES,
                      "ms": 1000 * (used.ru_utime + used.ru_stime) / GAMES}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--help"]:
        print(__doc__.strip())
    else:
        main()
