"""The result of a run of many points."""

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
    """A run that failed.

    Attributes
    ----------
    point_id
        16 hexadecimal digits that identify what was to be simulated.
    seed
        Seed of the run.
    swept
        Values of the swept parameters, by dotted path.
    reason
        Why the run failed, in words.
    """

    point_id: str
    seed: int
    swept: Mapping[str, Any]
    reason: str


class Result:
    """The records of the runs of a spec, in the order of its sweep.

    A *run* is one record. A *point* is a setting of the swept parameters, with the runs of all its
    seeds. ``result[0]`` is the first run, and ``result[2:5]`` is a result of three runs.
    ``result["latency_mean"]`` is a column with one value per run, and ``result.mean()`` is a table
    with one row per point.

    Attributes
    ----------
    spec : Spec or None
        The spec that was run; None for records that were read from a folder.
    records : Table
        One row per run.
    axes : tuple of tuples
        Swept paths, the slowest axis first. Paths that advance together are one axis.
    points : int
        Number of runs of the spec. It exceeds the number of rows if the sweep was stopped, or if
        runs failed.
    failures : tuple of Failure
        Runs that failed. The next `sweep` into the same folder runs them again.

    Examples
    --------
    >>> import tailback
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}, "run": {"replicas": 3}}
    >>> result = tailback.run({**torus, "sweep": {"traffic.load": [0.1, 0.2]}})
    >>> len(result), len(result.mean()), result["latency_mean"].shape
    (6, 2, (6,))
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
        """Return the run of a number, the runs of a slice, or a column with one value per run."""
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
        """Return a result with these runs alone."""
        records = Table(self.records._native.take(list(rows)))
        outcomes = [self._outcomes[row] for row in rows]
        return Result(self.spec, records, outcomes, self.axes, len(rows))

    def where(self, *conditions: str | npt.ArrayLike) -> Result:
        """Return a result with the runs that meet all conditions.

        Parameters
        ----------
        *conditions
            Texts or arrays. A text is written as for ``--where`` of the command line, such as
            ``"traffic.pattern=trns"``. It chooses points with all their seeds, and several values
            of one path are alternatives. An array has one bool per run, such as
            ``result["latency_mean"] < 100``.

        Raises
        ------
        UsageError
            If a path is neither a swept parameter nor a column, or if no run has the value.

        Examples
        --------
        >>> import tailback
        >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
        >>> result = tailback.run({**torus, "sweep": {"traffic.load": [0.1, 0.2]}})
        >>> len(result.where("traffic.load=0.1")), len(result.where(result["latency_mean"] > 1e6))
        (1, 0)
        """
        return self._of(rows_of(self.records, conditions))

    def sel(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Result:
        """Return a result with the runs that have these values.

        Parameters
        ----------
        values, **more
            A value for each swept parameter or column, such as
            ``result.sel({"traffic.load": 0.3}, admission="off")``. A list has alternatives. A
            slice, such as ``slice(0.1, 0.3)``, chooses a range of numbers with both of its ends.

        Raises
        ------
        UsageError
            If there is no such parameter or column, or if no run has the values.
        """
        return self._of(rows_with(self.records, {**(values or {}), **more}))

    def mean(self) -> Table:
        """Return the means over seeds: a table with one row per point.

        The swept parameters come first. Each column ``X`` has the mean over the seeds.
        ``X_seeds_ci95`` has half the width of the 95 % interval of that mean. It is NaN with fewer
        than three seeds, and where half of the interval exceeds half of the mean. ``seeds`` is the
        number of seeds, and ``status`` says how the runs ended, such as "2 steady, 1 saturated".
        The file ``records.csv`` of a folder has the same table.
        """
        return Table(self.records._native.means())

    @property
    def per_seed(self) -> Table:
        """The table of all runs, one row per run. It is the same as ``records``."""
        return self.records

    @property
    def complete(self) -> bool:
        """Whether all runs of the spec ran to their end."""
        ended = np.count_nonzero(self.records["status"] != "interrupted")
        return bool(ended == self.points)

    @property
    def identical(self) -> tuple[tuple[str, ...], ...]:
        """Groups of variants whose results are identical, bit for bit.

        A variant is a setting of all swept parameters but the load, or but the first swept number
        if the load is not swept. Two variants are identical if they agree at every point that they
        have in common. A group has two names or more: the names of their lines in a picture.
        """
        from tailback._lines import identical

        return identical(self)

    @property
    def plot(self) -> Plots:
        """Pictures of the result. They need matplotlib."""
        from tailback._plot import Plots

        return Plots(self)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the records through the Arrow PyCapsule interface."""
        return self.records.__arrow_c_stream__(requested_schema)

    def draw(
        self,
        path: str | os.PathLike[str],
        y: str | None = None,
        *,
        x: str | None = None,
        force: bool = False,
    ) -> None:
        """Draw curves as the ``tailback`` command does. This needs no library.

        Parameters
        ----------
        path
            The file of the picture. Its name ends in ``.svg`` or ``.png``.
        y
            The column to draw. None draws accepted load and mean latency.
        x
            A swept parameter or a column. None takes the load, or the first swept number.
        force
            Whether a file that is not a picture may be replaced. Anything that is not a regular
            file is never replaced.

        Raises
        ------
        UsageError
            If a column has no numbers, if no number is swept, if the name of the file ends
            otherwise, or if the file exists and may not be replaced.
        """
        ending = Path(path).suffix.lower()
        if ending not in (".svg", ".png"):
            raise UsageError(f"{os.fspath(path)!r} must end in .svg or .png; `plot` knows others")
        drawn = self.records._native.draw(x, y, ending == ".png")
        _native.write(os.fspath(path), drawn, ending[1:], force)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the records as a pandas data frame. This needs pandas."""
        return self.records.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Return the records as a polars data frame. This needs polars."""
        return self.records.to_polars()

    def to_xarray(self, series: str | None = None) -> xarray.Dataset:
        """Return an xarray dataset whose dimensions are the axes of the sweep. This needs xarray.

        Parameters
        ----------
        series
            Name of a series, such as ``"windows"``. The dataset then has that series instead of
            the records, and the axis of the series is the last dimension.

        Returns
        -------
        xarray.Dataset
            One variable per column, with units. Paths that advance together are one dimension. If
            points have several seeds, the dimension ``replica`` counts them. Points that have not
            run are NaN.

        Raises
        ------
        UsageError
            If xarray is not installed.
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
        """Return how many points and runs there are, and how many are missing."""
        points, failed = len(self.mean()), len(self.failures)
        counts = {"failed": failed, "not run": self.points - len(self) - failed}
        missing = "".join(f", {count} {what}" for what, count in counts.items() if count)
        return f"{_count(points, 'point')}, {_count(len(self), 'run')}{missing}"

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the heads and the rows of the table of points that a result prints."""
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
    """Make the result again that was pickled."""
    left = [None if data is None else _native.Outcome.from_bytes(data) for data in outcomes]
    return Result(spec, records, left, axes, points, failures)
