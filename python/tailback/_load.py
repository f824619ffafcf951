"""Results that an earlier run left in a folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from tailback import _native
from tailback._result import Failure, Result
from tailback._table import Table


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
    """Read the runs that failed when the folder was last written."""
    file = folder / "failures.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        row = json.loads(line)
        yield Failure(row["point_id"], row["seed"], row["swept"], row["reason"])
