"""maximise and minimise: functions, payoffs, failures, results."""

import concurrent.futures
import contextlib
import importlib.util
import io
import pathlib
import random
import sys
import tempfile
import unittest
import unittest.mock

import ntune

SPACE = {"depth": range(1, 9), "book": bool}


def play(depth, book, rng):
    """Wins more often the deeper it searches, up to a point."""
    return rng.random() < 0.4 + 0.05 * depth - 0.006 * depth * depth + 0.05 * book


def described(x):
    """Of three names that are recorded one is a column already."""
    return {"value": x, "cost": x / 2 + 1, "depth": (x, None), "seconds": "fast"}


class Maximise(unittest.TestCase):
    def test_result(self):
        result = ntune.maximise(play, SPACE, evaluations=300, seed=1, payoffs=(0, 1), two_valued=True)
        self.assertEqual(set(result.best), {"depth", "book"})
        self.assertEqual((result.verdict, result.setting), ("use", result.best))
        self.assertIsInstance(result.best["depth"], int)
        self.assertIsInstance(result.best["book"], bool)
        self.assertEqual(result.evaluations, 300)
        low, high = result.interval
        self.assertTrue(0 <= low <= result.value <= high <= 1)
        self.assertFalse(result.interrupted)
        self.assertIn("depth", repr(result))

    def test_same_seed_same_result(self):
        first, second, other = (ntune.maximise(play, SPACE, evaluations=120, seed=seed).data
                                for seed in (1, 1, 2))
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)

    def test_minimise(self):
        result = ntune.minimise(lambda x, y: abs(x - y), {"x": ntune.integers(0, 9), "y": 4},
                                evaluations=60, noisy=False)
        self.assertEqual((result.best, result.value), ({"x": 4, "y": 4}, 0.0))

    def test_payoffs(self):
        for returned, value in ((True, 1.0), ("W", 1.0), ("D", 0.5), ("L", 0.0), (3, 3.0),
                                (["W", "L"], 0.5), ([1, 2], 1.5)):
            result = ntune.maximise(lambda x: returned, {"x": [1, 2]}, evaluations=20)
            self.assertEqual(result.value, value)

    def test_letters_are_games(self):
        """As of a command: an interval and Elo, also where every game was lost."""
        for returned in ("L", ["L", "L"], {"value": "L"}, {"games": [0.0]}):
            for parallel in (None, 2):
                result = ntune.maximise(lambda x: returned, {"x": [1, 2]}, evaluations=20, parallel=parallel)
                self.assertEqual(result.value, 0.0)
                self.assertEqual(result.interval[0], 0.0)
                self.assertTrue(0.2 < result.interval[1] < 0.8)
                self.assertEqual((result.data["elo"]["wins"], result.data["elo"]["draws"]), (0, 0))
        for returned in (0, ["L", 0.25], {"value": 0.0}):
            self.assertIsNone(ntune.maximise(lambda x: returned, {"x": [1, 2]}, evaluations=20).data["elo"])
        study = ntune.Study(space={"x": [1, 2]}, budget=20)
        self.assertGreater(study.run(lambda x: "W").data["elo"]["wins"], 0)
        with tempfile.TemporaryDirectory() as folder:
            with ntune.Optimiser({"x": [1, 2]}, evaluations=20, hold_out=6, folder=folder) as optimiser:
                for trial in optimiser:
                    optimiser.tell(trial, "W")
            self.assertGreater(ntune.load(folder).data["elo"]["wins"], 0)

    def test_measured_without_interval(self):
        result = ntune.maximise(lambda x: 7.0, {"x": [1, 2]}, evaluations=20)
        self.assertEqual((result.value, result.recommendation["value"], result.interval), (7.0, 7.0, None))
        self.assertIn("; value 7; ", repr(result))

    def test_dictionaries(self):
        """A value or games, a cost, and names that are recorded, whoever evaluates."""
        for parallel in (None, 2, "processes:2"):
            result = ntune.maximise(described, {"x": [1, 2]}, budget={"cost": 60}, parallel=parallel)
            self.assertEqual((result.best, result.value), ({"x": 2}, 2.0))
            rows = result.trials()
            self.assertEqual(len(rows), result.evaluations)
            self.assertLess(len(rows), 45)
            for row in rows:
                self.assertEqual((row["cost"], row["depth"], row["returned.seconds"]),
                                 (row["x"] / 2 + 1, [row["x"], None], "fast"))
        result = ntune.maximise(lambda x: {"games": "WL" if x == 1 else [1, "D"]}, {"x": [1, 2]}, evaluations=20)
        self.assertEqual((result.best, result.value), ({"x": 2}, 0.75))
        result = ntune.maximise(lambda x: {"value": x, "games": 7} if x == 1 else x, {"x": [1, 2]}, evaluations=20)
        self.assertEqual({row.get("games") for row in result.trials() if row["x"] == 1}, {7})
        self.assertEqual({row.get("games") for row in result.trials() if row["x"] == 2}, {None})

    def test_names_of_columns(self):
        """Parameters and names with the name of a column take nothing away."""
        space = {"run": [5, 6], "stage": ["a", "b"], "value": range(3), "parameter.value": [7]}
        result = ntune.maximise(lambda **p: {"value": p["value"] / 2, "run": "first", "seconds": 1.5, "loss": p["run"]},
                                space, evaluations=40, noisy=False)
        rows = result.trials()
        self.assertEqual(len(rows), result.evaluations)
        for row in rows:
            self.assertIn(row["parameter.run"], (5, 6))
            self.assertIn(row["parameter.stage"], ("a", "b"))
            self.assertIn(row["stage"], ("search", "re_evaluation", "hold_out"))
            self.assertIn(row["run"], (0, -1))
            self.assertEqual(row["value"], row["parameter.value"] / 2)
            self.assertEqual(row["parameter.parameter.value"], 7)
            self.assertEqual((row["returned.run"], row["returned.seconds"], row["loss"]),
                             ("first", 1.5, row["parameter.run"]))

    def test_dictionaries_of_games(self):
        def game(a, b):
            return {"value": "W" if a["n"] > b["n"] else "L", "cost": 0.5, "moves": a["n"]}

        result = ntune.maximise(game, {"n": {"integers": [1, 5], "default": 2}}, evaluations=60, match=True)
        self.assertEqual(result.best, {"n": 5})
        played = [row for row in result.trials() if row["moves"]]
        self.assertGreater(len(played), 20)
        self.assertTrue(all(row["cost"] == 1 and row["moves"][0] == row["n"] for row in played))

    def test_dictionaries_of_a_loop(self):
        with tempfile.TemporaryDirectory() as folder:
            with ntune.Optimiser({"x": range(3)}, evaluations=10, folder=folder) as optimiser:
                for trial in optimiser:
                    optimiser.tell(trial, {"value": trial.params["x"], "cost": 2, "loss": -trial.params["x"]})
            rows = ntune.load(folder).trials()
        self.assertEqual(len(rows), 10)
        self.assertTrue(all((row["loss"], row["cost"]) == (-row["x"], 2) for row in rows))

    def test_matches_are_told_by_who_has_seen_the_opponent(self):
        optimiser = ntune.Optimiser({"n": ntune.choices(1, 2, 3, default=1)}, evaluations=20,
                                    match=True)
        for trial in optimiser:
            with self.assertRaisesRegex(ValueError, "^trial: .* is a match"):
                optimiser.tell(trial, 1)
            optimiser.tell(trial, 1 if trial.params["n"] > trial.opponent["n"] else 0)

    def test_extras(self):
        seen = []

        def function(x, seed, rng):
            self.assertEqual(rng.random(), random.Random(seed).random())
            seen.append((x, seed))
            return x

        ntune.maximise(function, {"x": [1, 2]}, evaluations=20)
        self.assertEqual(len(seen), 20)
        self.assertGreater(len({seed for _, seed in seen}), 10)

    def test_parameter_named_seed(self):
        self.assertEqual(ntune.maximise(lambda seed: seed, {"seed": [1, 2]}, evaluations=20).best,
                         {"seed": 2})

    def test_instances(self):
        maps = set()

        def function(x, instance):
            maps.add(instance)
            return x

        ntune.maximise(function, {"x": [1, 2]}, evaluations=40, instances=["a", "b"])
        self.assertEqual(maps, {"a", "b"})

    def test_default_and_start(self):
        result = ntune.maximise(lambda x: x, {"x": range(5)}, evaluations=60, default={"x": 1},
                                start=[{"x": 4}])
        self.assertEqual(result.best, {"x": 4})
        self.assertEqual(result.default["parameters"], {"x": 1})


