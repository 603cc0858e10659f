#!/usr/bin/env python3
"""Adds Optuna's NSGA-II and TPE to the results of build/release/benchmarks/programs/goal_fronts.

goal_fronts.py FILE [--runs 20] [--noise 0.1] [--samplers "NSGA-II"] [PROBLEM...]
goal_fronts.py FILE --table [--column evaluated] [PROBLEM...]

Problems are zdt1, zdt2 (both without any), dtlz2_2, dtlz2_3 and tables of goal_tables.py; they and the columns are
those of that program. What the file holds already is not made again. --table prints the mean shares that the file
holds, in per cent: ± half of the 95 % interval (runs). They are of what is reported, or of all that was evaluated.
"""

import argparse
import collections
import csv
import functools
import itertools
import math
import os
import pathlib
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "scripts"))

import recorded_table  # noqa: E402
from intervals import mean_interval  # noqa: E402

PARAMETERS, VALUES, CORNER = 4, 11, 1.1
COLUMNS = "optimiser,problem,noise,run,evaluations,evaluated,reported"


class Grid:
    """ZDT1, ZDT2 and DTLZ2 with normal noise."""

    values = [VALUES] * PARAMETERS

    def __init__(self, name, noise):
        if name not in ("zdt1", "zdt2", "dtlz2_2", "dtlz2_3"):
            sys.exit(f"no problem '{name}'; allowed: zdt1, zdt2, dtlz2_2, dtlz2_3 and files of goal_tables.py")
        self.name, self.noise, self.goals = name, noise, 3 if name == "dtlz2_3" else 2

    def truth(self, point):
        x = [value / (VALUES - 1) for value in point]
        if self.name.startswith("dtlz2"):
            radius = 1 + sum((value - 0.5) ** 2 for value in x[self.goals - 1:])
            angles = [value * math.pi / 2 for value in x[:self.goals - 1]]
            return tuple(radius * math.prod(map(math.cos, angles[:self.goals - 1 - g]))
                         * (math.sin(angles[self.goals - 1 - g]) if g > 0 else 1) for g in range(self.goals))
        g = 1 + 9 * sum(x[1:]) / len(x[1:])
        return x[0], g * (1 - ((x[0] / g) ** 2 if self.name == "zdt2" else math.sqrt(x[0] / g)))

    def observe(self, point, rng):
        return [value + rng.gauss(0, self.noise) for value in self.truth(point)]


class Table:
    """Of `ms` the logarithm counts; `win` is sought high."""

    def __init__(self, file):
        with open(file, encoding="utf-8", newline="") as lines:
            header, rows = recorded_table.read_table(lines)
        self.names, self.goals = header[-2:], 2
        known = [list(dict.fromkeys(column)) for column in list(zip(*rows))[:-2]]
        self.values = list(map(len, known))
        self.rows = {tuple(values.index(value) for values, value in zip(known, row)):
                     [list(map(float, recorded_table.observations(text))) for text in row[-2:]] for row in rows}

    def costs(self, values):
        return tuple(-value if name == "win" else math.log(value) if name == "ms" else value
                     for name, value in zip(self.names, values))

    def truth(self, point):
        return self.costs(sum(values) / len(values) for values in self.rows[point])

    def observe(self, point, rng):
        return self.costs(rng.choice(values) for values in self.rows[point])


def front_of(costs):
    """Those that none beats, each once."""
    front = []
    for one in costs:
        if any(all(a <= b for a, b in zip(other, one)) for other in front):
            continue
        front = [other for other in front if not all(a <= b for a, b in zip(one, other))] + [one]
    return front


def hypervolume(costs, goals):
    """What the first goals leave below the corner, in slices of the last."""
    costs = sorted((one for one in costs if one[goals - 1] < CORNER), key=lambda one: one[goals - 1])
    if not costs or goals == 1:
        return CORNER - costs[0][0] if costs else 0.0
    ends = [one[goals - 1] for one in costs[1:]] + [CORNER]
    return sum((end - costs[i][goals - 1]) * hypervolume(costs[:i + 1], goals - 1)
               for i, end in enumerate(ends) if end > costs[i][goals - 1])


