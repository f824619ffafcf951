"""Reads the results of an earlier run from its folder."""

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

    Parameters
    ----------
    folder
        The folder.

    Returns
    -------
    Result
        The records. The series of the runs stay in the folder.

    Raises
    ------
    UsageError
        If the folder has no records.

    Examples
    --------
    >>> spec = {"topology": {"kind": "torus", "radix": [4, 4]}, "sweep": {"traffic.load": [0.1]}}
    >>> tailback.sweep(spec, store="loads").points
    1
    >>> tailback.load("loads")["status"].tolist()
    ['steady']
    """
    table = Table(_native.records_of(os.fspath(folder)))
    swept = [name for name in table.names if table.meanings[name] == "swept parameter"]
    axes = tuple((name,) for name in swept)
    failures = tuple(_failures(Path(folder)))
    points = len(table) + len(failures)
    return Result(None, table, [None] * len(table), axes, points, failures)


def _failures(folder: Path) -> Iterator[Failure]:
    """Read the runs that failed when the folder was written last."""
    file = folder / "failures.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        row = json.loads(line)
        yield Failure(row["point_id"], row["seed"], row["swept"], row["reason"])
