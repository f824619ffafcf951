"""Lines of a picture: points summed up over their seeds, grouped into variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from tailback._errors import UsageError
from tailback._table import Array, Table

if TYPE_CHECKING:
    from tailback._result import Result

LOAD = "traffic.load"

Mark: TypeAlias = Literal["filled", "hollow", "half", "crossed"]
"""How runs of a point ended: all are steady, or some are saturated, interrupted or deadlocked."""


@dataclass(frozen=True, slots=True)
class Place:
    """A point of a line: the mean over its seeds, the 95 % interval or None, and the mark."""

    x: float
    mean: float
    low: float | None
    high: float | None
    mark: Mark
    values: Array

    @property
    def width(self) -> float:
        """Width of the interval; 0 if there is none."""
        return 0.0 if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True, slots=True)
class Line:
    """A variant: its label, its order in the sweep, its parameters, its places by ascending x."""

    label: str
    order: int
    parameters: dict[str, Any]
    places: tuple[Place, ...]
    same_as: int | None

    def at(self, x: float) -> Place | None:
        """Return its place at an x."""
        return next((place for place in self.places if place.x == x), None)


def swept(records: Table) -> list[str]:
    """Return the swept parameters that have more than one value, without the seed."""
    names = [name for name in records.names if records.meanings[name] == "swept parameter"]
    several = [name for name in names if len(set(map(str, records[name].tolist()))) > 1]
    return [name for name in several if name != "run.seed"]


def numbers(records: Table) -> list[str]:
    """Return those that are numbers."""
    return [name for name in swept(records) if records[name].dtype.kind in "fiu"]


def axis(records: Table) -> str | None:
    """Return the load where it is swept, or else the first swept number."""
    found = numbers(records)
    return LOAD if LOAD in found else found[0] if found else None


def lines(records: Table, x: str, y: str) -> list[Line]:
    """Return the variants over ``x``, a swept number or a column.

    Raises
    ------
    UsageError
        For columns without numbers.
    """
    for name in (x, y):
        check(records, name)
    along = x if x in swept(records) else axis(records) or x
    variants = records._native.curves(along, [y] if along == x else [x, y])
    return [_line(records, order, variant, x, y) for order, variant in enumerate(variants)]


def _line(records: Table, order: int, variant: dict[str, Any], x: str, y: str) -> Line:
    places = []
    for point in variant["points"]:
        spread = point["spreads"][y]
        # A swept number is exact; a column has a mean over the seeds.
        beside = point["spreads"].get(x)
        at = point["x"] if beside is None else beside["mean"]
        if spread is None or at is None or not point["seeds"]:
            continue
        values = records[y][point["rows"]]
        place = Place(
            x=at,
            mean=spread["mean"],
            low=spread["low"],
            high=spread["high"],
            mark=point["mark"],
            values=values[np.isfinite(values)],
        )
        places.append(place)
    return Line(variant["label"], order, variant["parameters"], tuple(places), variant["same_as"])


def check(records: Table, name: str) -> None:
    """Refuse a column without numbers.

    Raises
    ------
    UsageError
    """
    column = records[name]
    if column.dtype.kind not in "fiu" or not np.isfinite(column.astype(np.float64)).any():
        usable = ", ".join(dict.fromkeys([*numbers(records), "accepted_load", "latency_mean"]))
        raise UsageError(f"column {name!r} has no numbers to draw; there are {usable} and others")


def alike(drawn: list[Line]) -> list[float]:
    """Return the first places at which all lines are alike: all steady, and closer than intervals.

    Curves that hide each other are drawn once there.
    """
    if len(drawn) < 2:
        return []
    found = []
    for place in drawn[0].places:
        here = [line.at(place.x) for line in drawn]
        known = [one for one in here if one is not None and one.mark == "filled"]
        means = [one.mean for one in known]
        widest = max((one.width for one in known), default=0.0)
        if len(known) < len(drawn) or max(means) - min(means) > widest:
            break
        found.append(place.x)
    return found


def identical(result: Result) -> tuple[tuple[str, ...], ...]:
    """Return groups of variants that came out identical, bit for bit, by name."""
    along = axis(result.records)
    variants = result.records._native.curves(along or LOAD, [])
    groups: dict[int, list[str]] = {}
    for number, variant in enumerate(variants):
        first = number if variant["same_as"] is None else variant["same_as"]
        groups.setdefault(first, []).append(variant["name"])
    return tuple(tuple(names) for names in groups.values() if len(names) > 1)
