"""Optimisers for loops of the caller's own."""

from __future__ import annotations

import json
import numbers
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _ntune
from ._keys import suggesting
from ._match import MATCH_NAMES, match_of, refuse_beside_match
from ._plain import cost_of, folder_name, named, plain, text_of, told_of, told_of_seats
from ._recorded import record
from ._result import load
from ._space import Space
from ._study import given_study, study_file


class Trial:
    """An evaluation to be made."""

    __slots__ = ("id", "params", "seed", "instance", "stage", "run", "_place", "_opponent", "_looked", "_games")

    def __init__(self, asked: dict[str, Any]) -> None:
        self.id: int = asked["id"]
        #: Values by the names of the parameters.
        self.params: dict[str, Any] = asked["params"]
        #: For the random numbers of this evaluation.
        self.seed: int = asked["seed"]
        #: On which it is to be made, where the study has instances.
        self.instance: Any = asked.get("instance")
        self._opponent: dict[str, Any] | None = asked.get("opponent")
        self._games: list[dict[str, Any]] | None = asked.get("games")
        self._looked = False
        #: "search", "re_evaluation" or "hold_out".
        self.stage: str = asked["stage"]
        self.run: int = asked["run"]
        self._place = (0, asked["repeat"], asked["stage"], asked["run"], asked["evaluation"])

    @property
    def opponent(self) -> dict[str, Any] | None:
        """Whom it is to play, where evaluations are matches: values by the names of the parameters."""
        self._looked = True
        return self._opponent

    @property
    def games(self) -> list[dict[str, Any]] | None:
        """Of a match at a table: "seed" and "seats" of each game, the values of the player in every seat."""
        self._looked = True
        return self._games

    def _check(self) -> None:
        """Raises ValueError where a match is told that cannot have been played."""
        if self._opponent is not None and not self._looked:
            raise ValueError(f"trial: {self.id} is a match, to be played against trial.opponent, which "
                             "nobody has looked at")

    def __repr__(self) -> str:
        return f"<ntune.Trial {self.id}: {self.params}>"


def _ends(interval: list[float] | None) -> tuple[float, float] | None:
    return (interval[0], interval[1]) if interval else None


class Recommendation(NamedTuple):
    """What an optimiser recommends now, in the unit of the values that it was told."""

    best: dict[str, Any]
    estimate: float
    #: mean of fresh evaluations, at the end; of several goals a dictionary of each
    value: float | dict[str, float] | None
    #: 95 %, of `value`
    interval: tuple[float, float] | dict[str, tuple[float, float] | None] | None
    final: bool  #: the study is done
    verdict: str | None = None  #: once it is done, what to do: see `Result.verdict`
    setting: dict[str, Any] | None = None  #: the values that the verdict says


