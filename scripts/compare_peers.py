#!/usr/bin/env python3
"""Sets Optuna's TPE and CMA-ES, irace and pagmo beside ntune's optimisers on landscapes of the arena.

Every system has the same number of observations. Its answer is read by three rules, all of which are
written; the table shows the rule with the best mean, and names it:
  own           what the system itself calls the best
  most_sampled  the point that was evaluated most often; of several the one with the highest mean
  mean          the highest mean among the points with 5 evaluations or more (with half as many as
                the most, if none has 5)
With "x5" in its name a system sees means of 5 evaluations, and a fifth as many of them.

The landscapes are tables of the true values that ntune writes, or tables of what was recorded; the peers
draw the noise themselves, so that differences between systems are not paired. Finished blocks of runs stand in OUT/peers.csv and are
not run again. What is not installed is left out with one line.
"""

import argparse
import functools
import itertools
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict

import arena
import arena_report
from recorded_table import observations, read_table

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = ["landscape", "noise", "budget", "system", "seed", "rule", "run", "true_value", "optimum",
          "seconds"]
BLOCK = 30
RULES = ("own", "most_sampled", "mean")
# Name: peer and what it is told.
SYSTEMS = {"pagmo_sga": ("pagmo", "sga", 1),
           "pagmo_sga_x5": ("pagmo", "sga", 5),
           "pagmo_gaco": ("pagmo", "gaco", 1),
           "pagmo_gaco_x5": ("pagmo", "gaco", 5),
           "irace": ("irace", "", 1),
           "optuna_tpe_x5": ("optuna", "univariate", 5),
           "optuna_tpe_multivariate_x5": ("optuna", "multivariate", 5),
           "optuna_tpe": ("optuna", "univariate", 1),
           "optuna_tpe_multivariate": ("optuna", "multivariate", 1),
           "optuna_cmaes": ("optuna", "cmaes", 1)}


def find_peers(folder):
    """{peer: command} of what is installed; says what is not."""
    peers = {}
    if subprocess.run([sys.executable, "-c", "import optuna, numpy"], capture_output=True).returncode:
        print("left out: Optuna (python3-optuna is not installed)", file=sys.stderr)
    else:
        peers["optuna"] = [sys.executable, os.path.join(HERE, "peers/optuna_peer.py")]
    if not shutil.which("Rscript") or subprocess.run(
            ["Rscript", "-e", "library(irace)"], capture_output=True).returncode:
        print("left out: irace (r-cran-irace is not installed)", file=sys.stderr)
    else:
        peers["irace"] = ["Rscript", os.path.join(HERE, "peers/irace.R")]
    program = os.path.join(folder, "pagmo")
    built = subprocess.run(["g++", "-std=c++17", "-O2", "-o", program,
                            os.path.join(HERE, "peers/pagmo.cpp"), "-lpagmo",
                            "-lboost_serialization", "-ltbb"], capture_output=True)
    if built.returncode:
        print("left out: pagmo (libpagmo-dev is not installed)", file=sys.stderr)
    else:
        peers["pagmo"] = [program]
    return peers


def is_ordered(values):
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return False
    return numbers == sorted(numbers) or numbers == sorted(numbers, reverse=True)


def tabulate(ntune, objective):
    """The header and the rows of the true values of a function."""
    study = {"objective": dict(objective, noise="none")}
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "study.yaml"), os.path.join(folder, "table.csv")
        with open(source, "w", encoding="utf-8") as file:
            json.dump(study, file)
        done = subprocess.run([ntune, "tabulate", source, "--times", "1", "--out", out],
                              capture_output=True, text=True)
        if done.returncode:
            raise arena.ArenaError(done.stderr.strip())
        with open(out, encoding="utf-8", newline="") as file:
            return read_table(file)


def true_values(observed):
    """The means; the probability of a win where all is won or lost, as for ntune."""
    means = [sum(row) / len(row) for row in observed]
    if all(value in (-1.0, 1.0) for row in observed for value in row):
        means = [(1.0 + mean) / 2.0 for mean in means]
    return means


