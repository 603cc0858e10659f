#!/usr/bin/env python3
"""The studies of a solver, a compressor and levels of a game, shortened, and irace's scenarios of the same.

real_cases.py --ntune PROGRAM --arcade PROGRAM; exits with 77 if a program is missing.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = {"minisat": ["minisat"], "xz": ["xz"], "planet_wars_levels": []}
TEST_INSTANCES = {"minisat": 40, "xz": 36, "planet_wars_levels": 18}


def expect(right, text, output=""):
    if not right:
        sys.exit(f"not so: {text}\n{output}")


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    expect(done.returncode == 0, f"{command} ends well", done.stdout + done.stderr)
    return done.stdout, done.stderr


def shorten(study, hold_out):
    """Thirty evaluations, and some that are held out."""
    study = re.sub(r"(?m)^(iterations|budget): \d+", r"iterations: 30", study)
    study = re.sub(r"(?m)^(runs|hold_out): .*\n", "", study)
    return f"{study}\nruns: 1\nhold_out: {hold_out}\n"


def run(ntune, source, name, text, tests):
    """Runs a study of `tests` test instances: each is visited once by the recommendation and by the default."""
    study = source / "configs" / f"{name}_short.yaml"
    study.write_text(shorten(text, tests), encoding="utf-8")
    out = source / f"{name}_out"
    output_of(ntune, "run", study, "--out", out, "--quiet")
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    held_out = [row for row in result["instances"] if row["test"]]
    expect(len(held_out) == tests and all(row["n"] == 1 for row in held_out), f"{name}: one visit each", held_out)
    expect(result["default"] is not None, f"{name}: beside the default", result)
    shutil.rmtree(out)


def copy_sources(folder):
    """The studies with what they name, since problems and files are written beside them."""
    for part in ("configs", "benchmarks/irace"):
        shutil.copytree(ROOT / part, folder / part)
    (folder / "apps").symlink_to(ROOT / "apps")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", required=True, type=os.path.abspath)
    parser.add_argument("--arcade", required=True, type=os.path.abspath)
    options = parser.parse_args()
    os.environ["PATH"] = f"{os.path.dirname(options.arcade)}:{os.environ['PATH']}"
    missing = []
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder)
        copy_sources(source)
        for name, programs in NEEDED.items():
            absent = [program for program in programs if shutil.which(program) is None]
            missing += absent
            if absent:
                continue
            tests = TEST_INSTANCES[name]
            run(options.ntune, source, name, (source / f"configs/{name}.yaml").read_text(encoding="utf-8"), tests)
            scenario = source / f"benchmarks/irace/{name}/scenario.txt"
            imported, warnings = output_of(options.ntune, "import-space", scenario)
            left_out = warnings.replace("logFile: left out: `ntune run --out DIR`", "")
            expect("left out" not in left_out, f"{name}: all but the log is imported", warnings)
            run(options.ntune, source, f"{name}_irace", imported, tests)
    if missing:
        print(f"skipped in part: not installed: {', '.join(missing)}; scripts/install_dependencies.sh solvers")
        sys.exit(77)


if __name__ == "__main__":
    main()
