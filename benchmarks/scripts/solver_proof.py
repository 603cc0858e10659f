#!/usr/bin/env python3
"""Tunes three solvers by ntune and by irace on problems that often time out, and tests what both recommend.

    solver_proof.py problems                 writes the problems that benchmarks/solvers/*.txt name
    solver_proof.py tune --ntune PROGRAM     repeat r has seed r; irace gets the same runs on the same problems
    solver_proof.py test                     fresh runs: all settings in turn on each test problem and seed
    solver_proof.py report                   the tables, with 95 % intervals

Rows that the file has are not made again. With --root FOLDER irace is that of another Debian (debootstrap) in
FOLDER, which calls the solvers of this one.
"""

import argparse
import csv
import io
import json
import math
import os
import pathlib
import shlex
import shutil
import string
import subprocess
import sys

import yaml

from intervals import mean_interval

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLVERS = ROOT / "benchmarks/solvers"
WORK = ROOT / "results/solver_proof"
FIELDS = ["case", "system", "seed", "calls", "finding", "change", "low", "high", "settings", "solved", "costs"]
CASES = ["clasp", "minisat", "glpsol"]
PLACES = {"clasp": 0, "minisat": 1, "glpsol": 3}
TEST_SEEDS = [1001, 1002]
sys.path.insert(0, str(SOLVERS))

import solver_call  # noqa: E402  (benchmarks/solvers)


def output_of(command, folder=ROOT):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def problems_of(case, kind):
    return [WORK / "problems" / name for name in (SOLVERS / f"{case}_{kind}.txt").read_text().split()]


def write_problems(_):
    (WORK / "problems").mkdir(parents=True, exist_ok=True)
    for path in {path for case in CASES for kind in ("train", "test") for path in problems_of(case, kind)}:
        if not path.exists():
            maker = ROOT / "apps/examples/sat_instance.py" if path.suffix == ".cnf" else SOLVERS / "mip_instance.py"
            path.write_text(output_of([sys.executable, maker, path.stem]))


def study_of(case):
    return yaml.safe_load((SOLVERS / f"{case}.yaml").read_text())


def switches_of(case):
    """The word of the command that each parameter stands at the end of, without it."""
    words = {}
    for word in study_of(case)["objective"]["command"]:
        for text, name, _, _ in string.Formatter().parse(word):
            if name in study_of(case)["space"]:
                words[name] = text
    return words


def options_of(case, settings):
    """Arguments of the solver. Of a parameter that has no value there is none."""
    return [switch + settings[name] for name, switch in switches_of(case).items() if settings[name]]


def text_of(value):
    return "" if value is None else str(value)


def known_rows(path):
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def by_default(case, _system, _seed, _options):
    settings = {name: text_of(values["default"]) for name, values in study_of(case)["space"].items()}
    return {"calls": 0, "settings": settings}


def by_ntune(case, _system, seed, options):
    out = WORK / f"ntune/{case}-{seed}"
    output_of([options.ntune, "run", SOLVERS / f"{case}.yaml", "--seed", str(seed), "--out", out, "--quiet",
               "--threads", "1", "--resume"])
    result = json.loads((out / "result.json").read_text())
    default = result["default"]
    plan = result["plans"][0]
    row = {"calls": plan["iterations"] + plan["re_evaluation"],
           "finding": default.get("finding", ""),
           "settings": {name: text_of(value) for name, value in result["recommendation"]["parameters"].items()}}
    if default.get("difference"):
        row["change"] = default["difference"]["value"]
        row["low"], row["high"] = default["difference"]["interval"]
    return row