def write_table(ntune, objective, path):
    """Cardinalities ("5u": unordered), the noise (0: win or loss; a standard deviation; recorded), then a
    line for every point in lexicographic order: its true value, or what was recorded. Returns the true
    values."""
    recorded = "table" in objective
    if recorded:
        with open(objective["table"], encoding="utf-8", newline="") as file:
            header, rows = read_table(file)
    else:
        header, rows = tabulate(ntune, objective)
    axes = [list(dict.fromkeys(row[i] for row in rows)) for i in range(len(header) - 1)]
    if math.prod(map(len, axes)) != len(rows):
        raise arena.ArenaError("a landscape with forbidden points cannot be a table")
    places = [{value: i for i, value in enumerate(axis)} for axis in axes]
    values = [[]] * len(rows)
    for row in rows:
        index = 0
        for axis, place, value in zip(axes, places, row):
            index = index * len(axis) + place[value]
        values[index] = observations(row[-1])
    noise = objective.get("noise", "win_loss")
    if isinstance(noise, dict):
        noise = noise["gaussian"]
    else:
        noise = "recorded" if recorded else 0
    with open(path, "w", encoding="utf-8") as file:
        print(*(f"{len(axis)}{'' if is_ordered(axis) else 'u'}" for axis in axes), file=file)
        print(noise, file=file)
        for row in values:
            print(*row, file=file)
    return true_values([[float(value) for value in row] for row in values])


def answers(own, trials):
    """The point of each rule from the points and payoffs of a run."""
    payoffs = defaultdict(list)
    for index, payoff in trials:
        payoffs[index].append(payoff)
    means = {index: sum(values) / len(values) for index, values in payoffs.items()}
    most = max(map(len, payoffs.values()))
    repeated = [index for index, values in payoffs.items() if len(values) >= min(5, max(1, most / 2))]
    return {"own": own,
            "most_sampled": max(payoffs, key=lambda index: (len(payoffs[index]), means[index])),
            "mean": max(repeated, key=means.get)}


