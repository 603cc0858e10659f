"""ntune as a sampler of Optuna's studies."""

from __future__ import annotations

import bisect
import contextlib
import math
import os
import random
import threading
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from optuna.trial import FrozenTrial, TrialState

from ._ntune import EvaluationError
from ._optimiser import Optimiser, Trial

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

#: Values of a continuous range and of a logarithmic one of integers.
POINTS = 20
#: Values of a range with steps, of integers too, where there are more.
STEPS = 101
#: Choices of a parameter that is searched; one with more is drawn at random.
MOST_CHOICES = 65535
#: A payoff of ntune; what is larger counts as infinite.
LARGEST = 1e100
#: The attribute of a trial that tells other processes what was chosen for it (`_number_of`).
CHOSEN = "ntune:chosen"
#: A point is put off so often while another trial has it, which may have died.
PATIENCE = 8
#: Of the walk from a point to one that is free.
STEPS_ASIDE = 100

DONE = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)


class NTuneSampler(optuna.samplers.BaseSampler):
    """Chooses the parameters of trials by an optimiser of ntune, which learns from all of a study.

    Trials of other processes, other samplers and `enqueue_trial` count, at the nearest values that
    are searched. A pruned trial, a failed one and an infinite value are bad, or good if infinity is.
    A parameter that only some trials have is searched by itself. What no trial has had is drawn at
    random.

    `evaluations`: trials that a search is planned for; another one follows, which learns from it.
    `optimiser`: as in a study file. `seed`: same seed, same choices. `noisy`: False where equal
    parameters give equal values; None: as the trials show. `in_flight`: trials that a search waits
    for at most.
    """

    def __init__(self, *, evaluations: int = 1000, seed: int | None = None, optimiser: Any = "auto",
                 in_flight: int = 64, noisy: bool | None = None) -> None:
        self._evaluations = evaluations
        self._seed = _any_seed() if seed is None else seed
        self._optimiser = optimiser
        self._in_flight = in_flight
        self._noisy = noisy
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.RLock()
        self._owner: tuple[Any, ...] = ()
        self._searches: dict[str, _Search] = {}
        self._used_up: dict[str, dict[str, BaseDistribution]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """All but the searches: what they know is in the study."""
        left = ("_lock", "_owner", "_searches", "_used_up")
        return {name: value for name, value in self.__dict__.items() if name not in left}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def reseed_rng(self) -> None:
        self._seed = _any_seed()

    def infer_relative_search_space(self, study: Any, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        return {name: kind for name, kind in _common(_trials_of(study)).items() if _is_searched(kind)}

    def sample_relative(self, study: Any, trial: FrozenTrial,
                        search_space: dict[str, BaseDistribution]) -> dict[str, Any]:
        _check_directions(study)
        if not search_space:
            return {}
        trials = _trials_of(study)
        whole = all(name in search_space or kind.single() for other in trials
                    for name, kind in other.distributions.items())
        noise = True if not whole else _noise_of(trials) if self._noisy is None else self._noisy
        with self._lock:
            chosen = self._ask(study, trial, trials, "", search_space, noise is not False)
            return chosen if noise or not chosen else self._tell_apart(study, trial, chosen)

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        _check_directions(study)
        trials = _trials_of(study)
        known = any(other.distributions.get(param_name) == param_distribution for other in trials
                    if other.state in (TrialState.COMPLETE, TrialState.PRUNED))
        if known and _is_searched(param_distribution):
            space = {param_name: param_distribution}
            chosen = self._ask(study, trial, trials, param_name, space, noisy=True)
            if chosen:
                return chosen[param_name]
        drawn = optuna.samplers.RandomSampler(seed=self._seed_of(trial, param_name))
        return drawn.sample_independent(study, trial, param_name, param_distribution)

    def _ask(self, study: Any, trial: FrozenTrial, trials: Sequence[FrozenTrial], key: str,
             space: dict[str, BaseDistribution], noisy: bool) -> dict[str, Any]:
        """Values of the search of that name; empty: there are none left.

        A search that cannot go on is begun anew, and learns from all trials of the study.
        """
        owner = (os.getpid(), study._storage, study._study_id)
        with self._lock:
            if self._owner != owner:
                self._owner, self._searches, self._used_up = owner, {}, {}
            noisy = noisy or self._used_up.get(key) == space
            search = self._searches.get(key)
            if search and search.space == space and search.noisy == noisy and search.learn(trials):
                chosen = search.ask(trial.number)
                if chosen:
                    return chosen
            # As few as possible are asked for ahead, since each is asked for without what they bring.
            wide = search.in_flight * (2 if search.full else 1) if search else 1
            search = _Search(space, noisy, min(wide, self._in_flight), self._begin(
                study, space, noisy, min(wide, self._in_flight), self._seed_of(trial, key)))
            self._searches[key] = search
            search.learn(trials)
            chosen = search.ask(trial.number)
            if not chosen and not noisy:  # Every point has been tried once.
                self._used_up[key] = space
                return self._ask(study, trial, trials, key, space, noisy=True)
            return chosen

    def _tell_apart(self, study: Any, trial: FrozenTrial, chosen: dict[str, Any]) -> dict[str, Any]:
        """Others near those that were chosen, where another trial has these and has not ended.

        They are written down before those of others are read. So of two trials that choose the same
        at the same moment, in two processes, one at least sees the other.
        """
        search = self._searches[""]
        rng = random.Random(self._seed_of(trial, CHOSEN))
        while True:
            study._storage.set_trial_system_attr(trial._trial_id, CHOSEN, _number_of(chosen))
            taken = {other.system_attrs.get(CHOSEN, -1) for other in _trials_of(study)
                     if other.number != trial.number and not search.knows(other)}
            if _number_of(chosen) not in taken:
                return chosen
            beside = search.beside(chosen, taken, rng)
            if not beside or not search.put_off(trial.number):
                return chosen
            chosen = beside

    def _begin(self, study: Any, space: dict[str, BaseDistribution], noisy: bool, in_flight: int,
               seed: int) -> Optimiser:
        minimise = study.direction == optuna.study.StudyDirection.MINIMIZE
        return Optimiser({name: _Axis(kind).definition for name, kind in space.items()},
                         evaluations=self._evaluations, seed=seed, noisy=noisy,
                         direction="minimise" if minimise else "maximise",
                         parallel_evaluations=in_flight, optimiser=self._optimiser,
                         fail="skip", max_failure_rate=1)

    def _seed_of(self, trial: FrozenTrial, name: str) -> int:
        """Another one for every trial, so that processes with one seed differ."""
        return zlib.crc32(f"{self._seed} {trial.number} {name}".encode())


def _any_seed() -> int:
    return random.SystemRandom().randrange(2**32)


def _trials_of(study: Any) -> list[FrozenTrial]:
    """All trials, of every bracket of a pruner too."""
    trials: list[FrozenTrial] = study._storage.get_all_trials(study._study_id, deepcopy=False)
    return trials


def _check_directions(study: Any) -> None:
    if len(study.directions) > 1:
        raise ValueError("study: has several objectives, one is allowed")


def _common(trials: Sequence[FrozenTrial]) -> dict[str, BaseDistribution]:
    """The parameters that all complete trials have, or all pruned ones where none is complete."""
    for state in (TrialState.COMPLETE, TrialState.PRUNED):
        kinds = [trial.distributions for trial in trials if trial.state == state]
        if kinds:
            return {name: kind for name, kind in sorted(kinds[0].items())
                    if all(other.get(name) == kind for other in kinds)}
    return {}


def _is_searched(kind: BaseDistribution) -> bool:
    return not kind.single() and not (
        isinstance(kind, CategoricalDistribution) and len(kind.choices) > MOST_CHOICES)


def _number_of(values: dict[str, Any]) -> int:
    """One that stands for these values."""
    return zlib.crc32(repr(sorted(values.items())).encode())


def _noise_of(trials: Sequence[FrozenTrial]) -> bool | None:
    """False where every repeated trial has had the same value, and that by no coincidence.

    None: the trials do not tell.
    """
    values: dict[str, float] = {}
    repeated = False
    for trial in trials:
        value = _value_of(trial)
        if value is not None:
            point = repr(sorted(trial.params.items()))
            repeated = repeated or point in values
            if values.setdefault(point, value) != value:
                return True
    return False if repeated and len(set(values.values())) > max(2, len(values) / 2) else None


def _value_of(trial: FrozenTrial) -> float | None:
    return trial.value if trial.state == TrialState.COMPLETE else None


def _is_finite(value: float | None) -> TypeGuard[float]:
    return value is not None and abs(value) <= LARGEST


def _key(point: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(point[name] for name in sorted(point))


class _Axis:
    """The values of a parameter that are searched. The search knows their places."""

    def __init__(self, kind: BaseDistribution) -> None:
        self._kind: Any = kind
        self._scaled: list[float] = []
        self._values: list[Any] = []
        if not isinstance(kind, CategoricalDistribution):
            self._values = self._grid()
            self._scaled = [self._scale(value) for value in self._values]

    @property
    def definition(self) -> dict[str, Any]:
        if self._values:
            return {"integers": [0, len(self._values) - 1]}
        return {"choices": list(range(len(self._kind.choices))), "ordered": False}

    def value(self, place: int) -> Any:
        return self._values[place] if self._values else self._kind.choices[place]

    def place(self, value: Any) -> int | None:
        """That of the nearest value; None: the parameter cannot have this one."""
        if not self._values:
            try:
                return int(self._kind.to_internal_repr(value))
            except ValueError:
                return None
        if not self._kind.low <= value <= self._kind.high:
            return None
        scaled = self._scale(value)
        after = bisect.bisect_left(self._scaled, scaled)
        near = [place for place in (after - 1, after) if 0 <= place < len(self._scaled)]
        return min(near, key=lambda place: abs(self._scaled[place] - scaled))

    def beside(self, place: int, rng: random.Random) -> int:
        """A step up or down, or any other choice."""
        if not self._values:
            return (place + rng.randrange(1, len(self._kind.choices))) % len(self._kind.choices)
        return rng.choice([step for step in (place - 1, place + 1) if 0 <= step < len(self._values)])

    def _scale(self, value: Any) -> float:
        return math.log(value) if self._kind.log else float(value)

    def _grid(self) -> list[Any]:
        low, high, step = self._kind.low, self._kind.high, self._kind.step
        whole = isinstance(self._kind, IntDistribution)
        if step is not None and not self._kind.log:
            last = (high - low) // step if whole else round((high - low) / step)
            count = min(last + 1, STEPS)
            return [min(low + last * i // (count - 1) * step, high) for i in range(count)]
        shares = [i / (POINTS - 1) for i in range(1, POINTS - 1)]
        if self._kind.log:
            begin, end = math.log(low), math.log(high)
            between = [math.exp(begin * (1 - share) + end * share) for share in shares]
        else:
            between = [low * (1 - share) + high * share for share in shares]
        inner = {min(max(round(value) if whole else value, low), high) for value in between}
        return sorted(inner | {low, high})


class _Search:
    """An optimiser over a space, and what it knows of a study's trials."""

    def __init__(self, space: dict[str, BaseDistribution], noisy: bool, in_flight: int,
                 optimiser: Optimiser) -> None:
        self.space = space
        self.noisy = noisy
        self.in_flight = in_flight
        self.full = False  #: more trials run than it can wait for
        self._axes = {name: _Axis(kind) for name, kind in space.items()}
        self._optimiser = optimiser
        self._minimise = optimiser.config["objective"]["direction"] == "minimise"
        self._asked: dict[int, Trial] = {}
        self._unused: list[Trial] = []
        self._put_off: dict[int, int] = {}  #: how often, by asked trials
        self._known: set[int] = set()
        self._told: dict[tuple[Any, ...], float] = {}  #: by points
        self._range: tuple[float, float] | None = None  #: of the finite values
        self._made_up = False  #: some values are made of the range

    def ask(self, number: int) -> dict[str, Any]:
        """The values for a trial; empty: there are none."""
        try:
            trial = self._unused.pop() if self._unused else self._optimiser.ask()
            while trial and not self.noisy and (known := self._told.get(_key(trial.params))) is not None:
                self._optimiser.tell(trial, known)  # of another sampler or process
                trial = self._optimiser.ask()
        except EvaluationError:  # nothing but failures, to the end
            return {}
        except RuntimeError:
            self.full = True
            return {}
        if trial is None:
            return {}
        self._asked[number] = trial
        return {name: axis.value(trial.params[name]) for name, axis in self._axes.items()}

    def knows(self, trial: FrozenTrial) -> bool:
        """Whether it was told of the trial's end."""
        return trial.number in self._known

    def put_off(self, number: int) -> bool:
        """Keeps for later what was asked for the trial. False: that has waited long enough."""
        asked = self._asked.get(number)
        if asked:
            self._put_off[asked.id] = self._put_off.get(asked.id, 0) + 1
            if self._put_off[asked.id] > PATIENCE:
                return False
            self._unused.append(self._asked.pop(number))
        return True

    def beside(self, values: dict[str, Any], taken: set[int], rng: random.Random) -> dict[str, Any]:
        """Values near these that no trial has had, nor is among those taken; empty: none was found."""
        place = {name: axis.place(values[name]) or 0 for name, axis in self._axes.items()}
        for _ in range(STEPS_ASIDE):
            name = rng.choice(sorted(place))
            place[name] = self._axes[name].beside(place[name], rng)
            beside = {name: axis.value(place[name]) for name, axis in self._axes.items()}
            if _key(place) not in self._told and _number_of(beside) not in taken:
                return beside
        return {}

    def learn(self, trials: Sequence[FrozenTrial]) -> bool:
        """Tells of the trials that have ended. False: another search must, with other values."""
        ended = [trial for trial in trials if trial.state in DONE and trial.number not in self._known]
        finite = [value for trial in ended if _is_finite(value := _value_of(trial))]
        now = (*(self._range or ()), *finite)
        span = (min(now), max(now)) if now else None
        if span != self._range and self._made_up:
            return False
        self._range = span
        # Its own come last, so that what it chooses next is chosen with all that is known.
        for trial in sorted(ended, key=lambda trial: trial.number in self._asked):
            self._known.add(trial.number)
            self._tell(trial)
        return True

    def _tell(self, trial: FrozenTrial) -> None:
        point = {name: axis.place(trial.params[name]) for name, axis in self._axes.items()
                 if name in trial.params}
        asked = self._asked.pop(trial.number, None) or self._waiting(point)
        if len(point) < len(self._axes) or None in point.values():
            self._unused += [asked] if asked else []
            return
        if asked and asked.params == point and trial.state == TrialState.FAIL:
            with contextlib.suppress(EvaluationError):  # as `ask` says
                self._optimiser.fail(asked)
            return
        value = self._told[_key(point)] = self._value(trial)
        if asked and asked.params == point:
            self._optimiser.tell(asked, value)
            return
        self._unused += [asked] if asked else []  # enqueued, with other values than were asked for
        with contextlib.suppress(ValueError):  # of an optimiser that learns from what it asks alone
            self._optimiser.tell(point, value)

    def _waiting(self, point: dict[str, Any]) -> Trial | None:
        """What was asked for that point and waits; a trial of another process has done it."""
        for index, asked in enumerate(self._unused):
            if asked.params == point:
                return self._unused.pop(index)
        return None

    def _value(self, trial: FrozenTrial) -> float:
        """What the trial is worth, as a number that a model can learn from."""
        value = _value_of(trial)
        if _is_finite(value):
            return value
        self._made_up = True
        low, high = self._range or (0.0, 0.0)
        apart = high / 2 - low / 2 or abs(high) / 2 or 1.0
        above, below = min(high + apart, LARGEST), max(low - apart, -LARGEST)
        if value is not None:
            return above if value > 0 else below
        worst, bad = (high, above) if self._minimise else (low, below)
        reported = trial.intermediate_values
        last = reported[max(reported)] if reported else bad
        if trial.state != TrialState.PRUNED or math.isnan(last):
            return bad
        # What a trial has reported before it was pruned is no better than the worst complete one.
        return min(max(last, worst), bad) if self._minimise else max(min(last, worst), bad)
