"""NTune.java and ntune_client.py: they drive studies, and say what was refused; so they do as workers of a fleet.
TagWorker.java: it answers them."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "apps/examples"
NTUNE = os.environ["NTUNE"]
STUDY = {"objective": {"ask_tell": "agent", "payoffs": [0, 1]},
         "space": {"depth": {"integers": [1, 8]}, "c": {"range": [0.2, 2], "step": 0.2}},
         "instances": [0, 2, 20], "runs": 1, "iterations": 40, "hold_out": 60}
ODD = {"objective": {"ask_tell": "agent"}, "fail": "skip", "parallel_evaluations": 2, "runs": 1,
       "iterations": 12, "hold_out": 0,
       "space": {"n": [1, 2, 3], "x": [0.5, 1.5], "on": {"boolean": None}, "word": ['a "\\', "é"]}}
MATCH = {"objective": {"match": {"ask_tell": "agent"}}, "runs": 1, "iterations": 30, "hold_out": 4,
         "space": {"n": {"choices": [1, 2, 3], "default": 1}}}
TABLE = {**MATCH, "objective": {**MATCH["objective"], "players": 3, "games": 4}}
# A match is told once the program has looked at its opponent.
PLAYS = """
public class Plays {
  public static void main(String[] command) throws Exception {
    try (NTune study = new NTune(command)) {
      for (NTune.Trial trial = study.ask(); trial != null; trial = study.ask()) {
        try {
          study.tell(trial, 1);
          System.out.println("taken");
        } catch (IllegalStateException error) {
          int more = trial.integer("n") - trial.opponent().integer("n");
          study.tell(trial, more > 0 ? 1 : more < 0 ? 0 : 0.5, 0.5);
        }
      }
      System.out.println(study.recommend().params());
    }
  }
}
"""
# Whoever has the greatest n is ahead, told in each of the three ways.
SITS = """
import java.util.ArrayList;
import java.util.List;

public class Sits {
  static List<NTune.Result> play(NTune.Trial trial) {
    List<NTune.Result> results = new ArrayList<>();
    for (NTune.Game game : trial.games()) {
      if (game.seed() < 1) throw new IllegalStateException("no seed");
      double[] points = game.seats().stream().mapToDouble(seat -> seat.integer("n")).toArray();
      int way = results.size() % 3;
      if (way == 0) results.add(NTune.scores(points));
      if (way == 1) results.add(NTune.ranks(game.seats().stream().mapToLong(seat -> -seat.integer("n")).toArray()));
      if (way == 2) {
        double most = java.util.Arrays.stream(points).max().getAsDouble();
        results.add(NTune.winner(java.util.stream.LongStream.rangeClosed(1, points.length)
            .filter(seat -> points[(int) seat - 1] == most).toArray()));
      }
    }
    return results;
  }

  public static void main(String[] command) throws Exception {
    try (NTune study = new NTune(command)) {
      for (NTune.Trial trial = study.ask(); trial != null; trial = study.ask()) {
        if (trial.id() == 1) {
          List<NTune.Result> results = play(trial);
          results.set(3, NTune.winner(4));
          try {
            study.tellSeats(trial, results);
          } catch (IllegalStateException error) {
            System.out.println(error.getMessage());
          }
        }
        study.tellSeats(trial, play(trial));
      }
      System.out.println(study.recommend().params());
    }
  }
}
"""
# A worker of a fleet. In a match it counts games.
WORKS = """
import java.nio.file.Path;

public class Works {
  public static void main(String[] given) throws Exception {
    Path[] files = {Path.of(given[1]), Path.of(given[2]), Path.of(given[3])};
    try (NTune study = NTune.worker(given[0], files[0], files[1], files[2])) {
      for (NTune.Trial trial = study.ask(); trial != null; trial = study.ask()) {
        if (!trial.games().isEmpty()) {
          study.tellSeats(trial, Sits.play(trial), 1.5);
          continue;
        }
        NTune.Trial other = trial.opponent();
        if (other != null) {
          int more = trial.integer("n") - other.integer("n");
          study.tellGames(trial, more > 0 ? 2 : 0, more == 0 ? 2 : 0, more < 0 ? 2 : 0, new long[0], 1.5);
          continue;
        }
        double level = ((Number) trial.instance()).doubleValue();
        study.tell(trial, TunedAgent.play(trial.integer("depth"), trial.number("c"), level, trial.seed()));
      }
    } catch (IllegalStateException refused) {
      System.out.println(refused.getMessage());
    }
  }
}
"""
# Each refusal by a word; two evaluations in flight, told in the other order; the third one fails.
CASES = """
import java.util.Map;

