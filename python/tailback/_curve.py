"""Whole latency-load curves. The program chooses the loads and the number of seeds."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

from tailback import _html
from tailback._completion import is_program
from tailback._errors import UsageError, stopped_by_user
from tailback._estimate import Ratio, Spread, ratio, spread
from tailback._progress import ProgressLike
from tailback._spec import Spec, SpecLike
from tailback._table import aligned, extra
from tailback._variants import variant
from tailback._verb import call

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from tailback._figure import Picture


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve: one load with all its seeds.

    Attributes
    ----------
    load
        Value of ``traffic.load`` [flits/node/cycle].
    accepted_load
        Accepted load [flits/node/cycle]; None if it is not known.
    latency
        Mean latency [cycles]; None if no packet arrived.
    verdict
        Whether the load is stable. At a stable load the backlog does not grow.
    status
        How the runs ended, such as "2 steady, 1 saturated".
    seeds
        Number of runs.
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
    name
        Values of the swept parameters, in words; "" if only the load is swept.
    label
        The name, and the names of the variants that equal this one, such as "off = alo".
    parameters
        Values of all swept parameters but the load, by dotted path.
    equals
        Name of the earlier variant whose results are the same, bit for bit; None if there is none.
    zero_load_latency
        Mean latency of a packet that never waits [cycles].
    knee
        Load at which the mean latency is twice ``zero_load_latency``.
    saturation
        Largest stable load, as a mean over the searches; None if it was not found.
    never_saturates
        Whether every load that was tried is stable.
    peak
        The point with the largest accepted load.
    sustained
        The point at the largest load, if that load is beyond saturation; otherwise None.
    against_first
        Accepted load of ``sustained`` over that of the first variant; None for the first variant.
    channel_load_bound
        Load at which some link is full; None if it is not known.
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
    """The curves of all variants of a spec.

    ``curves["spth"]`` is the curve of a variant, and ``for curve in curves`` visits all of them.

    Attributes
    ----------
    variants
        One curve per variant, in the order of the sweep.
    headline
        What the curves show, in sentences.
    runs
        Number of runs that were made.
    complete
        Whether every point is known. False after Ctrl-C, and when ``max_runs`` was too small.
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
        """Return the curve of a variant, by its name or its number."""
        return variant(self.variants, key)

    @overload
    def plot(
        self, *, size: tuple[float, float] | None = ..., bound: bool = ..., ax: None = ...
    ) -> Picture: ...
    @overload
    def plot(
        self,
        *,
        size: tuple[float, float] | None = ...,
        bound: bool = ...,
        ax: Axes | Sequence[Axes] | npt.NDArray[Any],
    ) -> Figure | SubFigure: ...
    def plot(
        self,
        *,
        size: tuple[float, float] | None = None,
        bound: bool = True,
        ax: Axes | Sequence[Axes] | npt.NDArray[Any] | None = None,
    ) -> Picture | Figure | SubFigure:
        """Draw accepted load and mean latency over the offered load; needs matplotlib.

        A line is a variant. Bands are 95 % intervals; hollow marks had no steady state.

        Parameters
        ----------
        size
            Width and height of the figure [inches].
        bound
            Whether to mark the load at which some link is full.
        ax
            Two matplotlib axes to draw in, instead of a figure of its own.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        UsageError
            Where matplotlib is missing, and where ``ax`` has not two axes.
        """
        try:
            from tailback._measured_plot import plot
        except ImportError:
            raise extra("matplotlib", "plot") from None
        return plot(self.variants, size, bound, ax)

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
    """Measure the latency-load curve of each variant of a spec.

    If the spec sweeps ``traffic.load``, these loads are measured. Otherwise the program chooses the
    loads, and adds seeds until each point is known well enough. All variants meet the same traffic,
    seed by seed. docs/comparing.md explains the method.

    Parameters
    ----------
    spec
        A spec with the workload ``steady``, the path of a spec file, or a dictionary.
    low
        A load that the network surely carries [flits/node/cycle, more than 0]. None uses a
        hundredth of ``high``.
    high
        A load that is surely too much [flits/node/cycle, more than ``low``]. None uses the
        channel-load bound of each variant.
    highest
        The largest chosen load beyond saturation [flits/node/cycle]. None uses the largest
        ``high``.
    points
        Number of chosen loads below saturation, from 3 to 1000. The program then chooses the loads
        even if the spec sweeps them. None uses the loads of the spec, or 12.
    precision
        Seeds are added to a chosen load until half of the interval of the latency, over its mean,
        is at most this number [between 0 and 1]. None uses 0.02.
    tolerance
        A search for saturation ends when the width of its bracket, over the load, is at most this
        number [between 0 and 1]. None uses 0.01.
    searches
        Number of searches for the saturation of each variant, from 1 to 100. From 3 on the
        saturation has an interval. None uses 3.
    seeds
        The most seeds of a chosen load, or the number of seeds of each load of the spec, from 5 to
        1000. None uses 20 for a chosen load. For a load of the spec it uses ``run.replicas``, or 5
        if that is 1.
    max_runs
        The most runs of all variants together, at least 5. When they are spent, the function
        returns what is known. None uses 2000 for each variant, plus the runs of the spec's loads.
    threads
        Number of runs at the same time, at least 1. Results do not depend on it. None uses all
        cores.
    out
        A folder for records, pictures and a report, as the command writes them.
    force
        Whether files in that folder may replace files of another kind.
    progress
        As for `run`.

    Returns
    -------
    Curves
        One curve per variant.

    Raises
    ------
    SpecError
        If the spec is wrong.
    UsageError
        If ``low`` and ``high`` make no range, if the folder holds something else, or if the
        workload is a program: `completion` measures its curves.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds what is known.

    Examples
    --------
    >>> spec = {
    ...     "topology": {"kind": "torus", "radix": [4, 4]},
    ...     "workload": {"kind": "steady", "warmup_cycles": 200, "measure_cycles": 1000},
    ...     "run": {"replicas": 3},
    ...     "sweep": {"traffic.load": [0.2, 0.6, 1.0], "admission": ["off", "spth"]},
    ... }
    >>> curves = tailback.curve(spec, tolerance=0.2)
    >>> [curve.name for curve in curves]
    ['off', 'spth']
    >>> [point.load for point in curves["spth"].points]
    [0.2, 0.6, 1.0]
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
    spec = Spec.of(spec)
    if is_program(spec):
        raise UsageError("a program has no load to vary; `completion` measures how long it takes")
    printed, stopped = call("curve", given, spec=spec, progress=progress)
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
