"""Who evaluates: the caller's thread, threads, processes, or an executor."""

from __future__ import annotations

import concurrent.futures
import os
import pickle
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Union, cast

from ._plain import Told
from ._recorded import Place, record

Parallel = Union[None, int, str, concurrent.futures.Executor]

#: How often an evaluation is tried again whose process has died.
RETRIES = 2


class Keyboard:
    """Ctrl-C while an executor works, whose own code a KeyboardInterrupt must not break."""

    def __init__(self) -> None:
        self._pressed = False
        self._held = 0
        self._before: Any = None

    def __enter__(self) -> Keyboard:
        if (threading.current_thread() is threading.main_thread()
                and signal.getsignal(signal.SIGINT) is signal.default_int_handler):
            self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _press(self, *_: object) -> None:
        again, self._pressed = self._pressed, True
        if again or not self._held:
            raise KeyboardInterrupt

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps the first Ctrl-C for the end of a short call that may hold a lock."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            self.heed()

    def heed(self) -> None:
        """Raises KeyboardInterrupt if Ctrl-C was pressed."""
        if self._pressed:
            raise KeyboardInterrupt


class Raised(Exception):
    """What an evaluation raised in another process, in words: the exception itself cannot be sent."""


def reason_of(error: Exception) -> str:
    """Why an evaluation has failed, of an exception that may not have a text of its own."""
    if isinstance(error, Raised):
        return str(error)
    try:
        text = str(error)
    except Exception:
        text = "an exception whose text cannot be made"
    return f"{type(error).__name__}: {text}"


def evaluate(objective: Callable[..., Told], *call: Any) -> Told:
    """In another process. An exception that cannot be read there again would end all processes."""
    try:
        return objective(*call)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise Raised(reason_of(error)) from None
        raise


class Workers:
    """On the thread that runs the study, one after another."""

    def __init__(self, objective: Callable[..., Any]) -> None:
        self.objective = objective
        #: The last exception of an evaluation.
        self.cause: Exception | None = None
        #: Folder of the study, for names that are returned beside the value.
        self.folder: str | None = None

    def start(self, *call: Any) -> Any:
        """Begins an evaluation: values, seed, instance, opponent and games; or a request (`RequestWorkers`).

        Called in the order of the study.
        """
        return call

    def finish(self, handle: Any, place: Place) -> Any:
        """What it has brought, or why it has failed; called in the same order."""
        try:
            told = self.result(handle)
        except Exception as error:
            self.cause = error
            return reason_of(error)
        return self.answer(told, place)

    def result(self, handle: Any) -> Any:
        return self.objective(*handle)

    def answer(self, told: Any, place: Place) -> Any:
        """Payoffs, cost, whether the payoffs are results of games, and results by seat."""
        if self.folder is not None:
            record(self.folder, place, told.names)
        return told.payoffs, told.cost, told.games, told.by_seat

    def close(self, interrupted: bool) -> None:
        """Lets go of what evaluates."""


