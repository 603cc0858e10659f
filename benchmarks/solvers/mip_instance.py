#!/usr/bin/env python3
"""Writes an integer program in CPLEX's LP format; its name says which.

mip_instance.py NAME, such as
  knapsack-40-5-7   40 things that weigh in 5 ways, half of each weight allowed, seed 7
  cover-120-90-7    90 sets of 10 out of 120 things, each to be hit at the least cost
  assign-25-4-7     25 jobs to 4 agents of limited time at the least cost
"""

import random
import sys


def total(numbers, names):
    return " + ".join(f"{number} {name}" for number, name in zip(numbers, names))


def knapsack(things, ways, rng):
    names = [f"x{i}" for i in range(things)]
    weights = [[rng.randint(5, 100) for _ in names] for _ in range(ways)]
    worth = [sum(column) // ways + rng.randint(0, 40) for column in zip(*weights)]
    rows = [f"{total(row, names)} <= {sum(row) // 2}" for row in weights]
    return "Maximize", total(worth, names), rows, names


def cover(things, sets, rng):
    names = [f"x{i}" for i in range(things)]
    costs = [rng.randint(5, 30) for _ in names]
    rows = [" + ".join(rng.sample(names, 10)) + " >= 1" for _ in range(sets)]
    return "Minimize", total(costs, names), rows, names


def assign(jobs, agents, rng):
    names = [[f"x{agent}_{job}" for job in range(jobs)] for agent in range(agents)]
    times = [[rng.randint(5, 25) for _ in row] for row in names]
    costs = [[111 - time + rng.randint(-10, 10) for time in row] for row in times]
    rows = [" + ".join(column) + " = 1" for column in zip(*names)]
    rows += [f"{total(time, row)} <= {4 * sum(time) // (5 * agents)}" for time, row in zip(times, names)]
    every = [name for row in names for name in row]
    return "Minimize", total([cost for row in costs for cost in row], every), rows, every


KINDS = {"knapsack": knapsack, "cover": cover, "assign": assign}


def problem(name):
    kind, first, second, _ = name.split("-")
    sense, objective, rows, names = KINDS[kind](int(first), int(second), random.Random(name))
    rows = [f" r{number}: {row}" for number, row in enumerate(rows)]
    return "\n".join([sense, f" cost: {objective}", "Subject To", *rows, "Binary", *(f" {n}" for n in names), "End", ""])


def main():
    try:
        print(problem(sys.argv[1]), end="")
    except (IndexError, KeyError, ValueError):
        sys.exit(f"{__doc__}\nmip_instance.py: no such name: {' '.join(sys.argv[1:])}")


if __name__ == "__main__":
    main()
