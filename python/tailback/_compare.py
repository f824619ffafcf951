"""Compares variants of a spec under the same seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tailback import _html, _native
from tailback._component import plain as plain_value
from tailback._errors import UsageError, stopped_by_user
from tailback._estimate import Ratio
from tailback._progress import ProgressLike
from tailback._spec import Spec, SpecLike
from tailback._table import aligned
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between a variant and the first variant, in one column at one point.

    Attributes
    ----------
    variant, first
        Names of the variant and of the first variant.
    point
        Values of the swept parameters, by dotted path.
    column, unit
        The column that is compared, and its unit.
    mean, mean_of_first
        Means over the seeds, in ``unit``; None if there is no value.
    ratio
        The variant over the first variant, with its interval.
    identical
        Whether the results of both variants are the same, bit for bit, at all points.
    """

    variant: str
    first: str
    point: Mapping[str, Any]
    column: str
    unit: str
    mean: float | None
    mean_of_first: float | None
    ratio: Ratio
    identical: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of `compare`: one `Difference` for each variant, point and column.

    Attributes
    ----------
    rows
        The differences.
    """

    rows: tuple[Difference, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def __getitem__(self, index: int) -> Difference:
        return self.rows[index]

    @property
    def significant(self) -> tuple[Difference, ...]:
        """The differences that are shown at the 5 % level, after Holm's correction."""
        return tuple(row for row in self.rows if row.ratio.verdict == "differs")

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        heads = ["variant\n", "against\n", "point\n", "column\n", "unit\n"]
        heads += ["mean\n", "of first\n", "ratio\n", "shown\n"]
        rows = []
        for row in self.rows:
            point = ", ".join(f"{path} {_html.shown(value)}" for path, value in row.point.items())
            ratio = _html.shown(row.ratio.ratio)
            if row.ratio.low is not None and row.ratio.high is not None:
                ratio += f" ({row.ratio.low:.3g} to {row.ratio.high:.3g})"
            means = (_html.shown(row.mean), _html.shown(row.mean_of_first))
            words = [row.variant, row.first, point, row.column, row.unit, *means, ratio]
            rows.append([*words, row.ratio.verdict])
        return heads, rows

    def __repr__(self) -> str:
        return f"<tailback.Comparison: {len(self)} rows>\n{aligned(*self._cells())}"

    def _repr_html_(self) -> str:
        return _html.title("Comparison") + _html.table(*self._cells())


def compare(
    spec: SpecLike,
    variants: Mapping[str, Mapping[str, Any]],
    *,
    columns: str | Sequence[str] = (),
    seeds: int | None = None,
    threads: int | None = None,
    progress: ProgressLike = None,
) -> Comparison:
    """Compare variants of a spec under the same seeds.

    All variants meet the same traffic, seed by seed, so a few seeds show small differences.

    Parameters
    ----------
    spec
        A spec, the path of a spec file, or a dictionary.
    variants
        The changes that make each variant, by its name. The changes are values by dotted path, as
        for `Spec.with_`; ``{}`` is the spec as it is. The first variant is the reference of all
        others.
    columns
        Names of the columns to compare. The default is accepted load and mean latency.
    seeds
        Number of seeds of each variant, at least 1. None uses 10. Intervals need 3.
    threads
        Number of runs at the same time, at least 1. Results do not depend on it. None uses all
        cores.
    progress
        As for `run`.

    Returns
    -------
    Comparison
        One row for each variant but the first, point and column.

    Raises
    ------
    SpecError
        If the spec is wrong.
    UsageError
        If there are fewer than two variants, or if the variants have different points.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds what is known.

    Examples
    --------
    >>> spec = {"topology": {"kind": "torus", "radix": [4, 4]}, "traffic": {"load": 0.2}}
    >>> sizes = {"small": {"router.buffer_flits": 8}, "large": {"router.buffer_flits": 32}}
    >>> for row in tailback.compare(spec, sizes, columns="latency_mean", seeds=3):
    ...     print(row.variant, row.first, row.column, row.ratio.verdict)
    large small latency_mean differs
    """
    if not isinstance(variants, Mapping):
        raise TypeError(f"variants are a dictionary, not {type(variants).__name__}")
    if len(variants) < 2:
        raise UsageError("a comparison needs two variants: {'off': {...}, 'spth': {...}}")
    settings = [
        setting for name, changes in variants.items() for setting in _settings(name, changes)
    ]
    given = {
        "variant": settings,
        "column": [columns] if isinstance(columns, str) else list(columns),
        "seeds": seeds,
        "threads": threads,
    }
    printed, stopped = call("compare", given, spec=Spec.of(spec), progress=progress)
    found = Comparison(tuple(map(_difference, printed)))
    if isinstance(stopped, KeyboardInterrupt):
        raise stopped_by_user("interrupted; what is known is in `result`", found) from stopped
    if stopped is not None:
        raise stopped
    return found


def _settings(name: str, changes: Mapping[str, Any]) -> list[str]:
    """Return the changes of a variant, written as for ``--variant``."""
    if not isinstance(name, str) or not isinstance(changes, Mapping):
        raise TypeError("each variant has a name and a dictionary of changes: {'off': {...}}")
    if not name.strip() or ":" in name or "=" in name:
        raise UsageError(f"a variant cannot be called {name!r}: give it a name without : and =")
    plain = {path: _native.setting(path, plain_value(value)) for path, value in changes.items()}
    return [f"{name}:{setting}" for setting in plain.values()] or [f"{name}:"]


def _difference(plain: dict[str, Any]) -> Difference:
    name, verdict = plain["variant"], plain["verdict"]
    differs = verdict in (f"{name} is more", f"{name} is less")
    ratio = Ratio(
        ratio=plain["ratio"],
        low=plain["ratio_low"],
        high=plain["ratio_high"],
        pairs=plain["pairs"],
        p=plain["p_holm"],
        verdict="differs" if differs else verdict,
    )
    return Difference(
        variant=name,
        first=plain["reference"],
        point=plain["point"],
        column=plain["column"],
        unit=plain["unit"],
        mean=plain["b"],
        mean_of_first=plain["a"],
        ratio=ratio,
        identical=plain["identical"],
    )
