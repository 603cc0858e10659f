#!/usr/bin/env python3
"""The agent of agent.py as a worker: started once, it answers one request per line.

See configs/worker.yaml.
"""

import json
import random
import sys


def win_probability(depth, book):
    return (0.45 if book else 0.40) + 0.05 * depth - 0.006 * depth * depth


def evaluate(params, seed, level):
    """1 for a win, 0 for a loss against an opponent of this level."""
    won = random.Random(seed).random() < win_probability(params["depth"], params["book"]) - 0.05 * level
    return 1 if won else 0


def main():
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request["id"]}
        try:
            level = request.get("instance", 0)  # where the study has `instances: [0, 2, 4]`
            answer["value"] = evaluate(request["params"], request["seed"], level)
        except Exception as error:  # the study goes on, and says why this evaluation failed
            answer["error"] = repr(error)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