def scenario_of(case, system, options):
    """A folder with irace's scenario, as ntune exports it, and a target runner."""
    folder = WORK / f"{system.replace(' ', '_')}/{case}"
    shutil.rmtree(folder, ignore_errors=True)
    by_ntune(case, system, 1, options)  # whose space is exported; done at once where it is done
    output_of([options.ntune, "export", WORK / f"ntune/{case}-1", "--to", "irace", "-o", folder])
    # The runner itself keeps to the limit, and prints PAR10.
    lines = [line for line in (folder / "scenario.txt").read_text().splitlines() if not line.startswith("bound")]
    (folder / "scenario.txt").write_text("\n".join([*lines, 'logFile = ""', ""]))
    outside = "chroot /host " if options.root else ""
    (folder / "target-runner").write_text(f"""#!/bin/sh
# target-runner CONFIGURATION NUMBER SEED PROBLEM SWITCH...
seed=$3
problem=$4
shift 4
exec {outside}{shlex.quote(str(SOLVERS / "solver_call.py"))} {case} "$problem" "$seed" "$@"
""")
    (folder / "target-runner").chmod(0o755)
    return folder


def by_irace(case, system, seed, options):
    folder = scenario_of(case, system, options)
    program = ["Rscript", ROOT / "benchmarks/irace/run.R", str(seed)]
    if options.root:
        # This system stands in the other one's folder /host while irace runs.
        inner = f'mkdir -p "$1/host" && mount --rbind / "$1/host" && exec chroot "$1" sh -c "$2"'
        there = f"cd /host{folder} && Rscript /host{program[1]} {seed}"
        program = ["unshare", "--mount", "--propagation", "private", "sh", "-c", inner, "-", options.root, there]
    row = next(csv.DictReader(io.StringIO(output_of(program, folder))))
    calls = int(row.pop("experiments"))
    return {"calls": calls, "settings": {name: row[name] for name in switches_of(case)}}


def make_row(case, system, seed, options):
    make = {"default": by_default, "ntune": by_ntune}.get(system, by_irace)
    row = make(case, system, seed, options)
    row["settings"] = json.dumps(row["settings"])
    return {"case": case, "system": system, "seed": seed, **row}


def tune(options):
    """All cases and systems of a seed before the next seed."""
    write_problems(options)
    for seed in range(options.repeats + 1):
        for case in options.cases:
            for system in ["default"] if seed == 0 else options.systems:
                rows = known_rows(options.csv)
                if (case, system, str(seed)) not in {(row["case"], row["system"], row["seed"]) for row in rows}:
                    row = make_row(case, system, seed, options)
                    write_rows(options.csv, known_rows(options.csv) + [row])
                    print(case, system, seed, row.get("finding", ""), flush=True)


def test(options):
    """Fresh runs of the rows that have none. Times are compared only with those of the same hour."""
    rows = known_rows(options.csv)
    for case in options.cases:
        ours = [row for row in rows if row["case"] == case and not row["costs"]]
        if ours and case == "glpsol":
            ours = [row for row in rows if row["case"] == case]
        runs = [[] for _ in ours]
        for seed in TEST_SEEDS:
            for problem in problems_of(case, "test"):
                for row, done in zip(ours, runs):
                    words = options_of(case, json.loads(row["settings"]))
                    done.append(solver_call.cost_of(case, str(problem), str(seed), words))
        for row, done in zip(ours, runs):
            row["solved"] = sum(solved for _, solved in done)
            row["costs"] = " ".join(f"{cost:.4g}" for cost, _ in done)
        write_rows(options.csv, rows)


def costs_of(row):
    return [float(cost) for cost in row["costs"].split()]