public class Cases {
  static void refused(String word, Check check) throws Exception {
    try {
      check.run();
    } catch (IllegalStateException | IllegalArgumentException error) {
      System.out.println(word + ": " + error.getMessage());
      return;
    }
    System.out.println(word + ": taken");
  }

  interface Check {
    void run() throws Exception;
  }

  public static void main(String[] command) throws Exception {
    try (NTune study = new NTune(command)) {
      refused("nothing told", study::recommend);
      NTune.Trial first = study.ask();
      NTune.Trial second = study.ask();
      refused("in flight", study::ask);
      refused("no number", () -> study.tell(first, Double.NaN));
      study.tell(second, 2 * second.integer("n"), 0);
      study.tell(first, first.integer("n"));
      refused("twice", () -> study.tell(first, 1));
      refused("no parameter", () -> first.integer("m"));
      refused("not whole", () -> first.integer("x"));
      study.fail(study.ask(), "it \\"broke\\"\\n", 2.5);
      String words = "";
      for (NTune.Trial trial = study.ask(); trial != null; trial = study.ask()) {
        words += trial.text("word");
        study.tell(trial, trial.integer("n") * trial.number("x") + (trial.truth("on") ? 1 : 0));
      }
      System.out.println("words: " + words.contains("a \\"\\\\") + words.contains("\\u00e9"));
      System.out.println("last: " + study.recommend().last());
    }
  }
}
"""
EXPECTED = {"nothing told": "no value has been told", "in flight": "tell of one of these evaluations first: [0, 1]",
            "no number": "a payoff or cost is NaN", "twice": "no open evaluation", "no parameter": "no parameter m",
            "not whole": "x is no whole number", "words": "truetrue", "last": "true"}


class Clients(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def study(self, study):
        (self.folder / "study.json").write_text(json.dumps(study))
        return [NTUNE, "serve", str(self.folder / "study.json"), "--out", str(self.folder / "out")]

    def result(self):
        return json.loads((self.folder / "out/result.json").read_text())

    def costs(self):
        """Of all evaluations, as the journal has them."""
        lines = (self.folder / "out/journal.log").read_text().splitlines()
        return [[field[1:] for field in line.split()[3:] if field[0] == "c"] for line in lines
                if line[0] != "{" and line.split()[2] != "?"]

    def run_program(self, *command):
        return subprocess.run(command, capture_output=True, encoding="utf-8")

    def serve(self, study):
        """Begins a server for workers; what they are given: its URL, the token, the study."""
        command = self.study(study)
        token = str(self.folder / "token")
        server = subprocess.Popen([*command, "--quiet", "--listen", "0.0.0.0:0", "--token", token],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        port = server.stderr.readline().split(" ")[0].rsplit(":", 1)[1]
        self.server = server
        return [f"https://127.0.0.1:{port}", token, command[2]]

    def finds_the_same(self, work, *agent):
        """As the agent that drives the study itself."""
        study = {**STUDY, "parallel_evaluations": 2}
        self.run_program(*agent, *self.study(study))
        alone = self.result()
        shutil.rmtree(self.folder / "out")
        work(*self.serve(study))
        self.assertEqual(self.server.wait(60), 0)
        self.assertEqual(self.result(), alone)

    def counts_games(self, work):
        for study in (MATCH, TABLE):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            work(*self.serve(study))
            self.assertEqual(self.server.wait(60), 0)
            best = self.result()["recommendation"]
            self.assertEqual(best["parameters"], {"n": 3})
            pairs = 4 * study["objective"].get("games", 2) // 2
            self.assertEqual(self.result()["elo"]["pentanomial"], [0, 0, 0, 0, pairs])
            self.assertEqual(self.costs()[1:], (len(self.costs()) - 1) * [["1.5"]])  # the first is of the default itself

    def is_refused(self, work):
        """`work` gives what is said."""
        url, token, study = self.serve(STUDY)
        word, certificate = pathlib.Path(token).read_text().split("\n", 1)
        wrong, other, mixed = (str(self.folder / name) for name in ("wrong", "other", "mixed"))
        pathlib.Path(wrong).write_text("0123456789abcdef\n" + certificate)
        pathlib.Path(other).write_text("{}")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", wrong + ".key", "-out", mixed, "-subj", "/CN=ntune"],
                       check=True, capture_output=True)
        pathlib.Path(mixed).write_text(word + "\n" + pathlib.Path(mixed).read_text())
        self.assertIn("the server has another token", work(url, wrong, study))
        self.assertIn("another certificate than that of the token file", work(url, mixed, study))
        self.assertIn("the study's file is another one", work(url, token, other))
        self.assertIn("for all to read", work("http://192.0.2.1:8765", token, study))
        done = self.run_program(NTUNE, "work", url, "--token", token, "--study", study)
        self.assertIn("the study has no command", done.stderr)

    def plays_on_instances(self, *command):
        done = self.run_program(*command, *self.study(STUDY))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.result()["instances"]
        self.assertEqual([row["n"] for row in rows], [20, 20, 20])
        for row in rows:  # nobody wins against 20
            self.assertEqual(row["value"] == 0, row["name"] == "20")

    def tells_of_an_end(self, *command):
        done = self.run_program(*command, NTUNE, "serve", str(self.folder / "none.yaml"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("ntune has ended", done.stderr)
        self.assertIn("none.yaml", done.stderr)


class Python(Clients):
    def setUp(self):
        super().setUp()
        sys.path.insert(0, str(EXAMPLES))
        self.addCleanup(sys.path.remove, str(EXAMPLES))

    def test_agent(self):
        self.plays_on_instances(sys.executable, "-B", EXAMPLES / "tuned_agent.py")
        self.tells_of_an_end(sys.executable, "-B", EXAMPLES / "tuned_agent.py")

    def test_cases(self):
        from ntune_client import Study

        with Study(*self.study(ODD)) as study:
            self.assertRaisesRegex(RuntimeError, "no value has been told", study.recommend)
            first, second = study.ask(), study.ask()
            self.assertRaisesRegex(RuntimeError, r"first: \[0, 1\]", study.ask)
            self.assertRaises(ValueError, study.tell, first, float("nan"))
            study.tell(second, 2 * second.params["n"], 0)
            study.tell(first, first.params["n"])
            self.assertRaisesRegex(RuntimeError, "no open evaluation", study.tell, first, 1)
            study.fail(study.ask(), 'it "broke"\n', cost=2.5)
            for trial in study:
                study.tell(trial, trial.params["n"] * trial.params["x"] + trial.params["on"])
            self.assertTrue(study.recommend()["final"])
        self.assertEqual(self.result()["failures"]["count"], 1)
        self.assertIn(["2.5"], self.costs())

    def test_match(self):
        from ntune_client import Study

        with Study(*self.study(MATCH)) as study:
            for trial in study:
                self.assertRaisesRegex(RuntimeError, "is a match", study.tell, trial, 1)
                more = trial.params["n"] - trial.opponent["n"]
                study.tell(trial, 1 if more > 0 else 0 if more < 0 else 0.5, 0.5)
            self.assertEqual(study.recommend()["params"], {"n": 3})

    def test_seats(self):
        from ntune_client import Study

        with Study(*self.study(TABLE)) as study:
            for trial in study:
                results = self.at_the_table(trial)
                self.assertEqual([len(game["seats"]) for game in trial.games], 4 * [3])
                if trial.id == 1:
                    wrong = results[:3] + [{"winner": 4}]
                    self.assertRaisesRegex(RuntimeError, "the game has 3 seats", study.tell_seats, trial, wrong)
                study.tell_seats(trial, results)
            self.assertEqual(study.recommend()["params"], {"n": 3})

    @staticmethod
    def at_the_table(trial):
        """Whoever has the greatest n is ahead, told in each of the three ways."""
        results = []
        for game in trial.games:
            points = [seat["n"] for seat in game["seats"]]
            winners = [seat for seat, n in enumerate(points, 1) if n == max(points)]
            results.append([{"scores": points}, {"ranks": [-n for n in points]}, {"winner": winners}][len(results) % 3])
        return results

    def work(self, *given, threads=1, program=None):
        """Plays as tuned_agent.py; in a match it counts games."""
        from ntune_client import Worker

        def play(worker):
            for trial in worker:
                if trial.games is not None:
                    worker.tell_seats(trial, self.at_the_table(trial), cost=1.5)
                    continue
                if trial.opponent is not None:
                    more = trial.params["n"] - trial.opponent["n"]
                    worker.tell_games(trial, wins=2 * (more > 0), draws=2 * (more == 0), losses=2 * (more < 0),
                                      cost=1.5)
                    continue
                depth, c = trial.params["depth"], trial.params["c"]
                strength = 0.8 - 0.1 * abs(depth - 6) - 0.2 * abs(c - 1.4) - 0.05 * trial.instance
                worker.tell(trial, random.Random(trial.seed).random() < strength)

        try:
            with Worker(*given, program=program) as worker:
                players = [threading.Thread(target=play, args=(worker,)) for _ in range(threads)]
                for player in players:
                    player.start()
                for player in players:
                    player.join()
        except RuntimeError as refused:
            return str(refused)
        return ""

    def test_worker(self):
        self.finds_the_same(lambda *given: self.work(*given, threads=2), sys.executable, "-B",
                            EXAMPLES / "tuned_agent.py")

    def test_worker_of_games(self):
        self.counts_games(self.work)

    def test_refused_worker(self):
        self.is_refused(self.work)

    def test_other_program(self):
        from ntune_client import Worker

        given = self.serve(STUDY)
        with Worker(*given) as worker:
            trial = worker.ask()
            self.assertIn("the program is another one", self.work(*given, program=given[2]))
            worker.fail(trial, "no legs")
            self.assertRaisesRegex(RuntimeError, "no open evaluation", worker.tell, trial, 1)
            self.assertIsNone(worker.ask())  # a failure ends this study
        self.assertIn("no legs", self.server.stderr.read())


@unittest.skipIf(shutil.which("javac") is None, "default-jdk-headless is not installed")
class Java(Clients):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.classes = folder.name
        cases = pathlib.Path(folder.name, "Cases.java")
        cases.write_text(CASES, encoding="utf-8")
        plays = pathlib.Path(folder.name, "Plays.java")
        plays.write_text(PLAYS, encoding="utf-8")
        sits = pathlib.Path(folder.name, "Sits.java")
        sits.write_text(SITS, encoding="utf-8")
        works = pathlib.Path(folder.name, "Works.java")
        works.write_text(WORKS, encoding="utf-8")
        subprocess.run(["javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-d", folder.name,
                        EXAMPLES / "NTune.java", EXAMPLES / "TunedAgent.java", cases, plays, sits, works], check=True)

    def test_agent(self):
        self.plays_on_instances("java", "-cp", self.classes, "TunedAgent")
        self.tells_of_an_end("java", "-cp", self.classes, "TunedAgent")

    def test_cases(self):
        done = self.run_program("java", "-Dfile.encoding=UTF-8", "-cp", self.classes, "Cases", *self.study(ODD))
        self.assertEqual(done.returncode, 0, done.stderr)
        said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        self.assertEqual(said.keys(), EXPECTED.keys())
        for case, words in EXPECTED.items():
            self.assertIn(words, said[case], case)
        self.assertEqual(self.result()["failures"]["count"], 1)
        self.assertIn(["2.5"], self.costs())

    def test_match(self):
        done = self.run_program("java", "-cp", self.classes, "Plays", *self.study(MATCH))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "{n=3}\n")

    def test_seats(self):
        done = self.run_program("java", "-cp", self.classes, "Sits", *self.study(TABLE))
        self.assertEqual(done.returncode, 0, done.stderr)
        refused, best = done.stdout.splitlines()
        self.assertIn("'winner': 4, the game has 3 seats", refused)
        self.assertEqual(best, "{n=3}")

    def work(self, *given):
        done = self.run_program("java", "-cp", self.classes, "Works", *given, EXAMPLES / "NTune.java")
        return done.stdout + done.stderr

    def test_worker(self):
        self.finds_the_same(self.work, "java", "-cp", self.classes, "TunedAgent")

    def test_worker_of_games(self):
        self.counts_games(self.work)

    def test_refused_worker(self):
        self.is_refused(self.work)


# Stand-ins for the classes of TAG that the worker uses: the agent with the greater K wins, from the
# second seat only against `weak`. What they print is no answer.
TAG = {
    "core/CoreConstants": """package core;
public class CoreConstants {
  public enum GameResult { WIN_GAME, DRAW_GAME, LOSE_GAME, DISQUALIFY, TIMEOUT, GAME_ONGOING, GAME_END }
}""",
    "core/AbstractPlayer": """package core;
public abstract class AbstractPlayer {
  public static class Parameters {
    public void setRandomSeed(long seed) { System.err.println("random " + seed); }
  }
  public String text = "";
  public Parameters getParameters() { return new Parameters(); }
  public java.util.Random getRnd() { return new java.util.Random(); }
}""",
    "core/AbstractGameState": """package core;
public abstract class AbstractGameState {
  public abstract CoreConstants.GameResult[] getPlayerResults();
  public int getOrdinalPosition(int player) {
    return switch (getPlayerResults()[player]) { case WIN_GAME -> 1; case DRAW_GAME -> 2; default -> 3; };
  }
}""",
    "core/Game": """package core;
import java.util.List;
public class Game {
  private List<AbstractPlayer> players;
  public final void reset(List<AbstractPlayer> players, long seed) {
    this.players = players;
    System.err.println("seed " + seed);
  }
  public final void run() {
    System.out.println("{\\"id\\": 0, \\"value\\": 7}");
  }
  public final AbstractGameState getGameState() {
    CoreConstants.GameResult[] results = new CoreConstants.GameResult[players.size()];
    for (int i = 0; i < results.length; i++) {
      String text = players.get(i).text;
      System.err.println("player " + text);
      results[i] = text.contains("\\"K\\": 1.5") ? CoreConstants.GameResult.WIN_GAME
          : text.contains("\\"K\\": 9") ? CoreConstants.GameResult.TIMEOUT
          : i == 0 ? CoreConstants.GameResult.DRAW_GAME : CoreConstants.GameResult.LOSE_GAME;
    }
    return new AbstractGameState() {
      @Override public CoreConstants.GameResult[] getPlayerResults() { return results; }
    };
  }
}""",
    "games/GameType": """package games;
import core.Game;
public enum GameType {
  Draughts;
  public Game createGameInstance(int players, long seed) { return new Game(); }
}""",
    "players/PlayerFactory": """package players;
import core.AbstractPlayer;
public class PlayerFactory {
  private static class Player extends AbstractPlayer {}
  public static AbstractPlayer createPlayer(String data) {
    AbstractPlayer player = new Player();
    try {
      player.text = data.endsWith(".json") ? java.nio.file.Files.readString(java.nio.file.Path.of(data)) : data;
    } catch (java.io.IOException error) {
      throw new AssertionError(error);
    }
    // TAG says what it passes over, and goes on.
    if (player.text.contains("Kuh")) System.out.println("Unexpected key in JSON for TunableParameters : Kuh");
    if (player.text.contains("10.0")) System.out.println("Warning: parsing param n; couldn't find correct type");
    System.out.println("Unexpected key in JSON for TunableParameters : randomSeed");
    if (player.text.contains("nobody")) throw new AssertionError("Unknown file or player key : " + data);
    return player;
  }
}""",
}


@unittest.skipIf(shutil.which("javac") is None, "default-jdk-headless is not installed")
class Tag(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.classes = folder.name
        sources = []
        for name, text in TAG.items():
            source = pathlib.Path(folder.name, "sources", name + ".java")
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text, encoding="utf-8")
            sources.append(source)
        subprocess.run(["javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-d", folder.name,
                        EXAMPLES / "TagWorker.java", *sources], check=True)

    def worker(self, requests, players="2"):
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        done = subprocess.run(["java", "-Xmx64m", "-cp", self.classes, "TagWorker", "Draughts", players],
                              input=lines, capture_output=True, text=True, timeout=60, check=True)
        self.said = done.stderr.splitlines()
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_answers(self):
        params = {"class": "players.A", "K": 1.5, "heuristic.class": "players.B", "heuristic.x.y": -1,
                  "note": 'a "b" \\', "object": '{"class": "players.C", "args": [1, "d"]}', "list": "[1.5, 2]"}
        answers = self.worker([{"id": 3, "seed": 7, "params": params},
                               {"id": 4, "seed": 8, "instance": "weak", "params": {**params, "K": 0.5}},
                               {"id": 5, "seed": 7, "instance": "nobody", "params": params},
                               {"id": 6, "seed": 7, "params": {**params, "K": 9}}])
        self.assertEqual(answers[0], {"id": 3, "wins": 2, "draws": 0, "losses": 0})
        self.assertEqual(answers[1], {"id": 4, "wins": 0, "draws": 1, "losses": 1})
        self.assertEqual(answers[2]["id"], 5)
        self.assertIn("Unknown file or player key : nobody", answers[2]["error"])
        self.assertIn("a game has ended with TIMEOUT", answers[3]["error"])
        agents = [json.loads(line[7:]) for line in self.said if line.startswith("player {")]
        seeds = [agent.pop("randomSeed") for agent in agents]
        # Every game has an agent with random numbers of its own; the seats share a start.
        self.assertEqual(len(set(seeds[:4])), 4)
        starts = [line for line in self.said if line.startswith("seed ")]
        self.assertEqual(starts[0], starts[1])
        self.assertNotEqual(starts[1], starts[2])
        self.assertEqual(agents[0], {"class": "players.A", "K": 1.5, "note": 'a "b" \\',
                                     "heuristic": {"class": "players.B", "x": {"y": -1}},
                                     "object": {"class": "players.C", "args": [1, "d"]}, "list": [1.5, 2]})

    def test_what_tag_passes_over(self):
        answers = self.worker([{"id": 1, "seed": 7, "params": {"class": "players.A", "Kuh": 1}},
                               {"id": 2, "seed": 7, "params": {"class": "players.A", "n": 10.0}}])
        self.assertIn("TAG says: Unexpected key in JSON for TunableParameters : Kuh", answers[0]["error"])
        self.assertIn("TAG says: Warning: parsing param n", answers[1]["error"])

    def test_long_text(self):
        params = {"class": "players.A", "K": 1.5, "weights": json.dumps({f"weight {i}": i for i in range(9999)})}
        answer = self.worker([{"id": 1, "seed": 7, "params": params}])
        self.assertEqual(answer, [{"id": 1, "wins": 2, "draws": 0, "losses": 0}])

    def test_opponent_of_a_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('{"class": "players.D", "randomSeed": 5}\n')
            file.flush()
            self.worker([{"id": i, "seed": i, "instance": file.name, "params": {"class": "players.A", "K": 1}}
                         for i in range(2)])
        agents = [json.loads(line[7:]) for line in self.said if line.startswith("player {")]
        # What a file says of its seed holds for one game.
        self.assertEqual(len({agent["randomSeed"] for agent in agents}), 8)

    def test_more_players(self):
        answer = self.worker([{"id": 1, "seed": 1, "params": {"class": "players.A", "K": 1}}], "3")
        self.assertEqual(answer, [{"id": 1, "values": [0.5, 0, 0]}])

    def test_seats(self):
        seats = [{"class": "players.A", "K": K, "object": '{"class": "players.C", "args": [1]}'} for K in (2, 1.5, 1)]
        answers = self.worker([{"id": 1, "seed": 1, "seats": seats},
                               {"id": 2, "seed": 1, "seats": [*seats, {"class": "players.A", "K": 9}]},
                               {"id": 3, "seed": 1, "seats": [*seats[:2], {"class": "players.A", "Kuh": 1}]}], "3")
        self.assertEqual(answers[0], {"id": 1, "ranks": [2, 1, 3]})
        self.assertIn("a game has ended with TIMEOUT", answers[1]["error"])
        self.assertIn("TAG says: Unexpected key in JSON for TunableParameters : Kuh", answers[2]["error"])
        self.assertEqual(sum(line.startswith("seed ") for line in self.said), 2)

    def test_study(self):
        with tempfile.TemporaryDirectory() as folder:
            study = pathlib.Path(folder, "study.yaml")
            text = (EXAMPLES.parents[1] / "configs/tag.yaml").read_text(encoding="utf-8")
            study.write_text(text.replace("TAG.jar:classes", self.classes).replace("LoveLetter", "Draughts"),
                             encoding="utf-8")
            done = subprocess.run([NTUNE, "check", "--dry-run", study], capture_output=True, text=True,
                                  timeout=60, check=True)
            self.assertIn("games (+", done.stdout)


if __name__ == "__main__":
    unittest.main()
