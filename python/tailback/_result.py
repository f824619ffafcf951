"""What came out of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tailback import _native
from tailback._errors import UsageError
from tailback._series import SeriesOf, SpaceTime
from tailback._spec import Spec
from tailback._table import Table, extra

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

    from tailback._plot import Plots


class Run:
    """One point of a result.

    Attributes
    ----------
    record : mapping
        The row: swept parameters, then the columns that `tailback.columns` lists.
    series : mapping
        Tables by name, as `Series`.
    """

    __slots__ = ("_native", "record", "series")

    def __init__(self, record: Mapping[str, Any], native: _native.Outcome | None) -> None:
        self._native = native
        self.record = record
        self.series = SeriesOf(native)

    def __getitem__(self, column: str) -> Any:
        return self.record[column]

    @property
    def status(self) -> str:
        """How it ended: steady, saturated, deadlocked, completed or interrupted."""
        return str(self.record["status"])

    @property
    def explanation(self) -> str:
        """What happened and why, in plain words; "" for a point of an earlier run."""
        return self._native.explanation if self._native else ""

    @property
    def findings(self) -> dict[str, float]:
        """Numbers found by analysis, by name; docs/results.md has their units."""
        return {name: value for name, _, value in self._native.findings} if self._native else {}

    @property
    def space_time(self) -> dict[str, SpaceTime]:
        """Space-time charts by direction; none unless ``probes.space_time_cycles`` is set."""
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
        """The spec of this point alone, complete."""
        return Spec.from_toml(self._there().spec_toml, name=f"point {self['point_id']}")

    def write_capsule(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write all that it takes to run the point again: ``tailback verify`` takes the file.

        Raises
        ------
        UsageError
            Where something stands that is no capsule, unless ``force`` says to replace the file;
            what is no regular file is never replaced.
        """
        text = self._there().capsule_json + "\n"
        _native.write(os.fspath(path), text.encode(), "capsule", force)

    def _there(self) -> _native.Outcome:
        if self._native is None:
            raise UsageError("an earlier run left the capsule of this point in its folder")
        return self._native

    def __repr__(self) -> str:
        return f"<tailback.Run {self['point_id']}: {self.explanation or self.status}>"


@dataclass(frozen=True, slots=True)
class Failure:
    """A point that could not be run to its end.

    Attributes
    ----------
    point_id, seed
        Identity and seed.
    swept
        What the sweep chose, by dotted path.
    reason
        Why, in words.
    """

    point_id: str
    seed: int
    swept: Mapping[str, Any]
    reason: str


class Result:
    """What came out of the points of a spec, in the order of its sweep.

    Attributes
    ----------
    spec : Spec or None
        What was run; None for records that were read from a folder.
    records : Table
        A row a point.
    axes : tuple of tuples
        Swept paths; those that advance together as one group, slowest first.
    points : int
        Points that were asked for; more than rows where a run was stopped or points failed.
    failures : tuple of Failure
        Points that failed; a sweep that goes on runs them again.
    """

    def __init__(
        self,
        spec: Spec | None,
        records: Table,
        outcomes: list[_native.Outcome | None],
        axes: tuple[tuple[str, ...], ...],
        points: int,
        failures: tuple[Failure, ...] = (),
    ) -> None:
        self.spec = spec
        self.records = records
        self.axes = axes
        self.points = points
        self.failures = failures
        self._outcomes = outcomes
        self._rows: list[dict[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, index: int) -> Run:
        if self._rows is None:
            self._rows = list(self.records.rows())
        return Run(self._rows[index], self._outcomes[index])

    def __iter__(self) -> Iterator[Run]:
        return (self[index] for index in range(len(self)))

    @property
    def complete(self) -> bool:
        """Whether every point that was asked for ran to its end."""
        ended = np.count_nonzero(self.records["status"] != "interrupted")
        return bool(ended == self.points)

    @property
    def identical(self) -> tuple[tuple[str, ...], ...]:
        """Variants that came out identical, bit for bit, at every point that they have in common.

        A variant is what is swept beside the load, or the first swept number; its name is that of
        its line in a picture. Each group has two names or more.
        """
        from tailback._plot import Plots

        return tuple(Plots(self).identical())

    @property
    def plot(self) -> Plots:
        """Pictures; needs matplotlib."""
        from tailback._plot import Plots

        return Plots(self)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the records; see the Arrow PyCapsule interface."""
        return self.records.__arrow_c_stream__(requested_schema)

    def draw(
        self,
        path: str | os.PathLike[str],
        y: str | None = None,
        *,
        x: str | None = None,
        force: bool = False,
    ) -> None:
        """Draw curves as the ``tailback`` command does, without any library: an SVG or a PNG file.

        Parameters
        ----------
        path
            The picture; its ending says which kind.
        y
            A column; None: accepted load and mean latency.
        x
            A swept parameter or a column; None: the load, or the first number that is swept.
        force
            Replace a file that holds something else; never what is no regular file.

        Raises
        ------
        UsageError
            For columns without numbers, where no number is swept, for other endings, and where
            something stands that is not replaced.
        """
        ending = Path(path).suffix.lower()
        if ending not in (".svg", ".png"):
            raise UsageError(f"{os.fspath(path)!r} must end in .svg or .png; `plot` knows others")
        drawn = self.records._native.draw(x, y, ending == ".png")
        _native.write(os.fspath(path), drawn, ending[1:], force)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the records as a pandas data frame. Needs pandas."""
        return self.records.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Return the records as a polars data frame. Needs polars."""
        return self.records.to_polars()

    def to_xarray(self, series: str | None = None) -> xarray.Dataset:
        """Return an xarray dataset with the sweep's axes as dimensions. Needs xarray.

        Parameters
        ----------
        series
            Instead of the records, the series of this name, whose axis becomes the last dimension.

        Returns
        -------
        xarray.Dataset
            A variable a column, with units. Axes that advance together are one dimension, several
            seeds a point the dimension ``replica``. Points that have not run are NaN.
        """
        try:
            import xarray  # noqa: F401
        except ImportError:
            raise extra("xarray", "xarray") from None
        from tailback._xarray import dataset

        return dataset(self, series)

    def __repr__(self) -> str:
        failed = len(self.failures)
        counts = {"failed": failed, "not run": self.points - len(self) - failed}
        missing = "".join(f", {count} {what}" for what, count in counts.items() if count)
        return f"<tailback.Result: {self.points} points{missing}>\n{self.records._text()}"

    def _repr_html_(self) -> str:
        return self.records._repr_html_()


def load(folder: str | os.PathLike[str]) -> Result:
    """Read the records of a folder that ``tailback run --out`` or `tailback.sweep` wrote.

    Raises
    ------
    UsageError
        For a folder without records.
    """
    table = Table(_native.records_of(os.fspath(folder)))
    swept = [name for name in table.names if table.meanings[name] == "swept parameter"]
    axes = tuple((name,) for name in swept)
    failures = tuple(_failures(Path(folder)))
    points = len(table) + len(failures)
    return Result(None, table, [None] * len(table), axes, points, failures)


def _failures(folder: Path) -> Iterator[Failure]:
    """Read the points that failed when the folder was last written."""
    file = folder / "failures.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        row = json.loads(line)
        yield Failure(row["point_id"], row["seed"], row["swept"], row["reason"])
