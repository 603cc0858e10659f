#!/usr/bin/env python3
"""Runs the arena (configs/papers/arena.yaml), or a part of it, and writes its tables and rank plot.

Every cell (landscape, noise, budget, optimiser) is run in blocks of 50 runs, each a process of
`ntune run` with a seed of its own; run r of seed s has the same streams of noise for all optimisers,
so that differences are paired. A finished block is added to OUT/arena.csv at once and never run again:
the same command goes on after an interruption, and with more --runs it adds what is missing.
"""

import argparse
import concurrent.futures
import csv
import fnmatch
import functools
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict

import yaml

import arena_report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = 50
FIELDS = ["landscape", "noise", "budget", "optimiser", "seed", "run", "true_value", "estimate",
          "optimum", "seconds"]


class ArenaError(Exception):
    pass


def landscape_name(objective):
    """nk10, gaussian_landscape4_s1, planet_wars_1."""
    if "table" in objective:
        return os.path.splitext(os.path.basename(objective["table"]))[0]
    name = objective.get("function") or objective.get("game")
    name += str(objective.get("dimensions", ""))
    return name + (f"_s{objective['seed']}" if "seed" in objective else "")


def noise_name(objective):
    noise = objective.get("noise", "own" if "function" not in objective else "win_loss")
    return f"gaussian{noise['gaussian']}" if isinstance(noise, dict) else noise


def read_study(path):
    with open(path, encoding="utf-8") as file:
        study = yaml.safe_load(file)
    folder = os.path.dirname(os.path.abspath(path))
    objectives = {}
    for objective in study["objectives"]:
        objective = {"function": objective} if isinstance(objective, str) else dict(objective)
        key = landscape_name(objective), noise_name(objective)
        if key in objectives:
            raise ArenaError(f"{path}: two objectives are named {key[0]} with noise {key[1]}")
        if "table" in objective:
            objective["table"] = os.path.join(folder, objective["table"])
        objectives[key] = objective
    optimisers = {}
    for optimiser in study["optimisers"]:
        plain = {"algorithm": optimiser} if isinstance(optimiser, str) else dict(optimiser)
        optimisers[plain.setdefault("label", plain["algorithm"])] = plain
    return study, objectives, optimisers


def chosen(patterns, names, what):
    """The names that a list such as "nk*,trap" selects, in its order."""
    names = list(dict.fromkeys(names))
    if patterns is None:
        return names
    result = []
    for pattern in patterns.split(","):
        found = fnmatch.filter(names, pattern)
        if not found:
            raise ArenaError(f"no {what} '{pattern}'; there are {', '.join(names)}")
        result += [name for name in found if name not in result]
    return result


