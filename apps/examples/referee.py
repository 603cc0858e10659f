#!/usr/bin/env python3
"""Plays a match of two engines and prints its result as fastchess does.

The arguments are those of fastchess, as far as they go:

    referee.py -engine name=new cmd=glaurung option.Space=120 -engine name=old cmd=glaurung
        -each nodes=1000 option.Threads=1 -openings file=openings.epd order=random -srand 1 -rounds 10

A round is two games from one opening, with both colours. Another engine is the judge, which knows
the rules: Stockfish of chess (proto=uci), GNU Go of Go (proto=gtp). See README.md.
"""

import os
import random
import re
import select
import shlex
import signal
import subprocess
import sys
import time

MATE = 30000  # centipawns of a mate
COLOURS = ("White", "Black")
LONGEST_ANSWER = 1 << 20  # characters; a search of a minute says some ten thousand


class EngineError(Exception):
    """A program that ended, is silent, or answers what cannot be."""

    def __init__(self, process, problem, ending=" disconnects"):
        super().__init__(f"{process.name} {problem}")
        self.process, self.ending = process, ending  # the words that fastchess has for it


class WrongArgument(Exception):
    pass


def printable(text):
    """The first letters of what an engine says, which may be anything."""
    return re.sub(r"[^\w+=#-]", "?", text[:20])


