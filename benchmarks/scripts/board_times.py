#!/usr/bin/env python3
"""What the board of many studies costs: processor time and memory of `ntune watch FOLDER --serve`.

    benchmarks/scripts/board_times.py --ntune build/release/apps/ntune --studies 200

Makes one finished study of 400 evaluations, copies it, and asks for the board's rows until all are read.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import urllib.request

STUDY = {"objective": {"function": "branin", "noise": "win_loss"}, "budget": 400, "record": "evaluations", "seed": 3,
         "space": {"x1": {"range": [-5, 10], "step": 1, "default": 9},
                   "x2": {"range": [0, 15], "step": 1, "default": 9}}}
LOOKS = 10


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", required=True)
    parser.add_argument("--studies", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "study.yaml").write_text(json.dumps(STUDY))
        subprocess.run([options.ntune, "run", folder / "study.yaml", "--out", folder / "one", "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        for i in range(options.studies):
            shutil.copytree(folder / "one", folder / f"all/{i}")
        server = subprocess.Popen([options.ntune, "watch", folder / "all", "--serve", "0"], stdout=subprocess.PIPE,
                                  text=True)
        try:
            rows = server.stdout.readline().partition("http")[2].split()[0]
            while b"to be read" in (text := urllib.request.urlopen(f"http{rows}rows").read()):
                pass
            first = processor_seconds(server.pid)
            for _ in range(LOOKS):
                urllib.request.urlopen(f"http{rows}rows").read()
            later = (processor_seconds(server.pid) - first) / LOOKS
            print(f"{options.studies} studies: {first:.1f} s until all are read, {later:.2f} s a look; "
                  f"{megabytes(server.pid):.0f} MB, {len(text) / 1e3:.0f} kB of rows")
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
