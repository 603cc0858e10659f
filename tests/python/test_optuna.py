"""Optuna's contract."""

import copy
import math
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

try:
    import optuna
except ImportError:
    optuna = None


@unittest.skipIf(optuna is None, "python3-optuna is not installed")
class Optuna(unittest.TestCase):
    def setUp(self):
        from ntune.optuna import NTuneSampler

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.sampler = NTuneSampler

    def study(self, objective, trials=60, direction="maximize", jobs=1, **keys):
        study = optuna.create_study(direction=direction, sampler=self.sampler(**keys))
        study.optimize(objective, n_trials=trials, n_jobs=jobs, catch=(RuntimeError,))
        return study

    @staticmethod
    def mixed(trial):
        x = trial.suggest_float("x", -2, 2)
        n = trial.suggest_int("n", 1, 9)
        scale = trial.suggest_float("scale", 1e-3, 1, log=True)
        mode = trial.suggest_categorical("mode", ["a", None, 3])
        return -(x - 1) ** 2 - abs(n - 4) + (mode == 3) - scale

    def test_finds(self):
        for direction, sign in (("maximize", 1), ("minimize", -1)):
            study = self.study(lambda trial: sign * self.mixed(trial), 120, direction, evaluations=120)
            self.assertEqual(study.best_params["mode"], 3)
            self.assertGreater(sign * study.best_value, 0.0)

    def test_same_seed(self):
        one, two = ([trial.params for trial in self.study(self.mixed, 40, seed=3).trials]
                    for _ in range(2))
        self.assertEqual(one, two)

    def test_every_distribution_keeps_its_range(self):
        def objective(trial):
            return (trial.suggest_float("a", 0.1, 0.9, step=0.2) + trial.suggest_int("b", 0, 1000)
                    + trial.suggest_int("c", 1, 1000, log=True) + trial.suggest_int("d", 3, 11, step=4)
                    + trial.suggest_float("e", 5, 5) + trial.suggest_categorical("f", [True, False]))

        study = self.study(objective, 40)
        for trial in study.trials:
            for name, kind in trial.distributions.items():
                self.assertTrue(kind._contains(kind.to_internal_repr(trial.params[name])), (name, trial.params))

    def test_spaces_that_change(self):
        def objective(trial):
            if trial.suggest_categorical("kind", ["u", "v"]) == "u":
                return trial.suggest_int("u", 0, 5)
            return trial.suggest_float("v", 0, 5)

        self.assertEqual(len(self.study(objective, 40).trials), 40)

    def test_failures_and_pruning(self):
        def objective(trial):
            x = trial.suggest_int("x", 0, 9)
            if x == 9:
                raise RuntimeError("crash")
            if x == 0:
                raise optuna.TrialPruned()
            return x

        self.assertEqual(self.study(objective, 60).best_params, {"x": 8})

    def test_several_objectives(self):
        study = optuna.create_study(directions=["maximize", "minimize"], sampler=self.sampler())
        with self.assertRaisesRegex(ValueError, "several objectives"):
            study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 0), n_trials=1)

    def test_values_that_are_no_numbers(self):
        study = self.study(lambda trial: trial.suggest_int("x", 0, 9) or float("nan"), 40)
        self.assertEqual(study.best_value, 9)
        self.assertEqual(len(study.trials), 40)

    def test_ranges_that_change(self):
        def objective(trial):
            return trial.suggest_float("x", 0, 1 + trial.number) + trial.suggest_int("n", 1, 1 + trial.number)

        for trial in self.study(objective, 20).trials:
            self.assertLessEqual(trial.params["x"], 1 + trial.number)
            self.assertLessEqual(trial.params["n"], 1 + trial.number)

    def test_parameters_held_fixed(self):
        fixed = optuna.samplers.PartialFixedSampler({"n": 7}, self.sampler())
        study = optuna.create_study(direction="maximize", sampler=fixed)
        study.optimize(self.mixed, n_trials=30)
        self.assertEqual({trial.params["n"] for trial in study.trials}, {7})

    def test_beyond_the_plan_and_in_parallel(self):
        self.assertEqual(len(self.study(self.mixed, 50, evaluations=20).trials), 50)
        self.assertEqual(len(self.study(self.mixed, 40, jobs=4, in_flight=2).trials), 40)


