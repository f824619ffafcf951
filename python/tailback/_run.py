"""Running specs."""

from __future__ import annotations

import os

from tailback import _native
from tailback._errors import Interrupted
from tailback._executor import Executor, run_on
from tailback._pattern import Pattern
from tailback._progress import Display, ProgressLike
from tailback._result import Failure, Result
from tailback._rule import LocalRule, Rule
from tailback._spec import Spec, SpecLike
from tailback._table import Table


def run(
    spec: SpecLike,
    *,
    threads: int | None = None,
    progress: ProgressLike = None,
    admission: Rule | LocalRule | None = None,
    pattern: Pattern | None = None,
) -> Result:
    """Run all points of a spec.

    The interpreter is free meanwhile: other Python threads go on.

    Parameters
    ----------
    spec
        A spec, the path of one or a dictionary.
    threads
        Points to run at the same time; results do not depend on it. None: all cores.
    progress
        None shows it where a person looks; True, False, or a function of a `Progress`.
    admission
        A rule in Python that decides on admission, where the spec has no throttle.
    pattern
        A traffic pattern in Python, in the place of the spec's.

    Raises
    ------
    SpecError
        Before anything runs, with all that is wrong.
    Interrupted
        After Ctrl-C, with what was finished as ``result``.
    """
    spec = Spec.of(spec)
    with Display(progress) as display:
        answer = _native.run(
            spec._native, _checked(threads), None, display.told, admission, pattern
        )
    return _result(spec, answer)


def sweep(
    spec: SpecLike,
    *,
    store: str | os.PathLike[str],
    threads: int | None = None,
    progress: ProgressLike = None,
    executor: Executor | None = None,
) -> Result:
    """Run the points of a spec that a folder does not hold yet.

    Each point is in the folder as soon as it has ended. A sweep that was stopped, killed, edited or
    extended goes on where it was; ``tailback plot`` and `tailback.load` read the folder. A point
    that fails does not stop the others: ``result.failures`` says why, and it runs again next time.

    Parameters
    ----------
    spec, threads, progress
        As for `run`.
    store
        The folder; made where it is missing.
    executor
        Who runs the points instead of this process: a ``dask.distributed.Client``, or what has the
        ``submit`` of ``concurrent.futures``. Results are the same bits; this process writes them.

    Raises
    ------
    SpecError
        Before anything runs, where no point can be run, with all that is wrong.
    UsageError, Error
        For a folder that cannot be written or holds something else, and for an executor that broke.
    Interrupted
        After Ctrl-C, with what was finished as ``result``.
    """
    spec, root = Spec.of(spec), os.fspath(store)
    with Display(progress) as display:
        if executor is None:
            answer = _native.run(spec._native, _checked(threads), root, display.told, None, None)
        elif threads is not None:
            raise ValueError("threads are those of this process, and the executor has its own")
        else:
            answer = run_on(executor, _native.Sweep(spec._native, root), display.told)
    return _result(spec, answer)


def _checked(threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return threads or 0


def _result(spec: Spec, answer: _native.Answer) -> Result:
    table, outcomes, groups, points, failed, stopped = answer
    axes = tuple(tuple(group) for group in groups)
    failures = tuple(Failure(*row) for row in failed)
    result = Result(spec, Table(table), outcomes, axes, points, failures)
    if isinstance(stopped, KeyboardInterrupt):
        message = f"interrupted; {len(result)} of {points} points have records, in `result`"
        raise Interrupted(message, result) from stopped
    if stopped is not None:
        raise stopped
    return result
