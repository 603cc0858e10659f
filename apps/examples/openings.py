#!/usr/bin/env python3
"""Makes openings for matches: positions after random moves that Stockfish holds for about level.

    openings.py --count 1000 --seed 1 > openings.epd

Each line is one position (FEN), for `-openings file=openings.epd` of referee.py and of fastchess.
"""

import argparse
import random

from referee import ChessJudge


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, nargs=2, default=[4, 8], metavar=("LEAST", "MOST"))
    parser.add_argument("--bound", type=int, default=60, help="centipawns either side may be ahead")
    parser.add_argument("--judge", default="stockfish", help="the program that knows the rules")
    options = parser.parse_args()
    judge = ChessJudge([options.judge], patience=60)
    rng, seen = random.Random(options.seed), set()
    while len(seen) < options.count:
        fen = judge.new_opening(rng, rng.randint(*options.plies), options.bound)
        if fen not in seen:
            seen.add(fen)
            print(fen, flush=True)
    judge.process.close()


if __name__ == "__main__":
    main()
