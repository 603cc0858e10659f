"""Python's values as those of a study file."""

from __future__ import annotations

import json
import math
import numbers
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

#: What a letter is worth: a win, a draw, a loss.
LETTERS = {"W": 1.0, "D": 0.5, "L": 0.0}


def folder_name(folder: str | os.PathLike[str]) -> str:
    """The name of a folder. An empty one would be the current folder."""
    name = os.fspath(folder)
    if not name:
        raise ValueError("folder: is empty, the name of a folder is allowed")
    return name


def plain(value: Any) -> Any:
    """The value as JSON has it. Takes what NumPy and the package itself have, too.

    >>> plain({"depth": range(1, 4), "mode": ("a", "b")})
    {'depth': [1, 2, 3], 'mode': ['a', 'b']}
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "to_plain"):
        return value.to_plain()
    if hasattr(value, "tolist"):  # of NumPy
        return plain(value.tolist())
    if isinstance(value, (set, frozenset)):
        raise ValueError(f"is {value!r:.80}, which has no order; a list is allowed")
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    raise ValueError(f"is {value!r:.80}; a number, text, list or dict is allowed")


@contextmanager
def named(names: Mapping[str, str]) -> Iterator[None]:
    """Gives what an error begins with the name that it has in Python."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        for key, name in names.items():
            if text.startswith((f"{key}: ", f"{key}[")):
                raise ValueError(f"{name}{text[len(key):]}") from None
        raise


def text_of(value: Mapping[str, Any]) -> str:
    """The arguments as JSON. Throws ValueError that begins with the argument's name."""
    made = {}
    for key, item in value.items():
        try:
            made[str(key)] = plain(item)
            _check_whole(made[str(key)])
            json.dumps(made[str(key)], allow_nan=False)
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None
    return json.dumps(made)


def _check_whole(value: Any) -> None:
    """Raises ValueError where a whole number would lose digits."""
    if isinstance(value, int) and not -2**63 <= value < 2**63:
        raise ValueError(f"is {value}; whole numbers from -2**63 to 2**63 - 1 are exact, others can be a "
                         "float or a text")
    if isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            _check_whole(item)


def payoffs_of(value: Any) -> list[float]:
    """The payoffs that a function has returned: a number, True or False, W, D or L, or several.

    >>> payoffs_of(True), payoffs_of("W"), payoffs_of("WDL"), payoffs_of([0.5, 1])
    ([1.0], [1.0], [1.0, 0.5, 0.0], [0.5, 1.0])
    """
    if type(value) is float:  # by far the most
        return [value]
    if isinstance(value, str) and value and all(letter in LETTERS for letter in value):
        return [LETTERS[letter] for letter in value]
    if isinstance(value, numbers.Real):
        return [float(value)]
    if hasattr(value, "tolist"):
        return payoffs_of(value.tolist())
    if isinstance(value, tuple):
        raise TypeError(f"the function returned {value!r:.80}, a tuple; return a number, a list of payoffs that "
                        "count alike, or a dict: value, cost, and names that are recorded")
    if isinstance(value, list) and value:
        return [payoff for item in value for payoff in payoffs_of(item)]
    raise TypeError(f"the function returned {value!r:.80}; a number, True or False, 'W', 'D' or 'L', "
                    "a list of these, or a dict with 'value' is allowed")


def are_letters(value: Any) -> bool:
    """Whether the payoffs are all of W, D and L, and with that results of games.

    >>> are_letters("WDL"), are_letters(["W", "L"]), are_letters(["W", 1]), are_letters(1)
    (True, True, False, False)
    """
    if isinstance(value, str):
        return True
    if hasattr(value, "tolist"):
        return are_letters(value.tolist())
    return isinstance(value, list) and all(are_letters(item) for item in value)


class Told(NamedTuple):
    """What an evaluation has brought."""

    payoffs: list[float]
    cost: float | None
    names: dict[str, Any]  #: to be recorded
    games: bool = False  #: the payoffs are results of games
    by_seat: str = ""  #: in place of the payoffs the results of the games of a table, as JSON