#: A worker of a study in a file: `sys.argv` has the file and the number of trials.
WORKER = """
import sys, optuna, ntune.optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(sys.argv[1]))
study = optuna.load_study(study_name="shared", storage=storage, sampler=ntune.optuna.NTuneSampler(seed=1))
study.optimize(lambda trial: -(trial.suggest_float("x", 0, 1) - 0.7) ** 2 - trial.suggest_int("n", 0, 30),
               n_trials=int(sys.argv[2]))
"""


@unittest.skipIf(optuna is None, "python3-optuna is not installed")
class OptunaStudies(unittest.TestCase):
    """A study behaves as it does with a sampler of Optuna's own."""

    def setUp(self):
        from ntune.optuna import NTuneSampler

        optuna.logging.set_verbosity(optuna.logging.CRITICAL)
        self.sampler = NTuneSampler

    def study(self, direction="maximize", pruner=None, **keys):
        return optuna.create_study(direction=direction, pruner=pruner, sampler=self.sampler(**{"seed": 1, **keys}))

    @staticmethod
    def states(study):
        return {state.name: sum(trial.state == state for trial in study.trials)
                for state in {trial.state for trial in study.trials}}

    @staticmethod
    def late(study, name, count=15):
        return [trial.params[name] for trial in study.trials[-count:]]

    def test_infinite_values_are_complete(self):
        for direction, sign in (("maximize", 1), ("minimize", -1)):
            study = self.study(direction)
            study.optimize(lambda trial: sign * (-math.inf if trial.suggest_float("x", 0, 1) > 0.5
                                                 else trial.params["x"]), n_trials=40)
            self.assertEqual(self.states(study), {"COMPLETE": 40})
            self.assertGreater(sign * study.best_value, 0.45)
            self.assertLess(sum(x > 0.5 for x in self.late(study, "x")), 5)

    def test_the_good_infinity(self):
        for sign, direction in ((1, "maximize"), (-1, "minimize")):
            study = self.study(direction)
            study.optimize(lambda trial: sign * (math.inf if trial.suggest_int("n", 0, 400) < 70
                                                 else trial.params["n"]), n_trials=40)
            self.assertEqual(sign * study.best_value, math.inf)
            self.assertGreater(sum(n < 70 for n in self.late(study, "n")), 4)

    def test_nothing_but_infinity(self):
        study = self.study()
        study.optimize(lambda trial: -math.inf * trial.suggest_int("n", 1, 9), n_trials=120)
        self.assertEqual(self.states(study), {"COMPLETE": 120})

    def test_values_at_the_ends_of_the_numbers(self):
        for scale in (1e-300, 1e-9, 1e9, 1e100):
            study = self.study()
            study.optimize(lambda trial: scale * trial.suggest_float("x", -1, 1), n_trials=40)
            self.assertEqual(study.best_params, {"x": 1.0}, scale)
        study = self.study()
        study.optimize(lambda trial: trial.suggest_float("x", 0, 1) if trial.suggest_int("n", 0, 9) < 3
                       else -sys.float_info.max, n_trials=60)
        self.assertEqual(study.best_params["x"], 1.0)

    def test_regions_of_nan(self):
        study = self.study()
        study.optimize(lambda trial: math.nan if trial.suggest_float("x", 0, 1) < 0.6 else -trial.params["x"],
                       n_trials=150)
        self.assertGreater(self.states(study)["COMPLETE"], 75)
        self.assertLess(study.best_params["x"], 0.7)

    def test_a_hundred_failures(self):
        def objective(trial):
            trial.suggest_float("x", 0, 1)
            if trial.number != 3:
                raise RuntimeError("crash")
            return 1

        for noisy in (True, False):
            study = self.study(noisy=noisy)
            study.optimize(objective, n_trials=130, catch=(RuntimeError,))
            self.assertEqual(self.states(study), {"FAIL": 129, "COMPLETE": 1})
            self.assertGreater(len({trial.params["x"] for trial in study.trials}), 15)

    def test_a_hundred_pruned(self):
        """They are bad: what follows is elsewhere. The first complete trial changes nothing of that."""
        for direction, sign in (("maximize", 1), ("minimize", -1)):
            study = self.study(direction)

            def objective(trial):
                x = trial.suggest_float("x", 0, 10)
                trial.suggest_categorical("mode", ["a", "b"])
                if trial.number < 130 or x > 5:
                    raise optuna.TrialPruned
                return sign * (1000 + x)

            study.optimize(objective, n_trials=200)
            self.assertEqual(sum(self.states(study).values()), 200)
            self.assertGreater(abs(study.best_value), 1004)
            self.assertLess(sum(x > 5 for x in self.late(study, "x", 30)), 15)

    def test_pruned_by_what_they_report(self):
        study = self.study("minimize", optuna.pruners.MedianPruner(n_startup_trials=3, n_warmup_steps=0))

        def objective(trial):
            x = trial.suggest_float("x", 0, 10)
            for step in range(5):
                trial.report((x - 3) ** 2 + 10 - step, step)
                if trial.should_prune():
                    raise optuna.TrialPruned
            return (x - 3) ** 2

        study.optimize(objective, n_trials=60)
        self.assertGreater(self.states(study)["PRUNED"], 10)
        self.assertLess(study.best_value, 0.1)

    def test_brackets_of_a_pruner(self):
        study = self.study("minimize", optuna.pruners.HyperbandPruner(min_resource=1, max_resource=9))

        def objective(trial):
            x = trial.suggest_float("x", 0, 10)
            for step in range(9):
                trial.report(abs(x - 3) + 9 - step, step)
                if trial.should_prune():
                    raise optuna.TrialPruned
            return abs(x - 3)

        study.optimize(objective, n_trials=60)
        self.assertLess(study.best_value, 0.3)

    def test_enqueued_trials_are_learned_from(self):
        """Their values lie between those that are searched, and hardly any other trial is good."""
        def objective(trial):
            lr = math.log10(trial.suggest_float("lr", 1e-5, 1e-1, log=True))
            n, x = trial.suggest_int("n", 1, 1000), trial.suggest_float("x", 0, 1)
            return 5 if abs(lr + 3) < 0.3 and abs(n - 777) < 50 and abs(x - 0.4) < 0.1 else -x

        found = []
        for enqueued in (False, True):
            study = self.study(seed=2)
            if enqueued:
                study.enqueue_trial({"lr": 1.1e-3, "n": 777, "x": 0.41})
            study.optimize(objective, n_trials=60)
            found.append(sum(trial.value == 5 for trial in study.trials))
        self.assertEqual(study.trials[0].params, {"lr": 1.1e-3, "n": 777, "x": 0.41})
        self.assertLess(found[0], 2)
        self.assertGreater(found[1], 5)

    def test_enqueued_in_part(self):
        study = self.study()
        for x in (0.25, 0.5, 0.75) * 4:
            study.enqueue_trial({"x": x})
        study.optimize(lambda trial: trial.suggest_float("x", 0, 1) + trial.suggest_float("y", 0, 1), n_trials=50)
        self.assertEqual([trial.params["x"] for trial in study.trials[:12]], [0.25, 0.5, 0.75] * 4)
        self.assertGreater(study.best_value, 1.9)

    def test_goes_on_with_a_study_of_another_sampler(self):
        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=2))

        def objective(trial):
            x, y = trial.suggest_float("x", -5, 5), trial.suggest_float("y", -5, 5)
            return -(x - 2) ** 2 - (y + 1) ** 2

        study.optimize(objective, n_trials=60)
        study.sampler = self.sampler(seed=1)
        study.optimize(objective, n_trials=12)
        self.assertGreater(sum(trial.value > -4 for trial in study.trials[60:]), 7)
        study.add_trials([optuna.create_trial(
            params={"x": 2.0, "y": -1.0}, value=0.0, distributions=study.trials[0].distributions)])
        study.optimize(objective, n_trials=8)
        self.assertEqual(len(study.trials), 81)

    def test_fine_steps(self):
        def objective(trial):
            return -abs(trial.suggest_float("x", 0, 100, step=0.001) - 40) - abs(
                trial.suggest_int("n", -10**18, 10**18) / 1e18 - 0.5) - abs(
                trial.suggest_float("y", 0.1, 0.4, step=1e-6)) - trial.suggest_int("z", 0, 7 * 10**6, step=7) / 1e6

        study = self.study()
        study.optimize(objective, n_trials=80)
        for trial in study.trials:
            for name, kind in trial.distributions.items():
                self.assertTrue(kind._contains(kind.to_internal_repr(trial.params[name])), (name, trial.params))
        self.assertLess(abs(study.best_params["x"] - 40), 4)

    def test_both_ends_are_reached(self):
        study = self.study()
        study.optimize(lambda trial: trial.suggest_int("n", 0, 1003) + trial.suggest_float("x", 0, 9.99, step=0.01)
                       + trial.suggest_int("m", 1, 999, log=True), n_trials=120)
        self.assertEqual(study.best_params, {"n": 1003, "x": 9.99, "m": 999})

    def test_conditional_parameters(self):
        """A parameter that only some trials have is searched, too."""
        def objective(trial):
            if trial.suggest_categorical("kind", ["near", "far"]) == "far":
                return 5 - abs(trial.suggest_float("far", 0, 10) - 8)
            return 4 - abs(trial.suggest_float("near", 0, 10) - 2)

        study = self.study()
        study.optimize(objective, n_trials=80)
        self.assertGreater(study.best_value, 4.5)
        far = [trial.params["far"] for trial in study.trials[40:] if "far" in trial.params]
        self.assertGreater(len(far), 20)
        self.assertGreater(sum(abs(x - 8) < 1.5 for x in far), len(far) / 2)

    def test_processes_on_one_storage(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "journal")
            storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(file))
            study = optuna.create_study(direction="maximize", study_name="shared", storage=storage)
            workers = [subprocess.Popen([sys.executable, "-c", WORKER, file, "20"]) for _ in range(3)]
            self.assertEqual([worker.wait() for worker in workers], [0, 0, 0])
            points = [tuple(trial.params.values()) for trial in study.trials]
            self.assertEqual(len(points), 60)
            # The first repeated trial says that there is no noise. Until that is known each of the
            # other two processes may have begun another one. What is repeated later has taken its
            # process so long that another one has chosen eight others in the meantime.
            repeated, last = 0, {}
            for number, point in enumerate(points):
                repeated += number - last.get(point, -9) <= 8
                last[point] = number
            self.assertLessEqual(repeated, 3)
            self.assertGreater(sum(trial.value > -3 for trial in study.trials[30:]), 20)

    def samplers(self, count, **keys):
        """Studies as processes on one storage have them, and the storage."""
        storage = optuna.storages.InMemoryStorage()
        first = optuna.create_study(direction="maximize", storage=storage, sampler=self.sampler(**keys))
        return [first] + [optuna.load_study(study_name=first.study_name, storage=storage,
                                            sampler=self.sampler(**keys)) for _ in range(count - 1)], storage

    @staticmethod
    def peak(trial):
        return -abs(trial.suggest_float("x", 0, 1) - 0.3) - abs(trial.suggest_int("n", 0, 20) - 7)

    def test_asked_for_at_the_same_moment(self):
        """No two are the same, though no parameter is there when the next one is asked for."""
        for noisy in (False, None):
            studies, _ = self.samplers(4, seed=1, noisy=noisy)
            for _ in range(15):
                trials = [study.ask() for study in studies]
                values = [self.peak(trial) for trial in trials]
                self.assertEqual(len({repr(trial.params) for trial in trials}), 4)
                for study, trial, value in zip(studies, trials, values):
                    study.tell(trial, value)
            points = [repr(trial.params) for trial in studies[0].trials]
            self.assertGreaterEqual(len(set(points)), 60 if noisy is False else 56)
            self.assertGreater(studies[0].best_value, -0.1)

    def test_asked_for_between_choice_and_note(self):
        """Whoever chooses while another one does, but has not yet said what, is told apart."""
        (first, second), storage = self.samplers(2, seed=1, noisy=False)
        note, met = storage.set_trial_system_attr, []

        def interrupted(*values):
            storage.set_trial_system_attr = note
            met.append(second.ask())
            note(*values)

        for _ in range(5):
            first.tell(trial := first.ask(), self.peak(trial))
        for _ in range(20):
            met.clear()
            storage.set_trial_system_attr = interrupted
            trials = [first.ask(), *met]
            values = [self.peak(trial) for trial in trials]
            self.assertEqual(len({repr(trial.params) for trial in trials}), 2)
            for trial, value in zip(trials, values):
                first.tell(trial, value)

    def test_a_trial_that_has_died_with_the_best_point(self):
        """It is put off at first, and tried in the end."""
        studies, _ = self.samplers(2, seed=1, noisy=False)
        space = {"a": optuna.distributions.CategoricalDistribution(range(30))}
        studies[0].optimize(lambda trial: trial.suggest_categorical("a", range(30)), n_trials=3)
        dead = [study.ask(space) for study in studies]
        for _ in range(60):
            studies[1].tell(trial := studies[1].ask(space), trial.params["a"])
        self.assertEqual(len({trial.params["a"] for trial in studies[0].trials if trial.state.is_finished()}), 30)
        self.assertNotEqual(dead[0].params, dead[1].params)

    def test_two_samplers_with_one_seed_learn_from_each_other(self):
        storage = optuna.storages.InMemoryStorage()
        first = optuna.create_study(direction="maximize", storage=storage, sampler=self.sampler(seed=1))
        second = optuna.load_study(study_name=first.study_name, storage=storage, sampler=self.sampler(seed=1))
        for _ in range(30):
            for study in (first, second):
                trial = study.ask()
                study.tell(trial, -abs(trial.suggest_float("x", 0, 1) - 0.3) - trial.suggest_int("n", 0, 20))
        points = [(trial.params["x"], trial.params["n"]) for trial in first.trials]
        self.assertGreater(len(set(points)), 57)
        self.assertLess(sum(n for _, n in points[20:]) / 40, 5)

    def test_equal_values_are_not_asked_for_twice(self):
        """As soon as a repeated trial has shown that there is no noise."""
        study = self.study()
        study.optimize(lambda trial: -abs(trial.suggest_int("n", 0, 60) - 20.5), n_trials=55)
        self.assertGreater(len({trial.params["n"] for trial in study.trials}), 50)
        study = self.study()
        study.optimize(lambda trial: trial.suggest_int("n", 0, 60) > 30, n_trials=55)
        self.assertLess(len({trial.params["n"] for trial in study.trials}), 45)

    def test_a_space_that_is_used_up(self):
        study = self.study(noisy=False)
        study.optimize(lambda trial: trial.suggest_categorical("a", "xyz") == "y", n_trials=20)
        self.assertEqual(self.states(study), {"COMPLETE": 20})

    def test_jobs_at_once(self):
        study = self.study()
        study.optimize(lambda trial: -abs(trial.suggest_float("x", 0, 1) - 0.5) - trial.suggest_int("n", 0, 9),
                       n_trials=80, n_jobs=4)
        self.assertEqual(self.states(study), {"COMPLETE": 80})
        self.assertLess(sum(self.late(study, "n", 30)) / 30, 3)

    def test_trials_that_are_never_told(self):
        study = self.study(in_flight=4)
        for number in range(60):
            trial = study.ask()
            value = trial.suggest_float("x", 0, 1) + trial.suggest_int("n", 0, 9)
            if number % 2:
                study.tell(trial, value)
        self.assertGreater(study.best_value, 9.5)

    def test_learns_at_once(self):
        """No trial is chosen before those that have ended are known."""
        study = self.study()
        study.optimize(lambda trial: -sum((trial.suggest_float(name, 0, 1) - 0.6) ** 2 for name in "abcd"),
                       n_trials=50)
        self.assertGreater(study.best_value, -0.02)

    def test_pickled(self):
        sampler = self.sampler(seed=5)
        study = optuna.create_study(direction="maximize", sampler=sampler)

        def objective(trial):
            return -abs(trial.suggest_float("x", 0, 1) - 0.5)

        study.optimize(objective, n_trials=20)
        for other in (pickle.loads(pickle.dumps(sampler)), copy.deepcopy(sampler)):
            study.sampler = other
            study.optimize(objective, n_trials=10)
        restored = pickle.loads(pickle.dumps(study))
        restored.optimize(objective, n_trials=5)
        self.assertEqual(len(restored.trials), 45)
        self.assertLess(abs(study.best_params["x"] - 0.5), 0.05)

    def test_one_sampler_of_several_studies(self):
        sampler = self.sampler(seed=1)
        for target in (0.2, 0.8):
            study = optuna.create_study(sampler=sampler)
            study.optimize(lambda trial: abs(trial.suggest_float("x", 0, 1) - target), n_trials=30)
            self.assertLess(abs(study.best_params["x"] - target), 0.06)

    def test_seeds(self):
        def points(sampler):
            study = optuna.create_study(sampler=sampler)
            study.optimize(lambda trial: trial.suggest_float("x", 0, 1) + trial.suggest_int("n", 0, 50), n_trials=20)
            return [trial.params for trial in study.trials]

        reseeded = self.sampler(seed=4)
        reseeded.reseed_rng()
        self.assertEqual(points(self.sampler(seed=4)), points(self.sampler(seed=4)))
        self.assertNotEqual(points(self.sampler(seed=4)), points(reseeded))
        self.assertNotEqual(points(self.sampler()), points(self.sampler()))

    def test_stopped_and_taken_up_again(self):
        study = self.study("minimize")

        def stop(study, trial):
            if trial.number == 9:
                study.stop()

        for trials, callbacks in ((100, [stop]), (30, [])):
            study.optimize(lambda trial: (trial.suggest_float("x", -3, 3) - 1) ** 2, trials, callbacks=callbacks)
        self.assertEqual(self.states(study), {"COMPLETE": 40})
        self.assertLess(study.best_value, 0.05)

    def test_constants(self):
        study = self.study()
        study.optimize(lambda trial: 1.0 + 0 * trial.suggest_float("x", 0, 1), n_trials=40)
        study.optimize(lambda trial: 2.0, n_trials=10)
        study.optimize(lambda trial: trial.suggest_float("one", 3, 3) + trial.suggest_int("two", 4, 4)
                       + len(trial.suggest_categorical("three", ["x"])), n_trials=10)
        self.assertEqual((len(study.trials), study.best_value), (60, 8.0))

    def test_choices_of_any_kind(self):
        choices = [None, True, 1, 1.5, "1", "", math.nan]
        study = self.study()
        study.optimize(lambda trial: len(repr(trial.suggest_categorical("c", choices))), n_trials=60)
        self.assertEqual(study.best_value, 4)

    def test_what_an_optimiser_cannot_learn_from(self):
        study = self.study(optimiser="spsa")
        study.enqueue_trial({"x": 0.5})
        study.optimize(lambda trial: -abs(trial.suggest_float("x", 0, 1) - 0.4), n_trials=60)
        self.assertEqual(self.states(study), {"COMPLETE": 60})


if __name__ == "__main__":
    unittest.main()
