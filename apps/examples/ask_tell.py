#!/usr/bin/env python3
"""Drives a study from inside a program: ask_tell.py NTUNE serve STUDY.yaml [--out DIR …]"""
import json
import random
import subprocess
import sys


def play(params, seed, level):  # your program: a win is 1, a loss 0
    strength = 0.8 - 0.1 * abs(params["depth"] - 6) - 0.2 * abs(params["c"] - 1.4) - 0.05 * level
    return 1 if random.Random(seed).random() < strength else 0


ntune = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def call(**request):
    print(json.dumps(request), file=ntune.stdin, flush=True)
    answer = json.loads(ntune.stdout.readline() or '{"error": "ntune has ended"}')
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer


while "done" not in (work := call(op="ask")):
    level = work.get("instance", 0)  # where the study has `instances: [0, 2, 4]`
    call(op="tell", id=work["id"], value=play(work["params"], work["seed"], level))
print(call(op="recommend"))