def told_of(value: Any, goals: Sequence[str] = ()) -> Told:
    """What a function has returned: payoffs, or a dict of `value` or `games`, `cost`, and other names.

    With goals a dict that has a number for each; the payoffs are these, in their order.

    >>> told_of({"ms": 12, "win": True, "depth": 7}, ["win", "ms"])
    Told(payoffs=[1.0, 12.0], cost=None, names={'depth': 7}, games=False, by_seat='')

    >>> told_of({"value": 3, "cost": 1.5, "depth": 7})
    Told(payoffs=[3.0], cost=1.5, names={'depth': 7}, games=False, by_seat='')
    >>> told_of({"games": "WD"})
    Told(payoffs=[1.0, 0.5], cost=None, names={}, games=True, by_seat='')
    """
    if not isinstance(value, Mapping):
        if goals:
            raise TypeError(f"the function returned {value!r:.80}; a dict with {', '.join(goals)} is allowed")
        return Told(payoffs_of(value), None, {}, are_letters(value))
    names = {str(name): item for name, item in value.items()}
    if goals:
        return _told(value, [_goal_of(value, names, goal) for goal in goals], names)
    is_list = "games" in names and not isinstance(names["games"], numbers.Real)
    if ("value" in names) == is_list:
        raise TypeError(f"the function returned {value!r:.80}; a dict has either 'value', or 'games' with the "
                        "result of each")
    returned = names.pop("games" if is_list else "value")
    payoffs = payoffs_of(returned)
    games = are_letters(returned) or is_list and set(payoffs) <= set(LETTERS.values())
    return _told(value, payoffs, names)._replace(games=games)


def _goal_of(value: Any, names: dict[str, Any], goal: str) -> float:
    found = names.pop(goal, None)
    if not isinstance(found, numbers.Real):
        raise TypeError(f"the function returned {value!r:.80}; a number '{goal}' is needed, one of its goals")
    return float(found)


def _told(value: Any, payoffs: list[float], names: dict[str, Any]) -> Told:
    """The payoffs, with the cost and the other names that were returned beside them."""
    cost = cost_of(names.pop("cost", None), "the function returned a cost that")
    try:
        return Told(payoffs, cost, {name: plain(item) for name, item in names.items()})
    except ValueError as error:
        raise TypeError(f"the function returned {value!r:.80}; a value in it {error}") from None


def told_of_seats(results: Sequence[Any]) -> Told:
    """What the games of a match at a table have brought: scores, or a dict of ranks, scores or the winner.

    >>> told_of_seats([[31, 40, 12], {"winner": 2, "turns": 9}])
    Told(payoffs=[], cost=None, names={'turns': [None, 9]}, games=False, by_seat='[{"scores": [31, 40, 12]}, {"winner": 2}]')
    """
    games: list[Any] = []
    others: list[dict[str, Any]] = []
    costs: list[float] = []
    for result in results:
        if not isinstance(result, (Mapping, list, tuple)):
            raise TypeError(f"the function returned {result!r:.80}; points of all seats are allowed, or a "
                            "dict of ranks, scores or the winner")
        names = {str(name): plain(item) for name, item in result.items()} \
            if isinstance(result, Mapping) else {"scores": plain(list(result))}
        games.append({name: names.pop(name) for name in ("ranks", "scores", "winner") if name in names})
        cost = cost_of(names.pop("cost", None), "the function returned a cost that")
        costs += [] if cost is None else [cost]
        others.append(names)
    both = {name: [other.get(name) for other in others] for other in others for name in other}
    return Told([], sum(costs) if costs else None, both, by_seat=json.dumps(games))


def cost_of(cost: Any, name: str) -> float | None:
    """A cost as a number; None: there is none. Raises ValueError."""
    if cost is None:
        return None
    if isinstance(cost, bool) or not isinstance(cost, numbers.Real) or not 0 <= float(cost) < math.inf:
        raise ValueError(f"{name} is {cost!r:.80}; a finite number of at least 0 is allowed")
    return float(cost)


def counted(count: int, noun: str) -> str:
    """Like 1 call, 2 calls."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
