"""Points of a sweep run by other processes, on this machine or on others."""

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
"""What a point left behind, or None and why it failed."""


class Executor(Protocol):
    """What runs functions elsewhere: ``concurrent.futures``, ``dask.distributed.Client``."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Answer a future with ``result``, ``cancel`` and ``add_done_callback``."""


def work(text: str) -> Parcel:
    """Run the one point of a spec. What is wrong with it is an answer: to try again is no use."""
    try:
        return _native.work(_native.Spec.from_toml(text, "point"))
    except SpecError as error:
        return None, str(error)


def run_on(executor: Executor, sweep: _native.Sweep, told: Told | None) -> _native.Answer:
    """Run what is missing of a sweep; only this process writes."""
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
