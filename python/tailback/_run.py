"""The functions that run a spec: `run`, `sweep` and `resume`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy.typing as npt

from tailback import _native
from tailback._component import Component, plain
from tailback._errors import stopped_by_user
from tailback._executor import Executor, run_on
from tailback._pattern import Pattern
from tailback._progress import Display, ProgressLike
from tailback._result import Failure, Result
from tailback._rule import LocalRule, NetworkShape, Rule
from tailback._spec import Spec, SpecLike
from tailback._table import Table


def run(
    spec: SpecLike,
    *,
    threads: int | None = None,
    progress: ProgressLike = None,
    admission: Rule | LocalRule | None = None,
    pattern: Pattern | Callable[[NetworkShape], npt.ArrayLike] | None = None,
    checkpoint_every: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    keep_checkpoints: bool = False,
    force: bool = False,
) -> Result:
    """Run all points of a spec.

    Other Python threads run while this function simulates.

    Parameters
    ----------
    spec
        A spec, the path of a spec file, or a dictionary.
    threads
        How many points run at the same time, at least 1. Results do not depend on it. None uses
        all cores.
    progress
        None shows the progress in a terminal and in a notebook. True always shows it, and False
        never does. A function is called with a `Progress` every 0.2 s.
    admission
        A `Rule` or a `LocalRule`: an admission rule in Python. The spec must have no throttle.
    pattern
        A traffic pattern in Python, which replaces the pattern of the spec: a `Pattern`, or the
        function from which a `Pattern` is made.
    checkpoint_every
        The run writes a checkpoint whenever this number of cycles has passed
        [cycles, at least 1]. It also writes one when it is stopped. `checkpoint` must be given,
        too. A run with a rule or a pattern in Python cannot have checkpoints.
    checkpoint
        The file of the checkpoints; `resume` reads it. While the run goes on, the last two
        checkpoints exist, the older one as ``checkpoint + ".previous"``. Both are deleted when the
        run has ended well. If the name contains ``{cycle}``, every checkpoint is kept. If the spec
        has several points, the name must contain ``{point}``.
    keep_checkpoints
        Whether the last checkpoints are kept when the run has ended well.
    force
        Whether a checkpoint may replace a file that is not a checkpoint. The file of the spec, and
        anything that is not a regular file, are never replaced.

    Returns
    -------
    Result
        One record per run, in the order of the sweep.

    Raises
    ------
    SpecError
        If the spec is wrong. It lists all problems, and nothing has run.
    ValueError, TypeError
        If an argument is out of range or of a wrong type.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds the runs that were finished.

    Examples
    --------
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> result = tailback.run({**torus, "sweep": {"traffic.load": [0.1, 0.2]}})
    >>> len(result), result[0].status
    (2, 'steady')
    """
    _is_rule(admission)
    pattern = _pattern(pattern)
    spec, kept = Spec.of(spec), _kept(checkpoint_every, checkpoint, keep_checkpoints, force)
    if kept is not None and not (admission is None and pattern is None):
        raise ValueError("a checkpoint holds no rule and no pattern in Python")
    with Display(progress) as display:
        answer = _native.run(
            spec._native, _checked(threads), None, display.told, (admission, pattern), kept
        )
    return _result(spec, answer)


def resume(
    path: str | os.PathLike[str],
    changes: Mapping[str, Any] | None = None,
    /,
    *,
    progress: ProgressLike = None,
    checkpoint_every: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    keep_checkpoints: bool = False,
    force: bool = False,
    **tables: Any,
) -> Result:
    """Continue a run from a checkpoint to its end.

    The record equals, bit for bit, the record of a run that was never stopped. A run that continues
    with changes is called a fork: several settings can be tried from one state. The record of a
    fork has the columns ``fork.cycle`` and ``fork.checkpoint``.

    Parameters
    ----------
    path
        The checkpoint. This version of Tailback must have written it.
    changes, **tables
        The changes of a fork, as for `Spec.with_`. They may concern ``admission``,
        ``traffic.load`` and the lengths of the workload.
    progress, checkpoint_every, checkpoint, keep_checkpoints, force
        As for `run`. The checkpoint from which the run continues is never replaced.

    Returns
    -------
    Result
        A result with one record.

    Raises
    ------
    UsageError
        If the file is not a checkpoint of this version, or if the state does not allow a change.
    SpecError
        If a change is wrong in itself.
    Interrupted
        After Ctrl-C.

    Examples
    --------
    >>> spec = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> kept = {"checkpoint": "a.checkpoint", "checkpoint_every": 5000, "keep_checkpoints": True}
    >>> whole = tailback.run(spec, **kept)
    >>> again = tailback.resume("a.checkpoint")
    >>> again[0]["digest"] == whole[0]["digest"]
    True
    >>> fork = tailback.resume("a.checkpoint", {"traffic.load": 0.3})
    """
    settings = [
        _native.setting(path_, plain(value))
        for path_, value in {**(changes or {}), **tables}.items()
    ]
    kept = _kept(checkpoint_every, checkpoint, keep_checkpoints, force)
    with Display(progress) as display:
        answer = _native.resume(os.fspath(path), settings, display.told, kept)
    outcome = answer[1][0] if answer[1] else None
    spec = Spec.from_toml("" if outcome is None else outcome.spec_toml, name=os.fspath(path))
    return _result(spec, answer)


def sweep(
    spec: SpecLike,
    *,
    store: str | os.PathLike[str],
    threads: int | None = None,
    progress: ProgressLike = None,
    executor: Executor | None = None,
) -> Result:
    """Run the points of a spec that are not in a folder yet.

    Each point is written to the folder as soon as it has ended. If a sweep was stopped or killed,
    or if its spec was extended, the next call runs only the missing points. ``tailback plot`` and
    `tailback.load` read the folder. A point that fails does not stop the others. The attribute
    ``failures`` of the result says why it failed, and the next call runs it again.

    Parameters
    ----------
    spec, threads, progress
        As for `run`.
    store
        The folder. It is made if it is missing.
    executor
        Runs the points in other processes: a ``dask.distributed.Client``, or any object with the
        ``submit`` of ``concurrent.futures``. The results are the same bits, and this process
        writes them. ``threads`` must then be None.

    Returns
    -------
    Result
        All points of the spec, those of earlier calls included.

    Raises
    ------
    SpecError
        If no point of the spec can run. It lists all problems, and nothing has run.
    UsageError
        If the folder holds something else.
    Error
        If the folder cannot be written, or if the executor breaks.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds the runs that were finished.

    Examples
    --------
    >>> spec = {"topology": {"kind": "torus", "radix": [4, 4]}, "sweep": {"traffic.load": [0.1]}}
    >>> len(tailback.sweep(spec, store="study"))
    1
    >>> more = {**spec, "sweep": {"traffic.load": [0.1, 0.2]}}
    >>> len(tailback.sweep(more, store="study"))    # runs the second point only
    2
    """
    spec, root = Spec.of(spec), os.fspath(store)
    with Display(progress) as display:
        if executor is None:
            answer = _native.run(
                spec._native, _checked(threads), root, display.told, (None, None), None
            )
        elif threads is not None:
            raise ValueError("threads are those of this process, and the executor has its own")
        else:
            answer = run_on(executor, _native.Sweep(spec._native, root), display.told)
    return _result(spec, answer)


def _kept(
    every: int | None, file: str | os.PathLike[str] | None, stay: bool, force: bool
) -> _native.Kept | None:
    if every is None and file is None:
        if stay or force:
            raise ValueError("keep_checkpoints and force are about checkpoints, and none are kept")
        return None
    if every is None or file is None:
        raise ValueError("checkpoint_every and checkpoint go together: how often, and where")
    if every < 1:
        raise ValueError(f"checkpoint_every must be at least 1, not {every}")
    return every, os.fspath(file), stay, force


def _is_rule(admission: object) -> None:
    if admission is None or isinstance(admission, Rule | LocalRule):
        return
    name = getattr(admission, "__name__", type(admission).__name__)
    hint = ""
    if callable(admission):
        hint = (
            f"; write tailback.Rule({name}) for a rule that sees the whole network, or "
            f"tailback.LocalRule({name}) for one that sees its router"
        )
    raise TypeError(f"admission is a Rule or a LocalRule, not {name}{hint}")


def _pattern(pattern: object) -> Pattern | None:
    """Return the pattern; a function makes one."""
    if pattern is None or isinstance(pattern, Pattern):
        return pattern
    if callable(pattern):
        return Pattern(pattern)
    hint = ""
    if isinstance(pattern, str | Component):
        hint = '; one of the spec\'s is set with spec.with_({"traffic.pattern": ...})'
    raise TypeError(
        f"pattern is a function of the network, or a Pattern, not {type(pattern).__name__}{hint}"
    )


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
        raise stopped_by_user(message, result) from stopped
    if stopped is not None:
        raise stopped
    return result