def pig(a, b, rng):
    """Who has more skill wins more often; the first has an advantage."""
    lead = a["skill"] - b["skill"] + 1
    return rng.random() < 0.5 + 0.04 * lead


class Matches(unittest.TestCase):
    SPACE = {"skill": {"integers": [0, 9], "default": 3}}

    def test_result(self):
        result = ntune.maximise(pig, self.SPACE, evaluations=300, match=True, seed=1)
        self.assertGreater(result.best["skill"], 5)
        self.assertEqual(result.data["algorithm"], "duels")
        self.assertGreater(result.data["elo"]["value"], 0)
        self.assertEqual(sum(result.data["elo"]["pentanomial"]),
                         result.recommendation["hold_out"]["n"])
        self.assertEqual(result.default["parameters"], {"skill": 3})

    def test_games_of_a_match(self):
        """A game from either side, with the same random numbers, and nobody plays himself."""
        games = []

        def play(a, b, rng, seed):
            games.append((a["skill"], b["skill"], rng.random(), seed))
            a["skill"] = 100  # of no consequence
            return "D"

        ntune.maximise(play, self.SPACE, evaluations=60, match=True)
        self.assertGreater(len(games), 60)
        for first, second in zip(games[::2], games[1::2]):
            self.assertEqual(first, (second[1], second[0], *second[2:]))
            self.assertNotEqual(first[0], first[1])
        self.assertGreater(len({seed for *_, seed in games}), 30)

    def test_whole_match(self):
        calls = []

        def play(a, b):
            calls.append((a, b))
            return "WWDL"

        result = ntune.maximise(play, self.SPACE, evaluations=40, match=True)
        self.assertLessEqual(len(calls), 40)
        if result.best != {"skill": 3}:
            self.assertEqual(result.value, 0.625)

    def test_default_is_the_opponent(self):
        result = ntune.maximise(pig, {"skill": range(10)}, evaluations=60, match=True,
                                default={"skill": 7})
        self.assertEqual(result.default["parameters"], {"skill": 7})

    def test_opponents(self):
        met = set()

        def play(a, b, rng):
            met.update((a["skill"], b["skill"]))
            return pig(a, b, rng)

        ntune.maximise(play, {"skill": {"choices": [1, 2], "default": 1}}, evaluations=60, match=True,
                       opponents=["default", {"skill": 2}], weights=[1, 3])
        self.assertEqual(met, {1, 2})
        # A default beside the space is as good as one in it.
        met.clear()
        result = ntune.maximise(play, {"skill": [1, 2]}, evaluations=60, match=True,
                                default={"skill": 1}, opponents=["default", {"skill": 2}])
        self.assertEqual(met, {1, 2})
        self.assertEqual(result.default["parameters"], {"skill": 1})

    def test_same_for_any_workers(self):
        plain, threads, processes = (
            ntune.maximise(pig, self.SPACE, evaluations=60, match=True, parallel=parallel).data
            for parallel in (None, 3, "processes:2"))
        self.assertEqual(plain, threads)
        self.assertEqual(plain, processes)

    def test_resume(self):
        calls = 0

        def play(a, b, rng):
            nonlocal calls
            calls += 1
            if calls == 50:
                raise KeyboardInterrupt
            return pig(a, b, rng)

        with tempfile.TemporaryDirectory() as folder:
            keys = {"evaluations": 60, "match": True, "folder": folder}
            with self.assertRaises(ntune.Interrupted):
                ntune.maximise(play, self.SPACE, **keys)
            resumed = ntune.maximise(play, self.SPACE, resume=True, **keys)
        whole = ntune.maximise(pig, self.SPACE, evaluations=60, match=True)
        self.assertEqual(resumed.best, whole.best)
        self.assertEqual(resumed.value, whole.value)

    def test_verify(self):
        result = ntune.maximise(pig, self.SPACE, evaluations=200, match=True)
        found = result.verify(pig, elo0=0, elo1=50, evaluations=400)
        self.assertIn(found["decision"], ("better", "undecided"))

    def test_loop(self):
        generator = random.Random(1)
        optimiser = ntune.Optimiser(self.SPACE, evaluations=80, match=True)
        for trial in optimiser:
            self.assertIsNotNone(trial.opponent)
            optimiser.tell(trial, [pig(trial.params, trial.opponent, generator),
                                   1 - pig(trial.opponent, trial.params, generator)])
        self.assertGreater(optimiser.recommend().best["skill"], 3)

    def test_failure(self):
        def play(a, b):
            raise RuntimeError("both have crashed")

        with self.assertRaisesRegex(ntune.EvaluationError, "RuntimeError: both have crashed"):
            ntune.maximise(play, self.SPACE, evaluations=20, match=True)

    def test_wrong(self):
        def check(text, error=ValueError, function=pig, space=self.SPACE, **keys):
            with self.assertRaisesRegex(error, text):
                ntune.maximise(function, space, **{"evaluations": 20, "match": True, **keys})

        check("^function: takes skill; a match needs one of two players", function=lambda skill: 1)
        check("^function: needs 'c'", function=lambda a, b, c: 1)
        check("^payoffs: is for functions of one player", payoffs=(0, 1))
        check("^match: the default is an opponent", space={"skill": range(5)})
        check("^opponents", opponents=[])
        check("^opponents", opponents=["best"])
        check("^weights: has 2 numbers for 1 opponents", weights=[1, 2])
        check("from 0 to 1", error=ntune.EvaluationError, function=lambda a, b: 3)
        check("^games: unknown key", games=4)


