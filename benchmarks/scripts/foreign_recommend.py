#!/usr/bin/env python3
"""What `ntune recommend` makes of the trials of Optuna's TPE, on Hartmann-6 with +1 or -1 payoffs.

    foreign_recommend.py trials --out DIR [--seeds 20] [--trials 1000]
    foreign_recommend.py score --out DIR --csv foreign_recommend.csv

`trials` runs TPE (its default settings) once a seed, into the journals DIR/SEED.log; journals that are
there already are kept. `score` asks several rules for their point, looks up the true probability of a
win and writes one row a seed and rule. Needs python3-optuna and the path of ntune in NTUNE, or
build/release/apps/ntune.
"""

import argparse
import collections
import csv
import json
import os
import pathlib
import random
import statistics
import subprocess

from intervals import mean_interval, wilson_interval

NAMES = [f"x{i}" for i in range(1, 7)]
ROOT = pathlib.Path(__file__).resolve().parents[2]
NTUNE = os.environ.get("NTUNE", str(ROOT / "build/release/apps/ntune"))
MODELS = ["ntbea", "gaussian_process"]


def point_of(values):
    """The grid indices 0 to 4 of the values 0, 0.2 … 0.8."""
    return tuple(round(5 * float(value)) for value in values)


def true_values(folder):
    """The probability of a win at each of the 15,625 points, by ntune."""
    study, table = folder / "truth.yaml", folder / "truth.csv"
    study.write_text("objective: {function: hartmann6, noise: none}\n", encoding="utf-8")
    if not table.exists():
        subprocess.run([NTUNE, "tabulate", study, "--times", "1", "--out", table, "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
    with table.open(encoding="utf-8") as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return {point_of(row[name] for name in NAMES): float(row["observations"]) for row in rows}


def run_tpe(truth, path, seed, trials):
    """One TPE study, written under another name until it is whole."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    chance = random.Random(seed)

    def payoff(trial):
        point = point_of(trial.suggest_float(name, 0.0, 0.8, step=0.2) for name in NAMES)
        return 1.0 if chance.random() < truth[point] else -1.0

    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(str(part)))
    study = optuna.create_study(storage=storage, direction="maximize",
                                sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(payoff, n_trials=trials)
    part.rename(path)


def trials_of(path):
    """(point, payoff) of every finished trial of a journal, in order."""
    values, payoffs = collections.defaultdict(dict), {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["op_code"] == 5:
            values[record["trial_id"]][record["param_name"]] = record["param_value_internal"]
        elif record["op_code"] == 6 and record.get("values"):
            payoffs[record["trial_id"]] = record["values"][0]
    return [(point_of(values[trial][name] for name in NAMES), payoffs[trial])
            for trial in sorted(payoffs)]


def plain_rules(trials):
    """Points by rules that need no model."""
    points = collections.defaultdict(list)
    for point, payoff in trials:
        points[point].append(payoff)
    best = max(trials, key=lambda trial: trial[1])[0]  # the first of those that are level
    sampled = max(points, key=lambda point: len(points[point]))

    def mean_of(least):
        enough = [point for point in points if len(points[point]) >= least] or [sampled]
        return max(enough, key=lambda point: (statistics.mean(points[point]), len(points[point])))

    def lower(point):
        return wilson_interval(sum(payoff > 0 for payoff in points[point]), len(points[point]))[1]

    return {"best trial": best, "most sampled": sampled, "mean of repeats (3 or more)": mean_of(3),
            "mean of repeats (10 or more)": mean_of(10),
            "lower end of Wilson's interval": max(points, key=lower)}


def asked(path, model, space):
    """The answer of `ntune recommend`."""
    command = [NTUNE, "recommend", path, "--space", space, "--model", model, "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def score(folder, output):
    truth = true_values(folder)
    space = folder / "space.yaml"
    space.write_text("".join(f"{name}: {{range: [0, 0.8], step: 0.2}}\n" for name in NAMES),
                     encoding="utf-8")
    rows = []
    for path in sorted(folder.glob("*.log"), key=lambda path: int(path.stem)):
        trials = trials_of(path)
        for rule, point in plain_rules(trials).items():
            rows.append([path.stem, len(trials), rule, round(truth[point], 6), "", "", ""])
        for model in MODELS:
            answer = asked(path, model, space)["recommendation"]
            point = point_of(answer["parameters"][name] for name in NAMES)
            chance = [(end + 1) / 2 for end in [answer["estimate"], *answer["interval"]]]
            rows.append([path.stem, len(trials), f"ntune recommend --model {model}",
                         round(truth[point], 6)] + [round(x, 6) for x in chance])
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["seed", "trials", "rule", "true_value", "estimate", "low", "high"])
        writer.writerows(rows)
    report(rows)


def report(rows):
    for rule in dict.fromkeys(row[2] for row in rows):
        values = [row[3] for row in rows if row[2] == rule]
        n, mean, half = mean_interval(values)
        line = f"{rule:40s} {mean:.3f} +- {half:.3f}  n {n}"
        ends = [row for row in rows if row[2] == rule and row[5] != ""]
        if ends:
            inside = sum(row[5] <= row[3] <= row[6] for row in ends)
            line += f"  interval holds the truth in {inside} of {len(ends)}"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["trials", "score"])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--csv", type=pathlib.Path, default=ROOT / "benchmarks/results/foreign_recommend.csv")
    arguments = parser.parse_args()
    if not os.access(NTUNE, os.X_OK):
        parser.error(f"no program {NTUNE}: build the release preset, or set NTUNE")
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.step == "score":
        return score(arguments.out, arguments.csv)
    truth = true_values(arguments.out)
    for seed in range(1, arguments.seeds + 1):
        path = arguments.out / f"{seed}.log"
        if not path.exists():
            run_tpe(truth, path, seed, arguments.trials)
            print(f"seed {seed}", flush=True)


if __name__ == "__main__":
    main()
