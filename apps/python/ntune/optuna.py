"""ntune as a sampler of Optuna's studies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import optuna
from optuna.distributions import (
    BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution)
from optuna.trial import FrozenTrial, TrialState

from ._optimiser import Optimiser, Trial

#: Values of a continuous range, and of integers where there are more.
POINTS = 20


class NTuneSampler(optuna.samplers.BaseSampler):
    """Chooses the parameters of trials by an optimiser of ntune.

    `evaluations`: trials that its search is planned for; it goes on with another one after them.
    `optimiser`: as in a study file; `seed`: same seed, same choices. `in_flight`: trials that may
    run at once. Parameters that only some trials have are drawn at random, as are the first trial
    and what cannot be searched.
    """

    def __init__(self, *, evaluations: int = 1000, seed: int = 1, optimiser: Any = "auto",
                 in_flight: int = 64) -> None:
        self._evaluations = evaluations
        self._seed = seed
        self._optimiser = optimiser
        self._in_flight = in_flight
        self._common = optuna.samplers.intersection_search_space
        self._random = optuna.samplers.RandomSampler(seed=seed)
        self._search: _Search | None = None

    def reseed_rng(self) -> None:
        self._random.reseed_rng()

    def infer_relative_search_space(self, study: Any, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        space: dict[str, BaseDistribution] = {}
        if complete:
            space = dict(self._common(study, ordered_dict=True))
        return {name: kind for name, kind in space.items() if not kind.single()}

    def sample_relative(self, study: Any, trial: FrozenTrial,
                        search_space: dict[str, BaseDistribution]) -> dict[str, Any]:
        _check_directions(study)
        if not search_space:
            return {}
        if self._search is None or self._search.space != search_space or self._search.done:
            self._search = self._begin(study, search_space)
        return self._search.ask(trial.number)

    def _begin(self, study: Any, space: dict[str, BaseDistribution]) -> _Search:
        minimise = study.direction == optuna.study.StudyDirection.MINIMIZE
        self._seed += self._search is not None
        search = _Search(space, Optimiser(
            {name: _definition(kind) for name, kind in space.items()}, evaluations=self._evaluations,
            seed=self._seed, direction="minimise" if minimise else "maximise",
            parallel_evaluations=self._in_flight, optimiser=self._optimiser, fail="skip"))
        for trial in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
            search.offer(trial)
        return search

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        _check_directions(study)
        return self._random.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(self, study: Any, trial: FrozenTrial, state: TrialState,
                    values: Sequence[float] | None) -> None:
        if self._search is not None:
            self._search.tell(trial, state, values)


def _check_directions(study: Any) -> None:
    if len(study.directions) > 1:
        raise ValueError("study: has several objectives, one is allowed")


class _Search:
    """An optimiser over a space, and the trials that it has asked for."""

    def __init__(self, space: dict[str, BaseDistribution], optimiser: Optimiser) -> None:
        self.space = space
        self.done = False
        self._optimiser = optimiser
        self._asked: dict[int, Trial] = {}

    def ask(self, number: int) -> dict[str, Any]:
        try:
            trial = self._optimiser.ask()
        except RuntimeError:  # too many in flight: this one is drawn at random
            return {}
        if trial is None:
            self.done = True
            return {}
        self._asked[number] = trial
        return {name: _given(kind, trial.params[name]) for name, kind in self.space.items()}

    def tell(self, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None) -> None:
        asked = self._asked.pop(trial.number, None)
        if asked is None:
            if state == TrialState.COMPLETE and values is not None:
                self._offer(trial.params, values[0])
        elif state == TrialState.COMPLETE and values is not None:
            self._optimiser.tell(asked, values[0])
        else:
            self._optimiser.fail(asked, state.name.lower())

    def offer(self, trial: FrozenTrial) -> None:
        if trial.value is not None:
            self._offer(trial.params, trial.value)

    def _offer(self, params: dict[str, Any], value: float) -> None:
        """Tells of a trial that was not asked for, where it lies on the grid."""
        point = {name: params.get(name) for name in self.space}
        try:
            self._optimiser.tell({name: _named(kind, point[name]) for name, kind in self.space.items()},
                                 value)
        except ValueError:  # off the grid, or of an optimiser that learns from what it asks alone
            pass


def _definition(kind: BaseDistribution) -> Any:
    """The values that are searched."""
    if isinstance(kind, CategoricalDistribution):
        return {"choices": [_named(kind, choice) for choice in kind.choices], "ordered": False}
    if isinstance(kind, IntDistribution):
        if kind.log:
            count = min(POINTS, kind.high - kind.low + 1)
            ratio = (kind.high / kind.low) ** (1 / (count - 1))
            return sorted({round(kind.low * ratio**i) for i in range(count)})
        step = kind.step * max(1, math.ceil((kind.high - kind.low) / kind.step / (5 * POINTS)))
        return {"integers": [kind.low, kind.high - (kind.high - kind.low) % step], "step": step}
    assert isinstance(kind, FloatDistribution)
    if kind.step is not None:
        count = round((kind.high - kind.low) / kind.step) + 1
        return {"range": [kind.low, kind.high], "points": count}
    return {"log_range" if kind.log else "range": [kind.low, kind.high], "points": POINTS}


def _named(kind: BaseDistribution, value: Any) -> Any:
    """The value as the space names it: choices by their places."""
    if isinstance(kind, CategoricalDistribution):
        return f"#{kind.choices.index(value)}"
    return value


def _given(kind: BaseDistribution, value: Any) -> Any:
    """The reverse."""
    if isinstance(kind, CategoricalDistribution):
        return kind.choices[int(value[1:])]
    if isinstance(kind, IntDistribution):
        return int(value)
    assert isinstance(kind, FloatDistribution)
    return min(max(float(value), kind.low), kind.high)
