"""Time series, histograms and space-time charts of one point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailback import _native
from tailback._table import Array, Table


class Series(Table):
    """Columns over an axis: windows of time, buckets of latency, links, nodes.

    ``series["accepted_load"]`` is a float64 array of shape (rows,), NaN where missing;
    ``series.units`` has the units. It goes to data frames as every table does.
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
        """The axis, float64 of shape (rows,), in ``units[x_name]``."""
        return self[self.x_name]


def _again(data: bytes, name: str, unit: str) -> Series:
    """Return a series that was pickled."""
    return Series(_native.Table.from_bytes(data), name, unit)


class SeriesOf(Mapping[str, Series]):
    """The series of one point by name: ``windows``, ``latency_histogram``, what was asked for."""

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
    """Which buffers along a line of routers were full, cycle by cycle, in one direction.

    Attributes
    ----------
    name
        ``N``, ``E``, ``S`` or ``W``.
    first_cycle
        Cycle of the first row.
    masks
        uint16 of shape (cycles, routers): bit c is set where the buffer of virtual channel c is
        full.
    """

    name: str
    first_cycle: int
    masks: npt.NDArray[np.uint16]

    @property
    def cycles(self) -> npt.NDArray[np.int64]:
        """Cycles of the rows, shape (cycles,)."""
        return np.arange(self.first_cycle, self.first_cycle + len(self.masks))

    @property
    def busy(self) -> npt.NDArray[np.uint8]:
        """Full buffers of each router, shape (cycles, routers) [buffers]."""
        return np.bitwise_count(self.masks)

    def channel(self, number: int) -> npt.NDArray[np.bool_]:
        """Return whether one virtual channel's buffer was full, shape (cycles, routers)."""
        full: npt.NDArray[np.bool_] = (self.masks >> np.uint16(number)) & 1 != 0
        return full