def positive(text):
    """For argparse: "30" -> 30."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"is '{text}', a whole number from 1 is allowed")
    return int(text)


def budget_list(text):
    """For argparse: "100,300" -> [100, 300]."""
    return [positive(part) for part in text.split(",")]


def blocks_of(runs, first_seed):
    return [(first_seed + begin // BLOCK, min(BLOCK, runs - begin))
            for begin in range(0, runs, BLOCK)]


class Store:
    """OUT/arena.csv: one row a run, a block of rows at a time. The first fields name the block."""

    def __init__(self, folder, name="arena.csv", fields=tuple(FIELDS)):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, name)
        self.fields = fields
        self.lock = threading.Lock()
        self.counts = defaultdict(int)
        rows, damaged = self.read()
        for row in rows:
            self.counts[self.key(row)] += 1
        if damaged or not os.path.exists(self.path):
            self.rewrite(rows)

    def read(self):
        if not os.path.exists(self.path):
            return [], False
        with open(self.path, encoding="utf-8", newline="") as file:
            text = file.read()
        whole = text[:text.rfind("\n") + 1]  # a last line that was cut off does not count
        rows = list(csv.DictReader(io.StringIO(whole)))
        return rows, whole != text

    def key(self, row):
        return tuple(str(row[field]) for field in self.fields[:5])

    def rewrite(self, rows):
        with open(self.path + ".new", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self.fields)
            writer.writeheader()
            writer.writerows(rows)
        os.replace(self.path + ".new", self.path)
        self.counts = defaultdict(int)
        for row in rows:
            self.counts[self.key(row)] += 1

    def drop_short(self, wanted):
        """Takes blocks away that have fewer runs than wanted[key]."""
        short = {key for key, runs in wanted.items() if 0 < self.counts[key] < runs}
        if short:
            self.rewrite([row for row in self.read()[0] if self.key(row) not in short])

    def add(self, rows):
        text = io.StringIO()
        csv.DictWriter(text, self.fields).writerows(rows)
        with self.lock, open(self.path, "a", encoding="utf-8", newline="") as file:
            file.write(text.getvalue())


def run_block(ntune, key, objective, optimiser, runs):
    landscape, noise, budget, label, seed = key
    study = {"objective": objective, "optimiser": optimiser, "runs": runs, "iterations": int(budget),
             "seed": int(seed), "re_evaluation": "none", "hold_out": 0, "record": "none"}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "study.yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(study, file)
        out = os.path.join(folder, "out")
        command = [ntune, "run", path, "--out", out, "--threads", "1", "--quiet"]
        with open(os.path.join(folder, "errors"), "w+b") as errors:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
            status, usage = os.wait4(process.pid, 0)[1:]
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                errors.seek(0)
                message = errors.read().decode(errors="replace").strip().splitlines()
                raise ArenaError(f"{' '.join(key)}: exit status {process.returncode}: "
                                 f"{message[-1] if message else 'no message'}")
        with open(os.path.join(out, "result.json"), encoding="utf-8") as file:
            optimum = json.load(file)["objectives"][0].get("optimum")
        with open(os.path.join(out, "runs.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    seconds = (usage.ru_utime + usage.ru_stime) / (runs * int(budget))
    return [dict(zip(FIELDS, [*key, row["run"], row["true_value"], row["search_estimate"],
                              "" if optimum is None else repr(optimum), f"{seconds:.3e}"]))
            for row in rows]


def main():
    parser = argparse.ArgumentParser(
        description="Runs the arena or a part of it; goes on where it was interrupted.",
        epilog="example: scripts/arena.sh --landscapes 'nk*,trap12' --budgets 300 --runs 60 "
               "--optimisers ntbea,gaussian_process --jobs 2")
    parser.add_argument("--study", default=os.path.join(ROOT, "configs/papers/arena.yaml"))
    parser.add_argument("--landscapes", metavar="A,B*", help="names or patterns; default: all")
    parser.add_argument("--noise", metavar="A,B", help="win_loss, gaussian0.2, own; default: all")
    parser.add_argument("--budgets", type=budget_list, metavar="N,M", help="default: those of the study")
    parser.add_argument("--optimisers", metavar="A,B",
                        help="labels of the study, or names of `ntune list optimisers`")
    parser.add_argument("--runs", type=positive, help="runs of each cell; default: those of the study")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--out", default="results/arena", help="folder of arena.csv and the tables")
    parser.add_argument("--ntune", default=os.path.join(ROOT, "build/release/apps/ntune"))
    parser.add_argument("--reference", help="optimiser that others are paired with (ntbea)")
    parser.add_argument("--report", action="store_true", help="run nothing, only write the tables")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    arguments = parser.parse_args()

    study, objectives, optimisers = read_study(arguments.study)
    if arguments.list:
        for what, names in (("landscapes", [key[0] for key in objectives]),
                            ("noise", [key[1] for key in objectives]), ("optimisers", optimisers)):
            print(f"{what}: {', '.join(dict.fromkeys(names))}")
        return
    landscapes = chosen(arguments.landscapes, [key[0] for key in objectives], "landscape")
    noises = chosen(arguments.noise, [key[1] for key in objectives], "noise")
    for name in (arguments.optimisers or "").split(","):
        if name and not fnmatch.filter(optimisers, name):
            optimisers[name] = {"algorithm": name}
    labels = chosen(arguments.optimisers, optimisers, "optimiser")
    if arguments.reference and arguments.reference not in labels:
        raise ArenaError(f"--reference: '{arguments.reference}' is none of {', '.join(labels)}")
    budgets = arguments.budgets or study["iterations"]
    runs = arguments.runs or study["runs"]
    cells = [key for key in objectives if key[0] in landscapes and key[1] in noises]

    store = Store(arguments.out)
    if not arguments.report:
        wanted = {(*cell, str(budget), label, str(seed)): count
                  for budget in budgets for seed, count in blocks_of(runs, study.get("seed", 1))
                  for cell in cells for label in labels}
        store.drop_short(wanted)
        todo = [key for key in wanted if store.counts[key] == 0]
        run_all(arguments.jobs, [
            (" ".join(key), functools.partial(run_block, arguments.ntune, key, objectives[key[:2]],
                                              optimisers[key[3]], wanted[key])) for key in todo
        ], store.add)
    rows = [row for row in store.read()[0]
            if (row["landscape"], row["noise"]) in cells and int(row["budget"]) in budgets
            and row["optimiser"] in labels]
    arena_report.write(rows, arguments.out, arguments.reference or "ntbea")


def run_all(jobs, tasks, accept):
    """Calls every function of tasks, [(name, function)], `jobs` at a time, and accept(result)."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(function): name for name, function in tasks}
        try:
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                accept(future.result())
                print(f"{done}/{len(futures)} {futures[future]}", file=sys.stderr)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


if __name__ == "__main__":
    try:
        main()
    except (ArenaError, OSError) as error:
        sys.exit(f"arena: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
