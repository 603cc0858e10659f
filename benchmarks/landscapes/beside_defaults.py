#!/usr/bin/env python3
"""beside_defaults.py PROGRAM: a program as a worker of ntune, beside its own defaults. An evaluation runs it
on one instance and answers the binary logarithm of what it needs there, less that of its defaults: -1 is half
as much.

PROGRAM is xz (bytes of a compressed file of apps/examples/data_file.py, by xz's library) or minisat (conflicts
on a problem of apps/examples/sat_instance.py). The request names instance and seed.
"""

import argparse
import functools
import lzma
import math
import os
import re
import subprocess
import sys
import tempfile

from worker_loop import answer_requests

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../apps/examples")
FINDERS = {"hc4": lzma.MF_HC4, "bt2": lzma.MF_BT2, "bt4": lzma.MF_BT4}
MODES = {"fast": lzma.MODE_FAST, "normal": lzma.MODE_NORMAL}


def write_instance(script, name, path):
    if not os.path.exists(path):
        with open(path, "wb") as file:
            subprocess.run([sys.executable, os.path.join(EXAMPLES, script), name], stdout=file, check=True)


def xz(name, path, params, _):
    """Bytes of the compressed file; without params by the defaults."""
    write_instance("data_file.py", name, path)
    chain = {"id": lzma.FILTER_LZMA2, "preset": 6} if params is None else {
        "id": lzma.FILTER_LZMA2, "mf": FINDERS[params["finder"]], "mode": MODES[params["mode"]],
        "nice_len": params["nice"], "depth": params["depth"], "lc": params["context"],
        "lp": params["position"], "pb": params["alignment"]}
    with open(path, "rb") as file:
        return len(lzma.compress(file.read(), check=lzma.CHECK_NONE, filters=[chain]))


def minisat(name, path, params, seed):
    """Conflicts until the problem is decided, and one; without params by the defaults."""
    write_instance("sat_instance.py", name, path)
    options = [] if params is None else [
        f"-rnd-seed={1 + seed % 2**31}", f"-{params['restarts']}", f"-rfirst={params['first']}",
        f"-rnd-freq={params['chance']}", f"-var-decay={params['var_decay']}", f"-phase-saving={params['phase']}"]
    done = subprocess.run(["minisat", "-verb=1", *options, path], capture_output=True, text=True)
    found = re.search(r"^conflicts\s*:\s*(\d+)", done.stdout, re.MULTILINE)
    if done.returncode not in (10, 20) or not found:
        raise RuntimeError(f"minisat {name}: exit status {done.returncode}: {done.stderr.strip()}")
    return 1 + int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(": ")[2])
    parser.add_argument("program", metavar="PROGRAM", choices=("xz", "minisat"), help="xz or minisat")
    needs = {"xz": xz, "minisat": minisat}[parser.parse_args().program]
    with tempfile.TemporaryDirectory() as folder:
        default_of = functools.cache(lambda name: needs(name, os.path.join(folder, name), None, 0))

        def evaluate(request):
            name = request["instance"]
            needed = needs(name, os.path.join(folder, name), request["params"], request["seed"])
            return round(math.log2(needed / default_of(name)), 3)

        answer_requests(evaluate)


if __name__ == "__main__":
    main()
