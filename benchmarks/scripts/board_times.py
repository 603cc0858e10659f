#!/usr/bin/env python3
"""What the board of many studies costs: time and memory of `ntune watch FOLDER --serve`.

    benchmarks/scripts/board_times.py --ntune build/release/apps/ntune --studies 100 --calls 100000 --open 10
    benchmarks/scripts/board_times.py --ntune build/release/apps/ntune --studies 100 --calls 10000 --open 100 --growing 100

Makes one finished study, copies it, and asks for the board's rows until all are read. Open studies lack the second half
of their calls. The first `--growing` of them (one unless given) run: each grows by ten calls before every further look.
"""

import argparse
import fcntl
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
import urllib.request

STUDY = {"objective": {"function": "branin", "noise": "win_loss"}, "record": "evaluations", "seed": 3,
         "space": {"x1": {"range": [-5, 10], "step": 1, "default": 9},
                   "x2": {"range": [0, 15], "step": 1, "default": 9}}}
LOOKS = 20
GROWTH = 10  # calls


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process, what):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.partition(what + ":")[2].split()[0]) / 1024


def make_studies(folder, options):
    """The studies below `all`; returns the journals that grow and the lines that each lacks."""
    study = STUDY | {"budget": options.calls}
    if options.runs:
        study |= {"runs": options.runs}
    (folder / "study.yaml").write_text(json.dumps(study))
    subprocess.run([options.ntune, "run", folder / "study.yaml", "--out", folder / "one", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    journal = next((folder / "one").glob("journal.*"))
    lines = journal.read_bytes().splitlines(keepends=True)
    begun = lines[:len(lines) // 2]
    for i in range(options.studies):
        place = folder / f"all/{i}"
        place.mkdir(parents=True)
        if i < options.open:
            (place / journal.name).write_bytes(b"".join(begun))
            continue
        for file in (folder / "one").iterdir():
            os.link(file, place / file.name)
    growing = min(options.growing, options.open)
    return [folder / f"all/{i}" / journal.name for i in range(growing)], lines[len(begun):]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", required=True)
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--calls", type=int, default=400, help="of each study")
    parser.add_argument("--open", type=int, default=0, help="studies that have not ended")
    parser.add_argument("--growing", type=int, default=1, help="of them, those that go on")
    parser.add_argument("--runs", type=int, default=0, help="searches of each study")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        growing, rest = make_studies(pathlib.Path(name), options)
        server = subprocess.Popen([options.ntune, "watch", f"{name}/all", "--serve", "0"], stdout=subprocess.PIPE,
                                  text=True)
        try:
            rows = server.stdout.readline().partition("http")[2].split()[0]
            while b"to be read" in (text := urllib.request.urlopen(f"http{rows}rows").read()):
                pass
            first = processor_seconds(server.pid)
            locks = [journal.with_name("lock").open("ab") for journal in growing]  # as the processes that carry them out
            for lock in locks:
                fcntl.flock(lock, fcntl.LOCK_EX)
            looks = []
            for look in range(LOOKS):
                for journal in growing:
                    with journal.open("ab") as file:
                        file.write(b"".join(rest[look * GROWTH:(look + 1) * GROWTH]))
                before = time.perf_counter()
                urllib.request.urlopen(f"http{rows}rows").read()
                looks.append(time.perf_counter() - before)
            used = (processor_seconds(server.pid) - first) / LOOKS
            print(f"{options.studies} studies of {options.calls:,} calls, {options.open} open, {len(growing)} growing: "
                  f"{first:.1f} s until all are read; an update {1e3 * statistics.median(looks):.0f} ms "
                  f"(at most {1e3 * max(looks):.0f}), {1e3 * used:.0f} ms of processor; "
                  f"{megabytes(server.pid, 'VmRSS'):.0f} MB, at most {megabytes(server.pid, 'VmHWM'):.0f}; "
                  f"{len(text) / 1e3:.0f} kB of rows")
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
