"""Optuna's contract."""

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


if __name__ == "__main__":
    unittest.main()
