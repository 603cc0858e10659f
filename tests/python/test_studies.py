"""Study, Space, Optimiser; studies that Python and the command share."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import ntune

NTUNE = os.environ.get("NTUNE")
SPACE = {"x": range(8), "y": [0.5, 1.5]}


def value(x, y, seed):
    return x * y + seed % 7


class InFolder(unittest.TestCase):
    def setUp(self):
        # `ntune ask` leaves a process that may still write here; it ends once the folder is gone.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def result(self, name="out"):
        return json.loads((self.folder / name / "result.json").read_text())


class Tables(InFolder):
    KEYS = {"space": {"x": {"integers": [1, 8], "default": 3}}, "seed": 1}

    @staticmethod
    def scores(seats, rng):
        return [seat["x"] + rng.random() for seat in seats]

    def test_a_function_of_all_seats(self):
        result = ntune.maximise(self.scores, **self.KEYS, match=True, players=3, evaluations=120)
        self.assertGreaterEqual(result.best["x"], 7)
        dicts = ntune.maximise(lambda seats, rng: {"scores": self.scores(seats, rng), "turns": 4}, **self.KEYS,
                               match=True, players=3, evaluations=120)
        self.assertEqual(dicts.best, result.best)
        with self.assertRaisesRegex(ntune.EvaluationError, "2 numbers for 3 seats"):
            ntune.maximise(lambda seats: [1, 2], **self.KEYS, match=True, players=3, evaluations=20)

    def test_who_asks_tells_by_seat(self):
        optimiser = ntune.Optimiser(**self.KEYS, match=True, players=3, evaluations=60)
        for trial in optimiser:
            optimiser.tell(trial, [[seat["x"] for seat in game["seats"]] for game in trial.games])
        self.assertGreaterEqual(optimiser.recommend().best["x"], 7)


class Goals(InFolder):
    KEYS = {"space": {"x": range(9)}, "budget": 60, "seed": 2,
            "goals": {"gain": "maximise", "ms": {"direction": "minimise", "at_most": 30}}}

    @staticmethod
    def both(x, rng):
        return {"ms": x * x + rng.random(), "gain": x + rng.random(), "depth": x}

    def test_a_front_of_what_a_function_returns(self):
        study = ntune.Study(self.KEYS)
        result = study.run(self.both, folder=self.folder / "out")
        again = study.run(self.both, parallel=2)
        self.assertEqual(result.data, again.data)
        chosen = [setting for setting in result.front if setting["chosen"]]
        self.assertEqual([setting["parameters"] for setting in chosen], [result.best])
        self.assertEqual(result.best, {"x": 5})
        self.assertTrue(chosen[0]["goals"]["ms"]["keeps_limit"])
        row = result.trials()[0]
        self.assertEqual(row["value"], row["gain"])
        self.assertEqual(int(row["ms"]), row["depth"] ** 2)

    def test_goals_in_an_order(self):
        goals = {"gain": {"direction": "maximise", "noisy": False, "order": 1},
                 "ms": {"direction": "minimise", "noisy": False, "order": 2}}
        study = ntune.Study({**self.KEYS, "goals": goals, "budget": 20})
        result = study.run(lambda x: {"gain": min(x, 4), "ms": x})
        self.assertEqual(result.best, {"x": 4})
        self.assertEqual(result.data["front"]["then"], ["ms"])
        chosen = next(setting for setting in result.front if setting["chosen"])
        self.assertIs(chosen["goals"]["gain"]["level"], True)

    def test_what_a_function_must_return(self):
        for returned, text in ((3, "a dict with gain, ms"), ({"gain": 1}, "a number 'ms' is needed")):
            with self.assertRaisesRegex(ntune.EvaluationError, text):
                ntune.Study(self.KEYS).run(lambda x: returned)

    def test_a_loop_of_ones_own(self):
        with ntune.Optimiser(study=self.KEYS) as optimiser:
            for trial in optimiser:
                optimiser.tell(trial, {"ms": trial.params["x"] ** 2, "gain": trial.params["x"]})
            now = optimiser.recommend()
            self.assertEqual(now.best, {"x": 5})
            self.assertEqual(set(now.value), {"gain", "ms"})
            self.assertEqual(set(now.interval), {"gain", "ms"})


class Studies(InFolder):
    def test_an_empty_folder_name_is_refused(self):
        study = ntune.Study(objective={"ask_tell": "value"}, space=SPACE, runs=1, iterations=5)
        for door in (lambda: study.run(value, folder=""), lambda: ntune.Study.load(""),
                     lambda: ntune.load(""), lambda: ntune.Optimiser.load(""),
                     lambda: ntune.Optimiser(SPACE, evaluations=20, folder="")):
            with self.assertRaisesRegex(ValueError, "^folder: is empty"):
                door()

    def test_ways_to_say_it(self):
        file = self.folder / "study.yaml"
        file.write_text(textwrap.dedent("""\
            objective: {ask_tell: function}
            space: {x: {integers: [0, 7]}, y: [0.5, 1.5]}
            budget: 100
            seed: 4
            """))
        keys = {"space": SPACE, "budget": 100, "seed": 4}
        results = [study.run(value).data for study in
                   (ntune.Study(file), ntune.Study(keys), ntune.Study(**keys),
                    ntune.Study(file, seed=4), ntune.Study({**keys, "seed": 1}, seed=4))]
        for result in results:
            self.assertEqual(result, results[0])

    def test_errors_name_the_file(self):
        file = self.folder / "study.yaml"
        file.write_text("objective: {function: hartmann6}\nrunss: 3\n")
        with self.assertRaisesRegex(ValueError, r"study\.yaml:2: runss: "):
            ntune.Study(file)

    def test_objective_of_the_library(self):
        study = ntune.Study(objective={"function": "hartmann3"}, runs=3, iterations=100, hold_out=50)
        one, two = study.run(), study.run(parallel=2)
        self.assertEqual(one.data, two.data)
        self.assertEqual(len(one.best), 3)
        with self.assertRaisesRegex(ValueError, "^function: "):
            study.run(value)
        with self.assertRaisesRegex(ValueError, "^function: "):
            ntune.Study(space=SPACE, budget=50).run()

    def test_comparison(self):
        study = ntune.Study(objective={"function": "hartmann3"}, optimisers=["random", "ntbea"],
                            runs=2, iterations=50, repeats=2)
        self.assertEqual(len(study.run().data["cells"]), 2)

    def test_refuses_an_earlier_study(self):
        study = ntune.Study(space=SPACE, budget=40)
        study.run(value, folder=self.folder / "out")
        with self.assertRaisesRegex(ValueError, "resume=True"):
            study.run(value, folder=self.folder / "out")
        again = study.run(lambda **_: self.fail(), folder=self.folder / "out", resume=True)
        self.assertEqual(again.data, self.result())

    def test_extended(self):
        ntune.Study(space=SPACE, runs=2, iterations=30).run(value, folder=self.folder / "out")
        more = ntune.Study(space=SPACE, runs=2, iterations=60).run(value, folder=self.folder / "out",
                                                                  resume=True)
        self.assertGreaterEqual(more.evaluations, 120)

    def test_verify(self):
        result = ntune.Study(space=SPACE, budget=150).run(value, folder=self.folder / "out")
        test = result.verify(value, against={"x": 0, "y": 0.5})
        self.assertEqual(test["decision"], "better")
        self.assertEqual(ntune.load(self.folder / "out").verify(value, against=result.best)["decision"],
                         "same")
        with self.assertWarnsRegex(UserWarning, "^against: passed over, .*: more$"):
            result.verify(value, against={"x": 0, "y": 0.5, "more": {"z": 1}})
        for options in ({"effect1": -1.0}, {"alpha": 2}, {"evaluations": 0.5}, {"alpa": 0.1}):
            with self.assertRaisesRegex(ValueError, f"^{list(options)[0]}: "):
                result.verify(value, against={"x": 0, "y": 0.5}, **options)
        with self.assertRaisesRegex(ValueError, "^against: "):
            result.verify(value)


class WithTheCommand(InFolder):
    def setUp(self):
        super().setUp()
        if NTUNE is None:
            self.skipTest("NTUNE does not name the command")

    def ntune(self, *arguments, text=""):
        done = subprocess.run([NTUNE, *map(str, arguments)], input=text, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_begun_by_the_command(self):
        """The first answers from ntune serve, the rest from Python: as if from Python alone."""
        study = ntune.Study(space=SPACE, budget=60, record="evaluations")
        file = self.folder / "study.json"
        file.write_text(json.dumps(study.config))
        out = self.folder / "out"
        with subprocess.Popen([NTUNE, "serve", file, "--out", out], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as server:
            def send(request):
                server.stdin.write(json.dumps(request) + "\n")
                server.stdin.flush()
                return json.loads(server.stdout.readline())

            for _ in range(15):
                asked = send({"op": "ask"})
                send({"op": "tell", "id": asked["id"],
                      "value": value(**asked["params"], seed=asked["seed"])})
            send({"op": "quit"})
        calls = []
        resumed = ntune.Study.load(out).run(
            lambda x, y, seed: calls.append(x) or value(x, y, seed), resume=True)
        self.assertEqual(len(calls), resumed.evaluations - 15)
        self.assertEqual(resumed.data["recommendation"], study.run(value).data["recommendation"])

    def test_gone_on_with_by_the_command(self):
        out = self.folder / "out"
        with ntune.Optimiser(SPACE, evaluations=20, folder=out) as optimiser:
            for _ in range(10):
                trial = optimiser.ask()
                optimiser.tell(trial, trial.params["x"])
        asked = json.loads(self.ntune("ask", out))
        self.assertEqual(asked["evaluation"], 10)
        self.ntune("tell", out, "--id", asked["id"], "--value", 3)
        with ntune.Optimiser.load(out) as optimiser:
            self.assertEqual(optimiser.status()["evaluations"], 11)

    def test_same_bytes(self):
        study = {"objective": {"function": "hartmann3"}, "runs": 3, "iterations": 100, "hold_out": 50}
        file = self.folder / "study.json"
        file.write_text(json.dumps(study))
        self.ntune("run", file, "--out", self.folder / "command")
        ntune.Study(file).run(folder=self.folder / "python")
        for name in ("result.json", "runs.csv", "study.yaml"):
            self.assertEqual((self.folder / "command" / name).read_bytes(),
                             (self.folder / "python" / name).read_bytes())


class Spaces(InFolder):
    def test_definitions(self):
        space = ntune.Space({"a": range(1, 10, 2), "b": bool, "c": ntune.log_range(0.1, 10, 3),
                             "d": ntune.real_range(0, 1, step=0.5, default=0.5, when={"b": True}),
                             "e": ntune.choices("u", "v"), "f": 7, "forbid": [{"a": 1, "b": True}]})
        self.assertEqual(list(space), ["a", "b", "c", "d", "e", "f"])
        for point in space.sample(50):
            self.assertFalse(point["a"] == 1 and point["b"])
        self.assertEqual(space.sample(3, seed=2), space.sample(3, seed=2))
        self.assertEqual(ntune.Space(space).size, space.size)

    def test_file(self):
        file = self.folder / "space.yaml"
        file.write_text("x: [1, 2, 3]\n")
        self.assertEqual(ntune.Space(file).size, 3)

    def test_config_space(self):
        file = self.folder / "space.json"
        file.write_text(json.dumps({"hyperparameters": [
            {"name": "depth", "type": "uniform_int", "lower": 1, "upper": 8, "log": False, "default": 4},
            {"name": "mode", "type": "categorical", "choices": ["a", "b"], "default": "a"}],
            "conditions": [], "forbiddens": []}))
        self.assertEqual(ntune.Space.read(file).size, 16)


class Optimisers(InFolder):
    def test_own_loop(self):
        optimiser = ntune.Optimiser(SPACE, evaluations=80)
        for trial in optimiser:
            optimiser.tell(trial, trial.params["x"])
        self.assertEqual(optimiser.recommend().best["x"], 7)
        self.assertTrue(optimiser.recommend().final)
        self.assertIsNone(optimiser.ask())

    def test_in_flight(self):
        optimiser = ntune.Optimiser(SPACE, evaluations=20, parallel_evaluations=3)
        trials = [optimiser.ask() for _ in range(3)]
        with self.assertRaisesRegex(RuntimeError, "in flight"):
            optimiser.ask()
        for trial in reversed(trials):
            optimiser.tell(trial, 1)
        self.assertEqual(optimiser.status()["evaluations"], 3)

    def test_fail(self):
        optimiser = ntune.Optimiser(SPACE, evaluations=20, fail="skip")
        optimiser.fail(optimiser.ask(), "no licence")
        self.assertIsNotNone(optimiser.ask())
        strict = ntune.Optimiser(SPACE, evaluations=20)
        with self.assertRaisesRegex(ntune.EvaluationError, "no licence"):
            strict.fail(strict.ask(), "no licence")

    def test_told_without_being_asked(self):
        optimiser = ntune.Optimiser(SPACE, evaluations=20)
        optimiser.tell({"x": 5, "y": 0.5}, 9)
        self.assertEqual(optimiser.recommend().best, {"x": 5, "y": 0.5})
        with self.assertRaisesRegex(ValueError, "x"):
            optimiser.tell({"x": 50, "y": 0.5}, 9)

    def test_wrong(self):
        optimiser = ntune.Optimiser(SPACE, evaluations=20)
        with self.assertRaisesRegex(ValueError, "no value has been told"):
            optimiser.recommend()
        with self.assertRaisesRegex(ValueError, "no open evaluation"):
            optimiser.tell(99, 1)
        with self.assertRaisesRegex(ValueError, "^trial: "):
            optimiser.tell("first", 1)
        for wrong in ("/nonexistent", self.folder):
            with self.assertRaisesRegex(ValueError, "^folder: "):
                ntune.Optimiser.load(wrong)
            with self.assertRaisesRegex(ValueError, "^folder: "):
                ntune.Study.load(wrong)
        with self.assertRaisesRegex(ValueError, "^value: is 'won'"):
            optimiser.tell(optimiser.ask(), "won")
        optimiser.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            optimiser.ask()

    def test_load(self):
        folder = self.folder / "out"
        with ntune.Optimiser(SPACE, evaluations=30, folder=folder) as optimiser:
            first = optimiser.ask()
            optimiser.tell(first, 1)
            second = optimiser.ask()
        with ntune.Optimiser.load(folder) as optimiser:
            trial = optimiser.ask()  # it was handed out and never told
            self.assertEqual((trial.id, trial.params), (second.id, second.params))
            while trial is not None:
                optimiser.tell(trial, trial.params["x"])
                trial = optimiser.ask()
        self.assertEqual(ntune.load(folder).best["x"], 7)

    def test_side_by_side(self):
        """Studies that wait, on one thread; another one runs whole whenever one is in its hold-out."""
        def told(trial):
            return trial.params["x"] + trial.seed % 5

        def final(optimiser):
            for trial in optimiser:
                optimiser.tell(trial, told(trial))
            return optimiser.recommend()

        keys = {"evaluations": 20, "hold_out": 6, "runs": 2}
        alone = [final(ntune.Optimiser(SPACE, seed=seed, **keys)) for seed in range(3)]
        between = ntune.Study(objective={"function": "hartmann3"}, runs=4, iterations=50, hold_out=20)
        optimisers = [ntune.Optimiser(SPACE, seed=seed, **keys) for seed in range(3)]
        results = []
        while any(trials := [optimiser.ask() for optimiser in optimisers]):
            if any(trial is not None and trial.stage == "hold_out" for trial in trials):
                results.append(between.run(parallel=2).data["recommendation"])
            for optimiser, trial in zip(optimisers, trials):
                if trial is not None:
                    optimiser.tell(trial, told(trial))
        self.assertEqual([optimiser.recommend() for optimiser in optimisers], alone)
        self.assertGreater(len(results), 1)
        self.assertEqual(results, results[:1] * len(results))

    def test_threads_take_turns(self):
        optimiser = ntune.Optimiser(SPACE, evaluations=400, hold_out=50, parallel_evaluations=4)
        told = []

        def work():
            while not optimiser.status()["done"]:
                try:
                    trial = optimiser.ask()
                except RuntimeError:  # the others have all that is in flight
                    continue
                if trial is not None:
                    optimiser.tell(trial, trial.params["x"])
                    told.append(trial.id)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(told), list(range(450)))
        self.assertEqual(optimiser.recommend().best["x"], 7)

    def test_left_open(self):
        """A program may end, fork, and let go of an optimiser while it waits."""
        program = textwrap.dedent("""\
            import os, ntune
            left = ntune.Optimiser({"x": range(8)}, evaluations=20)
            left.tell(left.ask(), 1)
            again = ntune.Optimiser({"x": range(8)}, evaluations=20)
            again.ask()
            del again
            child = os.fork()
            if child == 0:
                left.tell(left.ask(), 1)
                raise SystemExit(0)
            print(os.waitpid(child, 0)[1], left.ask().id)
            """)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0 1\n", ""))

    def test_overhead(self):
        """What asking and telling costs, with random search itself, which takes under 2 us."""
        count = 2000
        optimiser = ntune.Optimiser(SPACE, evaluations=count, optimiser="random")
        begin = time.process_time()
        for trial in optimiser:
            optimiser.tell(trial, 1.0)
        seconds = time.process_time() - begin
        print(f"ask and tell: {1e6 * seconds / count:.1f} us of processor time")
        self.assertLess(seconds / count, 1e-4)  # 5 us on a machine of 2023


if __name__ == "__main__":
    unittest.main()
