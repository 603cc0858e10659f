#!/usr/bin/env python3
"""Adds Optuna's NSGA-II and TPE to the results of build/release/benchmarks/programs/goal_fronts.

goal_fronts.py FILE [--runs 20] [--noise 0.1]
The problems and the columns are those of that program. What the file holds already is not made again.
"""

import argparse
import itertools
import math
import os
import random

import optuna

PARAMETERS, VALUES, CORNER = 4, 11, 1.1
COLUMNS = "optimiser,problem,noise,run,evaluations,evaluated,reported"


def truth(problem, point):
    x, *rest = (value / (VALUES - 1) for value in point)
    g = 1 + 9 * sum(rest) / len(rest)
    return x, g * (1 - ((x / g) ** 2 if problem == "zdt2" else math.sqrt(x / g)))


def hypervolume(costs):
    area, last = 0.0, CORNER
    for x, y in sorted(costs):
        if x < CORNER and y < last:
            area += (CORNER - x) * (last - y)
            last = y
    return area


def best_means(seen):
    """The points whose mean values none has beaten in both goals."""
    means = {point: tuple(sum(column) / len(values) for column in zip(*values)) for point, values in seen.items()}
    return [point for point, (x, y) in means.items()
            if not any(a <= x and b <= y and (a, b) != (x, y) for a, b in means.values())]


def search(sampler, problem, noise, seed):
    """Shares of the whole front's hypervolume, by the number of evaluations."""
    whole = hypervolume(truth(problem, (i, 0, 0, 0)) for i in range(VALUES))
    rng = random.Random(seed)
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler)
    seen, shares = {}, {}
    for i in range(1, 301):
        trial = study.ask()
        point = tuple(trial.suggest_int(f"x{k}", 0, VALUES - 1) for k in range(PARAMETERS))
        values = [value + rng.gauss(0, noise) for value in truth(problem, point)]
        study.tell(trial, values)
        seen.setdefault(point, []).append(values)
        if i in (100, 300):
            shares[i] = [hypervolume(truth(problem, point) for point in points) / whole
                         for points in (seen, best_means(seen))]
    return shares


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--noise", type=float, default=0.1)
    options = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    made = set()
    if os.path.exists(options.file):
        with open(options.file, encoding="utf-8") as file:
            made = {line.rsplit(",", 2)[0] for line in file}
    samplers = {"Optuna NSGA-II": lambda seed: optuna.samplers.NSGAIISampler(seed=seed, population_size=20),
                "Optuna TPE": lambda seed: optuna.samplers.TPESampler(seed=seed, multivariate=True)}
    with open(options.file, "a", encoding="utf-8") as file:
        if not made:
            print(COLUMNS, file=file)
        for seed, problem, name in itertools.product(range(1, options.runs + 1), ("zdt1", "zdt2"), samplers):
            rows = {n: f"{name},{problem},{options.noise:g},{seed},{n}" for n in (100, 300)}
            if made.issuperset(rows.values()):
                continue
            for n, shares in search(samplers[name](seed), problem, options.noise, seed).items():
                print(rows[n], *(f"{share:.4f}" for share in shares), sep=",", file=file, flush=True)


if __name__ == "__main__":
    main()
