#!/usr/bin/env -S python3 -IS
"""Starts a solver once and prints its cost, as PAR10 where it has no answer within the limit.

solver_call.py clasp|minisat|glpsol FILE SEED OPTION...

clasp: conflicts, at most 5,000; minisat: thousands of propagations, at most 200; glpsol: seconds of processor
time, at most 0.2. Conflicts and propagations are the same on every machine. clasp and minisat are ended after
2 s and 0.5 s of processor time in any case.
"""

import os
import re
import signal
import sys

LIMITS = {"clasp": 5000, "minisat": 200, "glpsol": 0.2}
LONGEST_S = {"clasp": 2, "minisat": 0.5, "glpsol": 0.2}
COMMANDS = {
    "clasp": ["clasp", "--stats", "--quiet=2", "--solve-limit=5000", "--seed={seed}", "{file}"],
    "minisat": ["minisat", "-verb=1", "-rnd-seed={seed}", "{file}"],
    "glpsol": ["glpsol", "--lp", "{file}"],
}
ANSWERS = {
    "clasp": r"(?m)^s (UN)?SATISFIABLE",
    "minisat": r"(?m)^(UN)?SATISFIABLE",
    "glpsol": "(?m)^INTEGER OPTIMAL SOLUTION FOUND",
}
ENDED = -signal.SIGPROF


def run(command, longest):
    """(processor time in s, status, output) of a command that is ended after so much processor time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        signal.setitimer(signal.ITIMER_PROF, longest)  # stays through exec
        try:
            os.execvp(command[0], command)
        except OSError as error:
            os.write(2, str(error).encode())
            os._exit(127)
    os.close(writing)
    with os.fdopen(reading, errors="replace") as stream:
        output = stream.read()
    _, status, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, os.waitstatus_to_exitcode(status), output


def cost_of(case, file, seed, options):
    """(cost, whether it was solved within the limit)."""
    command = [part.format(file=file, seed=seed) for part in COMMANDS[case]]
    seconds, status, output = run(command + options, LONGEST_S[case])
    if status not in (0, 10, 20, ENDED):
        sys.exit(f"{' '.join(command + options)}: status {status}: {output.strip()[:300]}")
    cost = seconds
    if case == "clasp" and status != ENDED:
        cost = int(re.search(r"(?m)^c Conflicts +: (\d+)", output)[1])
    elif case == "minisat" and status != ENDED:
        counted = re.search(r"(?m)^propagations +: (\d+)", output)
        cost = int(counted[1]) / 1000 if counted else 0.0  # without a search there is no such line
    solved = status != ENDED and re.search(ANSWERS[case], output) is not None and cost <= LIMITS[case]
    return (cost if solved else 10 * LIMITS[case]), solved


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    cost, _ = cost_of(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
    print(f"{cost:.6g}")


if __name__ == "__main__":
    main()
