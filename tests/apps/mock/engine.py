#!/usr/bin/env python3
"""A mock of a chess engine, and of the judge of a match, for the tests of apps/examples/referee.py.

The game it plays has no rules: a move is m0, m1 or m2, and after 12 of them White has won.
    engine.py [crash|stall|babble|garbage|illegal|no_start AFTER]   the trouble comes after so many moves
"""

import sys
import time

LENGTH = 12
trouble, after = (sys.argv[1], int(sys.argv[2])) if len(sys.argv) == 3 else ("", 0)
ply = made = 0


def board():
    turn = "b" if ply % 2 else "w"
    print(f"Fen: kq/8/KQ {turn} - - 0 {ply}\nKey: {ply}\nCheckers: {'e4' if ply >= LENGTH else ''}")


def best_move():
    global made
    made += 1
    if trouble and made > after:
        if trouble == "crash":
            sys.exit(3)
        if trouble == "stall":
            time.sleep(3600)
        if trouble == "garbage":
            print("\0\xff\n" * 50 + "bestmove \x07\nbestmove")
            return
        if trouble == "babble":
            while True:
                print("info string la " * 1000)
        if trouble == "illegal":
            print("bestmove e1e9")
            return
    print(f"info depth 1 score cp 17 pv m0\nbestmove m{made % 3}")


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        if trouble == "no_start":
            sys.exit(1)
        print("id name mock\noption name Skill Level type spin default 1 min 0 max 9\nuciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:2] == ["position", "startpos"]:
        ply = 0
    elif words[:2] == ["position", "fen"]:
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        ply = int(words[7]) + len(moves)
    elif words == ["d"]:
        board()
    elif words == ["go", "perft", "1"]:
        print("" if ply >= LENGTH else "m0: 1\nm1: 1\nm2: 1\n", "\nNodes searched: 3\n", sep="")
    elif words[:1] == ["go"]:
        best_move()
    elif words == ["quit"]:
        break
    sys.stdout.flush()
