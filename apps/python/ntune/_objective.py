"""A function of Python as the objective of a study."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterable
from typing import Any

from ._plain import payoffs_of

#: What a function may take beside the parameters of the space.
EXTRAS = ("seed", "rng", "instance")


class Objective:
    """Calls a function with parameters by name, and with what else it asks for."""

    def __init__(self, function: Callable[..., Any], names: Iterable[str]) -> None:
        if not callable(function):
            raise ValueError(f"function: is {function!r:.80}, something to call is allowed")
        self.function = function
        names = list(names)
        self.extras, self.numpy = self._check(names)

    def _check(self, names: list[str]) -> tuple[tuple[str, ...], bool]:
        """Which extras the function takes, and whether its `rng` is NumPy's."""
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):  # a function of C without one
            return (), False
        known = signature.parameters
        if inspect.iscoroutinefunction(self.function):
            raise ValueError("function: is a coroutine function; one that returns a number is allowed")
        kinds = [parameter.kind for parameter in known.values()]
        by_place = [name for name in names
                    if name in known and known[name].kind == inspect.Parameter.POSITIONAL_ONLY]
        if by_place:
            raise ValueError(f"function: takes '{by_place[0]}' by its place alone; parameters are "
                             "given by name")
        if inspect.Parameter.VAR_KEYWORD not in kinds:
            missing = [name for name in names if name not in known]
            if missing:
                raise ValueError(f"function: takes no '{missing[0]}', a parameter of the space; "
                                 f"it takes {', '.join(known) or 'nothing'}")
        required = [parameter.name for parameter in known.values()
                    if parameter.default is parameter.empty
                    and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
                    and parameter.name not in (*names, *EXTRAS)]
        if required:
            raise ValueError(f"function: needs '{required[0]}', which is no parameter of the space; "
                             f"beside those it may take {', '.join(EXTRAS)}")
        extras = tuple(name for name in EXTRAS if name in known and name not in names)
        wanted = str(known["rng"].annotation) if "rng" in extras else ""
        return extras, "numpy" in wanted or wanted.endswith("Generator")

    def __call__(self, params: dict[str, Any], seed: int, instance: Any) -> list[float]:
        """The payoffs. What the function raises comes through."""
        if "seed" in self.extras:
            params["seed"] = seed
        if "instance" in self.extras:
            params["instance"] = instance
        if "rng" in self.extras:
            params["rng"] = self._rng(seed)
        return payoffs_of(self.function(**params))

    def _rng(self, seed: int) -> Any:
        if not self.numpy:
            return random.Random(seed)
        import numpy

        return numpy.random.default_rng(seed)
