#!/usr/bin/env python3
"""Makes the folder of a study anew from what was recorded of it, for the figures of today.

    benchmarks/scripts/recorded_study.py STUDY.yaml RECORDED.csv --out DIR --plot FILE.svg

RECORDED.csv is what `ntune export` has written of one run without failures. Its points are the starts of a study of the
same space, in their order, and its values are told to `ntune serve`. Nothing is measured again, and the recommendation
is what today's model makes of the values. A parameter `again` tells apart evaluations of one point; the plot, of main
effects, leaves it out.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

import yaml


def read_evaluations(path):
    """What was evaluated, in order: (the words of the parameters, the value)."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["stage"] == "search"]
    for row in rows:
        if row["failure"] or row["run"] != "0":
            raise SystemExit(f"{path}: evaluation {row['evaluation']} of run {row['run']}: one run without failures "
                             "is allowed")
    return sorted(rows, key=lambda row: int(row["evaluation"]))


def starts_of(space, rows):
    """The points as a study names them, each once."""
    seen, starts = {}, []
    for row in rows:
        point = {name: yaml.safe_load(row[name]) for name in space}
        key = json.dumps(point)
        seen[key] = seen.get(key, -1) + 1
        starts.append({**point, "again": seen[key]})
    return starts


def study_of(space, starts):
    plain = {name: {key: value for key, value in entry.items() if key != "default"} for name, entry in space.items()}
    most = max(start["again"] for start in starts)
    return {"objective": {"ask_tell": "recorded values"}, "space": {**plain, "again": {"integers": [0, max(1, most)]}},
            "start": starts, "runs": 1, "iterations": len(starts), "hold_out": 0, "seed": 1}


def tell_all(ntune, study, starts, values, out):
    """Hands the values to `ntune serve`; every question must be the next start."""
    with subprocess.Popen([ntune, "serve", study, "--out", out], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as served:
        def answer(request):
            served.stdin.write(json.dumps(request) + "\n")
            served.stdin.flush()
            return json.loads(served.stdout.readline())

        for start, value in zip(starts, values):
            question = answer({"op": "ask"})
            if question.get("params") != start:
                raise SystemExit(f"ntune asks for {question}, not for {start}")
            answer({"op": "tell", "id": question["id"], "value": value})
        done = answer({"op": "ask"})
        served.stdin.close()
        if not done.get("done"):
            raise SystemExit(f"ntune goes on with {done}")
    recommended = json.loads((out / "result.json").read_text(encoding="utf-8"))["recommendation"]["parameters"]
    print(f"{len(starts)} evaluations; today's model recommends "
          + ", ".join(f"{name} = {value}" for name, value in recommended.items() if name != "again"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=pathlib.Path, metavar="STUDY.yaml")
    parser.add_argument("recorded", type=pathlib.Path, metavar="RECORDED.csv")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="folder to keep")
    parser.add_argument("--plot", metavar="FILE", help="picture of the main effects")
    parser.add_argument("--ntune", default="ntune", metavar="PROGRAM")
    arguments = parser.parse_args()
    space = yaml.safe_load(arguments.study.read_text(encoding="utf-8"))["space"]
    rows = read_evaluations(arguments.recorded)
    starts = starts_of(space, rows)
    with tempfile.TemporaryDirectory() as folder:
        study = pathlib.Path(folder) / f"{arguments.study.stem}.yaml"
        study.write_text(json.dumps(study_of(space, starts)), encoding="utf-8")
        out = arguments.out or pathlib.Path(folder) / "study"
        tell_all(arguments.ntune, study, starts, [float(row["value"]) for row in rows], out)
        if arguments.plot:
            subprocess.run([arguments.ntune, "plot", out, "--figure", "main_effects", "--parameters", ",".join(space),
                            "-o", arguments.plot], check=True)


if __name__ == "__main__":
    main()
