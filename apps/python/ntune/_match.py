"""Matches between two players as the objective of a study."""

from __future__ import annotations

from typing import Any

#: How errors of a match name what was given, by what they begin with.
MATCH_NAMES = {"objective.match": "match", "objective.opponents": "opponents",
               "objective.weights": "weights", "objective.players": "players"}


def match_of(name: str, keys: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The objective of matches, and the keys that are left for the study.

    A default that is given is the opponent if no other is named, and the "default" among several.

    >>> match_of("play", {"default": {"x": 3}, "runs": 2})
    ({'match': {'ask_tell': 'play'}, 'opponents': [{'x': 3}]}, {'default': {'x': 3}, 'runs': 2})
    >>> match_of("play", {"default": {"x": 3}, "opponents": ["default", {"x": 4}]})[0]["opponents"]
    [{'x': 3}, {'x': 4}]
    """
    left = dict(keys)
    objective: dict[str, Any] = {"match": {"ask_tell": name}}
    for key in ("opponents", "weights", "players"):
        if left.get(key) is not None:
            objective[key] = left[key]
        left.pop(key, None)
    default = left.get("default")
    if isinstance(default, dict):
        opponents = objective.get("opponents", ["default"])
        if isinstance(opponents, (list, tuple)):
            objective["opponents"] = [default if one == "default" else one for one in opponents]
    return objective, left


def refuse_beside_match(payoffs: tuple[float, float] | None, two_valued: bool, noisy: bool) -> None:
    """Raises ValueError for what says nothing of matches."""
    for name, given in (("payoffs", payoffs is not None), ("two_valued", two_valued),
                        ("noisy", not noisy)):
        if given:
            raise ValueError(f"{name}: is for functions of one player; a game has points from 0 to 1")
