#!/usr/bin/env python3
"""Tunes three programs by ntune and by irace, with the same training instances and numbers of calls.

real_cases.py --ntune PROGRAM [--cases minisat,xz,planet_wars_levels] [--repeats 10] [--csv FILE]

A case is a study in configs/ and irace's scenario of the same name in benchmarks/irace/. Repeat r has
seed r in both. Both begin with the program's default. Each recommendation, and the default, is then called
on all test instances with the same seeds. Rows that the file has are not made again.
With --report alone: a table of the file, with 95 % intervals of the mean over repeats.
"""

import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml

from intervals import mean_interval

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIELDS = ["case", "system", "seed", "calls", "test_calls", "test_value", "settings"]
# Calls on each test instance, with seeds 1, 2, ...
TEST_CALLS = {"minisat": 1, "xz": 1, "planet_wars_levels": 10}


def output_of(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def lines_of(path):
    return [line.split("#")[0].strip() for line in path.read_text().splitlines() if line.split("#")[0].strip()]


class Case:
    def __init__(self, name):
        self.name = name
        self.scenario = ROOT / "benchmarks/irace" / name
        self.study = yaml.safe_load((ROOT / f"configs/{name}.yaml").read_text())
        self.calls = self.study["iterations"]
        self.switches = {}
        for line in lines_of(self.scenario / "parameters.txt"):
            parameter, switch = line.split()[:2]
            self.switches[parameter] = switch.strip('"')
        words = dict(line.split(" = ") for line in lines_of(self.scenario / "scenario.txt"))
        if int(words["maxExperiments"]) != self.calls:
            sys.exit(f"{name}: the study and the scenario differ in their numbers of calls")
        self.tests = lines_of(self.scenario / words["testInstancesFile"].strip('"'))

    def default(self):
        names, values = (line.split() for line in lines_of(self.scenario / "default.txt"))
        return dict(zip(names, values))

    def test(self, settings):
        """(calls, mean) of settings on the test instances."""
        switches = [switch + settings[name] for name, switch in self.switches.items()]
        values = []
        for instance in self.tests:
            for seed in range(1, TEST_CALLS[self.name] + 1):
                call = ["./target-runner", "1", "1", str(seed), instance, *switches]
                values.append(float(output_of(call, self.scenario).split()[0]))
        return len(values), sum(values) / len(values)


def text_of(value):
    """A value as on the command line: false and true without a capital."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def by_ntune(case, seed, ntune, changes):
    study = dict(case.study, seed=seed, hold_out=0, threads=1, **changes)
    study.pop("test_instances")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=ROOT / "configs") as file:
        yaml.safe_dump(study, file)
        file.flush()
        with tempfile.TemporaryDirectory() as folder:
            output_of([ntune, "run", file.name, "--out", f"{folder}/out", "--quiet"], ROOT)
            result = json.loads(pathlib.Path(folder, "out/result.json").read_text())
    return case.calls, {name: text_of(value) for name, value in result["recommendation"]["parameters"].items()}


def by_irace(case, seed):
    rows = output_of(["Rscript", "../run.R", str(seed)], case.scenario)
    row = next(csv.DictReader(io.StringIO(rows)))
    return int(row.pop("experiments")), row


def known_rows(path):
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def add_row(path, row):
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def make_row(case, system, seed, options):
    if system == "default":
        calls, settings = 0, case.default()
    elif system == "irace":
        calls, settings = by_irace(case, seed)
    else:
        changes = {} if system == "ntune" else {"optimiser": system.removeprefix("ntune ")}
        calls, settings = by_ntune(case, seed, options.ntune, changes)
    test_calls, value = case.test(settings)
    add_row(options.csv, dict(zip(FIELDS, [case.name, system, seed, calls, test_calls, f"{value:.6g}",
                                           json.dumps(settings)])))


def run_missing(options):
    """All cases of a seed before the next seed."""
    cases = [Case(name) for name in options.cases]
    for seed in range(options.repeats + 1):
        for case in cases:
            for system in ["default"] if seed == 0 else options.systems:
                known = {(row["case"], row["system"], row["seed"]) for row in known_rows(options.csv)}
                if (case.name, system, str(seed)) not in known:
                    make_row(case, system, seed, options)


def report(options):
    groups = {}
    for row in known_rows(options.csv):
        groups.setdefault((row["case"], row["system"]), {})[row["seed"]] = float(row["test_value"])
    print("| case | system | repeats | test value | best, worst | to ntune, by seed |\n|---|---|---|---|---|---|")
    for (case, system), values in groups.items():
        _, mean, half = mean_interval(list(values.values()))
        ours = groups.get((case, "ntune"), {})
        pairs = [value - ours[seed] for seed, value in values.items() if seed in ours]
        difference = ""
        if pairs and system != "ntune":
            n, apart, width = mean_interval(pairs)
            difference = f"{apart:+.3f}" + (f" ± {width:.3f}" if n > 1 else "")
        spread = f"± {half:.3f}" if len(values) > 1 else ""
        print(f"| {case} | {system} | {len(values)} | {mean:.3f} {spread} | "
              f"{min(values.values()):.3f}, {max(values.values()):.3f} | {difference} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", type=os.path.abspath)
    parser.add_argument("--cases", default="minisat,xz,planet_wars_levels", type=lambda text: text.split(","))
    parser.add_argument("--systems", default="ntune,irace", type=lambda text: text.split(","),
                        help="ntune, irace, or 'ntune OPTIMISER'")
    parser.add_argument("--repeats", default=10, type=int)
    parser.add_argument("--csv", default=ROOT / "benchmarks/results/real_cases.csv", type=pathlib.Path)
    parser.add_argument("--report", action="store_true", help="the table alone")
    options = parser.parse_args()
    if not options.report:
        os.environ["PATH"] = f"{os.path.dirname(options.ntune)}:{os.environ['PATH']}"  # for arcade
        run_missing(options)
    report(options)


if __name__ == "__main__":
    main()
