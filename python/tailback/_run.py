"""Running specs."""

from __future__ import annotations

import os

from tailback import _native
from tailback._errors import Interrupted
from tailback._progress import Display, ProgressLike
from tailback._result import Result
from tailback._rule import Rule
from tailback._spec import Spec, SpecLike
from tailback._table import Table


def run(
    spec: SpecLike,
    *,
    threads: int | None = None,
    progress: ProgressLike = None,
    admission: Rule | None = None,
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

    Raises
    ------
    SpecError
        Before anything runs, with all that is wrong.
    Interrupted
        After Ctrl-C, with what was finished as ``result``.
    """
    return _run(Spec.of(spec), threads, None, progress, admission)


def sweep(
    spec: SpecLike,
    *,
    store: str | os.PathLike[str],
    threads: int | None = None,
    progress: ProgressLike = None,
) -> Result:
    """Run the points of a spec that a folder does not hold yet.

    Each point is on the disk as soon as it has ended. A sweep that was stopped, killed or extended
    goes on where it was; ``tailback plot`` and `tailback.load` read the folder.

    Parameters
    ----------
    spec, threads, progress
        As for `run`.
    store
        The folder; made where it is missing.

    Raises
    ------
    SpecError
        Before anything runs, with all that is wrong.
    UsageError, Error
        For a folder that cannot be written or holds something else.
    Interrupted
        After Ctrl-C, with what was finished as ``result``.
    """
    return _run(Spec.of(spec), threads, os.fspath(store), progress)


def _run(
    spec: Spec,
    threads: int | None,
    store: str | None,
    progress: ProgressLike,
    admission: Rule | None = None,
) -> Result:
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    rule = None if admission is None else (admission, admission.epoch_cycles)
    with Display(progress) as display:
        table, outcomes, groups, points, stopped = _native.run(
            spec._native, threads or 0, store, display.told, rule
        )
    axes = tuple(tuple(group) for group in groups)
    result = Result(spec, Table(table), outcomes, axes, points)
    if isinstance(stopped, KeyboardInterrupt):
        message = f"interrupted; {len(result)} of {points} points have records, in `result`"
        raise Interrupted(message, result) from stopped
    if stopped is not None:
        raise stopped
    return result
