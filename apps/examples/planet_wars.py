#!/usr/bin/env python3
"""A worker that plays Planet Wars with `arcade match`, from the path: games won, and the time that they take.

The parameters are options of Rolling Horizon Evolution (arcade agents rhea). An answer such as
{"id": 17, "win": 0.75, "ms": 8.1} has the share of four games that it wins against the opponent `2020`, and
milliseconds of the processor that a game takes for both players.
"""

import json
import os
import subprocess
import sys

GAMES = 4


def play(seed, params):
    options = ",".join(f"{name}={json.dumps(value)}" for name, value in params.items())
    match = subprocess.Popen(["arcade", "match", "--agent", "rhea:" + options, "--seed", str(seed), "--games", str(GAMES),
                              "--threads", "1", "--format", "json", "--quiet"], stdout=subprocess.PIPE)
    text = match.stdout.read()
    _, status, used = os.wait4(match.pid, 0)
    if status != 0:
        return {"error": f"arcade match has ended with {os.waitstatus_to_exitcode(status)}"}
    told = json.loads(text)
    return {"win": (told["wins"] + told["draws"] / 2) / GAMES, "ms": 1000 * (used.ru_utime + used.ru_stime) / GAMES}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--help"]:
        sys.exit(print(__doc__.strip()))
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **play(request["seed"], request["params"])}), flush=True)
