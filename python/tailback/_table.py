"""Tables of results: columns as NumPy arrays, and whole tables as data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tailback import _native
from tailback._errors import UsageError
from tailback._html import MOST_ROWS, more, shown, table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Array = npt.NDArray[Any]


def extra(name: str, wanted: str) -> UsageError:
    """Return the error for a missing library. ``wanted`` is the extra that installs it."""
    return UsageError(f"{name} is not installed: pip install 'tailback[{wanted}]'")


class Table:
    """A table of typed columns with units. It never changes.

    A table has the Arrow PyCapsule interface, so ``polars.DataFrame(table)``,
    ``pyarrow.table(table)``, ``pandas.DataFrame.from_arrow(table)`` and DuckDB read it without a
    copy.
    """

    __slots__ = ("_arrays", "_native")

    def __init__(self, native: _native.Table) -> None:
        self._native = native
        self._arrays: dict[str, Array] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in their order."""
        return tuple(self._native.names)

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each column, by name; "" if it has none."""
        return dict(zip(self._native.names, self._native.units, strict=True))

    @property
    def meanings(self) -> Mapping[str, str]:
        """The meaning of each column, by name."""
        return dict(zip(self._native.names, self._native.meanings, strict=True))

    def __len__(self) -> int:
        return len(self._native)

    def __contains__(self, name: object) -> bool:
        return name in self._native.names

    def __getitem__(self, name: str) -> Array:
        """Return a column as a read-only array of shape (rows,).

        Numbers are float64, int64 or uint64. A missing float is NaN. Other values are bools or
        texts, and a missing one is None.
        """
        if name not in self._arrays:
            self._arrays[name] = self._array(name)
        return self._arrays[name]

    def _array(self, name: str) -> Array:
        column = self._native.column(name)
        if isinstance(column, tuple):
            kind, data = column
            return np.frombuffer(data, dtype=kind)
        whole = all(isinstance(value, bool) for value in column) and bool(column)
        array = np.array(column, dtype=np.bool_ if whole else np.object_)
        array.flags.writeable = False
        return array

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one dictionary per row. A missing value is None."""
        columns = {name: self[name].tolist() for name in self.names}
        for row in range(len(self)):
            cells = {name: values[row] for name, values in columns.items()}
            yield {name: None if cell != cell else cell for name, cell in cells.items()}

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the rows through the Arrow PyCapsule interface."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Export the schema through the Arrow PyCapsule interface."""
        return self._native.__arrow_c_schema__()

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas data frame. ``attrs["units"]`` has the units. This needs pandas."""
        try:
            import pandas as pd
        except ImportError:
            raise extra("pandas", "frames") from None
        frame = pd.DataFrame({name: self[name] for name in self.names})
        frame.attrs["units"] = {name: unit for name, unit in self.units.items() if unit}
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return a polars data frame, without a copy of the numbers. This needs polars."""
        try:
            import polars as pl
        except ImportError:
            raise extra("polars", "frames") from None
        return pl.DataFrame(self)

    def to_pyarrow(self) -> pyarrow.Table:
        """Return an Arrow table, without a copy. This needs pyarrow.

        The metadata of each field has its unit.
        """
        try:
            import pyarrow as pa
        except ImportError:
            raise extra("pyarrow", "frames") from None
        return pa.table(self)

    def _shown(self) -> list[str]:
        """Return the columns to show: columns with different values, or else the first ones."""
        chosen = [name for name in self.names if self._tells(name)]
        return chosen[:10] or list(self.names[:10])

    def _tells(self, name: str) -> bool:
        noise = ("point_id", "digest", "version", "wall_seconds")
        if name in noise or name.endswith(("_per_second", "ci95_seeds_ci95")):
            return False
        values = self[name].tolist()
        missing = [value is None or value != value for value in values]
        return not all(missing) and (len(values) < 2 or len(set(map(str, values))) > 1)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the heads and the rows of the columns to show."""
        names = self._shown()
        units = [f"[{self.units[name]}]" if self.units[name] else "" for name in names]
        heads = [f"{_native.shown(n)}\n{unit}" for n, unit in zip(names, units, strict=True)]
        rows = range(min(len(self), MOST_ROWS))
        return heads, [[shown(self[name][row]) for name in names] for row in rows]

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, (self._native.to_bytes(),))

    def __repr__(self) -> str:
        head = f"<tailback.Table: {len(self)} rows, {len(self.names)} columns>"
        left = len(self) - MOST_ROWS
        more = f"\n... {left} more rows" if left > 0 else ""
        return f"{head}\n{aligned(*self._cells())}{more}"

    def _repr_html_(self) -> str:
        return table(*self._cells()) + more(len(self) - MOST_ROWS)


def _again(data: bytes) -> Table:
    """Make the table again that was pickled."""
    return Table(_native.Table.from_bytes(data))


def aligned(heads: list[str], rows: list[list[str]]) -> str:
    """Return aligned columns: heads of two lines, then a limited number of rows."""
    lines = [list(line) for line in zip(*(head.split("\n") for head in heads), strict=True)]
    lines += rows[:MOST_ROWS]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    texts = [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    ]
    left = len(rows) - MOST_ROWS
    return "\n".join(texts + ([f"... {left} more rows"] if left > 0 else []))