def fresh_change(row, default):
    """(mean, half) of the paired differences to the default, on these problems with other seeds."""
    pairs = [ours - theirs for ours, theirs in zip(costs_of(row), costs_of(default))]
    first, second = pairs[:len(pairs) // 2], pairs[len(pairs) // 2:]
    variance = sum((a - b) ** 2 / 4 for a, b in zip(first, second)) / len(first) ** 2
    return sum(pairs) / len(pairs), 1.96 * math.sqrt(variance)


def by_problem(pairs):
    """(mean, half) of the differences of pairs of rows, over problems like these."""
    differences = [[a - b for a, b in zip(costs_of(ours), costs_of(theirs))] for ours, theirs in pairs]
    count = len(differences[0]) // len(TEST_SEEDS)
    runs = len(differences) * len(TEST_SEEDS)
    _, mean, half = mean_interval([sum(sum(row[i::count]) for row in differences) / runs for i in range(count)])
    return mean, half


def cost_text(value, case, sign=""):
    return f"{value:{sign},.{PLACES[case]}f}"


def plus_minus(mean, half, case):
    return f"{cost_text(mean, case, '+')} ± {cost_text(half, case)}"


def claims_table(cases):
    print("| solver | seed | finding | change, as claimed | fresh | held? |\n|---|---|---|---|---|---|")
    for case, rows in cases.items():
        for row in rows["ntune"]:
            change, low, high = float(row["change"]), float(row["low"]), float(row["high"])
            mean, half = fresh_change(row, rows["default"][0])
            claimed = (high - low) / 2
            held = abs(change - mean) <= math.hypot(claimed, half) and (row["finding"] != "better" or mean < 0)
            print(f"| {case} | {row['seed']} | {row['finding']} | {plus_minus(change, claimed, case)} | "
                  f"{plus_minus(mean, half, case)} | {'yes' if held else '**no**'} |")


def used_rows(rows):
    """Of each system what it says to use: of ntune the default, where nothing is shown to be better."""
    used = dict(rows)
    used["ntune"] = [dict(rows["default"][0], seed=row["seed"]) if row["finding"] != "better" else row
                     for row in rows["ntune"]]
    tried = {} if used["ntune"] == rows["ntune"] else {"ntune, what it tried": rows["ntune"]}
    return {"ntune": used.pop("ntune"), **tried, **used}


def seed_pairs(ours, theirs):
    """Rows of the same seed. The default has one row for all of them."""
    by_seed = {row["seed"]: row for row in theirs}
    return [(row, by_seed.get(row["seed"], by_seed.get("0"))) for row in ours if by_seed.keys() & {row["seed"], "0"}]


def systems_table(cases):
    print("| solver | setting of | cost by seed | cost | solved, % | ntune less it |\n|---|---|---|---|---|---|")
    for case, rows in cases.items():
        used = used_rows(rows)
        for system, ours in used.items():
            means = [sum(costs_of(row)) / len(costs_of(row)) for row in ours]
            solved = sum(int(row["solved"]) for row in ours) / len(ours) / len(costs_of(ours[0]))
            less = "" if system.startswith("ntune") else plus_minus(*by_problem(seed_pairs(used["ntune"], ours)), case)
            print(f"| {case} | {system} | {'; '.join(cost_text(mean, case) for mean in means)} | "
                  f"{cost_text(sum(means) / len(means), case)} | {100 * solved:.0f} | {less} |")


def print_drift(cases):
    """How far processor times drift: the default's second round of the test less its first."""
    for row in cases.get("glpsol", {}).get("default", []):
        costs = costs_of(row)
        first, second = costs[:len(costs) // 2], costs[len(costs) // 2:]
        _, mean, half = mean_interval([b - a for a, b in zip(first, second)])
        print(f"GLPK's default, end of the test less its begin: {plus_minus(mean, half, 'glpsol')} s")


def report(options):
    cases = {}
    for row in known_rows(options.csv):
        if row["costs"] and row["case"] in options.cases:
            cases.setdefault(row["case"], {}).setdefault(row["system"], []).append(row)
    for part in (systems_table, claims_table, print_drift):
        part(cases)
        print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["problems", "tune", "test", "report"])
    parser.add_argument("--ntune", type=os.path.abspath, default=ROOT / "build/release/apps/ntune")
    parser.add_argument("--cases", default=CASES, type=lambda text: text.split(","))
    parser.add_argument("--systems", default=["ntune", "irace 3.5"], type=lambda text: text.split(","),
                        help="ntune, or irace with its version")
    parser.add_argument("--root", type=os.path.abspath, help="another Debian, whose irace is to be used")
    parser.add_argument("--repeats", default=3, type=int)
    parser.add_argument("--csv", default=ROOT / "benchmarks/results/solver_proof.csv", type=pathlib.Path)
    options = parser.parse_args()
    {"problems": write_problems, "tune": tune, "test": test, "report": report}[options.action](options)


if __name__ == "__main__":
    main()
