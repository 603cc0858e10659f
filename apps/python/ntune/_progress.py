"""A bar of progress, where tqdm is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional

Notify = Optional[Callable[[int, int], None]]


@contextmanager
def shown(progress: bool | None) -> Iterator[Notify]:
    """What takes evaluations and their total. None: a bar at a terminal or in a notebook."""
    if progress is False:
        yield None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        if progress:
            raise ValueError("progress: needs tqdm (Debian: python3-tqdm)") from None
        yield None
        return
    notebook = "ipykernel" in sys.modules
    options: dict[str, Any] = {"disable": False if progress or notebook else None}  # None: no terminal
    with tqdm(unit=" evaluations", leave=False, **options) as bar:

        def notify(evaluations: int, total: int) -> None:
            bar.total = total or None
            bar.update(evaluations - bar.n)

        yield None if bar.disable else notify
