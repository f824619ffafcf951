"""One run of a result: its record, its series and its charts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args, overload

import numpy as np

from tailback import _html, _native
from tailback._columns import BoolColumn, FloatColumn, IntegerColumn, TextColumn
from tailback._errors import UsageError
from tailback._series import SeriesOf, SpaceTime
from tailback._spec import Spec

Status: TypeAlias = Literal[
    "steady",
    "saturated",
    "deadlocked",
    "starved",
    "livelocked",
    "slow",
    "completed",
    "stuck",
    "interrupted",
]
"""How a run ended. docs/results.md explains each word."""

STATUSES: tuple[Status, ...] = get_args(Status)

MAIN = (
    "offered_load",
    "accepted_load",
    "latency_mean",
    "latency_p99",
    "latency_max",
    "hops_mean",
    "jain_index",
    "duration",
)
"""The columns that a notebook shows of one run."""


class Run:
    """One run of a result: a point with one seed. ``run["latency_mean"]`` is a value of its record.

    Attributes
    ----------
    record : mapping
        The swept parameters, then the columns that `tailback.columns` lists. A missing value is
        None.
    series : mapping
        Time series and histograms of the run, by name. Each is a `Series`.
    """

    __slots__ = ("_native", "record", "series")

    def __init__(self, record: Mapping[str, Any], native: _native.Outcome | None) -> None:
        self._native = native
        self.record = record
        self.series = SeriesOf(native)

    @overload
    def __getitem__(self, column: Literal["status"]) -> Status: ...
    @overload
    def __getitem__(self, column: FloatColumn) -> float | None: ...
    @overload
    def __getitem__(self, column: IntegerColumn) -> int: ...
    @overload
    def __getitem__(self, column: BoolColumn) -> bool: ...
    @overload
    def __getitem__(self, column: TextColumn) -> str: ...
    @overload
    def __getitem__(self, column: str) -> Any: ...
    def __getitem__(self, column: str) -> Any:
        return self.record[column]

    @property
    def status(self) -> Status:
        """How the run ended, in one word."""
        status: Status = self.record["status"]
        return status

    @property
    def explanation(self) -> str:
        """What happened and why, in words; "" for a run that was read from a folder."""
        return self._native.explanation if self._native else ""

    @property
    def findings(self) -> dict[str, float]:
        """Numbers that the analysis of the run found, by name. docs/results.md has their units."""
        return {name: value for name, _, value in self._native.findings} if self._native else {}

    @property
    def space_time(self) -> dict[str, SpaceTime]:
        """Space-time charts by direction. There are none unless the spec asks for them.

        The parameter ``probes.space_time_cycles`` asks for charts.
        """
        charts = self._native.space_time if self._native else None
        if charts is None:
            return {}
        first, panels = charts
        read = ((name, np.frombuffer(data, np.uint16), width) for name, width, data in panels)
        return {
            name: SpaceTime(name, first, cells.reshape(-1, width)) for name, cells, width in read
        }

    @property
    def spec(self) -> Spec:
        """The complete spec of this run alone."""
        return Spec.from_toml(self._there().spec_toml, name=f"point {self['point_id']}")

    def write_capsule(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a capsule of the run. `tailback.verify` runs it again and compares the results.

        Parameters
        ----------
        path
            The file of the capsule.
        force
            Whether a file that is not a capsule may be replaced. Anything that is not a regular
            file is never replaced.

        Raises
        ------
        UsageError
            If the file exists and may not be replaced, or if the run was read from a folder.
        """
        text = self._there().capsule_json + "\n"
        _native.write(os.fspath(path), text.encode(), "capsule", force)

    def _there(self) -> _native.Outcome:
        if self._native is None:
            raise UsageError("an earlier run left the capsule of this point in its folder")
        return self._native

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, (dict(self.record), self._native and self._native.to_bytes()))

    def __repr__(self) -> str:
        return f"<tailback.Run {self['point_id']}: {self.explanation or self.status}>"

    def _repr_html_(self) -> str:
        units = {column: f"{column} [{unit}]" if unit else column for column, unit in _units()}
        numbers = {units[name]: self.record.get(name) for name in MAIN}
        swept = {name: value for name, value in self.record.items() if name not in units}
        parts = [_html.facts({**swept, "seed": self["seed"]}), _html.facts(numbers)]
        if "windows" in self.series:
            windows = self.series["windows"]
            words = "accepted load over time"
            parts.append(_html.sparkline(windows["accepted_load"].tolist(), words))
        head = _html.title(f"Run {self['point_id']}", self.status)
        return head + _html.paragraph(self.explanation) + _html.side_by_side(parts)


def _units() -> list[tuple[str, str]]:
    return [(name, unit) for name, unit, _, _ in _native.columns()]


def _again(record: Mapping[str, Any], data: bytes | None) -> Run:
    """Make the run again that was pickled."""
    return Run(record, None if data is None else _native.Outcome.from_bytes(data))
