"""Exceptions of the package. Those about a spec say what the command line says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tailback._native import shown_lines


class Error(Exception):
    """The base class of all errors of Tailback. A full disk, for example, raises it.

    Its text contains no control characters, so a terminal can show it safely.
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(shown_lines(a) if isinstance(a, str) else a for a in arguments))


class UsageError(Error, ValueError):
    """The arguments ask for something impossible. The message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a spec.

    Attributes
    ----------
    message
        What is wrong.
    path
        Dotted path of the parameter or section; "" for the whole spec.
    source
        The file, or ``--set``; None if the problem has no place, such as a missing section.
    line, column
        Place in the source, counted from 1; None if ``source`` is None.
    label
        A few words about the place.
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
    """A spec is wrong. The text is the message of the command line: every problem with its line.

    Attributes
    ----------
    problems : tuple of Problem
        All problems, in the order of their places.
    """

    def __init__(self, text: str, problems: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(text)
        self.problems = tuple(Problem(**problem) for problem in problems)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the error with its problems."""
        fields = Problem.__slots__
        rows = [{name: getattr(problem, name) for name in fields} for problem in self.problems]
        return (type(self), (self.args[0], rows))


class NoEffectWarning(UserWarning):
    """A parameter of a spec has no effect. The text gives the reason."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a function. What was finished by then is kept.

    Attributes
    ----------
    result : Result, Study, Curves, Saturation, Comparison, Story or tuple of Verified
        What was finished, in the type that the function returns. Runs that had begun have the
        status "interrupted".
    """

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the exception with its result."""
        return (type(self), (self.args[0], self.result))


def stopped_by_user(message: str, result: object) -> Interrupted:
    """Return the exception to raise after Ctrl-C.

    A script that does not catch it ends with exit code 130, as shells expect after Ctrl-C. Python
    does that for `KeyboardInterrupt` itself, and not for its subclasses. So this function wraps
    ``sys.excepthook``, and only now, after somebody has pressed Ctrl-C.
    """
    if not isinstance(sys.excepthook, _ExitWith130):
        sys.excepthook = _ExitWith130(sys.excepthook)
    return Interrupted(message, result)


class _ExitWith130:
    """Shows an exception as before. After `Interrupted` the process ends with exit code 130."""

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
