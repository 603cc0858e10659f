#!/usr/bin/env python3
"""Records tables of two goals: every point of a grid, several times.

goal_tables.py zstd FILE [--times 6]
goal_tables.py planet_wars FILE [--times 4]

zstd         the compressor on six files of apps/examples/data_file.py as one, 120,000 bytes: bytes of the result, and
             milliseconds of the processor
planet_wars  Rolling Horizon Evolution against the opponent `2020`, ten games a time, of `arcade` on the path: games
             won, and milliseconds of the processor that a game takes for both players

A row has the values of a point, and the observations of each goal with blanks between them, as `number*count`. Passes
over the grid come one after another, so that a busy minute of the machine does not stick to a few points; the file has
all passes that are done.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "apps/examples"


def run(*command):
    """What it prints, and milliseconds of the processor."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    text = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: ended with {process.returncode}")
    return text, 1000 * (used.ru_utime + used.ru_stime)


class Zstd:
    goals = ("bytes", "ms")
    space = {"strategy": range(1, 10), "search": (1, 4, 7), "hash": (10, 13, 16, 19), "target": (0, 8, 32, 128)}

    def __init__(self, folder):
        self.data = pathlib.Path(folder, "data")
        kinds = ("log", "table", "integers", "samples", "reals", "words")
        self.data.write_bytes(b"".join(run(sys.executable, EXAMPLES / "data_file.py", f"{kind}-1")[0] for kind in kinds))

    def observe(self, _, strategy, search, hash, target):
        words = f"strategy={strategy},searchLog={search},hashLog={hash},targetLength={target}"
        packed, ms = run("zstd", "--single-thread", "-qc", f"--zstd={words}", self.data)
        return [len(packed)], [round(ms, 2)]


class PlanetWars:
    goals = ("win", "ms")
    space = {"tick_budget": (125, 250, 500, 1000, 2000), "sequence_length": (5, 10, 20), "mutated_points": (1, 3),
             "flip_one": ("true", "false"), "shift_buffer": ("true", "false")}

    def __init__(self, _):
        pass

    def observe(self, number, *point):
        words = ",".join(f"{name}={value}" for name, value in zip(self.space, point))
        text, ms = run("arcade", "match", "--agent", f"rhea:{words}", "--games", "10", "--seed", str(1 + number),
                       "--threads", "1", "--format", "json", "--quiet")
        told = json.loads(text)
        return [1] * told["wins"] + [0] * told["losses"], [round(ms / 10, 2)]


TABLES = {"zstd": Zstd, "planet_wars": PlanetWars}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=6)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = TABLES[options.table](folder)
        rows = {point: [collections.Counter() for _ in table.goals] for point in itertools.product(*table.space.values())}
        for number in range(options.times):
            for point, columns in rows.items():
                for column, values in zip(columns, table.observe(number, *point)):
                    column.update(values)
            lines = [f"# goal_tables.py {options.table}, {number + 1} times", ",".join((*table.space, *table.goals))]
            for point, columns in rows.items():
                texts = [" ".join(f"{value}*{count}" if count > 1 else str(value)
                                  for value, count in sorted(column.items())) for column in columns]
                lines.append(",".join(map(str, (*point, *texts))))
            options.file.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
