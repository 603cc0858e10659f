"""What a study has come to."""

from __future__ import annotations

import csv
import html
import io
import json
import numbers
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from typing import Any

from . import _ntune
from ._objective import objective_of
from ._plain import counted, folder_name, named, text_of
from ._progress import shown
from ._recorded import add_recorded
from ._space import names_in
from ._workers import Parallel, make_workers, working


class Result:
    """The result of a study: what it recommends, and what that is worth.

    >>> import ntune
    >>> result = ntune.maximise(lambda x: -(x - 3) ** 2, {"x": range(8)}, evaluations=50,
    ...                         noisy=False)
    >>> result.best, result.value
    ({'x': 3}, 0.0)
    """

    def __init__(self, folder: str | os.PathLike[str], data: dict[str, Any] | None = None,
                 last: dict[str, Any] | None = None, temporary: bool = False) -> None:
        #: Folder of the journal and the result. A study that was given none has a temporary one,
        #: which lasts as long as this object.
        self.folder = os.fspath(folder)
        self.take(data, last)
        if temporary:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def take(self, data: dict[str, Any] | None, last: dict[str, Any] | None) -> None:
        """What the study has come to, and what its search recommended if it was ended early."""
        #: All of result.json.
        self.data = data if data else {}
        self._last = last or {}

    @property
    def interrupted(self) -> bool:
        """The study has not come to its end."""
        return self.data.get("status") != "done"

    @property
    def recommendation(self) -> dict[str, Any]:
        """What result.json says of the recommended point; empty where there is none."""
        return self.data.get("recommendation") or {}

    @property
    def best(self) -> dict[str, Any]:
        """The recommended values by the names of the parameters; empty where there are none.

        Of a study that was interrupted: what its search would recommend. Of several goals: what to
        use within the limits, or in the order (`front` has all).
        """
        if self.data.get("front"):
            return self.data.get("setting") or {}
        return self.recommendation.get("parameters") or self._last.get("params") or {}

    @property
    def front(self) -> list[dict[str, Any]] | None:
        """The settings that a study of several goals has measured; None of one goal.

        Each has "parameters", "default", "on_front", "sure", "n" and "failures", "chosen", and
        "goals": by name "value", "interval", and what is known against a limit, in an order
        ("level") and against the default.

        >>> import ntune
        >>> study = ntune.Study(space={"x": range(9)}, budget=60, goals={"a": "maximise", "b": "minimise"})
        >>> front = study.run(lambda x: {"a": x, "b": x * x}).front
        >>> [(s["parameters"]["x"], s["goals"]["b"]["value"]) for s in front if s["on_front"]][0]
        (8, 64.0)
        >>> repr(study.run(lambda x: {"a": x, "b": x * x})).startswith("<ntune.Result: a front of ")
        True
        """
        front = self.data.get("front")
        if not front:
            return None
        return [{**setting, "chosen": front.get("chosen") == place,
                 "goals": {goal["goal"]: goal for goal in setting["goals"]}}
                for place, setting in enumerate(front["settings"])]

    @property
    def verdict(self) -> str | None:
        """What to do: "use" `best`, "keep" the default, "not_decided", "stopped", or "choose" one of a front."""
        return self.data.get("verdict")

    @property
    def setting(self) -> dict[str, Any] | None:
        """The values that the verdict says: `best`, or the default where that is to stay."""
        return self.data.get("setting")

    @property
    def value(self) -> float | None:
        """Mean of fresh evaluations of `best` in the function's unit; without them the estimate."""
        value = self.recommendation.get("value")
        return self.estimate if value is None else value

    @property
    def estimate(self) -> float | None:
        """What the model of the search believes `best` to be worth."""
        return self.recommendation.get("estimate", self._last.get("estimate"))

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of `value`; None where no fresh evaluations measured it."""
        pair = self.recommendation.get("interval")
        return (pair[0], pair[1]) if pair else None

    @property
    def evaluations(self) -> int:
        """Evaluations that were made, of search, comparison and hold-out."""
        return max(self.data.get("evaluations") or 0, self._last.get("evaluations") or 0)

    @property
    def default(self) -> dict[str, Any] | None:
        """How the declared default compares with `best`; None where there is none.

        "finding" is "better", "not_shown" (nothing is decided) or "keep", "finding_reason" the
        failures that decided it.
        """
        return self.data.get("default")

    @property
    def importance(self) -> dict[str, float]:
        """By parameter, the most important first: its share of the variance of what the search saw."""
        return {row["parameter"]: row["share"] for row in self.data.get("importance") or []}

    def report(self, file: str | os.PathLike[str]) -> str:
        """Writes one HTML page that opens without a network; returns its path."""
        path = os.fspath(file)
        _ntune.report([self.folder], path)
        return path

    def figures(self, name: str = "convergence") -> list[str]:
        """Figures of the report as SVG; the names are those of `ntune plot`."""
        return _ntune.figures(self.folder, name)

    def trials(self) -> list[dict[str, Any]]:
        """A dict for each evaluation: stage, run, value, failure, seconds and the parameters.

        A parameter with the name of one of these, such as `run`, stands under `parameter.run`.
        Beside them are the names that the function has returned in a dict, but not of a comparison.
        A study with an objective of the library has one for each run, unless it says
        `record="evaluations"`.
        """
        rows = csv.DictReader(io.StringIO(_ntune.export_csv(self.folder)))
        trials = [{key: _read(value) for key, value in row.items()} for row in rows]
        add_recorded(self.folder, trials)
        return trials

    def frame(self) -> Any:
        """The same as a frame of pandas."""
        import pandas

        return pandas.DataFrame(self.trials())

    def values(self) -> Any:
        """The values of all evaluations in their order as an array of NumPy; NaN: it failed."""
        import numpy

        values = [row["value"] for row in self.trials()]
        return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)

    def verify(self, function: Callable[..., Any] | None = None, *, against: Any = "default",
               parallel: Parallel = None, progress: bool | None = None,
               **options: Any) -> dict[str, Any]:
        """A sequential test: is `best` better than another point?

        `against`: "default", the other point as a dict, or a file or folder as in `ntune verify`.
        `options`: `evaluations` at most, error rates `alpha` and `beta`, hypotheses `elo0` and
        `elo1` of games or `effect0` and `effect1` in standard deviations, and `seed`. Returns
        "decision" ("better", "not_better", "undecided" or "same") and the figures. A decision
        against the default is the result's `verdict` from then on.
        """
        _check_options(options)
        config = self.data.get("study") or {}
        workers = None if function is None else make_workers(
            objective_of(function, names_in(config), config), parallel, config.get("parallel_evaluations", 1))
        threads = parallel if function is None and isinstance(parallel, int) else -1
        with tempfile.TemporaryDirectory() as scratch, working(workers), shown(progress) as notify:
            other = os.path.join(scratch, "against.json")
            if isinstance(against, dict):
                with open(other, "w", encoding="utf-8") as file:
                    file.write(text_of(against))
            else:
                other = os.fspath(against)
            with named({other: "against", f"against {other}": "against"}):
                made, _, error = _ntune.verify(self.folder, other, text_of(options), threads, workers,
                                               notify)
            if error is not None:
                raise error
        self.take(load(self.folder).data, self._last)  # a decision against the default is the verdict
        made["against"] = against if isinstance(against, dict) else other
        return made

    def __repr__(self) -> str:
        if not self.best and self.front:
            settings = sum(1 for setting in self.front if setting["on_front"])
            return f"<ntune.Result: a front of {counted(settings, 'setting')}; {self._made()}>"
        if not self.best:
            return f"<ntune.Result: no recommendation, {self._made()}>"
        parts = ", ".join(f"{name}={value!r}" for name, value in self.best.items())
        return f"<ntune.Result: {parts}; {self._value_text()}; {self._made()}>"

    def _made(self) -> str:
        return counted(self.evaluations, "evaluation")

    def _value_text(self) -> str:
        if self.value is None:
            return "no value"
        if self.recommendation.get("value") is None:
            return f"estimate {self.value:.4g}"
        if self.interval is None:
            return f"value {self.value:.4g}"
        return f"value {self.value:.4g} [{self.interval[0]:.4g}, {self.interval[1]:.4g}]"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                       for name, value in self.best.items())
        try:
            pictures = "".join(self.figures("convergence"))
        except (ValueError, RuntimeError):  # nothing to show yet
            pictures = ""
        return (f"<table>{rows}<tr><th>{html.escape(self._value_text())}</th>"
                f"<td>{self._made()}</td></tr></table>{pictures}")


#: The options of a test and their ranges, as those of `ntune verify`.
OPTIONS = {"evaluations": (2, 10**12), "alpha": (1e-6, 0.499), "beta": (1e-6, 0.499), "elo0": (-400, 400),
           "elo1": (-400, 400), "effect0": (-10, 10), "effect1": (-10, 10), "seed": (0, 2**63 - 1)}


def _check_options(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if name not in OPTIONS:
            raise ValueError(f"{name}: is no option of a test; allowed: {', '.join(OPTIONS)}")
        low, high = OPTIONS[name]
        whole = name in ("evaluations", "seed")
        if not isinstance(value, numbers.Integral if whole else numbers.Real) or (
                not low <= float(value) <= high):
            raise ValueError(f"{name}: is {value!r:.80}, a {'whole ' if whole else ''}number from {low:,} to "
                             f"{high:,} is allowed")


def _read(text: str | None) -> Any:
    """A field of a CSV file."""
    if not text:
        return None
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text


class Interrupted(KeyboardInterrupt):
    """A study was stopped from the keyboard. `result` has what is done.

    With a folder of its own it goes on by the same call with `resume=True`.
    """

    def __init__(self, result: Result) -> None:
        super().__init__(f"the study was stopped: {result!r}")
        self.result = result


def load(folder: str | os.PathLike[str]) -> Result:
    """The result in a folder of `ntune run --out`, `ntune serve --out` or of this package.

    Raises ValueError where the folder holds none.
    """
    path = os.path.join(folder_name(folder), "result.json")
    try:
        with open(path, encoding="utf-8") as file:
            return Result(folder, json.load(file))
    except FileNotFoundError:
        raise ValueError(f"folder: {os.fspath(folder)} holds no result.json; Optimiser.load and "
                         "Study.load go on with what was begun there") from None