@functools.cache
def shares(problem):
    """A function that gives the share of the whole front's hypervolume that points have."""
    front = front_of(map(problem.truth, itertools.product(*map(range, problem.values))))
    low, high = list(map(min, zip(*front))), list(map(max, zip(*front)))

    def volume(costs):
        return hypervolume([tuple((value - a) / (b - a) for value, a, b in zip(one, low, high)) for one in costs],
                           problem.goals)

    whole = volume(front)
    return lambda points: volume(front_of(map(problem.truth, points))) / whole


def best_means(seen):
    """The points whose mean values none has beaten in all goals."""
    means = {point: tuple(sum(column) / len(values) for column in zip(*values)) for point, values in seen.items()}
    return [point for point, mean in means.items()
            if not any(other != mean and all(a <= b for a, b in zip(other, mean)) for other in means.values())]


def search(sampler, problem, seed):
    """Shares of the whole front's hypervolume, by the number of evaluations."""
    rng = random.Random(seed)
    study = optuna.create_study(directions=["minimize"] * problem.goals, sampler=sampler)
    seen, found = {}, {}
    for i in range(1, 301):
        trial = study.ask()
        point = tuple(trial.suggest_int(f"x{k}", 0, values - 1) for k, values in enumerate(problem.values))
        values = problem.observe(point, rng)
        study.tell(trial, values)
        seen.setdefault(point, []).append(values)
        if i in (100, 300):
            found[i] = [shares(problem)(points) for points in (seen, best_means(seen))]
    return found


def print_table(file, problems, column="reported"):
    cells = collections.defaultdict(list)
    with open(file, encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["problem"] in problems:
                cells[row["optimiser"], row["problem"], row["evaluations"]].append(100 * float(row[column]))
    titles = list(dict.fromkeys((problem, evaluations) for _, problem, evaluations in cells))
    print("| search | " + " | ".join(map(", ".join, titles)) + " |")
    print("|" + "---|" * (1 + len(titles)))
    for optimiser in dict.fromkeys(name for name, _, _ in cells):
        texts = []
        for title in titles:
            values = cells.get((optimiser, *title), [])
            texts.append("{1:.1f} ± {2:.1f} ({0})".format(*mean_interval(values)) if len(values) > 1 else "")
        if any(texts):
            print(f"| {optimiser} | " + " | ".join(texts) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("problems", nargs="*", default=["zdt1", "zdt2"])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--samplers", nargs="+", choices=["NSGA-II", "TPE"], default=["NSGA-II", "TPE"])
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--column", choices=["reported", "evaluated"], default="reported")
    options = parser.parse_intermixed_args()
    if options.table:
        return print_table(options.file, [pathlib.Path(name).stem for name in options.problems], options.column)
    global optuna  # the table needs none
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    made = set()
    if os.path.exists(options.file):
        with open(options.file, encoding="utf-8") as file:
            made = {line.rsplit(",", 2)[0] for line in file}
    samplers = {"NSGA-II": lambda seed: optuna.samplers.NSGAIISampler(seed=seed, population_size=20),
                "TPE": lambda seed: optuna.samplers.TPESampler(seed=seed, multivariate=True)}
    problems = {pathlib.Path(name).stem: Table(name) if name.endswith(".csv") else Grid(name, options.noise)
                for name in options.problems}
    with open(options.file, "a", encoding="utf-8") as file:
        if not made:
            print(COLUMNS, file=file)
        for seed, problem, name in itertools.product(range(1, options.runs + 1), problems, options.samplers):
            rows = {n: f"Optuna {name},{problem},{options.noise:g},{seed},{n}" for n in (100, 300)}
            if made.issuperset(rows.values()):
                continue
            for n, found in search(samplers[name](seed), problems[problem], seed).items():
                print(rows[n], *(f"{share:.4f}" for share in found), sep=",", file=file, flush=True)


if __name__ == "__main__":
    main()
