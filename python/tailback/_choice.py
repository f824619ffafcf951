"""Which runs of a table somebody asks for."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tailback._errors import UsageError
from tailback._table import Array, Table


def rows_of(records: Table, conditions: Sequence[str | npt.ArrayLike]) -> list[int]:
    """Return the rows for which all conditions hold, as `Result.where` describes them."""
    kept = np.ones(len(records), np.bool_)
    filters = [condition for condition in conditions if isinstance(condition, str)]
    if filters:
        chosen = np.zeros(len(records), np.bool_)
        chosen[records._native.chosen(filters)] = True
        kept &= chosen
    for condition in conditions:
        if not isinstance(condition, str):
            kept &= _bools(condition, len(records))
    return [int(row) for row in np.flatnonzero(kept)]


def _bools(condition: npt.ArrayLike, rows: int) -> Array:
    # Arrays of NumPy, of pandas and of polars, and lists: nothing whose length is a promise.
    if isinstance(condition, list | tuple):
        # Of anything else in it NumPy may make an array without an end.
        if len(condition) == rows and all(isinstance(one, bool | np.bool_) for one in condition):
            return np.array(condition, np.bool_)
        what = f"a {type(condition).__name__} of {len(condition)} values"
    elif hasattr(condition, "__array__"):
        found = np.asarray(condition)
        if found.dtype == np.bool_ and found.shape == (rows,):
            return found
        what = f"{found.dtype} of shape {found.shape}"
    else:
        what = type(condition).__name__
    raise UsageError(
        f"a condition is a text such as 'traffic.load=0.3', or a bool for each of the {rows} runs, "
        f"not {what}"
    )


def rows_with(records: Table, values: Mapping[str, Any]) -> list[int]:
    """Return the rows with these values, as `Result.sel` describes them."""
    kept = np.ones(len(records), np.bool_)
    for name, wanted in values.items():
        if name not in records:
            raise UsageError(_no_column(name, records.names))
        held = _held(records[name], wanted)
        if not held.any():
            there = ", ".join(dict.fromkeys(map(str, records[name].tolist())))
            raise UsageError(f"no run has {name} = {_told(wanted)}; there are {there}")
        kept &= held
    if not kept.any():
        raise UsageError(f"no run has all of {_told(dict(values))}")
    return [int(row) for row in np.flatnonzero(kept)]


def _told(value: object) -> str:
    try:
        return repr(value)
    except RecursionError:
        return f"a deep {type(value).__name__}"


def _held(column: Array, wanted: Any) -> Array:
    if isinstance(wanted, slice):
        if wanted.step is not None:
            raise UsageError("a slice of values has no step: slice(0.1, 0.3)")
        low = -np.inf if wanted.start is None else wanted.start
        high = np.inf if wanted.stop is None else wanted.stop
        held: Array = (column >= low) & (column <= high)
        return held
    if isinstance(wanted, list | tuple | set | range | np.ndarray):
        alternatives = [_equal(column, one) for one in wanted]
        return np.any(alternatives, axis=0) if alternatives else np.zeros(len(column), np.bool_)
    return _equal(column, wanted)


def _equal(column: Array, wanted: Any) -> Array:
    if column.dtype.kind == "f" and isinstance(wanted, int | float | np.number):
        return np.isclose(column, float(wanted), rtol=1e-9, atol=0.0)
    return np.array([bool(value == wanted) for value in column.tolist()], np.bool_)


def _no_column(name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, names, 3)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"there is no swept parameter and no column {name!r}{hint}"
