#!/usr/bin/env python3
"""Packs data that follow from the seed by LZMA: how small, and in how much processor time.

pack.py --finder bt4 --nice 64 --depth 32 --context 3 --position 0 --seed 7
prints {"bits": 3.21, "ms": 14.8}: bits that a byte of the data takes, and milliseconds.
"""

import argparse
import json
import lzma
import random
import time

import data_file


def packed_size(data, options):
    finder = {"hc3": lzma.MF_HC3, "hc4": lzma.MF_HC4, "bt2": lzma.MF_BT2, "bt3": lzma.MF_BT3,
              "bt4": lzma.MF_BT4}[options.finder]
    filters = [{"id": lzma.FILTER_LZMA2, "mf": finder, "nice_len": options.nice, "depth": options.depth,
                "lc": options.context, "lp": options.position, "pb": 2,
                "mode": lzma.MODE_FAST if finder in (lzma.MF_HC3, lzma.MF_HC4) else lzma.MODE_NORMAL}]
    return len(lzma.compress(data, format=lzma.FORMAT_RAW, filters=filters))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finder", default="bt4")
    for name, default in (("nice", 64), ("depth", 32), ("context", 3), ("position", 0), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    data = b"".join(data_file.KINDS[kind](rng) for kind in ("log", "table", "integers", "words"))
    seconds = []
    for _ in range(3):  # the first has to fetch memory
        begin = time.process_time()
        size = packed_size(data, options)
        seconds.append(time.process_time() - begin)
    print(json.dumps({"bits": 8 * size / len(data), "ms": 1000 * min(seconds)}))


if __name__ == "__main__":
    main()
