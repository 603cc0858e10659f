"""The evaluations of a study on the machines of a Dask cluster: what `ntune run --executor dask` starts."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from typing import Any

from . import EvaluationError, Interrupted, Study, __version__

WRONG_INPUT, FAILED, INTERRUPTED = 2, 3, 130  #: exit codes, as the command has them


class Refused(Exception):
    """What is asked for cannot be had; the text says why."""


def read(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("ntune run --executor dask", allow_abbrev=False)
    for name in ("--version", "--study", "--scheduler", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--seed", type=int)
    for name in ("--resume", "--retry-failed", "--quiet"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("shows", nargs="+", help="the command that shows the result, and its arguments")
    return parser.parse_args(given)


def executor_of(client: Any) -> Any:
    """The client's executor, given calls in the client's own thread.

    What another thread gives while the client finds its scheduler gone is lost, and nobody is told.
    """
    executor = client.get_executor()

    async def submit(*call: Any) -> Any:
        return type(executor).submit(executor, *call)

    executor.submit = lambda *call: client.sync(submit, *call)
    return executor


def run(arguments: argparse.Namespace) -> None:
    """Runs the study and keeps it in its folder."""
    if arguments.version != __version__:
        raise Refused(f"the Python package is version {__version__}, the command {arguments.version}")
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise Refused("Dask is missing (Debian: python3-distributed)") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # Ctrl-C breaks what it would tell of
    study = Study(arguments.study, **({} if arguments.seed is None else {"seed": arguments.seed}))
    try:
        client = distributed.Client(arguments.scheduler, timeout="20s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise Refused(f"--scheduler: {arguments.scheduler} cannot be reached: {error}") from None
    with client:
        study.run(parallel=executor_of(client), folder=arguments.out, resume=arguments.resume,
                  retry_failed=arguments.retry_failed, progress=False if arguments.quiet else None)


def main(given: list[str]) -> int:
    arguments = read(given)
    try:
        run(arguments)
    except Refused as error:
        print(f"--executor dask: {error}", file=sys.stderr)
        return WRONG_INPUT
    except ValueError as error:
        print(error, file=sys.stderr)
        return WRONG_INPUT
    except EvaluationError as error:
        print(error, file=sys.stderr)
        return FAILED
    except Interrupted as interrupted:
        print(f"{interrupted.result!r} until now; the same command with --resume goes on", file=sys.stderr)
        return INTERRUPTED
    sys.stdout.flush()
    os.execv(arguments.shows[0], arguments.shows)
