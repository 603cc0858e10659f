#!/usr/bin/env python3
"""Players of real games tuned by matches, judged by fresh matches, most of them against players that took no part.

usage: duels_games.py bao|planet_wars FILE [--matches N] [--runs N] [--games N] [--ntune PROGRAM]

Adds what is missing to the CSV file. A search has so many matches of two games, whoever searches.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

BAO = pathlib.Path(__file__).resolve().parents[2] / "configs" / "bao"
METHODS = {
    "duels": "duels",
    "spsa": "spsa_duels",
    "spsa, large steps": "{algorithm: spsa_duels, c_end: 0.35, r_end: 0.07, average: true}",
    "fixed: process": "gaussian_process",
    "fixed: NTBEA": "ntbea",
}
# What else plays; "start" is the default of the search, which took part.
JUDGES = {
    "bao": {"default": "{game: bao, opponent: default}",
            "ga3": f"{{game: bao, opponent: {BAO / 'ga3.yaml'}}}",
            "tdl2b": f"{{game: bao, opponent: {BAO / 'tdl2b.yaml'}}}"},
    "planet_wars": {"player of 2020": "{game: planet_wars}",
                    "player of 2019": "{game: planet_wars, opponent: 2019}"},
}
COLUMNS = ("game", "method", "seed", "matches", "judge", "n", "mean", "sd", "model_elo", "model_low",
           "model_high")
FIRST_JUDGE_SEED = 900


def searched(arguments, folder, method, seed):
    study = folder / "study.yaml"
    study.write_text(f"objective: {{match: {{game: {arguments.game}}}}}\n"
                     f"optimiser: {METHODS[method]}\nruns: 1\niterations: {arguments.matches}\n"
                     f"hold_out: 0\nre_evaluation: none\nthreads: 1\nseed: {seed}\n", encoding="utf-8")
    out = folder / f"{method}_{seed}"
    subprocess.run([arguments.ntune, "run", study, "--quiet", "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    return json.loads((out / "result.json").read_text(encoding="utf-8"))


def judged(arguments, folder, judge, parameters, seed):
    objective = JUDGES[arguments.game].get(judge, f"{{match: {{game: {arguments.game}}}}}")
    study = folder / "judge.yaml"
    study.write_text(f"objective: {objective}\nbudget: 10\n", encoding="utf-8")
    values = [word for name, value in parameters.items()
              for word in ("--set", f"{name}={str(value).lower()}")]
    text = subprocess.run([arguments.ntune, "eval", study, *values, "--times", str(arguments.games),
                           "--seed", str(seed), "--threads", "1", "--format", "json"], check=True,
                          capture_output=True, text=True).stdout
    return json.loads(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=JUDGES)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--games", type=int, default=1000, help="evaluations by each judge")
    parser.add_argument("--ntune", default="build/release/apps/ntune")
    arguments = parser.parse_args()
    known = set()
    if arguments.file.exists():
        with open(arguments.file, encoding="utf-8", newline="") as file:
            known = {(row["game"], row["method"], row["seed"], row["judge"])
                     for row in csv.DictReader(file)}
    else:
        arguments.file.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as name, open(arguments.file, "a", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        for seed in range(1, arguments.runs + 1):
            for method in METHODS:
                missing = [judge for judge in ("start", *JUDGES[arguments.game])
                           if (arguments.game, method, str(seed), judge) not in known]
                if not missing:
                    continue
                result = searched(arguments, pathlib.Path(name), method, seed)
                model = result.get("duels", {}).get("model_elo")
                claim = [model["value"], *model["interval"]] if model else ["", "", ""]
                for judge in missing:
                    found = judged(arguments, pathlib.Path(name), judge,
                                   result["recommendation"]["parameters"], FIRST_JUDGE_SEED + seed)
                    rows.writerow([arguments.game, method, seed, arguments.matches, judge, found["n"],
                                   f"{found['value']:.4f}", f"{found.get('sd', 0):.4f}",
                                   *(f"{number:.1f}" if number != "" else "" for number in claim)])
                    file.flush()


if __name__ == "__main__":
    main()
