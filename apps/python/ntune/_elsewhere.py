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
def held_study(text: str, name: str) -> _ntune.HeldStudy:
    """The study that a process evaluates, read once."""
    return _ntune.HeldStudy(text, name)


def digest_of(study: _ntune.HeldStudy) -> str:
    return hashlib.sha256(study.config().encode()).hexdigest()


class StudyCall:
    """Makes an evaluation where it is called. The study's file stands there, too, under its name."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name if name == _ntune.ARGUMENTS else os.path.abspath(name)
        self.digest = digest_of(held_study(self.text, self.name))

    def __call__(self, request: str) -> bytes:
        study = held_study(self.text, self.name)
        if digest_of(study) != self.digest:
            raise ValueError(f"{self.name} is another study here than where it is run")
        return study.carry_out(request)


class RequestWorkers(ExecutorWorkers):
    """By an executor whose machines hold the study."""

    def __init__(self, call: StudyCall, executor: concurrent.futures.Executor) -> None:
        super().__init__(call, executor)

    def answer(self, told: bytes, place: Place) -> bytes:
        return told
