#!/usr/bin/env python3
"""Matches of Debian's engines by apps/examples/referee.py, and the study that uses them.

real_engines.py --ntune PROGRAM; exits with 77 if an engine is missing.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFEREE = ROOT / "apps/examples/referee.py"
ENGINES = ["glaurung", "gnuchess", "gnugo", "stockfish", "toga2"]
PATH = os.environ["PATH"] + ":/usr/games"


def match(*arguments):
    """The output of a match."""
    outcome = subprocess.run([sys.executable, "-B", REFEREE, *arguments], capture_output=True, text=True,
                             timeout=600, check=False)
    if outcome.returncode != 0:
        sys.exit(f"{arguments}: {outcome.stderr}")
    return outcome.stdout


def expect(right, text, output):
    if not right:
        sys.exit(f"not so: {text}\n{output}")


def counts(output):
    """(wins, losses, draws), [pairs]"""
    games = re.search(r"^Games: \d+, Wins: (\d+), Losses: (\d+), Draws: (\d+), ", output, re.MULTILINE)
    pairs = re.search(r"^Ptnml\(0-2\): \[(.*)\]", output, re.MULTILINE)
    return [int(n) for n in games.groups()], [int(n) for n in pairs[1].split(",")]


def play_all_chess_engines():
    """Stockfish wins against each; both colours are played, and the counts add up."""
    quiet = {"toga2": ["option.OwnBook=false"], "glaurung": ["option.OwnBook=false", "option.Threads=1"],
             "gnuchess": ["args=--uci", "option.OwnBook=false"]}
    for engine, options in quiet.items():
        output = match("-engine", "cmd=stockfish", "depth=8", "-engine", f"cmd={engine}", "depth=2", *options,
                       "-openings", "plies=6", "-srand", "1", "-rounds", "3", "-maxmoves", "150")
        games, pairs = counts(output)
        expect(sum(games) == 6 and sum(pairs) == 3, "6 games are 3 pairs", output)
        points = games[0] + games[2] / 2
        expect(points == sum(pair * number for pair, number in enumerate(pairs)) / 2, "pairs add up", output)
        expect(points >= 4.5, "Stockfish is the better engine", output)


def play_a_mirror():
    """The same engine against itself: equal games with both colours, so that every pair is level."""
    output = match("-engine", "name=a", "-engine", "name=b", "-each", "cmd=glaurung", "option.OwnBook=false",
                   "option.Threads=1", "depth=3", "-openings", f"file={ROOT}/apps/examples/openings.epd",
                   "order=random", "-srand", "7", "-rounds", "4")
    expect(counts(output)[1] == [0, 0, 4, 0, 0], "a mirror is level", output)


def play_go():
    output = match("-engine", "name=good", "args=--mode gtp --level 5", "-engine", "name=blind",
                   "args=--mode gtp --level 0 --cache-size 1", "-each", "cmd=gnugo", "proto=gtp",
                   "-openings", "plies=4", "-rounds", "1")
    expect(sum(counts(output)[0]) == 2, "two games of Go", output)
    expect(re.search(r"\{(Score [wb0]|(White|Black) resigns)", output), "a game of Go has a score", output)


def rehearse_the_study(ntune):
    study = (ROOT / "configs/glaurung.yaml").read_text().replace("../apps", f"{ROOT}/apps")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "glaurung.yaml"
        path.write_text(study.replace("iterations: 229", "iterations: 3"))
        environment = {**os.environ, "PATH": PATH}
        check = subprocess.run([ntune, "check", "--dry-run", path], capture_output=True, text=True,
                               env=environment, timeout=600, check=False)
        expect(check.returncode == 0 and "understood" in check.stdout, "the study's match is understood",
               check.stdout + check.stderr)
        run = subprocess.run([ntune, "run", path, "--out", f"{folder}/out"], capture_output=True, text=True,
                             env=environment, timeout=600, check=False)
        expect(run.returncode == 0, "the study runs", run.stdout + run.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", required=True)
    options = parser.parse_args()
    missing = [engine for engine in ENGINES if shutil.which(engine, path=PATH) is None]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}; scripts/install_dependencies.sh engines")
        sys.exit(77)
    play_all_chess_engines()
    play_a_mirror()
    play_go()
    rehearse_the_study(options.ntune)


if __name__ == "__main__":
    main()
