"""Curves of completion time: how long a program takes over the size of its messages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from tailback import _html
from tailback._errors import UsageError, stopped_by_user
from tailback._estimate import Spread, spread
from tailback._progress import ProgressLike
from tailback._spec import Spec, SpecLike
from tailback._table import aligned, extra
from tailback._variants import variant
from tailback._verb import call

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from tailback._figure import Picture


@dataclass(frozen=True, slots=True)
class CompletionPoint:
    """A point of a curve of completion time, with all its seeds.

    Attributes
    ----------
    x
        Value of the number that varies.
    duration
        Completion time [cycles]; None if no run completed.
    bound
        Completion time that no run beats [cycles]; None if it is not known.
    bound_by
        What sets the bound: ports, cut, chain or compute; "" if it is not known.
    efficiency
        Bound over completion time.
    status
        How the runs ended, such as "5 completed".
    seeds
        Number of runs.
    """

    x: float
    duration: Spread | None
    bound: float | None
    bound_by: str
    efficiency: Spread | None
    status: str
    seeds: int


@dataclass(frozen=True, slots=True)
class CompletionCurve:
    """The curve of one variant.

    Attributes
    ----------
    name
        Values of the swept parameters, in words; "" if only one number varies.
    label
        The name, and the names of the variants that equal this one, bit for bit.
    parameters
        Values of all swept parameters but the number that varies, by dotted path.
    points
        All points, by ascending ``x``.
    """

    name: str
    label: str
    parameters: Mapping[str, Any]
    points: tuple[CompletionPoint, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Completions:
    """The curves of completion time of all variants of a spec.

    ``times["algorithm ring"]`` is the curve of a variant, ``times[0]`` the first one, and
    ``for curve in times`` visits all of them.

    Attributes
    ----------
    x
        Dotted path of the number that varies.
    x_unit
        Its unit; "" if it has none.
    variants
        One curve per variant, in the order of the sweep.
    headline
        Which variant is fastest, and where.
    runs
        Number of runs that were made.
    complete
        Whether every point is known. False after Ctrl-C.
    """

    x: str
    x_unit: str
    variants: tuple[CompletionCurve, ...]
    headline: str
    runs: int
    complete: bool

    def __len__(self) -> int:
        return len(self.variants)

    def __iter__(self) -> Iterator[CompletionCurve]:
        return iter(self.variants)

    def __getitem__(self, key: str | int) -> CompletionCurve:
        """Return the curve of a variant, by its name or its number."""
        return variant(self.variants, key)

    @overload
    def plot(self, *, size: tuple[float, float] | None = ..., ax: None = ...) -> Picture: ...
    @overload
    def plot(
        self, *, size: tuple[float, float] | None = ..., ax: Axes | Sequence[Axes]
    ) -> Figure | SubFigure: ...
    def plot(
        self, *, size: tuple[float, float] | None = None, ax: Axes | Sequence[Axes] | None = None
    ) -> Picture | Figure | SubFigure:
        """Draw completion time over the number that varies; needs matplotlib.

        A line is a variant. Its bound is dashed, in grey where several variants share one. Bands
        are 95 % intervals. An axis whose ends lie far apart is logarithmic.

        Parameters
        ----------
        size
            Width and height of the figure [inches].
        ax
            A matplotlib axes to draw in, instead of a figure of its own.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        UsageError
            Where matplotlib is missing.
        """
        try:
            from tailback._completion_plot import plot
        except ImportError:
            raise extra("matplotlib", "plot") from None
        return plot(self, size, ax)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        unit = f"\n[{self.x_unit}]" if self.x_unit else "\n"
        heads = ["variant\n", self.x.rsplit(".", 1)[-1] + unit, "duration\n[cycles]"]
        heads += ["bound\n[cycles]", "bound by\n", "efficiency\n", "status\n"]
        rows = [
            [
                curve.label or "the spec",
                f"{point.x:g}",
                _said(point.duration),
                _said(point.bound),
                point.bound_by,
                _said(point.efficiency),
                point.status,
            ]
            for curve in self.variants
            for point in curve.points
        ]
        return heads, rows

    def __str__(self) -> str:
        table = aligned(*self._cells())
        return f"{self.headline}\n\n{table}" if self.headline else table

    def __repr__(self) -> str:
        names = ", ".join(curve.name or "the spec" for curve in self.variants)
        return f"<tailback.Completions of {names}: {self.runs} runs>\n{self}"

    def _repr_html_(self) -> str:
        head = _html.title("Completion times", f"{self.runs} runs")
        said = _html.paragraph(self.headline) if self.headline else ""
        return head + said + _html.table(*self._cells())


def _said(value: Spread | float | None) -> str:
    if value is None:
        return ""
    # Cycles are exact: all their digits are shown.
    exact = value.mean if isinstance(value, Spread) and value.half is None else value
    if isinstance(exact, float) and exact.is_integer():
        return f"{exact:.0f}"
    return f"{exact:.4g}" if isinstance(exact, float) else str(exact)


def completion(
    spec: SpecLike,
    *,
    vary: str | None = None,
    seeds: int | None = None,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: ProgressLike = None,
) -> Completions:
    """Measure how long a program takes over the size of its messages, or over another number.

    All that the spec sweeps beside this number gives one curve for each setting: algorithms,
    placements, networks, mechanisms. docs/programs.md explains the method.

    Parameters
    ----------
    spec
        A spec with the workload ``program``, the path of a spec file, or a dictionary.
    vary
        The number that varies and its values: ``"workload.generate.flits=64..4096"`` doubles it
        from 64 to 4,096, ``"workload.generate.flits=64,100"`` lists values. None uses a number that
        the spec sweeps, or ``workload.generate.flits`` up to its value.
    seeds
        Number of seeds of each point, from 5 to 1000. None uses ``run.replicas`` if that is more
        than 1. Otherwise it uses 5 where seeds differ, and 1 where nothing is random.
    threads
        Number of runs at the same time, at least 1. Results do not depend on it. None uses all
        cores.
    out
        A folder for records, the picture and a report, as the command writes them. If it has runs
        of the same curve, only those that it lacks are made.
    force
        Whether files in that folder may replace files of another kind.
    progress
        As for `run`.

    Returns
    -------
    Completions
        One curve per variant.

    Raises
    ------
    SpecError
        If the spec is wrong, or a value of ``vary`` does not fit.
    UsageError
        If the workload is not a program, if there is no number to vary, or if the folder holds
        something else.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds what is known.

    Examples
    --------
    >>> spec = {
    ...     "topology": {"kind": "torus", "radix": [8]},
    ...     "router": {"kind": "cut_through", "buffer_flits": 32, "header_cycles": 1},
    ...     "traffic": {"packet_flits": 8},
    ...     "workload": {
    ...         "kind": "program",
    ...         "generate": {"kind": "all_reduce", "ranks": 8, "flits": 1024},
    ...     },
    ... }
    >>> times = tailback.completion(spec, vary="workload.generate.flits=512,1024")
    >>> [point.duration.mean for point in times[0].points]
    [938.0, 1834.0]
    """
    given = {
        "vary": vary,
        "seeds": seeds,
        "threads": threads,
        "out": None if out is None else os.fspath(out),
        "force": force,
    }
    spec = Spec.of(spec)
    if not is_program(spec):
        raise UsageError("the workload is not a program; `curve` measures it over the load")
    printed, stopped = call("curve", given, spec=spec, progress=progress)
    if not printed:
        raise stopped or RuntimeError("the command printed no curves")
    times = _completions(printed[0])
    if isinstance(stopped, KeyboardInterrupt):
        raise stopped_by_user("interrupted; what is known is in `result`", times) from stopped
    if stopped is not None:
        raise stopped
    return times


def is_program(spec: Spec) -> bool:
    """Return whether the workload of a spec is a program."""
    workload = spec.to_dict().get("workload")
    kind = workload.get("kind") if isinstance(workload, Mapping) else workload
    return bool(kind == "program")


def _completions(plain: dict[str, Any]) -> Completions:
    return Completions(
        x=plain["x"],
        x_unit=plain["x_unit"],
        variants=tuple(map(_curve, plain["variants"])),
        headline=plain["headline"] or "",
        runs=plain["runs"],
        complete=plain["complete"],
    )


def _curve(plain: dict[str, Any]) -> CompletionCurve:
    names = ("name", "label", "parameters")
    points = tuple(map(_point, plain["points"]))
    return CompletionCurve(**{name: plain[name] for name in names}, points=points)


def _point(plain: dict[str, Any]) -> CompletionPoint:
    return CompletionPoint(
        x=plain["x"],
        duration=spread(plain["duration_cycles"]),
        bound=plain["bound_cycles"],
        bound_by=plain["bound_by"],
        efficiency=spread(plain["efficiency"]),
        status=plain["status"],
        seeds=plain["seeds"],
    )
