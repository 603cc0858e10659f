"""The keywords of functions as type checkers see them, and what is said of others.

`Unpack` of a `TypedDict` would say it in fewer lines, but mypy before 1.7 takes that for any keyword.
"""

from __future__ import annotations

import difflib
import inspect
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

from ._result import Result
from ._workers import Parallel


class Optimises(Protocol):
    """`maximise` and `minimise`."""

    def __call__(self, function: Callable[..., Any], space: Any, *, evaluations: int | None = ...,
                 seed: int = ..., parallel: Parallel = ...,
                 folder: str | os.PathLike[str] | None = ..., resume: bool = ...,
                 progress: bool | None = ..., payoffs: tuple[float, float] | None = ...,
                 two_valued: bool = ..., noisy: bool = ..., match: bool = ...,
                 opponents: Any = ..., weights: Any = ..., players: int = ...,
                 name: str = ..., instances: Any = ..., test_instances: Any = ...,
                 aggregate: Any = ..., instance_effects: Any = ..., default: Any = ...,
                 start: Any = ..., prior: Any = ..., optimiser: Any = ..., optimisers: Any = ...,
                 runs: int = ..., iterations: int = ..., budget: Any = ..., time: Any = ...,
                 re_evaluation: Any = ..., hold_out: int = ..., split: Any = ...,
                 splits: Any = ..., repeats: int = ..., threads: int = ...,
                 parallel_evaluations: int = ..., fail: Any = ..., max_failure_rate: float = ...,
                 fail_limit: float = ..., learn_from_failures: bool = ...,
                 instance_blocks: bool = ..., learn_from_penalties: bool = ..., record: str = ...) -> Result: ...


def typed(function: Callable[..., Result]) -> Optimises:
    """The function itself."""
    return cast(Optimises, function)


@contextmanager
def suggesting(function: Callable[..., Any]) -> Iterator[None]:
    """Names the keyword that was meant, where a study has not known one."""
    try:
        yield
    except ValueError as error:
        unknown = re.match(r"(\w+): unknown key\b.*allowed: ([\w, ]+)$", str(error), re.S)
        if not unknown:
            raise
        given = [name for name, parameter in inspect.signature(function).parameters.items()
                 if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
        keys = re.split(r", | and ", unknown[2])
        near = difflib.get_close_matches(unknown[1], given + keys, 1)
        meant = f", did you mean {near[0]!r}?" if near else ""
        names = ", ".join(dict.fromkeys(given + keys))
        raise ValueError(f"{unknown[1]}: unknown keyword{meant}; allowed: {names}") from None
