#!/usr/bin/env python3
"""Writes a file of data that a compressor meets; its name says which.

data_file.py NAME, such as
  log-7         lines of a server's log
  table-7       a CSV file of measurements
  integers-7    records of 32 bit integers that grow
  samples-7     16 bit samples of two channels, as of music
  reals-7       records of 64 bit reals
  words-7       text of made-up words, frequent and rare ones
The number is the seed. A file has 20,000 bytes.
"""

import math
import random
import struct
import sys

SIZE = 20_000


def join_until_full(make):
    parts = []
    length = 0
    while length < SIZE:
        parts.append(make())
        length += len(parts[-1])
    return b"".join(parts)


def log(rng):
    clock = 1_700_000_000
    paths = [f"/{rng.choice(['api', 'img', 'doc'])}/{rng.randrange(2000)}" for _ in range(60)]

    def line():
        nonlocal clock
        clock += rng.randrange(9)
        host = f"10.0.{rng.randrange(4)}.{rng.randrange(256)}"
        status = rng.choice([200, 200, 200, 304, 404, 500])
        return f"{clock} {host} GET {rng.choice(paths)} {status} {int(rng.expovariate(0.001))}\n".encode()

    return join_until_full(line)


def table(rng):
    values = [rng.uniform(10, 100) for _ in range(6)]

    def line():
        for i, value in enumerate(values):
            values[i] = value + rng.uniform(-1, 1)
        return (",".join(f"{value:.3f}" for value in values) + "\n").encode()

    return join_until_full(line)


def integers(rng):
    values = [rng.randrange(100_000) for _ in range(4)]
    steps = [10 ** rng.randrange(1, 5) for _ in values]

    def record():
        for i, step in enumerate(steps):
            values[i] += rng.randrange(step)
        return struct.pack("<4I", *values)

    return join_until_full(record)


def samples(rng):
    tones = [(rng.uniform(0.01, 0.3), rng.uniform(0, 6), rng.uniform(100, 3000)) for _ in range(5)]
    time = 0

    def frame():
        nonlocal time
        time += 1
        level = sum(height * math.sin(speed * time + phase) for speed, phase, height in tones)
        return struct.pack("<2h", round(level) + rng.randrange(9), round(0.7 * level) + rng.randrange(9))

    return join_until_full(frame)


def reals(rng):
    values = [rng.uniform(1, 1000) for _ in range(3)]

    def record():
        for i, value in enumerate(values):
            values[i] = value * rng.uniform(0.99, 1.01)
        return struct.pack("<3d", *(round(value, 4) for value in values))

    return join_until_full(record)


def words(rng):
    letters = "etaoinshrdlucmfwypvbgkjqxz"

    def new_word():
        return "".join(letters[min(25, int(rng.expovariate(0.15)))] for _ in range(rng.randrange(2, 10)))

    known = [new_word() for _ in range(3000)]
    return join_until_full(
        lambda: (known[min(2999, int(rng.paretovariate(0.6)) - 1)] + rng.choice("     ,.\n")).encode())


KINDS = {"log": log, "table": table, "integers": integers, "samples": samples, "reals": reals,
         "words": words}


def main():
    try:
        kind, seed = sys.argv[1].split("-")
        data = KINDS[kind](random.Random(f"{kind} {int(seed)}"))
    except (IndexError, KeyError, ValueError):
        sys.exit(f"{__doc__}\ndata_file.py: no such name: {' '.join(sys.argv[1:])}")
    sys.stdout.buffer.write(data[:SIZE])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--help"]:
        print(__doc__.strip())
    else:
        main()