class Optimiser:
    """Asks for evaluations and takes their values, in any order and from any loop.

    A search of `evaluations` is all there is by default: one run, no comparison, no hold-out. Any
    keys of a study file make it a study with more (`runs`, `budget`, `hold_out`, …). With a
    `folder` everything is kept, and `Optimiser.load` goes on. `parallel_evaluations` is how many
    evaluations may be asked for before they are told; the same commands as `ntune serve` are behind
    it. With `match=True` an evaluation is a match against `trial.opponent`, and is told by the
    points of each game (see `maximise`). Raises ValueError that begins with the argument.

    >>> optimiser = Optimiser({"x": range(8)}, evaluations=40, noisy=False)
    >>> for trial in optimiser:
    ...     optimiser.tell(trial, -abs(trial.params["x"] - 4))
    >>> optimiser.recommend().best
    {'x': 4}
    """

    if TYPE_CHECKING:
        def __init__(self, space: Any = None, *, evaluations: int | None = None, seed: int = 1,
                     folder: str | os.PathLike[str] | None = None, resume: bool = False,
                     direction: str = "maximise", payoffs: tuple[float, float] | None = None,
                     two_valued: bool = False, noisy: bool = True, match: bool = False,
                     study: Any = None,
                     name: str = ..., instances: Any = ..., test_instances: Any = ...,
                     aggregate: Any = ..., instance_effects: Any = ..., default: Any = ...,
                     start: Any = ..., prior: Any = ..., optimiser: Any = ...,
                     optimisers: Any = ..., runs: int = ..., iterations: int = ...,
                     budget: Any = ..., time: Any = ..., re_evaluation: Any = ...,
                     hold_out: int = ..., split: Any = ..., splits: Any = ..., repeats: int = ...,
                     threads: int = ..., parallel_evaluations: int = ..., fail: Any = ...,
                     max_failure_rate: float = ..., fail_limit: float = ...,
                     learn_from_failures: bool = ..., instance_blocks: bool = ...,
                     learn_from_penalties: bool = ..., record: str = ..., opponents: Any = ...,
                     weights: Any = ..., players: int = ...) -> None: ...
    else:
        def __init__(self, space: Any = None, *, evaluations: int | None = None, seed: int = 1,
                     folder: str | os.PathLike[str] | None = None, resume: bool = False,
                     direction: str = "maximise", payoffs: tuple[float, float] | None = None,
                     two_valued: bool = False, noisy: bool = True, match: bool = False,
                     study: Any = None, **keys: Any) -> None:
            if study is None:
                if match:
                    refuse_beside_match(payoffs, two_valued, noisy)
                    objective, keys = match_of("optimiser", keys)
                else:
                    objective = {"ask_tell": "optimiser", "direction": direction,
                                 "two_valued": two_valued, "noisy": noisy}
                    if payoffs is not None:
                        objective["payoffs"] = payoffs
                keys = {"objective": objective, "space": space, "seed": seed, **keys}
                if evaluations is not None:
                    # What is measured afresh is asked for too, where the front of several goals is.
                    fresh = {} if "goals" in keys else {"hold_out": 0}
                    keys = {"runs": 1, "iterations": evaluations, **fresh, **keys}
            text, name = given_study(study, keys)
            path = "" if folder is None else folder_name(folder)
            with suggesting(Optimiser.__init__), named(
                    {"iterations": "evaluations", "objective.direction": "direction",
                     "objective.payoffs": "payoffs", "objective.two_valued": "two_valued",
                     "objective.noisy": "noisy", **MATCH_NAMES, path: f"folder: {path}"}):
                self._begin(_ntune.GivenStudy(text, name, path, resume))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Optimiser:
        """Goes on with what a folder holds, whoever has begun it."""
        optimiser = cls.__new__(cls)
        path = os.fspath(folder)
        optimiser._begin(_ntune.GivenStudy("", study_file(path), path, True))
        return optimiser

    def _begin(self, given: _ntune.GivenStudy) -> None:
        self._stepper = _ntune.Stepper(given)
        self._folder = given.folder

    @property
    def config(self) -> dict[str, Any]:
        """The study with every default."""
        return self._stepper.config()

    @property
    def space(self) -> Space:
        return Space(self.config["space"])

    def ask(self) -> Trial | None:
        """The next evaluation; None: the study is done.

        Raises RuntimeError where one that is in flight must be told first.
        """
        asked = self._stepper.ask()
        if "id" in asked:
            return Trial(asked)
        if "done" in asked:
            return None
        waiting = ", ".join(str(number) for number in asked["wait"])
        raise RuntimeError(f"evaluations {waiting} are in flight: tell one of them first "
                           "(parallel_evaluations= allows more)")

    def __iter__(self) -> Iterator[Trial]:
        while (trial := self.ask()) is not None:
            yield trial

    def tell(self, trial: Trial | int | Mapping[str, Any], value: Any, *,
             cost: float | None = None, instance: Any = None) -> None:
        """What an evaluation has brought: what a function may return (see `maximise`).

        `trial` is what `ask` gave, or its id, or parameters that nobody asked for, on `instance`
        where the study has instances. `cost` is what it used of `budget={"cost": …}`. Further names
        of a dict are recorded in the `folder`, for a trial that `ask` gave.
        """
        try:
            at_table = isinstance(trial, Trial) and trial._games is not None
            by_seat = isinstance(value, list) and not all(isinstance(one, numbers.Real) for one in value)
            told = (told_of_seats(value) if at_table and by_seat
                    else told_of(value, list(self.config.get("goals") or ())))
        except (TypeError, ValueError) as error:
            raise ValueError(f"value: {str(error).replace('the function returned', 'is', 1)}") from None
        cost = cost_of(cost, "cost:") if cost is not None else told.cost
        if isinstance(trial, Mapping):
            self._stepper.tell_point(text_of(trial), told.payoffs, json.dumps(plain(instance)))
            return
        if isinstance(trial, Trial):
            trial._check()
        if instance is not None and not (isinstance(trial, Trial) and instance == trial.instance):
            raise ValueError(f"instance: is {instance!r:.80}; a trial that was asked for has its own")
        # Names first: who follows the study reads them with the trial, and never again.
        if self._folder and isinstance(trial, Trial):
            record(self._folder, trial._place, told.names)
        self._stepper.tell(_number(trial), told.payoffs, cost, told.games, told.by_seat)

    def fail(self, trial: Trial | int, reason: str = "no reason given") -> None:
        """The evaluation has failed. What becomes of that is the study's `fail` key."""
        if not isinstance(reason, str):
            raise ValueError(f"reason: is {reason!r:.80}; a text is allowed")
        self._stepper.fail(_number(trial), reason)

    def recommend(self) -> Recommendation:
        """What is best by all that was told. Raises ValueError where nothing was."""
        now = self._stepper.recommend()
        interval = now.get("interval")
        if isinstance(interval, dict):
            interval = {goal: _ends(of_goal) for goal, of_goal in interval.items()}
        else:
            interval = _ends(interval)
        return Recommendation(now["params"], now["estimate"], now.get("value"), interval, now["final"],
                              now.get("verdict"), now.get("setting"))

    def status(self) -> dict[str, Any]:
        """Evaluations made and planned, those in flight, and whether all is done."""
        return self._stepper.status()

    def verify(self, function: Callable[..., Any], **options: Any) -> dict[str, Any]:
        """Tests the final recommendation against another point; see `Result.verify`."""
        if not self._folder:
            raise ValueError("folder: a test needs the folder of a study that is done")
        return load(self._folder).verify(function, **options)

    def close(self) -> None:
        """Lets go of the folder; `load` goes on."""
        self._stepper.close()

    def __enter__(self) -> Optimiser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _number(trial: Trial | int) -> int:
    if isinstance(trial, Trial):
        return trial.id
    if isinstance(trial, bool) or not isinstance(trial, numbers.Integral) or not 0 <= trial < 2**63:
        raise ValueError(f"trial: is {trial!r:.80}; what ask gave or its id is allowed")
    return int(trial)
