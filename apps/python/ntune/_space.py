"""Search spaces."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from . import _ntune
from ._plain import plain, text_of


#: The values of earlier parameters that make a parameter active, or a list of alternatives.
When = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]


def _with(definition: dict[str, Any], default: Any, when: When | None) -> dict[str, Any]:
    if default is not None:
        definition["default"] = default
    if when is not None:
        definition["when"] = dict(when) if isinstance(when, Mapping) else [dict(each) for each in when]
    return definition


def log_range(low: float, high: float, points: int, *, default: float | None = None,
              when: When | None = None) -> dict[str, Any]:
    """Real numbers from `low` > 0 to `high`, each the same multiple of the one before.

    >>> log_range(0.1, 10, 3)
    {'log_range': [0.1, 10], 'points': 3}
    """
    return _with({"log_range": [low, high], "points": points}, default, when)


def real_range(low: float, high: float, points: int | None = None, *, step: float | None = None,
               default: float | None = None, when: When | None = None) -> dict[str, Any]:
    """Real numbers from `low` to `high`, by their number or their distance.

    >>> real_range(0, 1, 5)
    {'range': [0, 1], 'points': 5}
    """
    if (points is None) == (step is None):
        raise ValueError("points: one of points and step says how many values there are")
    definition: dict[str, Any] = {"range": [low, high]}
    if step is None:
        definition["points"] = points
    else:
        definition["step"] = step
    return _with(definition, default, when)


def integers(low: int, high: int, step: int = 1, *, default: int | None = None,
             when: When | None = None) -> dict[str, Any]:
    """Whole numbers from `low` to `high`, which counts.

    >>> integers(1, 9, 2)
    {'integers': [1, 9], 'step': 2}
    """
    return _with({"integers": [low, high], "step": step}, default, when)


def choices(*values: Any, ordered: bool | None = None, default: Any = None,
            when: When | None = None) -> dict[str, Any]:
    """Any values. `ordered=False`: neighbours of numbers are not alike.

    >>> choices("a", "b", default="b")
    {'choices': ['a', 'b'], 'default': 'b'}
    """
    definition: dict[str, Any] = {"choices": list(values)}
    if ordered is not None:
        definition["ordered"] = ordered
    return _with(definition, default, when)


def boolean(*, default: bool | None = None, when: When | None = None) -> dict[str, Any]:
    """False and True.

    >>> boolean(default=True)
    {'boolean': None, 'default': True}
    """
    return _with({"boolean": None}, default, when)


def definition_of(value: Any) -> Any:
    """A parameter as a study file defines it; `range` and `bool` are Python's own."""
    if isinstance(value, range) and len(value) > 1 and value.step > 0:
        return {"integers": [value[0], value[-1]], "step": value.step}
    if value is bool:
        return {"boolean": None}
    return plain(value)


def _definition(name: str, value: Any) -> Any:
    try:
        return definition_of(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


class Space(Mapping[str, Any]):
    """Parameters and their values: a dict from names to definitions.

    A definition is a list or a `range` of values, `bool`, one value, what `log_range`,
    `real_range`, `integers`, `choices` and `boolean` make, or a dict as in a study file. The name
    `forbid` holds combinations that are never tried. A text is the path of a YAML file.
    Raises ValueError with the parameter's name.

    >>> space = Space({"depth": range(1, 9), "mode": ["a", "b"]})
    >>> space.size
    16
    >>> list(space)
    ['depth', 'mode']
    """

    def __init__(self, definitions: Mapping[str, Any] | str | os.PathLike[str]) -> None:
        if isinstance(definitions, Space):
            definitions = definitions.to_plain()
        if isinstance(definitions, (str, os.PathLike)):
            text, name = "", os.fspath(definitions)
        elif isinstance(definitions, Mapping):
            if not definitions:
                raise ValueError("space: is empty; at least one parameter is needed")
            made = {name: _definition(name, value) for name, value in definitions.items()}
            text, name = text_of(made), _ntune.ARGUMENTS
        else:
            raise ValueError(f"space: is {definitions!r:.80}; a dict from names to values or the "
                             "path of a YAML file is allowed")
        self._plain, self.names, size = _ntune.read_space(text, name)
        #: Number of points; a float where it is too large to count.
        self.size: int | float = int(size) if size < 2**53 else size

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, points: int = 10) -> Space:
        """The space of another program's file: ConfigSpace, irace, Optuna, TAG or OpenBench.

        `points`: values of a continuous range, 2 to 1,000.
        """
        definitions, remarks = _ntune.import_space(os.fspath(path), points)
        space = cls(definitions)
        space.remarks = remarks
        return space

    #: What could not be translated when the space was read from another program's file.
    remarks: list[str] = []

    def to_plain(self) -> dict[str, Any]:
        """The space as a study file has it."""
        return dict(self._plain)

    def sample(self, count: int = 1, seed: int = 1) -> list[dict[str, Any]]:
        """Random points that are allowed."""
        return _ntune.sample_space(text_of(self._plain), count, seed)

    def __getitem__(self, name: str) -> Any:
        return self._plain[name]

    def __iter__(self) -> Any:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Space({self._plain!r})"


def space_of(given: Any) -> Space:
    """The argument `space` of many functions."""
    return given if isinstance(given, Space) else Space(given)


def names_in(config: Mapping[str, Any]) -> list[str]:
    """The names of a study's parameters, of its configuration with all defaults."""
    space: Iterable[str] = config.get("space") or {}
    return [name for name in space if name != "forbid"]
