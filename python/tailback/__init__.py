"""Cycle-accurate simulation of congestion in lossless interconnection networks.

>>> import tailback
>>> result = tailback.run("examples/first.toml")
>>> result.plot.curve().savefig("curve.pdf")

A spec says what is simulated: a TOML file, `Spec.from_toml`, or the functions of `tailback.build`.
`check` says what bounds its network, `run` and `sweep` answer a `Result`: records with units,
series, pictures. docs/python.md tells the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from tailback import _native, build
from tailback._check import Check, Facts, check
from tailback._component import Component
from tailback._errors import (
    Error,
    Interrupted,
    NoEffectWarning,
    Problem,
    SpecError,
    UsageError,
)
from tailback._executor import Executor
from tailback._pattern import Pattern
from tailback._progress import Progress
from tailback._remedies import Remedy, remedies
from tailback._result import Failure, Result, Run, load
from tailback._rule import LocalRule, Network, RouterState, Rule, State
from tailback._run import resume, run, sweep
from tailback._series import Series, SpaceTime
from tailback._spec import Point, Spec, SpecLike, explain
from tailback._study import Cell, Claim, Figure, Paper, Study, papers, reproduce
from tailback._table import Table

__version__: str = _native.VERSION


@dataclass(frozen=True, slots=True)
class Column:
    """A column of every record: its name, its unit ("" for none) and its meaning."""

    name: str
    unit: str
    meaning: str


def columns() -> tuple[Column, ...]:
    """Return the columns that every record has, after the swept parameters."""
    return tuple(Column(*row) for row in _native.columns())


__all__ = [
    "Cell",
    "Check",
    "Claim",
    "Column",
    "Component",
    "Error",
    "Executor",
    "Facts",
    "Failure",
    "Figure",
    "Interrupted",
    "LocalRule",
    "Network",
    "NoEffectWarning",
    "Paper",
    "Pattern",
    "Point",
    "Problem",
    "Progress",
    "Remedy",
    "Result",
    "RouterState",
    "Rule",
    "Run",
    "Series",
    "SpaceTime",
    "Spec",
    "SpecError",
    "SpecLike",
    "State",
    "Study",
    "Table",
    "UsageError",
    "build",
    "check",
    "columns",
    "explain",
    "load",
    "papers",
    "remedies",
    "reproduce",
    "resume",
    "run",
    "sweep",
]