def run_peer(peers, key, tables, runs):
    landscape, noise, budget, system, seed = key
    peer, option, repeats = SYSTEMS[system]
    path, truth = tables[landscape, noise]
    command = [*peers[peer], path, str(int(budget) // repeats), seed, str(runs), str(repeats), option]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors, env=environment)
        status, usage = os.wait4(process.pid, 0)[1:]
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        lines = output.read().decode().splitlines()
        if process.returncode:
            last = errors.read().decode(errors="replace").strip().splitlines()
            raise arena.ArenaError(f"{' '.join(key)}: {last[-1] if last else 'no message'}")
    seconds = (usage.ru_utime + usage.ru_stime) / (runs * int(budget))
    rows = []
    for run, line in enumerate(lines):
        own, *fields = line.split()
        trials = [(int(index), float(payoff)) for index, payoff in zip(fields[::2], fields[1::2])]
        for rule, index in answers(int(own), trials * repeats).items():
            rows.append(dict(zip(FIELDS, [*key, rule, run, repr(truth[index]), repr(max(truth)),
                                          f"{seconds:.3e}"])))
    return rows


def run_ntune(arguments, key, objectives, optimisers, runs):
    rows = arena.run_block(arguments.ntune, key, objectives[key[:2]], optimisers[key[3]], runs)
    return [dict(zip(FIELDS, [*key, "own", row["run"], row["true_value"], row["optimum"],
                              row["seconds"]])) for row in rows]


def best_rules(rows):
    """Rows of each system's best rule in each cell, as arena_report wants them, and the rules."""
    groups = defaultdict(lambda: defaultdict(list))
    for row in rows:
        cell = row["landscape"], row["noise"], int(row["budget"]), row["system"]
        groups[cell][row["rule"]].append(row)
    chosen = []
    names = {}
    for cell, rules in groups.items():
        mean = {rule: arena_report.interval([float(row["true_value"]) for row in found])[0]
                for rule, found in rules.items()}
        rule = max(mean, key=mean.get)
        if len(rules) > 1:
            names[cell] = f"{cell[-1]} ({rule})"
        chosen += [dict(row, optimiser=cell[-1]) for row in rules[rule]]
    return chosen, names


def write_tables(folder, ntune, objectives, cells):
    tables = {}
    for landscape, noise in cells:
        path = os.path.join(folder, f"{landscape}-{noise}")
        truth = write_table(ntune, objectives[landscape, noise], path)
        tables[landscape, noise] = path, truth
    return tables


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--study", default=os.path.join(arena.ROOT, "configs/papers/arena.yaml"))
    parser.add_argument("--landscapes", default="hartmann6,branin,goldstein_price", metavar="A,B*")
    parser.add_argument("--noise", default="win_loss", metavar="A,B")
    parser.add_argument("--budgets", type=arena.budget_list, default="100,300", metavar="N,M")
    parser.add_argument("--systems", metavar="A,B*", help=f"default: {', '.join(SYSTEMS)}")
    parser.add_argument("--optimisers", default="ntbea,gaussian_process", metavar="A,B",
                        help="of ntune, beside them")
    parser.add_argument("--runs", type=arena.positive, default=30)
    parser.add_argument("--jobs", type=arena.positive, default=os.cpu_count())
    parser.add_argument("--out", default="results/peers", help="folder of peers.csv and the tables")
    parser.add_argument("--ntune", default=os.path.join(arena.ROOT, "build/release/apps/ntune"))
    parser.add_argument("--report", action="store_true", help="run nothing, only write the tables")
    arguments = parser.parse_args()

    _, objectives, optimisers = arena.read_study(arguments.study)
    landscapes = arena.chosen(arguments.landscapes, [key[0] for key in objectives], "landscape")
    noises = arena.chosen(arguments.noise, [key[1] for key in objectives], "noise")
    for name in arguments.optimisers.split(","):
        optimisers.setdefault(name, {"algorithm": name})
    labels = arena.chosen(arguments.optimisers, optimisers, "optimiser")
    systems = arena.chosen(arguments.systems, SYSTEMS, "system")
    cells = [key for key in objectives
             if key[0] in landscapes and key[1] in noises and "game" not in objectives[key]]
    store = arena.Store(arguments.out, "peers.csv", FIELDS)
    if not arguments.report:
        with tempfile.TemporaryDirectory() as folder:
            run_missing(arguments, store, folder, cells, labels, systems, objectives, optimisers)
    rows = [row for row in store.read()[0] if (row["landscape"], row["noise"]) in cells
            and int(row["budget"]) in arguments.budgets and row["system"] in systems + labels]
    chosen, names = best_rules(rows)
    arena_report.write(chosen, arguments.out, labels[0], plot=False, names=names,
                       pairing="not paired")


def run_missing(arguments, store, folder, cells, labels, systems, objectives, optimisers):
    peers = find_peers(folder)
    systems = [name for name in systems if SYSTEMS[name][0] in peers]
    tables = write_tables(folder, arguments.ntune, objectives, cells)
    wanted = {}
    blocks = list(enumerate(range(0, arguments.runs, BLOCK)))
    for name in labels + systems:  # the quick ones first
        for budget, cell, (block, begin) in itertools.product(arguments.budgets, cells, blocks):
            rules = 1 if name in labels else len(RULES)
            key = (*cell, str(budget), name, str(block + 1))
            wanted[key] = rules, min(BLOCK, arguments.runs - begin)
    store.drop_short({key: rules * runs for key, (rules, runs) in wanted.items()})
    todo = [key for key in wanted if store.counts[key] == 0]

    def run(key):
        runs = wanted[key][1]
        try:
            return (run_ntune(arguments, key, objectives, optimisers, runs) if key[3] in labels
                    else run_peer(peers, key, tables, runs))
        except arena.ArenaError as error:
            print(f"left out: {error}", file=sys.stderr)
            return []

    arena.run_all(arguments.jobs, [(" ".join(key), functools.partial(run, key)) for key in todo],
                  store.add)


if __name__ == "__main__":
    try:
        main()
    except (arena.ArenaError, OSError) as error:
        sys.exit(f"compare_peers: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
