"""Exceptions of the package. Those about a spec say what the command line says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tailback._native import shown_lines


class Error(Exception):
    """Anything that goes wrong in Tailback, such as a full disk.

    Whatever is in its text, a terminal that shows it obeys none of it.
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(shown_lines(a) if isinstance(a, str) else a for a in arguments))


class UsageError(Error, ValueError):
    """What was asked for cannot be done; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a spec.

    Attributes
    ----------
    message
        What is wrong.
    path
        Dotted path of the parameter or section, or "" for the whole spec.
    source
        The file, or ``--set``; None where nothing was written to point at.
    line, column
        Place in the source, counted from 1; None as for ``source``.
    label
        A few words on the place.
    help
        What would be right.
    """

    message: str
    path: str
    source: str | None
    line: int | None
    column: int | None
    label: str | None
    help: str | None


class SpecError(Error, ValueError):
    """A spec is wrong. Its text is that of the command line: every problem with its line.

    Attributes
    ----------
    problems : tuple of Problem
        Everything that is wrong, by place.
    """

    def __init__(self, text: str, problems: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(text)
        self.problems = tuple(Problem(**problem) for problem in problems)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it with its problems."""
        fields = Problem.__slots__
        rows = [{name: getattr(problem, name) for name in fields} for problem in self.problems]
        return (type(self), (self.args[0], rows))


class NoEffectWarning(UserWarning):
    """A spec says something that has no effect beside what else it says; the text says why."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a run or a reproduction. What was finished by then is kept.

    Attributes
    ----------
    result : Result, Study, Curves, Saturation, Comparison, Story or tuple of Verified
        What was finished, as the function returns it; runs that were under way have the status
        "interrupted".
    """

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it with its result."""
        return (type(self), (self.args[0], self.result))


def stopped_by_user(message: str, result: object) -> Interrupted:
    """Return what to raise after Ctrl-C.

    A script that does not catch it ends with exit code 130, as shells expect of one that Ctrl-C
    stopped. Python does that for `KeyboardInterrupt` itself and not for its subclasses, so the hook
    for exceptions that nobody catches is wrapped now, and not before somebody pressed Ctrl-C.
    """
    if not isinstance(sys.excepthook, _ExitWith130):
        sys.excepthook = _ExitWith130(sys.excepthook)
    return Interrupted(message, result)


class _ExitWith130:
    """Shows an exception as before; the process ends with 130 where that is `Interrupted`."""

    def __init__(self, shown: Callable[..., Any]) -> None:
        self._shown = shown

    def __call__(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        self._shown(kind, error, trace)
        if issubclass(kind, Interrupted) and not hasattr(sys, "ps1") and not sys.flags.interactive:
            raise SystemExit(130)
