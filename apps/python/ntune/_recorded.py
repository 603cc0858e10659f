"""Names that a function has returned beside its value."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

#: Of the folder of a study: a line for each evaluation that has such names.
FILE = "recorded.jsonl"

#: Of an evaluation: cell of a comparison, repeat, stage, run, index.
Place = Sequence[Any]


def record(folder: str, place: Place, names: dict[str, Any]) -> None:
    if names:
        with open(os.path.join(folder, FILE), "a", encoding="utf-8") as file:
            file.write(json.dumps({"at": list(place), "names": names}) + "\n")


def add_recorded(folder: str, rows: list[dict[str, Any]]) -> None:
    """Adds them to the rows of evaluations. One that is a column already is `returned.NAME`."""
    try:
        with open(os.path.join(folder, FILE), encoding="utf-8") as file:
            lines = [_read(line) for line in file]
    except FileNotFoundError:
        return
    found = {tuple(line["at"][2:]): line["names"] for line in lines if line and line["at"][:2] == [0, 0]}
    names = list(dict.fromkeys(name for each in found.values() for name in each))
    for row in rows:
        mine = found.get((row["stage"], row["run"], row["evaluation"]), {})
        taken = set(row)
        for name in names:
            row[f"returned.{name}" if name in taken else name] = mine.get(name)


def _read(line: str) -> Any:
    """A line; None: it was torn as the process died."""
    try:
        return json.loads(line)
    except ValueError:
        return None
