"""Evaluations of a study that has an objective of its own, made on the machines of an executor."""

from __future__ import annotations

import concurrent.futures
import functools
import hashlib
import os

from . import _ntune
from ._recorded import Place
from ._workers import ExecutorWorkers


@functools.lru_cache(maxsize=4)
def held_study(text: str, name: str) -> tuple[_ntune.HeldStudy, str]:
    """The study that a process evaluates, read once, and its digest."""
    study = _ntune.HeldStudy(text, name)
    return study, hashlib.sha256(study.config().encode()).hexdigest()


class StudyCall:
    """Makes an evaluation where it is called. The study's file stands there, too, under its name."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name if name == _ntune.ARGUMENTS else os.path.abspath(name)
        _, self.digest = held_study(self.text, self.name)

    def __call__(self, request: str) -> bytes:
        study, digest = held_study(self.text, self.name)
        if digest != self.digest:
            raise ValueError(f"{self.name} is another study here than where it is run")
        return study.carry_out(request)


class RequestWorkers(ExecutorWorkers):
    """By an executor whose machines hold the study."""

    def __init__(self, call: StudyCall, executor: concurrent.futures.Executor) -> None:
        super().__init__(call, executor)

    def answer(self, told: bytes, place: Place) -> bytes:
        return told
