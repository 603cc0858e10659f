"""Tunes the parameters of noisy, expensive functions, agents of games above all.

>>> import ntune
>>> def play(depth, c, rng):
...     return rng.random() < 0.4 + 0.05 * depth - 0.006 * depth**2 + 0.02 * c
>>> result = ntune.maximise(play, {"depth": range(1, 9), "c": ntune.log_range(0.1, 10, 9)},
...                         evaluations=300, seed=1)
>>> sorted(result.best), result.evaluations
(['c', 'depth'], 300)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from ._keys import suggesting, typed
from ._ntune import EvaluationError, __version__
from ._match import MATCH_NAMES, match_of, refuse_beside_match
from ._optimiser import Optimiser, Recommendation, Trial
from ._plain import named
from ._result import Interrupted, Result, load
from ._space import Space, boolean, choices, integers, log_range, real_range
from ._study import Study
from ._workers import Parallel

__all__ = ["EvaluationError", "Interrupted", "Optimiser", "Recommendation", "Result", "Space",
           "Study", "Trial", "__version__", "boolean", "choices", "integers", "load", "log_range",
           "maximise", "minimise", "real_range"]


def __dir__() -> list[str]:
    return __all__


#: Evaluations of a run in flight. Always the same, so that the result is the same for any workers;
#: eight at a time cost nothing that can be told from zero (benchmarks/results/budgets.md).
IN_FLIGHT = 8


@typed
def maximise(function: Callable[..., Any], space: Any, *, evaluations: int | None = None,
             seed: int = 1, parallel: Parallel = None, folder: str | os.PathLike[str] | None = None,
             resume: bool = False, progress: bool | None = None,
             payoffs: tuple[float, float] | None = None, two_valued: bool = False,
             noisy: bool = True, match: bool = False, **study: Any) -> Result:
    """Finds the values of parameters for which a function is largest on average.

    `function` is called with the parameters by name, and with `seed` (an integer), `rng` (a
    `random.Random`, or NumPy's `Generator` if it is annotated so) and `instance` if it takes them.
    It returns a number, True or False, "W", "D" or "L" (1, 1/2, 0), or a list of these, whose mean
    counts. A dict holds `value`, or `games` with the result of each, `cost` for a
    `budget={"cost": …}`, and other names, which `Result.trials` shows. What the function raises is
    a failure: by default that ends the study with `EvaluationError`, by `fail="skip"` it goes on.

    `space`: see `Space`. `evaluations`: calls of the function in all; search, comparison and fresh
    evaluations of what is recommended share them. The same `seed` gives the same result.

    `match=True`: the function plays one game of two players, `play(a, b, rng)`. It is given their
    parameters as dicts, `a` moves first, and it returns the points of `a`. An evaluation is a match:
    a game from either side, with the same random numbers. Candidates then play each other, and the
    default. `opponents=["default", {…}]`, with `weights=[3, 1]`, are fixed opponents that take part.
    `players=4` beside it: a game has so many seats, `play(seats, rng)` is given the player in each, and
    returns the points of all, or {"ranks": …} or {"winner": …}, a number from 1.
    A function that returns a list plays all games of a match by itself. The best player beats the
    default, `default={…}` or as the space says.

    `parallel`: a number of threads; "processes" or "processes:4"; or an executor, as of
    `concurrent.futures`, Dask or mpi4py. The result does not depend on it. At most
    `parallel_evaluations` (8 by default, and part of the study) are in flight.

    `folder` keeps a journal from which `resume=True` goes on, here or with the command `ntune`.
    `payoffs=(0, 1)` says which numbers are possible, and makes intervals narrower;
    `two_valued=True`: those two alone; `noisy=False`: equal calls give equal numbers.
    `progress`: True or False; by default a terminal or a notebook shows it. Any other keyword is a key
    of a study file: `optimiser`, `runs`, `default`, `start`, `prior`, `instances`, `time`, ….

    Raises ValueError that begins with the argument, and `Interrupted` when stopped by Ctrl-C.

    >>> maximise(lambda x: x != 2, {"x": range(4)}, evaluations=40, payoffs=(0, 1)).value
    1.0
    """
    if match:
        refuse_beside_match(payoffs, two_valued, noisy)
    values = {} if match else {"payoffs": payoffs, "two_valued": two_valued, "noisy": noisy}
    return _optimise("maximise", function, space, evaluations, seed, parallel, folder, resume,
                     progress, values, study, match)


@typed
def minimise(function: Callable[..., Any], space: Any, *, evaluations: int | None = None,
             seed: int = 1, parallel: Parallel = None, folder: str | os.PathLike[str] | None = None,
             resume: bool = False, progress: bool | None = None,
             payoffs: tuple[float, float] | None = None, two_valued: bool = False,
             noisy: bool = True, **study: Any) -> Result:
    """Finds the values for which a function is smallest on average; see `maximise`.

    >>> minimise(lambda x, y: abs(x - y), {"x": [1, 2, 3], "y": 2}, evaluations=40).best
    {'x': 2, 'y': 2}
    """
    return _optimise("minimise", function, space, evaluations, seed, parallel, folder, resume,
                     progress, {"payoffs": payoffs, "two_valued": two_valued, "noisy": noisy}, study)


def _optimise(direction: str, function: Callable[..., Any], space: Any, evaluations: int | None,
              seed: int, parallel: Parallel, folder: str | os.PathLike[str] | None, resume: bool,
              progress: bool | None, values: Mapping[str, Any], study: dict[str, Any],
              match: bool = False) -> Result:
    if not callable(function):
        raise ValueError(f"function: is {function!r:.80}, something to call is allowed")
    if "objective" in study:
        raise ValueError("objective: is the function; Study runs objectives of the library")
    if evaluations is None and not study.keys() & {"budget", "time", "iterations", "evaluations"}:
        raise ValueError("evaluations: is missing: how many calls of the function, such as "
                         "evaluations=300, or how long, such as time='2h'")
    name = getattr(function, "__name__", type(function).__name__)
    objective: dict[str, Any]
    if match:
        objective, study = match_of(name, study)
    else:
        objective = {"ask_tell": name, "direction": direction,
                     **{key: value for key, value in values.items() if value is not None}}
    keys = {"objective": objective, "space": space, "seed": seed,
            "parallel_evaluations": IN_FLIGHT, **study}
    if evaluations is not None:
        keys["budget"] = evaluations
    if seed is None:
        raise ValueError("seed: is None; a whole number is allowed, the same one for the same result")
    with suggesting(maximise if direction == "maximise" else minimise), named(
            {"budget": "evaluations", **MATCH_NAMES, **{f"objective.{key}": key for key in values}}):
        made = Study(**keys)
    return made.run(function, parallel=parallel, folder=folder, resume=resume, progress=progress)
