"""Cycle-accurate simulation of congestion in lossless interconnection networks.

>>> import tailback
>>> from tailback import build
>>> torus = build.topology.torus(radix=[4, 4])
>>> spec = build.spec(topology=torus, sweep={"traffic.load": [0.1, 0.3, 0.5]})
>>> result = tailback.run(spec)
>>> result.plot().savefig("curve.pdf")

A spec says what is simulated. It is a TOML file, a text for `Spec.from_toml`, or the value that
the functions of `tailback.build` make. `check` returns what bounds its network. `run` and `sweep`
return a `Result` with records, units, series and pictures. `curve`, `completion`, `saturation`,
`compare`, `trace`, `verify` and `cost` do the same as the verbs of the command. docs/python.md is
the guide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tailback import _native, build
from tailback._chakra import import_chakra
from tailback._check import Check, Facts, check
from tailback._compare import Comparison, compare
from tailback._completion import CompletionCurve, CompletionPoint, Completions, completion
from tailback._component import Component
from tailback._cost import Cost, cost
from tailback._curve import Curve, CurvePoint, Curves, curve
from tailback._errors import (
    Error,
    Interrupted,
    NoEffectWarning,
    Problem,
    SpecError,
    UsageError,
)
from tailback._estimate import Ratio, Spread
from tailback._executor import Executor
from tailback._flows import import_htsim, import_ns3
from tailback._goal import Goal
from tailback._load import load
from tailback._pattern import Pattern
from tailback._progress import Progress
from tailback._record import Run, Status
from tailback._remedies import Remedy, remedies
from tailback._result import Failure, Result
from tailback._rule import LocalRule, NetworkShape, RouterState, Rule, State
from tailback._run import resume, run, sweep
from tailback._saturation import Bracket, Saturation, saturation
from tailback._series import Series, SpaceTime
from tailback._spec import Point, Spec, SpecLike, explain
from tailback._study import Cell, Claim, Figure, Paper, Study, papers, reproduce
from tailback._table import Table
from tailback._trace import Stop, Story, Wait, trace
from tailback._verify import Verified, verify
from tailback.embed import Delivery, Network

__version__: str = _native.VERSION


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the records.

    Attributes
    ----------
    name
        Name of the column.
    unit
        Unit of its values; "" if they have none.
    meaning
        What the values mean.
    kind
        Type of the values.
    """

    name: str
    unit: str
    meaning: str
    kind: Literal["bool", "integer", "float", "text"]


def columns() -> tuple[Column, ...]:
    """Return the columns that every record has. Swept parameters come before them.

    Examples
    --------
    >>> [column.unit for column in tailback.columns() if column.name == "latency_mean"]
    ['cycles']
    """
    return tuple(Column(*row) for row in _native.columns())


__all__ = [
    "Bracket",
    "Cell",
    "Check",
    "Claim",
    "Column",
    "Comparison",
    "CompletionCurve",
    "CompletionPoint",
    "Completions",
    "Component",
    "Cost",
    "Curve",
    "CurvePoint",
    "Curves",
    "Delivery",
    "Error",
    "Executor",
    "Facts",
    "Failure",
    "Figure",
    "Goal",
    "Interrupted",
    "LocalRule",
    "Network",
    "NetworkShape",
    "NoEffectWarning",
    "Paper",
    "Pattern",
    "Point",
    "Problem",
    "Progress",
    "Ratio",
    "Remedy",
    "Result",
    "RouterState",
    "Rule",
    "Run",
    "Saturation",
    "Series",
    "SpaceTime",
    "Spec",
    "SpecError",
    "SpecLike",
    "Spread",
    "State",
    "Status",
    "Stop",
    "Story",
    "Study",
    "Table",
    "UsageError",
    "Verified",
    "Wait",
    "build",
    "check",
    "columns",
    "compare",
    "completion",
    "cost",
    "curve",
    "explain",
    "import_chakra",
    "import_htsim",
    "import_ns3",
    "load",
    "papers",
    "remedies",
    "reproduce",
    "resume",
    "run",
    "saturation",
    "sweep",
    "trace",
    "verify",
]
