"""Studies: all that a study file can say."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import _ntune
from ._elsewhere import RequestWorkers, StudyCall
from ._objective import objective_of
from ._plain import counted, folder_name, named, text_of
from ._progress import shown
from ._result import Interrupted, Result
from ._space import names_in, space_of
from ._workers import Parallel, executor_of, make_workers, working

Source = Any  # a dict, or the path of a file; Python 3.9 has no shorter name for it


class Study:
    """A study from a YAML file, a dict, keywords, or one of the first two and keywords.

    The keys are those of a study file (README.md of ntune), so that this and the command
    understand one another. Without `objective` a function of Python is the objective. What is wrong
    raises ValueError that begins with the key.

    >>> study = Study(space={"x": range(8)}, budget=60, seed=2)
    >>> study.evaluations
    60
    >>> study.run(lambda x: x / 7).best
    {'x': 7}
    >>> Study(space={"x": range(8)}, budgett=60)
    Traceback (most recent call last):
        ...
    ValueError: budgett: unknown key, did you mean 'budget'?...
    """

    if TYPE_CHECKING:
        def __init__(self, source: Source = None, /, *, objective: Any = ..., objectives: Any = ...,
                     goals: Any = ..., space: Any = ..., seed: int = ...,
                     name: str = ..., instances: Any = ..., test_instances: Any = ...,
                     aggregate: Any = ..., instance_effects: Any = ..., default: Any = ...,
                     start: Any = ..., prior: Any = ..., optimiser: Any = ...,
                     optimisers: Any = ..., runs: int = ..., iterations: int = ...,
                     budget: Any = ..., time: Any = ..., re_evaluation: Any = ...,
                     hold_out: int = ..., split: Any = ..., splits: Any = ..., repeats: int = ...,
                     threads: int = ..., parallel_evaluations: int = ..., fail: Any = ...,
                     max_failure_rate: float = ..., fail_limit: float = ...,
                     learn_from_failures: bool = ..., instance_blocks: bool = ...,
                     learn_from_penalties: bool = ..., record: str = ...) -> None: ...
    else:
        def __init__(self, source: Source = None, /, **keys: Any) -> None:
            self._make(source, keys)

    def _make(self, source: Source, keys: Mapping[str, Any]) -> None:
        self._text, self._name = given_study(source, keys)
        self._take(_ntune.GivenStudy(self._text, self._name, "", False))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Study:
        """The study of a folder, which goes on there by `run(…, resume=True)`."""
        study = cls.__new__(cls)
        study._text, study._name = "", study_file(folder)
        study._folder = os.fspath(folder)
        study._take(_ntune.GivenStudy("", study._name, study._folder, True))
        return study

    _folder: str | None = None

    def _take(self, given: _ntune.GivenStudy) -> None:
        #: The study with every default, as study.yaml has it.
        self.config, self.evaluations, self._asked = _ntune.read_study(given)

    def run(self, function: Callable[..., Any] | None = None, *, parallel: Parallel = None,
            folder: str | os.PathLike[str] | None = None, resume: bool = False,
            retry_failed: bool = False, progress: bool | None = None) -> Result:
        """Runs the study; see `maximise` for the arguments.

        `function` is None where the study has an objective of its own; `parallel` is then a number
        of threads of the library, or an executor whose machines have the study's file at the same
        place. `retry_failed` tries anew what failed before it was resumed.
        """
        workers = self._workers(function, parallel)
        threads = -1
        if workers is None and parallel is not None:
            if not isinstance(parallel, int) or isinstance(parallel, bool):
                raise ValueError(f"parallel: is {parallel!r:.80}; a number of threads or an executor "
                                 "is allowed where the study has an objective of its own")
            threads = parallel
        folder = folder if folder is not None else self._folder
        temporary = folder is None
        if folder is None:
            if resume or retry_failed:
                raise ValueError("resume: needs folder, which holds the journal")
            folder = tempfile.mkdtemp(prefix="ntune-")
        folder = folder_name(folder)
        if workers is not None:
            workers.folder = folder
        result = Result(folder, temporary=temporary)
        given = _ntune.GivenStudy(self._text, self._name, folder, resume or retry_failed)
        with named({folder: f"folder: {folder}"}), working(workers), shown(progress) as notify:
            try:
                made, last, error = _ntune.run(given, threads, workers, notify, retry_failed)
            except _ntune.EvaluationError as failed:
                raise failed from (workers.cause if workers else None)
            result.take(made, last)
            if isinstance(error, KeyboardInterrupt):
                raise Interrupted(result) from None
            if error is not None:
                raise error
        return result

    def _workers(self, function: Callable[..., Any] | None, parallel: Parallel) -> Any:
        if function is None:
            executor = None if self._asked else executor_of(parallel)
            return executor and RequestWorkers(StudyCall(self._text, self._name), executor)
        if not self._asked:
            raise ValueError("function: the study has an objective of its own; leave out one of them")
        objective = objective_of(function, names_in(self.config), self.config)
        return make_workers(objective, parallel, self.config["parallel_evaluations"])

    def __repr__(self) -> str:
        return f"<ntune.Study {self._name}: {counted(self.evaluations, 'evaluation')}>"


def study_file(folder: str | os.PathLike[str]) -> str:
    """The study of a folder."""
    name = folder_name(folder)
    path = os.path.join(name, "study.yaml")
    if not os.path.isfile(path):
        raise ValueError(f"folder: {name} holds no study: there is no study.yaml")
    return path


def given_study(source: Source, keys: Mapping[str, Any]) -> tuple[str, str]:
    """A study's text, if it is not a file as it is, and the name that messages give it."""
    name = _ntune.ARGUMENTS
    if isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        if not keys:
            return "", name
        source = _ntune.read_file(name)
    elif source is not None and not isinstance(source, Mapping):
        raise ValueError(f"source: is {source!r:.80}; a dict or the path of a YAML file is allowed")
    study = {**(source or {}), **keys}
    if not any(key in study for key in ("objective", "objectives")):
        study["objective"] = {"ask_tell": "function"}
    if isinstance(study.get("space"), Mapping):
        study["space"] = space_of(study["space"])
    return text_of(study), name
