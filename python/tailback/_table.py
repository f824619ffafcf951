"""Tables of results: Arrow to data frames, NumPy arrays by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tailback import _native
from tailback._errors import UsageError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Array = npt.NDArray[Any]


def extra(name: str, wanted: str) -> UsageError:
    """Return the error of a library that is missing; ``wanted`` is the extra that brings it."""
    return UsageError(f"{name} is not installed: pip install 'tailback[{wanted}]'")


class Table:
    """A table of typed columns with units, immutable.

    It has the Arrow PyCapsule interface: ``polars.DataFrame(table)``, ``pyarrow.table(table)``,
    ``pandas.DataFrame.from_arrow(table)`` and DuckDB take it without a copy.
    """

    __slots__ = ("_arrays", "_native")

    def __init__(self, native: _native.Table) -> None:
        self._native = native
        self._arrays: dict[str, Array] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self._native.names)

    @property
    def units(self) -> Mapping[str, str]:
        """Units by column; "" where there is none."""
        return dict(zip(self._native.names, self._native.units, strict=True))

    @property
    def meanings(self) -> Mapping[str, str]:
        """Meanings by column, a phrase each."""
        return dict(zip(self._native.names, self._native.meanings, strict=True))

    def __len__(self) -> int:
        return len(self._native)

    def __contains__(self, name: object) -> bool:
        return name in self._native.names

    def __getitem__(self, name: str) -> Array:
        """Return a column as a read-only array of shape (rows,).

        Numbers are float64 with NaN where missing, or int64 or uint64; others are bools or texts
        (objects, None where missing).
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
        """Yield a dictionary a row, None where a value is missing."""
        columns = {name: self[name].tolist() for name in self.names}
        for row in range(len(self)):
            cells = {name: values[row] for name, values in columns.items()}
            yield {name: None if cell != cell else cell for name, cell in cells.items()}

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export a stream of record batches; see the Arrow PyCapsule interface."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Export the schema; see the Arrow PyCapsule interface."""
        return self._native.__arrow_c_schema__()

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas data frame; ``attrs["units"]`` has the units. Needs pandas."""
        try:
            import pandas as pd
        except ImportError:
            raise extra("pandas", "frames") from None
        frame = pd.DataFrame({name: self[name] for name in self.names})
        frame.attrs["units"] = {name: unit for name, unit in self.units.items() if unit}
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return a polars data frame, without a copy of the numbers. Needs polars."""
        try:
            import polars as pl
        except ImportError:
            raise extra("polars", "frames") from None
        return pl.DataFrame(self)

    def to_pyarrow(self) -> pyarrow.Table:
        """Return an Arrow table, without a copy; fields have units as metadata. Needs pyarrow."""
        try:
            import pyarrow as pa
        except ImportError:
            raise extra("pyarrow", "frames") from None
        return pa.table(self)

    def __repr__(self) -> str:
        return f"<tailback.Table: {len(self)} rows, {len(self.names)} columns>\n{self._text()}"

    def _shown(self) -> list[str]:
        """Columns worth showing: not the same everywhere, or among the first of a record."""
        chosen = [name for name in self.names if self._tells(name)]
        return chosen[:10] or list(self.names[:10])

    def _tells(self, name: str) -> bool:
        if name in ("point_id", "digest", "version", "wall_seconds") or name.endswith(
            "_per_second"
        ):
            return False
        values = self[name].tolist()
        missing = [value is None or value != value for value in values]
        return not all(missing) and (len(values) < 2 or len(set(map(str, values))) > 1)

    def _cells(self) -> tuple[list[str], list[str], list[list[str]]]:
        """Names, units and the first rows of what is worth showing."""
        names = self._shown()
        units = [f"[{self.units[name]}]" if self.units[name] else "" for name in names]
        rows = [[_short(self[name][row]) for name in names] for row in range(min(len(self), 20))]
        return [_native.shown(name) for name in names], units, rows

    def _text(self) -> str:
        names, units, rows = self._cells()
        lines = [names, units, *rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        texts = [
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        ]
        more = [f"... {len(self) - 20} more rows"] if len(self) > 20 else []
        return "\n".join(texts + more)

    def _repr_html_(self) -> str:
        names, units, rows = self._cells()
        heads = zip(names, units, strict=True)
        head = "".join(f"<th>{escape(name)}<br>{escape(unit)}</th>" for name, unit in heads)
        cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        more = f"<p>... {len(self) - 20} more rows</p>" if len(self) > 20 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _short(value: object) -> str:
    if value is None or value != value:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else _native.shown(str(value))
