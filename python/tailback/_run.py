"""Running specs."""

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
from tailback._rule import LocalRule, Network, Rule
from tailback._spec import Spec, SpecLike
from tailback._table import Table


def run(
    spec: SpecLike,
    *,
    threads: int | None = None,
    progress: ProgressLike = None,
    admission: Rule | LocalRule | None = None,
    pattern: Pattern | Callable[[Network], npt.ArrayLike] | None = None,
    checkpoint_every: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    keep_checkpoints: bool = False,
    force: bool = False,
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
        A traffic pattern in Python, in the place of the spec's: a `Pattern`, or the function that
        one is made of.
    checkpoint_every, checkpoint
        Keep the state of the run every so many cycles, and when it is stopped, in this file, from
        which `resume` goes on. The last two are there while the run is under way, the older one
        as ``checkpoint + ".previous"``, and none once it has ended well. ``{cycle}`` in the name
        keeps them all for good; several points need ``{point}``. Not with a rule or pattern in
        Python, whose state only they know.
    keep_checkpoints
        Leave the last checkpoints where they are when the run has ended well.
    force
        Let checkpoints replace a file that is none; never the file of the spec, and never what is
        no regular file.

    Raises
    ------
    SpecError
        Before anything runs, with all that is wrong.
    Interrupted
        After Ctrl-C, with what was finished as ``result``.
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
    """Go on from a checkpoint to the end of the run, to the same bits as an unbroken one.

    With changes it is a fork, ``resume("a.checkpoint", admission=build.admission.alo())``: one
    state, from which other settings are tried. Its record has columns ``fork.cycle`` and
    ``fork.checkpoint``.

    Parameters
    ----------
    path
        The checkpoint, which this version wrote.
    changes, **tables
        As for `Spec.with_`, of admission, traffic.load and the lengths of the workload.
    progress, checkpoint_every, checkpoint, keep_checkpoints, force
        As for `run`. The checkpoint that the run goes on from is never replaced.

    Raises
    ------
    UsageError
        For a file that is no checkpoint of this version, and for changes that its state rules out.
    SpecError
        For changes that are wrong.
    Interrupted
        After Ctrl-C.
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
