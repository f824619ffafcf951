"""Whole latency-load curves, placed and repeated by the program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tailback import _html
from tailback._errors import UsageError, stopped_by_user
from tailback._estimate import Ratio, Spread, ratio, spread
from tailback._progress import ProgressLike
from tailback._spec import Spec, SpecLike
from tailback._table import aligned
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve.

    Attributes
    ----------
    load
        Value of ``traffic.load`` [flits/node/cycle].
    accepted_load
        What arrived [flits/node/cycle].
    latency
        Mean latency [cycles]; None where nothing arrived.
    verdict
        Whether the load is stable: whether the backlog does not grow.
    status
        How the runs ended, such as "2 steady, 1 saturated".
    seeds
        How many runs it has.
    """

    load: float
    accepted_load: Spread | None
    latency: Spread | None
    verdict: Literal["stable", "not stable", "undecided"] | None
    status: str
    seeds: int


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve of one variant. Loads are in flits/node/cycle.

    Attributes
    ----------
    name, label
        What is swept, in words; with the names of the variants that are identical: "off = alo".
    parameters
        The swept parameters but the load.
    equals
        The earlier variant that came out the same, bit for bit; None for none.
    zero_load_latency
        Latency without waiting [cycles].
    knee
        Load at which the latency is twice that.
    saturation
        Largest stable load, over the searches; None where it was not found.
    never_saturates
        Whether every load that was tried is stable.
    peak, sustained
        The point that accepts most, and the one at the largest load beyond saturation.
    against_first
        Sustained accepted load over that of the first variant; None for the first.
    channel_load_bound
        Load at which some link is full.
    points
        All points, by ascending load.
    """

    name: str
    label: str
    parameters: Mapping[str, Any]
    equals: str | None
    zero_load_latency: float | None
    knee: Spread | None
    saturation: Spread | None
    never_saturates: bool
    peak: CurvePoint | None
    sustained: CurvePoint | None
    against_first: Ratio | None
    channel_load_bound: float | None
    points: tuple[CurvePoint, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Curves:
    """The curves of all variants of a spec: ``curves["spth"]``, ``for curve in curves``.

    Attributes
    ----------
    variants
        A curve each, in the order of the sweep.
    headline
        What they say, a sentence each.
    runs
        How many runs were made.
    complete
        Whether nothing was left out because the runs were spent or somebody stopped it.
    """

    variants: tuple[Curve, ...]
    headline: tuple[str, ...]
    runs: int
    complete: bool

    def __len__(self) -> int:
        return len(self.variants)

    def __iter__(self) -> Iterator[Curve]:
        return iter(self.variants)

    def __getitem__(self, key: str | int) -> Curve:
        """Return the curve of a variant by its name or place."""
        if isinstance(key, int):
            return self.variants[key]
        for curve in self.variants:
            if curve.name == key:
                return curve
        names = ", ".join(repr(curve.name) for curve in self.variants)
        raise UsageError(f"there is no variant {key!r}; there are {names}")

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        load = "[flits/node/cycle]"
        heads = ["variant\n", "zero load\n[cycles]", f"knee\n{load}", f"saturation\n{load}"]
        heads += [f"peak\n{load}", f"sustained\n{load}", "against first\n"]
        rows = [
            [
                curve.label or "the spec",
                _number(curve.zero_load_latency),
                _number(curve.knee),
                _number(curve.saturation),
                _number(None if curve.peak is None else curve.peak.accepted_load),
                _number(None if curve.sustained is None else curve.sustained.accepted_load),
                _percent(curve.against_first),
            ]
            for curve in self.variants
            if curve.equals is None
        ]
        return heads, rows

    def __str__(self) -> str:
        said = "\n".join(self.headline)
        return f"{said}\n\n{aligned(*self._cells())}" if said else aligned(*self._cells())

    def __repr__(self) -> str:
        names = ", ".join(curve.name or "the spec" for curve in self.variants)
        return f"<tailback.Curves of {names}: {self.runs} runs>\n{self}"

    def _repr_html_(self) -> str:
        head = _html.title("Curves", f"{self.runs} runs")
        said = "".join(map(_html.paragraph, self.headline))
        return head + said + _html.table(*self._cells())


def _number(value: Spread | float | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, Spread) else f"{value:.4g}"


def _percent(found: Ratio | None) -> str:
    if found is None or found.ratio is None:
        return ""
    star = " *" if found.verdict == "differs" else ""
    return f"{100 * (found.ratio - 1):+.0f} %{star}"


def curve(
    spec: SpecLike,
    *,
    low: float | None = None,
    high: float | None = None,
    highest: float | None = None,
    points: int | None = None,
    precision: float | None = None,
    tolerance: float | None = None,
    searches: int | None = None,
    seeds: int | None = None,
    max_runs: int | None = None,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: ProgressLike = None,
) -> Curves:
    """Measure the latency-load curve of a spec, and of each variant that it sweeps.

    The program places the loads and repeats them with more seeds until intervals are narrow; loads
    that the spec sweeps are taken as they are. All variants meet the same traffic, seed by seed.

    Parameters
    ----------
    spec
        A spec with the workload ``steady``, the path of one or a dictionary.
    low, high
        A load that is surely carried, and one that is surely too much [flits/node/cycle].
    highest
        Measure beyond saturation up to this load [flits/node/cycle].
    points
        Loads below saturation, also where the spec sweeps loads.
    precision
        Seeds are added until half the interval of the latency, over its mean, is this narrow.
    tolerance
        Width of the bracket at which a search for saturation ends, over the load.
    searches
        Searches for the saturation of each variant; from 3 on it has an interval.
    seeds
        Seeds of a point at most.
    max_runs
        Runs at most, for all variants together; what is known by then is returned.
    threads
        Runs at the same time; results do not depend on it. None: all cores.
    out
        A folder for records, pictures and a report, as the command writes them.
    force
        Let files in that folder replace others of another kind.
    progress
        As for `run`.

    Raises
    ------
    SpecError, UsageError
        For a wrong spec, for loads that make no range, and for a folder that holds something else.
    Interrupted
        After Ctrl-C, with what is known as ``result``.
    """
    given = {
        "low": low,
        "high": high,
        "highest": highest,
        "points": points,
        "precision": precision,
        "tolerance": tolerance,
        "searches": searches,
        "seeds": seeds,
        "max_runs": max_runs,
        "threads": threads,
        "out": None if out is None else os.fspath(out),
        "force": force,
    }
    printed, stopped = call("curve", given, spec=Spec.of(spec), progress=progress)
    if not printed:
        raise stopped or RuntimeError("the command printed no curves")
    curves = _curves(printed[0])
    if isinstance(stopped, KeyboardInterrupt):
        raise stopped_by_user("interrupted; what is known is in `result`", curves) from stopped
    if stopped is not None:
        raise stopped
    return curves


def _curves(plain: dict[str, Any]) -> Curves:
    variants = tuple(map(_curve, plain["variants"]))
    return Curves(variants, tuple(plain["headline"]), plain["runs"], plain["complete"])


def _curve(plain: dict[str, Any]) -> Curve:
    names = ("name", "label", "parameters", "equals", "never_saturates", "channel_load_bound")
    return Curve(
        **{name: plain[name] for name in names},
        zero_load_latency=plain["zero_load_latency_cycles"],
        knee=spread(plain["knee"]),
        saturation=spread(plain["saturation"]),
        peak=_point(plain["peak"]),
        sustained=_point(plain["sustained"]),
        against_first=ratio(plain["sustained_against_first"]),
        points=tuple(point for point in map(_point, plain["points"]) if point is not None),
    )


def _point(plain: dict[str, Any] | None) -> CurvePoint | None:
    if plain is None:
        return None
    return CurvePoint(
        load=plain["load"],
        accepted_load=spread(plain["accepted_load"]),
        latency=spread(plain["latency_cycles"]),
        verdict=plain["verdict"],
        status=plain["status"],
        seeds=plain["seeds"],
    )
