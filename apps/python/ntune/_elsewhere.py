"""Evaluations of a study that has an objective of its own, made on the machines of an executor."""

from __future__ import annotations

import concurrent.futures
import functools
import os

from . import _ntune
from ._recorded import Place
from ._workers import ExecutorWorkers


@functools.lru_cache(maxsize=4)
def held_study(text: str, name: str) -> _ntune.HeldStudy:
    """The study that a process evaluates, read once."""
    return _ntune.HeldStudy(text, name)


class StudyCall:
    """Makes an evaluation where it is called. The study's programs and instances stand there, too, and are the same."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name if name == _ntune.ARGUMENTS else os.path.abspath(name)
        self.identity = _ntune.HeldStudy(self.text, self.name).identity()

    def __call__(self, request: str) -> bytes:
        study = held_study(self.text, self.name)
        if study.identity() != self.identity:  # a program may have been replaced since then
            held_study.cache_clear()
            study = held_study(self.text, self.name)
        return study.carry_out(request, self.identity)


class RequestWorkers(ExecutorWorkers):
    """By an executor whose machines hold the study."""

    def __init__(self, call: StudyCall, executor: concurrent.futures.Executor) -> None:
        super().__init__(call, executor)

    def answer(self, told: bytes, place: Place) -> bytes:
        return told
