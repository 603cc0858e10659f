#!/usr/bin/env python3
"""optuna_peer.py TABLE TRIALS SEED RUNS REPEATS NAME: a sampler of Optuna on a landscape of
compare_peers.py, a trial is the mean of REPEATS evaluations. NAME is univariate or multivariate (TPE), or
cmaes, which draws parameters without order at random. Writes a line a run: its best trial, then every point
and its payoff."""

import sys

import numpy
import optuna


def main():
    path, name = sys.argv[1], sys.argv[6]
    budget, seed, runs, repeats = map(int, sys.argv[2:6])
    with open(path, encoding="utf-8") as file:
        axes, noise, *rows = file.read().splitlines()
    unordered = [axis.endswith("u") for axis in axes.split()]
    cardinalities = [int(axis.rstrip("u")) for axis in axes.split()]
    values = [numpy.array(row.split(), dtype=float) for row in rows]
    optuna.logging.set_verbosity(optuna.logging.ERROR)

    for run in range(runs):
        random = numpy.random.default_rng([seed, run])
        trials = []

        def payoff_of(trial):
            index = 0
            for i, r in enumerate(cardinalities):
                if unordered[i]:
                    value = trial.suggest_categorical(f"x{i}", list(range(r)))
                else:
                    value = trial.suggest_int(f"x{i}", 0, r - 1)
                index = index * r + value
            if noise == "recorded":
                payoff = random.choice(values[index], repeats).mean()
            elif float(noise) > 0.0:
                payoff = values[index][0] + float(noise) * random.standard_normal(repeats).mean()
            else:
                payoff = 2.0 * (random.random(repeats) < values[index][0]).mean() - 1.0
            trials.append((index, payoff))
            return payoff

        if name == "cmaes":
            sampler = optuna.samplers.CmaEsSampler(seed=1000 * seed + run)
        else:
            sampler = optuna.samplers.TPESampler(seed=1000 * seed + run,
                                                 multivariate=name == "multivariate")
        study = optuna.create_study(direction="maximize", sampler=sampler)
        study.optimize(payoff_of, n_trials=budget)
        own = trials[study.best_trial.number][0]
        print(own, *(f"{index} {payoff:.10g}" for index, payoff in trials), flush=True)


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")
    main()
