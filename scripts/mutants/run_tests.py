#!/usr/bin/env python3
"""Runs tests for scripts/mutants.py as the first process of a namespace of its own, in which a mutant may kill and
delete as it likes. Reads a job as JSON: "memory", whether to "stop" at the first test that does not pass, and "tests",
each with "command", "folder", "environment", and the seconds "limit" and, of a processor, "processor". Prints one JSON
list a test: index, "passed", "failed" or "timeout", seconds."""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import time


def run(test, memory):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (test["processor"], test["processor"]))

    begin = time.monotonic()
    process = subprocess.Popen(test["command"], cwd=test["folder"], env=dict(os.environ, **test["environment"]),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True, preexec_fn=limit)
    descriptor = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    in_time = poll.poll(test["limit"] * 1000)
    os.close(descriptor)
    code = process.wait() if in_time else None
    if os.getpid() == 1:
        try:
            os.kill(-1, signal.SIGKILL)  # what the test left behind, in this namespace
        except ProcessLookupError:
            pass
    if code is None:
        process.kill()
        process.wait()
    late = code in (None, -signal.SIGXCPU, -signal.SIGKILL)
    return "timeout" if late else "passed" if code in (0, 77) else "failed", time.monotonic() - begin


def main():
    job = json.load(sys.stdin)
    for i, test in enumerate(job["tests"]):
        outcome, seconds = run(test, job["memory"])
        print(json.dumps([i, outcome, round(seconds, 3)]), flush=True)
        if job["stop"] and outcome != "passed":
            break


if __name__ == "__main__":
    main()