class Process:
    """A program that is spoken to in lines."""

    def __init__(self, name, command, folder, patience):
        self.name, self.patience, self.pending = name, patience, ""
        path = os.environ.get("PATH", os.defpath) + ":/usr/games"  # where Debian keeps engines
        try:
            self.process = subprocess.Popen(
                command, cwd=folder, env={**os.environ, "PATH": path}, bufsize=0,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise WrongArgument(f"{name}: cannot start {command[0]}: {error.strerror}") from error

    def send(self, text):
        try:
            self.process.stdin.write(text.encode() + b"\n")
        except OSError as error:
            raise EngineError(self, "has ended") from error

    def answer(self, last_line):
        """Its output up to the first line that fits the pattern, as a text."""
        deadline = time.monotonic() + self.patience
        while not (match := re.search(rf"^(?:{last_line}).*\n", self.pending, re.MULTILINE)):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise EngineError(self, "is silent for too long", "'s connection stalls")
            if len(self.pending) > LONGEST_ANSWER:
                raise EngineError(self, "says too much")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise EngineError(self, "has ended")
            self.pending += data.decode(errors="replace").replace("\r", "")
        text, self.pending = self.pending[:match.end()], self.pending[match.end():]
        return text

    def close(self):
        self.process.kill()
        self.process.wait()


# ------------------------------------------------------------------------------------- chess


class UciEngine:
    """A chess player. `limit` is what follows "go"."""

    def __init__(self, settings, patience):
        self.name, self.limit = settings.name, settings.limit()
        self.seconds = settings.seconds
        self.process = Process(settings.name, settings.command, settings.folder, patience)
        self.process.send("uci")
        declared = self.process.answer("uciok").lower()
        for name, value in settings.options.items():
            if f"option name {name.lower()} type" not in declared:
                raise WrongArgument(f"{self.name} has no option '{name}'")
            self.process.send(f"setoption name {name} value {value}")

    def new_game(self, opening):
        self.position = f"position fen {opening}"
        self.process.send("ucinewgame\nisready")
        self.process.answer("readyok")

    def move(self, moves):
        """Its move or "late", and the score in centipawns as it sees it (None: it says none)."""
        self.process.send(f"{self.position} moves {' '.join(moves)}\ngo {self.limit}")
        begin = time.monotonic()
        answer = self.process.answer("bestmove")
        if self.seconds and time.monotonic() - begin > self.seconds + 0.1:
            return "late", None
        move = re.search(r"^bestmove *(\S*)", answer, re.MULTILINE)[1]
        scores = re.findall(r"^info .*score (cp|mate) ([-+]?\d+)", answer, re.MULTILINE)
        if not scores:
            return move, None
        kind, value = scores[-1]
        return move, int(value) if kind == "cp" else MATE if int(value) > 0 else -MATE


class ChessJudge:
    """Stockfish as the one who knows the rules."""

    def __init__(self, command, patience):
        self.process = Process("the judge", command, None, patience)

    def start(self, opening):
        """Sets up the position and returns it as the engines are told of it."""
        self.keys = []
        self.look(f"position fen {opening}" if opening else "position startpos")
        return self.fen

    def look(self, position):
        self.process.send(f"{position}\nd\ngo perft 1")
        answer = self.process.answer("Nodes searched")
        self.legal = re.findall(r"^(\w+): 1$", answer, re.MULTILINE)
        board = re.search(r"^Fen: (.*)\nKey: (.*)\nCheckers:(.*)$", answer, re.MULTILINE)
        if not board:
            raise EngineError(self.process, "does not describe positions as Stockfish does")
        self.fen, key, checkers = board.groups()
        self.keys.append(key)
        self.check = checkers.strip() != ""

    def play(self, move):
        self.look(f"position fen {self.fen} moves {move}")

    def white_to_move(self):
        return self.fen.split()[1] == "w"

    def ending(self):
        """None, or White's points and why the game is over."""
        board, turn, _, _, quiet, _ = self.fen.split()
        if not self.legal and self.check:
            return (0.0, "Black mates") if turn == "w" else (1.0, "White mates")
        if not self.legal:
            return 0.5, "Draw by stalemate"
        if self.keys.count(self.keys[-1]) >= 3:
            return 0.5, "Draw by 3-fold repetition"
        if int(quiet) >= 100:
            return 0.5, "Draw by fifty moves rule"
        pieces = "".join(sorted(c for c in board.lower() if c.isalpha()))
        if pieces in ("kk", "bkk", "kkn"):
            return 0.5, "Draw by insufficient mating material"
        return None

    def score(self):
        """Centipawns for the side to move."""
        self.process.send("go nodes 2000")
        scores = re.findall(r"score cp (-?\d+)", self.process.answer("bestmove"))
        return int(scores[-1]) if scores else MATE

    def new_opening(self, rng, plies, bound):
        """A position after random moves whose score is within the bound."""
        while True:
            self.start("")
            for _ in range(plies):
                if self.legal:
                    self.play(rng.choice(self.legal))
            if self.legal and not self.ending() and abs(self.score()) <= bound:
                return self.fen


# ---------------------------------------------------------------------------------------- Go


class GtpEngine:
    """A player of Go. A move is a vertex, "pass" or "resign"."""

    def __init__(self, settings, patience):
        if settings.options or settings.limits:
            raise WrongArgument(f"{settings.name}: GTP has no options and limits; give args=")
        self.name = settings.name
        self.process = Process(settings.name, settings.command, settings.folder, patience)

    def ask(self, text):
        self.process.send(text)
        answer = self.process.answer("[=?]").splitlines()[-1]
        if answer.startswith("?"):
            raise EngineError(self.process, f"answers '{answer}' to '{text}'")
        return answer[1:].strip().lower()

    def new_game(self, opening):
        size, komi, *moves = opening.split()
        for line in (f"boardsize {size}", "clear_board", f"komi {komi}"):
            self.ask(line)
        self.known = 0
        self.opening = moves

    def move(self, moves):
        played = self.opening + moves
        for ply in range(self.known, len(played)):
            self.ask(f"play {'bw'[ply % 2]} {played[ply]}")
        self.known = len(played) + 1
        return self.ask(f"genmove {'bw'[len(played) % 2]}"), None


class GoJudge(GtpEngine):
    """GNU Go as the one who knows the rules. An opening is: size, komi, moves."""

    def __init__(self, command, patience):
        self.name = "the judge"
        self.process = Process(self.name, command, None, patience)

    def start(self, opening):
        self.new_game(opening)
        self.moves, self.result = [], None
        for move in self.opening:
            self.play(move)
        return opening

    @property
    def legal(self):
        """Answers whether a move is in it."""
        return self

    def __contains__(self, move):
        words = move.split()
        if move in ("pass", "resign"):
            return True
        return len(words) == 1 and self.ask(f"is_legal {self.turn()} {move}") == "1"

    def turn(self):
        return "bw"[len(self.moves) % 2]

    def white_to_move(self):
        return self.turn() == "w"

    def play(self, move):
        if move == "resign":
            self.result = (1.0, "Black resigns") if self.turn() == "b" else (0.0, "White resigns")
            return
        self.ask(f"play {self.turn()} {move}")
        self.moves.append(move)
        if self.moves[-2:] == ["pass", "pass"]:
            score = self.ask("final_score")
            self.result = ({"w": 1.0, "b": 0.0}.get(score[0], 0.5), f"Score {score}")

    def ending(self):
        return self.result

    def new_opening(self, rng, plies, bound):
        """Random points of the middle, on an otherwise empty board."""
        del bound
        columns, size = "cdefg", 9
        points = [f"{column}{row}" for column in columns for row in range(3, 8)]
        return f"{size} 6.5 " + " ".join(rng.sample(points, plies))


# ------------------------------------------------------------------------------------- match


def number(key, text, kind=int):
    try:
        return kind(text)
    except ValueError:
        raise WrongArgument(f"{key}{text} is no number") from None


class Settings:
    """What -each and -engine say of an engine."""

    def __init__(self, words):
        self.name, self.command, self.folder, self.protocol = "", [], None, "uci"
        self.options, self.limits, arguments = {}, {}, []
        for word in words:
            key, mark, value = word.partition("=")
            if key.startswith("option.") and mark:
                self.options[key.removeprefix("option.")] = value
            elif key in ("nodes", "depth", "plies", "st"):
                self.limits[key] = number(f"{key}=", value, float if key == "st" else int)
            elif key == "cmd":
                self.command = [value]
            elif key == "args":
                arguments = shlex.split(value)
            elif key == "name":
                self.name = value
            elif key == "dir":
                self.folder = value
            elif key == "proto" and value in ("uci", "gtp"):
                self.protocol = value
            else:
                raise WrongArgument(f"'{word}' is not known of an engine; allowed: name= cmd= args= dir= "
                                    "proto=uci|gtp nodes= depth= st= option.NAME=")
        if not self.command:
            raise WrongArgument("an engine needs cmd=")
        self.name = self.name or os.path.basename(self.command[0])
        self.command += arguments
        self.seconds = self.limits.get("st")

    def limit(self):
        """What follows "go"."""
        if len(self.limits) != 1:
            raise WrongArgument(f"{self.name} needs one of nodes=, depth= and st=")
        (key, value), = self.limits.items()
        if key == "st":
            return f"movetime {round(1000 * value)}"
        return f"nodes {value}" if key == "nodes" else f"depth {value}"


class Adjudicator:
    """Ends games by what both engines say of them, as fastchess does."""

    def __init__(self, draw, resign, most_moves):
        self.draw, self.resign, self.most_plies = draw, resign, 2 * most_moves
        self.quiet, self.losing, self.winning = 0, [0, 0], [0, 0]

    def verdict(self, ply, side, score):
        """Points of the side that has moved and why, or None."""
        if ply + 1 >= self.most_plies:
            return 0.5, "Draw by adjudication: most moves"
        if score is None:
            return None
        if self.draw:
            enough = ply >= 2 * self.draw["movenumber"] and abs(score) <= self.draw["score"]
            self.quiet = self.quiet + 1 if enough else 0
            if self.quiet >= 2 * self.draw["movecount"]:
                return 0.5, "Draw by adjudication"
        if self.resign:
            limit, count = self.resign["score"], self.resign["movecount"]
            self.losing[side] = self.losing[side] + 1 if score <= -limit else 0
            self.winning[side] = self.winning[side] + 1 if score >= limit else 0
            agreed = not self.resign["twosided"] or self.winning[1 - side] >= count
            if self.losing[side] >= count and agreed:
                return 0.0, "Loss by adjudication"
        return None


class Match:
    def __init__(self, arguments):
        self.arguments, self.engines = arguments, [None, None]
        self.go = arguments.settings[0].protocol == "gtp"
        default = ["gnugo", "--mode", "gtp"] if self.go else ["stockfish"]
        kind = GoJudge if self.go else ChessJudge
        self.judge = kind(arguments.judge or default, max(30, arguments.patience))

    def play(self, opening, white):
        """White's points in one game, and why; `white` is the index of White's engine."""
        opening = self.judge.start(opening)
        try:
            for index, settings in enumerate(self.arguments.settings):
                if self.engines[index] is None:
                    kind = GtpEngine if self.go else UciEngine
                    self.engines[index] = kind(settings, self.arguments.patience)
                self.engines[index].new_game(opening)
            return self.play_moves(white)
        except EngineError as error:
            return self.points_of_failure(error, white)

    def play_moves(self, white):
        adjudicator = Adjudicator(*self.arguments.adjudication)
        moves = []
        while not (result := self.judge.ending()):
            is_white = self.judge.white_to_move()
            side = white if is_white else 1 - white
            engine = self.engines[side]
            move, score = engine.move(moves)
            if move == "late":
                return (0.0 if is_white else 1.0), f"{COLOURS[not is_white]} loses on time"
            if move not in self.judge.legal:
                raise EngineError(engine.process, f"makes the illegal move {move[:20]!r}",
                                  f" makes an illegal move: {printable(move)}")
            self.judge.play(move)
            moves.append(move)
            verdict = adjudicator.verdict(len(moves), side, score)
            if verdict and not self.judge.ending():
                points, why = verdict
                return (points if is_white else 1.0 - points), why
        return result

    def points_of_failure(self, error, white):
        """With -recover a failure loses the game, and the engine starts anew."""
        if not self.arguments.recover or error.process is self.judge.process:
            raise error
        for index, engine in enumerate(self.engines):
            if engine is not None and engine.process is error.process:
                self.engines[index] = None
                error.process.close()
                return (0.0 if index == white else 1.0), COLOURS[index != white] + error.ending
        raise error

    def close(self):
        for player in [self.judge, *self.engines]:
            if player is not None:
                player.process.close()


class Openings:
    """Positions of a file, in its order or shuffled by the seed, or new ones."""

    def __init__(self, arguments, judge):
        self.given, self.judge = arguments.openings, judge
        self.rng, self.lines = random.Random(arguments.seed), []
        if path := self.given["file"]:
            try:
                with open(path, encoding="utf-8") as file:
                    self.lines = [line.strip() for line in file if line.strip()]
            except OSError as error:
                raise WrongArgument(f"cannot read {path}: {error.strerror}") from error
            if not self.lines:
                raise WrongArgument(f"{path} has no opening")
            if self.given["order"] == "random":
                self.rng.shuffle(self.lines)

    def of_round(self, index):
        if self.lines:
            return self.lines[(self.given["start"] - 1 + index) % len(self.lines)]
        return self.judge.new_opening(self.rng, self.given["plies"], self.given["bound"])


def percent(part, whole):
    return f"{100 * part / whole:.2f} %"


def summary(names, points, ended):
    """The result of all games so far, in fastchess's form; points of the first engine by game."""
    pairs = [0] * 5
    for first, second in zip(points[0::2], points[1::2]):
        pairs[round(2 * (first + second))] += 1
    return "\n".join([
        f"Results of {names[0]} vs {names[1]}:",
        f"Games: {len(points)}, Wins: {points.count(1.0)}, Losses: {points.count(0.0)}, "
        f"Draws: {points.count(0.5)}, Points: {sum(points):.1f} ({percent(sum(points), len(points))})",
        f"Ptnml(0-2): {pairs}",
        ended])


# --------------------------------------------------------------------------------- arguments


def keys_of(name, words, known):
    """{key: value} of key=value words; known: the defaults, which give the types."""
    values = dict(known)
    for word in words:
        key, _, value = word.partition("=")
        if key not in known:
            raise WrongArgument(f"{name} has no {key}=; allowed: " + " ".join(f"{k}=" for k in known))
        if isinstance(known[key], bool):
            values[key] = value == "true"
        else:
            values[key] = number(f"{key}=", value) if isinstance(known[key], int) else value
    return values


class Arguments:
    """The command line: groups that begin with -name."""

    def __init__(self, words):
        self.draw, self.resign, self.most_moves = None, None, 200
        self.rounds, self.seed, self.patience, self.recover = 1, 1, 10, False
        self.judge, engines, each = None, [], []
        self.openings = keys_of("", [], self.OPENINGS)
        for name, values in self.groups(words):
            one = values[0] if len(values) == 1 else ""
            if name == "-engine":
                engines.append(values)
            elif name == "-each":
                each = values
            elif name == "-openings":
                self.openings = keys_of(name, values, self.OPENINGS)
            elif name == "-draw":
                self.draw = keys_of(name, values, {"movenumber": 0, "movecount": 1, "score": 0})
            elif name == "-resign":
                self.resign = keys_of(name, values, {"movecount": 1, "score": 0, "twosided": False})
            elif name in self.NUMBERS:
                setattr(self, self.NUMBERS[name], number(f"{name} ", " ".join(values)))
            elif name == "-judge" and one:
                self.judge = shlex.split(one)
            elif name == "-recover":
                self.recover = True
            elif name not in ("-repeat", "-games"):
                raise WrongArgument(f"{name} is not known; allowed: -engine -each -openings -srand -rounds "
                                    "-draw -resign -maxmoves -recover -judge -patience")
        if len(engines) != 2:
            raise WrongArgument(f"there are {len(engines)} -engine, two are needed")
        self.settings = [Settings(each + engine) for engine in engines]
        self.adjudication = (self.draw, self.resign, self.most_moves)

    OPENINGS = {"file": "", "format": "epd", "order": "sequential", "start": 1, "plies": 8, "bound": 80}
    NUMBERS = {"-rounds": "rounds", "-srand": "seed", "-maxmoves": "most_moves", "-patience": "patience"}

    @staticmethod
    def groups(words):
        group = []
        for word in words:
            if word.startswith("-") and "=" not in word:
                if group:
                    yield group[0], group[1:]
                group = [word]
            elif group:
                group.append(word)
            else:
                raise WrongArgument(f"'{word}' stands before the first -name")
        if group:
            yield group[0], group[1:]


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    match = None
    try:
        arguments = Arguments(sys.argv[1:])
        match = Match(arguments)
        openings = Openings(arguments, match.judge)
        names = [settings.name for settings in arguments.settings]
        points = []
        for index in range(arguments.rounds):
            opening = openings.of_round(index)
            for white in (0, 1):
                of_white, why = match.play(opening, white)
                points.append(of_white if white == 0 else 1.0 - of_white)
                score = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[of_white]
                print(f"Finished game {len(points)} ({names[white]} vs {names[1 - white]}): "
                      f"{score} {{{why}}}", flush=True)
        print(summary(names, points, "Tournament finished"))
    except (WrongArgument, EngineError) as error:
        sys.exit(f"referee.py: {error}")
    finally:
        if match is not None:
            match.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--help"]:
        print(__doc__.strip())
    else:
        main()
