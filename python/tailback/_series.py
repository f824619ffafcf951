"""Time series, histograms and space-time charts of one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailback import _native
from tailback._table import Array, Table


class Series(Table):
    """A table whose first column is an axis: windows of time, latencies, links or nodes.

    ``series["accepted_load"]`` is a read-only array of shape (rows,), with NaN for missing
    numbers. ``series.units`` has the units. A series can be turned into a data frame, as every
    `Table` can.

    Attributes
    ----------
    name
        Name of the series, such as ``"windows"``.
    unit
        Unit of the axis.
    """

    __slots__ = ("name", "unit")

    name: str
    unit: str

    def __init__(self, native: _native.Table, name: str, unit: str) -> None:
        super().__init__(native)
        self.name = name
        self.unit = unit

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, (self._native.to_bytes(), self.name, self.unit))

    @property
    def x_name(self) -> str:
        """Name of the axis, which is the first column."""
        return self.names[0]

    @property
    def x(self) -> Array:
        """Values of the axis, with shape (rows,), in ``units[x_name]``."""
        return self[self.x_name]


def _again(data: bytes, name: str, unit: str) -> Series:
    """Make the series again that was pickled."""
    return Series(_native.Table.from_bytes(data), name, unit)


class SeriesOf(Mapping[str, Series]):
    """The series of one run, by name.

    Every run has ``windows`` and ``latency_histogram``. The section ``[probes]`` adds others.
    """

    def __init__(self, native: _native.Outcome | None) -> None:
        self._native = native
        self._read: dict[str, Series] = {}

    def __getitem__(self, name: str) -> Series:
        if name not in self._read:
            if self._native is None:
                raise KeyError(
                    f"{name!r}: an earlier run left the series of this point in its folder"
                )
            if name not in self._native.series_names:
                there = ", ".join(self._native.series_names)
                raise KeyError(
                    f"there is no series {name!r}; there are {there}. [probes] asks for more"
                )
            table, unit = self._native.series(name)
            self._read[name] = Series(table, name, unit)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._native.series_names if self._native else [])

    def __len__(self) -> int:
        return len(self._native.series_names) if self._native else 0

    def __repr__(self) -> str:
        return f"<series: {', '.join(self)}>"


@dataclass(frozen=True, slots=True, eq=False)
class SpaceTime:
    """A space-time chart: which buffers along a line of routers were full, cycle by cycle.

    Attributes
    ----------
    name
        Direction of the links whose buffers are shown: ``N``, ``E``, ``S`` or ``W``.
    first_cycle
        The cycle of the first row.
    masks
        Array of uint16 with shape (cycles, routers). Bit ``c`` is set if the buffer of virtual
        channel ``c`` is full.
    """

    name: str
    first_cycle: int
    masks: npt.NDArray[np.uint16]

    @property
    def cycles(self) -> npt.NDArray[np.int64]:
        """The cycle of each row, with shape (cycles,)."""
        return np.arange(self.first_cycle, self.first_cycle + len(self.masks))

    @property
    def busy(self) -> npt.NDArray[np.uint8]:
        """Number of full buffers, with shape (cycles, routers) [buffers]."""
        return np.bitwise_count(self.masks)

    def channel(self, number: int) -> npt.NDArray[np.bool_]:
        """Return whether the buffer of a virtual channel is full, with shape (cycles, routers)."""
        full: npt.NDArray[np.bool_] = (self.masks >> np.uint16(number)) & 1 != 0
        return full