class Failures(unittest.TestCase):
    @staticmethod
    def fails(x):
        if x == 2:
            raise RuntimeError("the engine has crashed")
        return x

    def test_abort(self):
        with self.assertRaisesRegex(ntune.EvaluationError, "RuntimeError: the engine has crashed") as caught:
            ntune.maximise(self.fails, {"x": [1, 2]}, evaluations=20)
        self.assertIsInstance(caught.exception.__cause__, RuntimeError)

    def test_skip(self):
        result = ntune.maximise(self.fails, {"x": [1, 2]}, evaluations=20, fail="skip")
        self.assertEqual(result.best, {"x": 1})
        self.assertGreater(result.data["failures"]["count"], 0)

    def test_wrong_payoffs(self):
        for returned in (None, "won", float("nan"), 2.0, [], (0.5, 1.0), [(0.5, 1.0)]):
            with self.assertRaises(ntune.EvaluationError):
                ntune.maximise(lambda x: returned, {"x": [1, 2]}, evaluations=20, payoffs=(0, 1))

    def test_what_a_dictionary_lacks(self):
        for returned, text in (((0.5, 1.0), r"a tuple; return a number, a list .*, or a dict: value, cost"),
                               ({"valeu": 1}, "a dict has either 'value', or 'games'"),
                               ({"value": 1, "games": "WL"}, "a dict has either 'value', or 'games'"),
                               ({"value": 1, "cost": -1}, "a cost that is -1; a finite number of at least 0"),
                               ({"value": 1, "cost": "1 s"}, "a cost that is '1 s'"),
                               ({"value": (0, 1)}, "a tuple"), ({"value": None}, "returned None"),
                               ({"value": 1, "why": object()}, "a value in it is <object")):
            with self.assertRaisesRegex(ntune.EvaluationError, text) as caught:
                ntune.maximise(lambda x: returned, {"x": [1, 2]}, evaluations=20)
            self.assertNotIn("\n", str(caught.exception))

    def test_told_values(self):
        optimiser = ntune.Optimiser({"x": range(4)}, evaluations=20)
        trial = optimiser.ask()
        for value in (None, "won", [], (1, 2), {"cost": 1}, {"value": None}, float("nan"), 1e200):
            with self.assertRaisesRegex(ValueError, "^value: "):
                optimiser.tell(trial, value)
            with self.assertRaisesRegex(ValueError, "^(value: |'value': )"):
                optimiser.tell({"x": 1}, value)
        for text, keys in (("^cost: is -1", {"cost": -1}), ("^cost: is 'x'", {"cost": "x"}),
                           ("^instance: is 3", {"instance": 3})):
            with self.assertRaisesRegex(ValueError, text):
                optimiser.tell(trial, 1, **keys)
        for wrong in (None, True, 1.5, "0", 2**70, -1):
            with self.assertRaisesRegex(ValueError, "^trial: is "):
                optimiser.tell(wrong, 1)
            with self.assertRaisesRegex(ValueError, "^trial: is "):
                optimiser.fail(wrong)
        with self.assertRaisesRegex(ValueError, "^reason: is None"):
            optimiser.fail(trial, None)
        optimiser.tell(trial, 1)

    def test_interrupted(self):
        calls = 0

        def function(x):
            nonlocal calls
            calls += 1
            if calls == 30:
                raise KeyboardInterrupt
            return x

        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(ntune.Interrupted) as caught:
                ntune.maximise(function, {"x": range(4)}, evaluations=60, folder=folder)
            partial = caught.exception.result
            self.assertTrue(partial.interrupted)
            self.assertEqual(partial.best, {"x": 3})
            self.assertEqual(partial.evaluations, 29)
            resumed = ntune.maximise(function, {"x": range(4)}, evaluations=60, folder=folder,
                                     resume=True)
            self.assertEqual(calls, 61)  # one was called twice
        whole = ntune.maximise(lambda x: x, {"x": range(4)}, evaluations=60)
        self.assertEqual(resumed.best, whole.best)
        self.assertEqual(resumed.value, whole.value)


