"""A function of Python as the objective of a study."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._plain import Told, told_of, told_of_seats

#: What a function may take beside the parameters of the space.
EXTRAS = ("seed", "rng", "instance")


class Objective:
    """Calls a function with parameters by name, and with what else it asks for."""

    def __init__(self, function: Callable[..., Any], names: Iterable[str],
                 goals: Iterable[str] = ()) -> None:
        if not callable(function):
            raise ValueError(f"function: is {function!r:.80}, something to call is allowed")
        self.function = function
        self.goals = list(goals)
        names = list(names)
        self.extras, self.numpy = self._check(names)

    def _check(self, names: list[str]) -> tuple[tuple[str, ...], bool]:
        """Which extras the function takes, and whether its `rng` is NumPy's."""
        known = self._parameters("a number")
        if known is None:
            return (), False
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
        return extras, "rng" in extras and _is_numpy(known["rng"])

    def _parameters(self, returned: str) -> Mapping[str, inspect.Parameter] | None:
        """Those of the function, which must return what is named; None: it is of C and tells none."""
        try:
            known = inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return None
        if inspect.iscoroutinefunction(self.function):
            raise ValueError(f"function: is a coroutine function; one that returns {returned} is allowed")
        return known

    def __call__(self, params: dict[str, Any], seed: int, instance: Any,
                 opponent: Any = None, games: Any = None) -> Told:
        """What it brings. What the function raises comes through."""
        return told_of(self.function(**params, **self._extras(seed, instance)), self.goals)

    def _extras(self, seed: int, instance: Any) -> dict[str, Any]:
        extras: dict[str, Any] = {}
        if "seed" in self.extras:
            extras["seed"] = seed
        if "instance" in self.extras:
            extras["instance"] = instance
        if "rng" in self.extras:
            extras["rng"] = self._rng(seed)
        return extras

    def _rng(self, seed: int) -> Any:
        if not self.numpy:
            return random.Random(seed)
        import numpy

        return numpy.random.default_rng(seed)


class Match(Objective):
    """Calls a function of two players, given as dicts, for one game from either side.

    The first player moves first, and the function returns its points. Both games have the same
    random numbers. A function that returns a list or several letters has played a whole match.
    """

    #: How many arguments are players.
    players, example = 2, "of two players, such as play(a, b, rng)"

    def _check(self, names: list[str]) -> tuple[tuple[str, ...], bool]:
        parameters = self._parameters("points")
        if parameters is None:
            return (), False
        places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        known = list(parameters.values())
        players = [parameter for parameter in known
                   if parameter.kind in places and parameter.name not in EXTRAS][:self.players]
        extras = tuple(parameter.name for parameter in known if parameter.name in EXTRAS)
        any_place = any(parameter.kind == inspect.Parameter.VAR_POSITIONAL for parameter in known)
        if len(players) < self.players and not any_place:
            raise ValueError(f"function: takes {', '.join(parameters) or 'nothing'}; a match "
                             f"needs one {self.example}")
        required = [parameter.name for parameter in known
                    if parameter.default is parameter.empty and parameter not in players
                    and parameter.kind in (*places, inspect.Parameter.KEYWORD_ONLY)
                    and parameter.name not in EXTRAS]
        if required:
            raise ValueError(f"function: needs '{required[0]}'; beside the players it may take "
                             f"{', '.join(EXTRAS)}")
        return extras, "rng" in extras and _is_numpy(parameters["rng"])

    def __call__(self, params: dict[str, Any], seed: int, instance: Any,
                 opponent: Any = None, games: Any = None) -> Told:
        """The points of the games, of the player with these parameters."""
        first = self._game(params, opponent, seed, instance)
        if len(first.payoffs) > 1:
            return first
        second = self._game(opponent, params, seed, instance)
        if len(second.payoffs) > 1:
            raise TypeError("the function returned one game, then several; always one, or always a "
                            "list of all games of a match, is allowed")
        costs = [game.cost for game in (first, second) if game.cost is not None]
        both = {name: [game.names.get(name) for game in (first, second)]
                for name in {**first.names, **second.names}}
        return Told([first.payoffs[0], 1.0 - second.payoffs[0]], sum(costs) if costs else None, both)

    def _game(self, first: Any, second: Any, seed: int, instance: Any) -> Told:
        returned = self.function(dict(first), dict(second), **self._extras(seed, instance))
        told = told_of(returned)
        if any(not 0.0 <= point <= 1.0 for point in told.payoffs):
            raise ValueError(f"the function returned {returned!r:.80}; the points of the first player "
                             "are allowed, from 0 to 1")
        return told


class Table(Match):
    """Calls a function with the players in all seats, a list of dicts, for each game of a match.

    It returns the points of every seat, or a dict of "ranks", "scores" or the "winner", from 1.
    """

    players, example = 1, "of all seats, such as play(seats, rng)"

    def __call__(self, params: dict[str, Any], seed: int, instance: Any,
                 opponent: Any = None, games: Any = None) -> Told:
        """The results of the games, by seat."""
        return told_of_seats([self.function([dict(seat) for seat in game["seats"]],
                                            **self._extras(game["seed"], instance)) for game in games])


def _is_numpy(rng: inspect.Parameter) -> bool:
    """True if the parameter is declared as a generator of NumPy's."""
    wanted = str(rng.annotation)
    return "numpy" in wanted or wanted.endswith("Generator")


def objective_of(function: Callable[..., Any], names: Iterable[str],
                 config: Mapping[str, Any]) -> Objective:
    """The function as the objective of a study, of one player, of two, or of a table."""
    described = config.get("objective")
    if not isinstance(described, Mapping) or "match" not in described:
        return Objective(function, names, config.get("goals") or ())
    has_seats = isinstance(described.get("players"), int)
    return (Table if has_seats else Match)(function, names, config.get("goals") or ())
