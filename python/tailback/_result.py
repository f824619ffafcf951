"""What came out of a run of many points."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from tailback import _html, _native
from tailback._choice import rows_of, rows_with
from tailback._columns import BoolColumn, FloatColumn, IntegerColumn, TextColumn
from tailback._errors import UsageError
from tailback._record import Run
from tailback._spec import Spec
from tailback._table import Array, Table, aligned, extra

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

    from tailback._plot import Plots


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that could not be run to its end.

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
    """What came out of the runs of a spec, in the order of its sweep.

    A *run* is one record. A *point* is a setting of the swept parameters with the runs of all its
    seeds. ``result[0]`` is the first run, ``result[2:5]`` a result of three runs,
    ``result["latency_mean"]`` a column with a value for each run, and ``result.mean()`` a table
    with a row for each point.

    Attributes
    ----------
    spec : Spec or None
        What was run; None for records that were read from a folder.
    records : Table
        One row per run.
    axes : tuple of tuples
        Swept paths; those that advance together as one group, slowest first.
    points : int
        Runs that were asked for; more than rows where a run was stopped or points failed.
    failures : tuple of Failure
        Runs that failed; a sweep that goes on runs them again.
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

    @overload
    def __getitem__(self, key: int) -> Run: ...
    @overload
    def __getitem__(self, key: slice) -> Result: ...
    @overload
    def __getitem__(self, key: FloatColumn) -> npt.NDArray[np.float64]: ...
    @overload
    def __getitem__(self, key: IntegerColumn) -> npt.NDArray[np.uint64]: ...
    @overload
    def __getitem__(self, key: BoolColumn) -> npt.NDArray[np.bool_]: ...
    @overload
    def __getitem__(self, key: TextColumn) -> npt.NDArray[np.object_]: ...
    @overload
    def __getitem__(self, key: str) -> Array: ...
    def __getitem__(self, key: int | slice | str) -> Run | Result | Array:
        """Return a run by its place, a result of some runs, or a column with a value per run."""
        if isinstance(key, str):
            return self.records[key]
        if isinstance(key, slice):
            return self._of(range(len(self))[key])
        if self._rows is None:
            self._rows = list(self.records.rows())
        return Run(self._rows[key], self._outcomes[key])

    def __iter__(self) -> Iterator[Run]:
        return (self[index] for index in range(len(self)))

    def _of(self, rows: range | list[int]) -> Result:
        """Return a result of these runs alone."""
        records = Table(self.records._native.take(list(rows)))
        outcomes = [self._outcomes[row] for row in rows]
        return Result(self.spec, records, outcomes, self.axes, len(rows))

    def where(self, *conditions: str | npt.ArrayLike) -> Result:
        """Return a result of some runs.

        Parameters
        ----------
        *conditions
            Texts as for ``--where`` of the command line, such as ``"traffic.pattern=transpose"``:
            they choose points with all their seeds, and several values of one path are
            alternatives. Or arrays with a bool for each run, such as
            ``result["latency_mean"] < 100``. All of them must hold.

        Raises
        ------
        UsageError
            Where a path is neither swept nor a column, or no run has the value.
        """
        return self._of(rows_of(self.records, conditions))

    def sel(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Result:
        """Return the runs with these values of swept parameters or columns.

        ``result.sel({"traffic.load": 0.3}, admission="off")``. A list has alternatives; a slice,
        ``slice(0.1, 0.3)``, has all that is not below its first and not above its second number.

        Raises
        ------
        UsageError
            Where there is no such parameter or column, or no run has the values.
        """
        return self._of(rows_with(self.records, {**(values or {}), **more}))

    def mean(self) -> Table:
        """Return a table with one row per point: what its seeds say together.

        Swept parameters come first. Then each column ``X`` has its mean over the seeds, and
        ``X_seeds_ci95`` half the width of its 95 % interval: NaN below three seeds, and where the
        interval is so wide that it says nothing. ``seeds`` counts them; ``status`` says how the
        runs ended, such as "2 steady, 1 saturated". It is the table of ``records.csv``.
        """
        return Table(self.records._native.means())

    @property
    def per_seed(self) -> Table:
        """One row per run: the records themselves."""
        return self.records

    @property
    def complete(self) -> bool:
        """Whether every run that was asked for ran to its end."""
        ended = np.count_nonzero(self.records["status"] != "interrupted")
        return bool(ended == self.points)

    @property
    def identical(self) -> tuple[tuple[str, ...], ...]:
        """Variants that came out identical, bit for bit, at every point that they have in common.

        A variant is what is swept beside the load, or the first swept number; its name is that of
        its line in a picture. Each group has two names or more.
        """
        from tailback._lines import identical

        return identical(self)

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

    def __reduce__(self) -> tuple[object, ...]:
        outcomes = [outcome and outcome.to_bytes() for outcome in self._outcomes]
        data = (self.spec, self.records, outcomes, self.axes, self.points, self.failures)
        return (_again, data)

    def _said(self) -> str:
        """How many points and runs there are, and what is missing."""
        points, failed = len(self.mean()), len(self.failures)
        counts = {"failed": failed, "not run": self.points - len(self) - failed}
        missing = "".join(f", {count} {what}" for what, count in counts.items() if count)
        return f"{_count(points, 'point')}, {_count(len(self), 'run')}{missing}"

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows of the points: what is swept, means with their intervals, statuses."""
        means = self.mean()
        swept = [name for name in means.names if means.meanings[name] == "swept parameter"]
        columns = [name for name in ("accepted_load", "latency_mean") if known(means[name])]
        if not known(means["offered_load"]) and known(means["duration"]):
            columns = ["duration", *columns]
        named = [*swept, *columns]
        units = [f"[{means.units[name]}]" if means.units[name] else "" for name in named]
        heads = [f"{_native.shown(n)}\n{unit}" for n, unit in zip(named, units, strict=True)]
        texts = self.records._native.shown(columns)
        texts = [[_html.shown(value) for value in means[name].tolist()] for name in swept] + texts
        rows = list(map(list, zip(*texts, means["status"].tolist(), strict=True)))
        return [*heads, "status\n"], rows

    def __repr__(self) -> str:
        return f"<tailback.Result: {self._said()}>\n{aligned(*self._cells())}"

    def _repr_html_(self) -> str:
        heads, rows = self._cells()
        body = _html.table(heads, rows[: _html.MOST_ROWS]) + _html.more(len(rows) - _html.MOST_ROWS)
        try:
            drawn = _html.picture(self.records._native.draw(None, None, False), "curves")
        except UsageError:
            drawn = ""
        return _html.title("Result", self._said()) + _html.side_by_side((body, drawn))


def known(values: Array) -> bool:
    """Return whether any value is a number."""
    return bool(np.isfinite(values).any())


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _again(
    spec: Spec | None,
    records: Table,
    outcomes: list[bytes | None],
    axes: tuple[tuple[str, ...], ...],
    points: int,
    failures: tuple[Failure, ...],
) -> Result:
    """Return a result that was pickled."""
    left = [None if data is None else _native.Outcome.from_bytes(data) for data in outcomes]
    return Result(spec, records, left, axes, points, failures)
