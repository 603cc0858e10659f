"""Names that a function has returned beside its value."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

#: Of the folder of a study: a line for each evaluation that has such names.
FILE = "recorded.jsonl"

#: What begins so has a prefix in any case, as in the CSV files of the library.
PREFIXES = ("parameter.", "goal.", "opponent.", "returned.")

#: Of an evaluation: cell of a comparison, repeat, stage, run, index.
Place = Sequence[Any]


def record(folder: str, place: Place, names: dict[str, Any]) -> None:
    if names:
        with open(os.path.join(folder, FILE), "a", encoding="utf-8") as file:
            file.write(json.dumps({"at": list(place), "names": names}) + "\n")


def add_recorded(folder: str, rows: list[dict[str, Any]]) -> None:
    """Adds them to the rows of evaluations. One that is a column already is `returned.NAME`.

    Columns of a row's place have no other name than these: a parameter `run` is `parameter.run`.
    """
    try:
        with open(os.path.join(folder, FILE), encoding="utf-8") as file:
            lines = [_read(line) for line in file]
    except FileNotFoundError:
        return
    found = {tuple(line["at"][2:]): line["names"] for line in lines if line and line["at"][:2] == [0, 0]}
    names = list(dict.fromkeys(name for each in found.values() for name in each))
    if not rows or "stage" not in rows[0]:  # of runs
        return
    titles = {name: f"returned.{name}" if name in rows[0] or name.startswith(PREFIXES) else name for name in names}
    for row in rows:
        mine = found.get((row["stage"], row["run"], row.get("evaluation")), {})
        row.update({title: mine.get(name) for name, title in titles.items()})


def _read(line: str) -> Any:
    """A line; None: it was torn as the process died."""
    try:
        return json.loads(line)
    except ValueError:
        return None
