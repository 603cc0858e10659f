#!/usr/bin/env python3
"""Is a study of 300 evaluations that is given 1,000 level with one of 1,000 at once?

For each optimiser and landscape of the arena: true values of what runs recommend after 300 evaluations, after
going on to 1,000, and after 1,000 at once, with the paired difference (extended less at once) and its 95 %
interval.
"""

import argparse
import csv
import pathlib
import statistics
import subprocess
import sys
import tempfile

from intervals import mean_interval

LANDSCAPES = {
    "hartmann6": "{function: hartmann6, noise: win_loss}",
    "trap12": "{function: trap, dimensions: 12, noise: win_loss}",
    "nk20": "{function: nk, dimensions: 20, k: 3, noise: win_loss}",
    "one_max10": "{function: one_max, dimensions: 10, values: 5, noise: win_loss}",
    "gaussian_landscape6": "{function: gaussian_landscape, dimensions: 6, values: 5, main_effects: 0.3, "
    "pairs: 0.4, seed: 1, noise: win_loss}",
}


def run(program, folder, objective, optimiser, repeats, iterations):
    """The true values of the recommendations; goes on where the folder holds fewer iterations."""
    study = folder.parent / "study.yaml"
    study.write_text(
        f"objective: {objective}\noptimiser: {optimiser}\nruns: 1\niterations: {iterations}\n"
        f"repeats: {repeats}\nhold_out: 0\nrecord: evaluations\nthreads: 1\n"
    )
    command = [program, "run", study, "--out", folder, "--quiet", "--resume"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(folder / "runs.csv", newline="") as file:
        return [float(row["true_value"]) for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="NTUNE")
    parser.add_argument("out", metavar="OUT.csv")
    parser.add_argument("auto", type=int, nargs="?", default=40, help="repeats of auto (default 40)")
    parser.add_argument("ntbea", type=int, nargs="?", default=400, help="repeats of ntbea (default 400)")
    arguments = parser.parse_args()
    program, out = arguments.program, arguments.out
    repeats = {"auto": arguments.auto, "ntbea": arguments.ntbea}
    with open(out, "w", newline="") as file:
        file.write("# " + " ".join(["extended_study.py", "ntune", pathlib.Path(out).name] + sys.argv[3:]) + "\n")
        table = csv.writer(file, lineterminator="\n")
        table.writerow("optimiser objective n at_300 extended at_once difference low high".split())
        for optimiser, n in repeats.items():
            for name, objective in LANDSCAPES.items():
                with tempfile.TemporaryDirectory() as place:
                    place = pathlib.Path(place)
                    before = run(program, place / "extended", objective, optimiser, n, 300)
                    after = run(program, place / "extended", objective, optimiser, n, 1000)
                    once = run(program, place / "once", objective, optimiser, n, 1000)
                paired = [a - b for a, b in zip(after, once)]
                _, mean, half = mean_interval(paired)
                table.writerow(
                    [optimiser, name, n]
                    + [f"{statistics.mean(values):.4f}" for values in (before, after, once)]
                    + [f"{value:.4f}" for value in (mean, mean - half, mean + half)]
                )
                file.flush()


if __name__ == "__main__":
    main()