class PooledWorkers(Workers):
    """By others, who are waited for."""

    def __init__(self, objective: Callable[..., Any]) -> None:
        super().__init__(objective)
        self.keyboard = Keyboard()

    def submit(self, call: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    def start(self, *call: Any) -> Any:
        with self.keyboard.held():
            return self.submit(call)

    def finish(self, handle: Any, place: Place) -> Any:
        finished = super().finish(handle, place)
        self.keyboard.heed()  # which may have broken the wait, and is then no failure
        return finished


class ExecutorWorkers(PooledWorkers):
    """By an executor, as many at once as the study has in flight.

    What it has lost, as Dask's does where its scheduler starts anew, is asked for again.
    """

    def __init__(self, objective: Callable[..., Any], executor: concurrent.futures.Executor) -> None:
        super().__init__(objective)
        self.executor = executor
        self.open: dict[Any, tuple[Any, ...]] = {}

    def submit(self, call: tuple[Any, ...]) -> Any:
        future = self.executor.submit(self.objective, *call)
        self.open[future] = call
        return future

    def result(self, handle: Any) -> Any:
        for _ in range(RETRIES):
            try:
                handle.exception()
                break
            except concurrent.futures.CancelledError:
                self.keyboard.heed()
                with self.keyboard.held():
                    handle = self.submit(self.open.pop(handle))
        del self.open[handle]
        return handle.result()

    def close(self, interrupted: bool) -> None:
        for future in self.open:
            future.cancel()


class ThreadWorkers(ExecutorWorkers):
    """By threads of its own."""

    def __init__(self, objective: Callable[..., Any], count: int) -> None:
        super().__init__(objective, concurrent.futures.ThreadPoolExecutor(count, "ntune"))

    def close(self, interrupted: bool) -> None:
        self.executor.shutdown(wait=not interrupted, cancel_futures=True)


class ProcessWorkers(PooledWorkers):
    """By processes of its own. An evaluation whose process dies is made again by another."""

    def __init__(self, objective: Callable[..., Any], count: int) -> None:
        super().__init__(objective)
        try:
            pickle.dumps(objective)
        except Exception as error:
            raise ValueError(f"function: cannot be sent to another process ({error}); one that is "
                             "defined at the top of a module can") from None
        self.count = count
        self.executor = concurrent.futures.ProcessPoolExecutor(count)

    def submit(self, call: tuple[Any, ...]) -> Any:
        try:
            future = self.executor.submit(evaluate, self.objective, *call)
        except concurrent.futures.BrokenExecutor:
            self.renew(self.executor)
            future = self.executor.submit(evaluate, self.objective, *call)
        return future, self.executor, call

    def renew(self, broken: Any) -> None:
        """Makes another pool in place of this one, once."""
        if self.executor is broken:
            broken.shutdown(wait=False)
            self.executor = concurrent.futures.ProcessPoolExecutor(self.count)

    def result(self, handle: Any) -> Told:
        future, pool, call = handle
        told: Told
        for _ in range(RETRIES):
            try:
                told = future.result()
                return told
            except concurrent.futures.BrokenExecutor:
                with self.keyboard.held():
                    self.renew(pool)
                    future, pool, call = self.submit(call)
        told = future.result()
        return told

    def close(self, interrupted: bool) -> None:
        processes = list((getattr(self.executor, "_processes", None) or {}).values())
        self.executor.shutdown(wait=not interrupted, cancel_futures=True)
        if interrupted:
            for process in processes:
                process.terminate()


def executor_of(parallel: Parallel) -> concurrent.futures.Executor | None:
    """One of `concurrent.futures`, or what can do what one can."""
    is_one = hasattr(parallel, "submit") and not isinstance(parallel, type)
    return cast(concurrent.futures.Executor, parallel) if is_one else None


def make_workers(objective: Callable[..., Any], parallel: Parallel, in_flight: int) -> Workers:
    """The workers that `parallel` names (see `ntune.maximise`)."""
    if parallel is None:
        return Workers(objective)
    executor = executor_of(parallel)
    if executor is not None:
        return ExecutorWorkers(objective, executor)
    kind, count = _kind_and_count(cast(Union[int, str], parallel))
    if count > in_flight:
        warnings.warn(f"parallel: of {count} workers {in_flight} have work at a time; "
                      f"parallel_evaluations={count} is for all of them, and is part of the study",
                      stacklevel=4)
    return (ProcessWorkers if kind == "processes" else ThreadWorkers)(objective, count)


def _kind_and_count(parallel: int | str) -> tuple[str, int]:
    kind, number = "threads", str(parallel)
    if isinstance(parallel, str):
        kind, _, number = parallel.partition(":")
        number = number or str(os.cpu_count() or 1)
    if isinstance(parallel, bool) or kind not in ("threads", "processes") or not number.isdigit() or (
            int(number) < 1):
        raise ValueError(f"parallel: is {parallel!r:.80}; a number of threads, 'threads', 'processes', "
                         "'processes:4' or an executor of concurrent.futures is allowed")
    return kind, int(number)


@contextmanager
def working(workers: Workers | None) -> Iterator[Workers | None]:
    """Closes the workers at the end, at once where something has come between."""
    finished = False
    keyboard: AbstractContextManager[Any] = nullcontext()
    if isinstance(workers, PooledWorkers):
        keyboard = workers.keyboard
    with keyboard:
        try:
            yield workers
            finished = True
        finally:
            if workers is not None:
                workers.close(not finished)
