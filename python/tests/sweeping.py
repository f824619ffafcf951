"""What the tests of sweeps share: a sweep of small points, and what its folder must hold."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import tailback
from conftest import SMALL
from tailback import Spec

# A point of some milliseconds.
ONE = Spec.from_toml(SMALL.split("[sweep]")[0]).with_({"workload.measure_cycles": 8000})


def points(count: int) -> Spec:
    """A sweep of so many points."""
    return ONE.sweep({"traffic.load": [round(0.05 + 0.25 * n / count, 6) for n in range(count)]})


def rows(store: Path) -> list[dict[str, Any]]:
    """The whole lines of the records of a folder; none where there are none yet."""
    file = store / "records.jsonl"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def assert_kept(before: list[dict[str, Any]], store: Path) -> None:
    """Check that rows of an unfinished sweep are still there; a whole one has them in its order."""
    after = rows(store)
    assert all(row in after for row in before)


def digests(spec: Spec) -> dict[str, str]:
    """The digest of every point of an unbroken run, by identity."""
    records = tailback.run(spec).records
    return dict(zip(records["point_id"].tolist(), records["digest"].tolist(), strict=True))


def assert_whole(store: Path, expected: dict[str, str]) -> None:
    """Every point exactly once, with the bits of an unbroken run and all its files."""
    found = rows(store)
    assert Counter(row["point_id"] for row in found) == Counter(expected.keys())
    assert {row["point_id"]: row["digest"] for row in found} == expected
    for folder, files in {"capsules": 1, "series": 4}.items():
        names = [path.name for path in (store / folder).iterdir()]
        owners = Counter(name.split(".")[0].split("-")[0] for name in names)
        assert owners == Counter(dict.fromkeys(expected, files))
    assert not list(store.rglob("*.tmp"))
    assert len(tailback.load(store)) == len(expected)