class Wrong(unittest.TestCase):
    """Messages begin with the argument."""

    def check(self, text, function=lambda x: x, space=None, **keys):
        with self.assertRaisesRegex(ValueError, text):
            ntune.maximise(function, space or {"x": [1, 2]}, **{"evaluations": 20, **keys})

    def test_arguments(self):
        self.check("^function: takes no 'x'", function=lambda y: y)
        self.check("^function: needs 'z'", function=lambda x, z: x)
        self.check("^function: is 3", function=3)
        self.check("^seed: ", seed="one")
        self.check("^optimiser", optimiser="ntbeaa")
        self.check("^iteratons: unknown key", iteratons=5)
        self.check("^objective: ", objective={"function": "hartmann6"})
        self.check("^parallel: is 'many'", parallel="many")
        self.check("^parallel: is 0", parallel=0)
        self.check("^default: ", default={"x": float("nan")})
        self.check("^two_valued: ", two_valued=True)
        self.check("^evaluations: is missing", evaluations=None)
        self.check("^evaluations: is '0'", evaluations=0)
        self.check("^payoffs: ", payoffs=(3, 0))
        self.check("^seed: ", seed=None)
        self.check("^folder: ", folder="/etc/passwd")
        self.check("^parallel: ", parallel=concurrent.futures.ThreadPoolExecutor)
        self.check("^resume: ", resume=True)

    def test_misspelled_keywords(self):
        for wrong, meant in (("paralel", "parallel"), ("evalutions", "evaluations"), ("optimizer", "optimiser"),
                             ("folder_", "folder"), ("pay_offs", "payoffs"), ("instance", "instances")):
            self.check(f"^{wrong}: unknown keyword, did you mean '{meant}'", **{wrong: 4})
            with self.assertRaisesRegex(ValueError, "^paralel_evaluations: .*'parallel_evaluations'"):
                ntune.Optimiser({"x": [1, 2]}, evaluations=20, paralel_evaluations=3)
        self.check("^zzz: unknown keyword; allowed: evaluations, .*parallel, .*optimiser", zzz=1)

    def test_public_names(self):
        self.assertEqual(sorted(ntune.__all__), dir(ntune))
        self.assertFalse(any(name.startswith("_") and name != "__version__" for name in dir(ntune)))
        self.assertTrue(all(hasattr(ntune, name) for name in dir(ntune)))

    def test_functions(self):
        async def later(x):
            return x

        self.check("^function: is a coroutine", function=later)
        self.check("^function: takes 'x' by its place", function=lambda x, /: x)

    def test_space(self):
        self.check(r"^x\.integers: ", space={"x": {"integers": [3, 1]}})
        self.check("^x", space={"x": {"rnge": [0, 1]}})
        self.check("^x: is {.*no order", space={"x": {"a", "b"}})
        self.check("^x: is <object", space={"x": [object()]})
        with self.assertRaisesRegex(ValueError, "^space: is empty"):
            ntune.Space({})
        with self.assertRaisesRegex(ValueError, "^space: "):
            ntune.maximise(lambda x: x, 7, evaluations=20)

    def test_large_whole_numbers(self):
        """They are exact, or refused by name."""
        for exact in (2**53 + 1, 2**63 - 1, -2**63):
            self.assertEqual(ntune.Space({"x": [exact, 1]})["x"], [exact, 1])
            self.assertEqual(ntune.maximise(lambda x: x == exact, {"x": [exact, 1]}, evaluations=20).best, {"x": exact})
        for large in (2**63, 2**63 + 1, 2**64 - 1, 2**64, 10**30, -2**63 - 1):
            for space in ([large, 1], large, ntune.choices(1, 2, default=large), {"integers": [1, large]}):
                self.check(f"^x: is {large}; whole numbers from", space={"x": space})
            self.check(f"^seed: is {large}", seed=large)
        self.assertEqual(ntune.Space({"x": [1e19, "18446744073709551615"]})["x"], [1e19, "18446744073709551615"])

    def test_no_budget(self):
        with self.assertRaisesRegex(ValueError, "^evaluations: "):
            ntune.maximise(lambda x: x, {"x": [1, 2]})


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = ntune.maximise(play, SPACE, evaluations=120, seed=3)

    def test_trials(self):
        rows = self.result.trials()
        self.assertEqual(len(rows), 120)
        self.assertTrue({"stage", "value", "depth", "book"} <= set(rows[0]))
        self.assertIsInstance(rows[0]["book"], bool)

    def test_report(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(self.result.report(pathlib.Path(folder) / "page.html"))
            self.assertTrue(page.read_text().startswith("<!"))

    def test_notebook(self):
        text = self.result._repr_html_()
        self.assertIn("depth", text)
        self.assertIn("<svg", text)

    def test_mean_of_games_is_exact(self):
        for seed in range(5):
            result = ntune.maximise(lambda x, rng: rng.choice("WDL"), {"x": [0]}, evaluations=120, seed=seed)
            points = [row["value"] for row in result.trials() if row["stage"] == "hold_out"]
            self.assertEqual(result.value, sum(points) / len(points))

    def test_progress(self):
        if importlib.util.find_spec("tqdm") is None:
            self.skipTest("python3-tqdm is not installed")

        def shown(**keys):
            with contextlib.redirect_stderr(io.StringIO()) as text:
                ntune.maximise(lambda x: x, {"x": range(4)}, evaluations=40, **keys)
            return text.getvalue()

        self.assertEqual(shown(), "")
        self.assertIn(" evaluations ", shown(progress=True))
        with unittest.mock.patch.dict(sys.modules, {"ipykernel": None}):  # a notebook
            self.assertIn(" evaluations ", shown())
            self.assertEqual(shown(progress=False), "")

    def test_numpy_and_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("python3-pandas is not installed")
        self.assertEqual(self.result.values().shape, (120,))
        self.assertIsInstance(self.result.frame(), pandas.DataFrame)

    def test_numpy_values(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("python3-numpy is not installed")

        def function(x, rng: numpy.random.Generator):
            self.assertIsInstance(rng, numpy.random.Generator)
            return numpy.float64(x) + 0 * rng.random()

        result = ntune.maximise(function, {"x": numpy.arange(4)}, evaluations=numpy.int64(30))
        self.assertEqual(result.best, {"x": 3})


if __name__ == "__main__":
    unittest.main()
