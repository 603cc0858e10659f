#!/usr/bin/env python3
"""What `ask` and `tell` cost a study of 5,000 evaluations that stays in memory (benchmarks/results/overheads.md).

Wins and losses on a space of 1,000 points and one of 15,625, by `auto`. In processor time, so that
other work on the machine does not count. Needs the Python package (PYTHONPATH=build/release/python).
"""

import argparse
import random
import time

LIMIT = 0.020  # seconds


def timed(call):
    start = time.process_time()
    result = call()
    return result, time.process_time() - start


def measure(space, evaluations):
    """Seconds of each ask and of each tell."""
    import ntune

    optimiser = ntune.Optimiser(space, evaluations=evaluations)
    rng = random.Random(1)
    trials = iter(optimiser)
    asks, tells = [], []
    for _ in range(evaluations):
        trial, seconds = timed(lambda: next(trials))
        asks.append(seconds)
        rate = 0.3 + 0.02 * trial.params["a"] + 0.01 * trial.params["b"] - 0.01 * abs(trial.params["c"] - 4)
        payoff = 1.0 if rng.random() < rate else -1.0
        tells.append(timed(lambda: optimiser.tell(trial, payoff))[1])
    return asks, tells


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evaluations", type=int, default=5000)
    evaluations = parser.parse_args().evaluations
    print("| space | mean of a pair | largest `ask` | largest `tell` | above 20 ms |")
    print("|---|---|---|---|---|")
    for names, values in (("abcdef", 5), ("abc", 10)):
        asks, tells = measure({name: range(values) for name in names}, evaluations)
        slow = sorted((seconds for times in (asks, tells) for seconds in times if seconds > LIMIT), reverse=True)
        print(f"| {values ** len(names):,} points | {1e3 * (sum(asks) + sum(tells)) / evaluations:.2f} ms | "
              f"{1e3 * max(asks):.1f} ms | {1e3 * max(tells):.0f} ms | {len(slow)} of {evaluations:,}: "
              f"{', '.join(f'{1e3 * seconds:.0f}' for seconds in slow)} ms |")


if __name__ == "__main__":
    main()
