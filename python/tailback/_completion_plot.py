"""The picture of completion times: `Completions.plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator, StrMethodFormatter

from tailback._chart import panels_of
from tailback._curve_plot import Options, draw, name_lines
from tailback._figure import COLORS, Picture
from tailback._lines import Line, Mark, Place
from tailback._plot import styled, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tailback._completion import CompletionCurve, Completions

WIDE = 8.0
"""From this factor between its ends on, an axis is logarithmic."""

SIZE = (4.4, 2.5)
FLITS = "workload.generate.flits"
MOST_TICKS = 10
CAPTION = (
    "Completion time over {over}. Dashed: the bounds, below which no run ends, grey where several "
    "curves share one. "
    "Bands are 95 % intervals over seeds, where seeds differ."
)


def plot(times: Completions, size: tuple[float, float] | None, ax: Any) -> Picture:
    """Draw completion time over the number that varies, a line for each variant, and the bounds."""
    points = [point for curve in times for point in curve.points]
    durations = [point.duration.mean for point in points if point.duration is not None]
    beneath = [point.bound for point in points if point.bound is not None]
    options = Options(
        log_x=_is_wide([point.x for point in points]), log_y=_is_wide(durations + beneath)
    )
    with styled():
        figure, grid = panels_of(1, 1, size or SIZE, ax)
        panel = grid[0][0]
        lines = [_line(order, curve) for order, curve in enumerate(times)]
        draw(panel, lines, times.x, "duration", options)
        bounds = [_bound(curve) for curve in times]
        for order, bound in enumerate(bounds):
            color = COLORS[order % len(COLORS)] if bounds.count(bound) == 1 else "0.55"
            panel.plot(*zip(*bound, strict=True), color=color, ls="--", lw=0.7, zorder=1)
        along = "Message size [flits]" if times.x == FLITS else titled(times.x, times.x_unit)
        panel.set_xlabel(along)
        panel.set_ylabel("Completion time [cycles]")
        _number_logarithms(panel, sorted({point.x for point in points}))
        name_lines(panel, lines, None)
    if ax is None:
        figure.caption = CAPTION.format(over=along.partition(" [")[0].lower())
    drawn: Picture = figure
    return drawn


def _number_logarithms(panel: Axes, xs: list[float]) -> None:
    """Write numbers at logarithmic axes: at the points, if there are few of them."""
    if panel.get_xscale() == "log" and len(xs) <= MOST_TICKS:
        panel.set_xticks(xs, minor=False)
        panel.xaxis.set_minor_locator(NullLocator())
    for axis, scale in ((panel.xaxis, panel.get_xscale()), (panel.yaxis, panel.get_yscale())):
        if scale == "log":
            if axis is panel.yaxis or len(xs) > MOST_TICKS:
                axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter(StrMethodFormatter("{x:,g}"))
            axis.set_minor_formatter(NullFormatter())


def _is_wide(values: list[float]) -> bool:
    return bool(values) and min(values) > 0 and max(values) >= WIDE * min(values)


def _line(order: int, curve: CompletionCurve) -> Line:
    places = [
        Place(
            point.x,
            point.duration.mean,
            point.duration.low,
            point.duration.high,
            _mark(point.status),
            np.array([point.duration.mean]),
        )
        for point in curve.points
        if point.duration is not None
    ]
    return Line(curve.label, order, dict(curve.parameters), tuple(places), None)


def _mark(status: str) -> Mark:
    """Return the mark of a point whose runs ended so, such as "4 completed, 1 stuck"."""
    words = {part.split()[-1] for part in status.split(",") if part.split()}
    if "interrupted" in words:
        return "half"
    return "filled" if words == {"completed"} else "crossed"


def _bound(curve: CompletionCurve) -> tuple[tuple[float, float], ...]:
    known = [(point.x, point.bound) for point in curve.points if point.bound is not None]
    return tuple(known) or ((np.nan, np.nan),)
