"""ntune as a search over the parameters of scikit-learn's estimators."""

from __future__ import annotations

from typing import Any

from sklearn.model_selection._search import BaseSearchCV

from ._ntune import EvaluationError
from ._optimiser import Optimiser


class NTuneSearchCV(BaseSearchCV):
    """Searches as `RandomizedSearchCV` does, with the same arguments and attributes.

    `space`: names of parameters and their values, see `ntune.Space`; a choice that is no number,
    text or None cannot be named. `evaluations`: points that are cross-validated, each with all
    folds. `batch`: how many at once, for `n_jobs`; `random_state`: the seed of the search;
    `optimiser`: as in a study file.
    """

    def __init__(self, estimator: Any, space: Any, *, evaluations: int = 50, batch: int = 1,
                 optimiser: Any = "auto", random_state: int | None = None, scoring: Any = None,
                 n_jobs: int | None = None, refit: Any = True, cv: Any = None, verbose: int = 0,
                 pre_dispatch: Any = "2*n_jobs", error_score: Any = float("nan"),
                 return_train_score: bool = False) -> None:
        super().__init__(estimator=estimator, scoring=scoring, n_jobs=n_jobs, refit=refit, cv=cv,
                         verbose=verbose, pre_dispatch=pre_dispatch, error_score=error_score,
                         return_train_score=return_train_score)
        self.space = space
        self.evaluations = evaluations
        self.batch = batch
        self.optimiser = optimiser
        self.random_state = random_state

    def _run_search(self, evaluate_candidates: Any) -> None:
        optimiser = Optimiser(self.space, evaluations=self.evaluations, noisy=False, fail="skip",
                              seed=1 if self.random_state is None else self.random_state,
                              parallel_evaluations=self.batch, optimiser=self.optimiser)
        metric = self.refit if isinstance(self.refit, str) else "score"
        done = 0
        while True:
            trials: list[Any] = []
            while len(trials) < self.batch and (trial := self._next(optimiser)) is not None:
                trials.append(trial)
            if not trials:
                break
            results = evaluate_candidates([trial.params for trial in trials])
            if f"mean_test_{metric}" not in results:
                raise ValueError("refit: names the score that is searched for, where there are several")
            scores = results[f"mean_test_{metric}"][done:]
            done += len(trials)
            try:
                for trial, score in zip(trials, scores):
                    if score == score:
                        optimiser.tell(trial, score)
                    else:
                        optimiser.fail(trial, "the score is not a number")
            except EvaluationError:  # no point has a score: scikit-learn says the rest
                break
        optimiser.close()

    @staticmethod
    def _next(optimiser: Optimiser) -> Any:
        try:
            return optimiser.ask()
        except RuntimeError:  # what is in flight comes first
            return None
