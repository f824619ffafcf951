"""Runs the points of a sweep in other processes, on this machine or on others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError
from functools import partial
from queue import SimpleQueue
from typing import Any, Protocol

from tailback import _native
from tailback._errors import Error, SpecError
from tailback._progress import Told

Parcel = tuple[bytes | None, str]
"""The outcome of a point as bytes, or None and the reason of its failure."""


class Executor(Protocol):
    """An object that runs functions in other processes.

    ``concurrent.futures.ProcessPoolExecutor`` and ``dask.distributed.Client`` are executors.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Return a future that has ``result``, ``cancel`` and ``add_done_callback``."""


def work(text: str) -> Parcel:
    """Run a spec of one point. A wrong spec is no exception: to try it again would not help."""
    try:
        return _native.work(_native.Spec.from_toml(text, "point"))
    except SpecError as error:
        return None, str(error)


def run_on(executor: Executor, sweep: _native.Sweep, told: Told | None) -> _native.Answer:
    """Run the missing points of a sweep. Only this process writes files."""
    total = len(sweep)
    ended: SimpleQueue[tuple[int, Any]] = SimpleQueue()
    futures: dict[int, Any] = {}
    stopped = None
    try:
        for at, text in sweep.pending():
            futures[at] = executor.submit(work, text)
            futures[at].add_done_callback(partial(_put, ended, at))
        while futures:
            at, future = ended.get()
            _keep(sweep, at, future)
            del futures[at], future
            if told is not None:
                told(total - len(futures), total, 0, None)
    except KeyboardInterrupt as interrupt:
        stopped = interrupt
    finally:
        for future in futures.values():
            future.cancel()
        answer = sweep.finish()
    return (*answer[:-1], stopped)


def _put(ended: SimpleQueue[tuple[int, Any]], at: int, future: Any) -> None:
    ended.put((at, future))


def _keep(sweep: _native.Sweep, at: int, future: Any) -> None:
    try:
        parcel, reason = future.result()
    except (BrokenExecutor, CancelledError, asyncio.CancelledError) as error:
        raise Error(
            f"the executor gave up ({error or type(error).__name__}); what is finished is kept, "
            "and the same call goes on"
        ) from error
    except Exception as error:
        # Of the executor: a worker that was lost too often, one without this package.
        sweep.fail(at, f"the executor could not run it: {type(error).__name__}: {error}")
        return
    if parcel is None:
        sweep.fail(at, reason)
    else:
        sweep.add(at, parcel)
