"""Results as xarray datasets, with one dimension per axis of the sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from tailback._errors import UsageError
from tailback._table import Array, Table

if TYPE_CHECKING:
    from tailback._result import Result


class _Axis:
    """A dimension: the columns that it combines, and its values in order of appearance."""

    def __init__(self, name: str, columns: list[str], rows: list[dict[str, Any]]) -> None:
        self.name, self.columns = name, columns
        self.at = [tuple(row[column] for column in columns) for row in rows]
        self.values = list(dict.fromkeys(self.at))
        self.index = {value: place for place, value in enumerate(self.values)}

    def labels(self) -> list[Any]:
        """Return the label of each value: the value itself, or a text of several values."""
        if len(self.columns) == 1:
            return [value for (value,) in self.values]
        return [" ".join(_word(self.columns, value)) for value in self.values]


def _word(columns: list[str], values: tuple[Any, ...]) -> list[str]:
    words = [str(values[0])]
    rest = zip(columns[1:], values[1:], strict=True)
    return words + [
        f"{name.rsplit('.')[-1]}={_short(value)}" for name, value in rest if value is not None
    ]


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _values(values: list[Any]) -> Array:
    """Return an array; numbers that are missing are NaN."""
    numbers = all(value is None or isinstance(value, int | float) for value in values)
    gaps = any(value is None for value in values)
    return np.array(values, dtype=np.float64 if numbers and gaps else None)


def dataset(result: Result, series: str | None) -> xr.Dataset:
    """Return the records, or the series of this name, over the axes of the sweep."""
    table = result.records
    rows = list(table.rows())
    axes = _axes(result, table, rows)
    places = [tuple(axis.index[axis.at[row]] for axis in axes) for row in range(len(rows))]
    replicas = _replicas(places)
    names = tuple(axis.name for axis in axes)
    shape = tuple(len(axis.values) for axis in axes)
    if max(replicas, default=0) > 0:
        names, shape = (*names, "replica"), (*shape, max(replicas) + 1)
        places = [(*place, replica) for place, replica in zip(places, replicas, strict=True)]
    coordinates = _coordinates(axes, table)
    if "replica" in names:
        coordinates["replica"] = ("replica", np.arange(shape[-1]))
    if series is not None:
        return _of_series(result, series, names, shape, places, coordinates)
    used = {column for axis in axes for column in axis.columns}
    variables = {
        name: (names, _spread(table[name], shape, places), _attributes(table, name))
        for name in table.names
        if name not in used
    }
    return xr.Dataset(variables, coordinates)


def _axes(result: Result, table: Table, rows: list[dict[str, Any]]) -> list[_Axis]:
    axes = []
    for group in result.axes:
        columns = [
            c for path in group for c in table.names if c == path or c.startswith(f"{path}.")
        ]
        # The group's own path first: it names the dimension.
        columns = list(dict.fromkeys(columns))
        if columns:
            axes.append(_Axis(group[0], columns, rows))
    return axes


def _replicas(places: list[tuple[int, ...]]) -> list[int]:
    """Return which row at its place each row is."""
    seen: dict[tuple[int, ...], int] = {}
    numbers = []
    for place in places:
        numbers.append(seen.get(place, 0))
        seen[place] = numbers[-1] + 1
    return numbers


def _coordinates(axes: list[_Axis], table: Table) -> dict[str, Any]:
    coordinates: dict[str, Any] = {}
    for axis in axes:
        coordinates[axis.name] = (axis.name, axis.labels(), _attributes(table, axis.columns[0]))
        if len(axis.columns) > 1:
            for at, column in enumerate(axis.columns):
                values = _values([value[at] for value in axis.values])
                name = column if column != axis.name else f"{column}.value"
                coordinates[name] = (axis.name, values, _attributes(table, column))
    return coordinates


def _attributes(table: Table, name: str) -> dict[str, str]:
    pairs = {"units": table.units.get(name, ""), "long_name": table.meanings.get(name, "")}
    return {key: text for key, text in pairs.items() if text}


def _spread(values: Array, shape: tuple[int, ...], places: list[tuple[int, ...]]) -> Array:
    """Put the value of each row at its place. If no place is empty, integers stay integers."""
    whole = len(places) == int(np.prod(shape))
    if values.dtype == np.object_ or (values.dtype == np.bool_ and not whole):
        spread: Array = np.full(shape, None, dtype=object)
    elif whole:
        spread = np.zeros(shape, dtype=values.dtype)
    else:
        spread = np.full(shape, np.nan)
    for place, value in zip(places, values, strict=True):
        spread[place] = value
    return spread


def _of_series(
    result: Result,
    name: str,
    names: tuple[str, ...],
    shape: tuple[int, ...],
    places: list[tuple[int, ...]],
    coordinates: dict[str, Any],
) -> xr.Dataset:
    found = [run.series[name] for run in result]
    if not found:
        raise UsageError("no point has run")
    longest = max(found, key=len)
    for one in found:
        if one.names != longest.names or not np.array_equal(one.x, longest.x[: len(one)]):
            raise UsageError(f"the series {name!r} of these points have different axes")
    axis = longest.x_name
    variables = {}
    for column in longest.names[1:]:
        spread = np.full((*shape, len(longest)), np.nan)
        for place, one in zip(places, found, strict=True):
            at: tuple[Any, ...] = (*place, slice(len(one)))
            spread[at] = one[column]
        variables[column] = ((*names, axis), spread, _attributes(longest, column))
    coordinates[axis] = (axis, longest.x, _attributes(longest, axis))
    return xr.Dataset(variables, coordinates)
