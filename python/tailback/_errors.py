"""Exceptions of the package. Those about a spec say what the command line says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tailback._native import shown_lines

if TYPE_CHECKING:
    from tailback._result import Result
    from tailback._study import Study


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
    result : Result or Study
        What was finished; points that were under way have the status "interrupted".
    """

    def __init__(self, message: str, result: Result | Study) -> None:
        super().__init__(message)
        self.result = result
