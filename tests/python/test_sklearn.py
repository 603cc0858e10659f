"""scikit-learn's contract."""

import contextlib
import unittest
import warnings

try:
    import sklearn
except ImportError:
    sklearn = None


@unittest.skipIf(sklearn is None, "python3-sklearn is not installed")
class Sklearn(unittest.TestCase):
    def setUp(self):
        from sklearn.datasets import load_iris

        warnings.simplefilter("ignore")
        self.x, self.y = load_iris(return_X_y=True)

    def search(self, **keys):
        from sklearn.svm import SVC

        from ntune import log_range
        from ntune.sklearn import NTuneSearchCV

        space = {"C": log_range(0.001, 100, 6), "kernel": ["linear", "rbf"]}
        return NTuneSearchCV(SVC(), space, **{"evaluations": 8, "random_state": 1, **keys})

    def test_fit(self):
        search = self.search().fit(self.x, self.y)
        self.assertGreater(search.best_score_, 0.95)
        self.assertEqual(len(search.cv_results_["params"]), 8)
        self.assertEqual(search.predict(self.x[:3]).shape, (3,))
        self.assertEqual(set(search.best_params_), {"C", "kernel"})

    def test_small_space_ends(self):
        self.assertLessEqual(len(self.search(evaluations=40).fit(self.x, self.y).cv_results_["params"]), 12)

    def test_batches(self):
        search = self.search(batch=3, n_jobs=2).fit(self.x, self.y)
        self.assertEqual(len(search.cv_results_["params"]), 8)

    def test_several_scores(self):
        search = self.search(scoring=["accuracy", "f1_macro"], refit="f1_macro").fit(self.x, self.y)
        self.assertIn("mean_test_accuracy", search.cv_results_)

    def test_clone(self):
        from sklearn.base import clone

        self.assertEqual(clone(self.search(batch=3)).get_params()["batch"], 3)

    def test_contract(self):
        """scikit-learn's own checks of estimators."""
        from sklearn.linear_model import Ridge
        from sklearn.utils.estimator_checks import check_estimator

        from ntune.sklearn import NTuneSearchCV

        checks = check_estimator(NTuneSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, evaluations=2, cv=2),
                                 generate_only=True)
        for estimator, check in checks:
            name = getattr(check, "func", check).__name__
            if name == "check_parameters_default_constructible":
                continue  # it gives searches an estimator and no space
            with self.subTest(name), contextlib.suppress(unittest.SkipTest):
                check(estimator)


if __name__ == "__main__":
    unittest.main()
