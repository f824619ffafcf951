"""The picture of measured curves: `Curves.plot`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tailback._chart import is_lowest, panels_of
from tailback._curve_plot import Options, draw, name_lines
from tailback._estimate import Spread
from tailback._figure import Picture
from tailback._lines import LOAD, Line, Mark, Place
from tailback._plot import styled, titled

if TYPE_CHECKING:
    from tailback._curve import Curve, CurvePoint

UNITS = {"accepted_load": "flits/node/cycle", "latency_mean": "cycles"}


def plot(
    curves: Iterable[Curve], size: tuple[float, float] | None, bound: bool, ax: Any
) -> Picture:
    """Draw accepted load and mean latency over the offered load, a line for each variant."""
    variants = list(curves)
    options = Options()
    bounds = {curve.channel_load_bound for curve in variants}
    if bound and len(bounds) == 1:
        options.bound = bounds.pop()
    with styled():
        figure, grid = panels_of(len(UNITS), 1, size, ax)
        for (panel,), (column, unit) in zip(grid, UNITS.items(), strict=True):
            lines = [_line(order, curve, column) for order, curve in enumerate(variants)]
            draw(panel, lines, LOAD, column, options)
            panel.set_xlabel(titled(LOAD, UNITS["accepted_load"]) if is_lowest(panel) else "")
            panel.set_ylabel(titled(column, unit).replace(" [", "\n["))
            if panel is grid[0][0]:
                name_lines(panel, lines, None)
    drawn: Picture = figure
    return drawn


def _line(order: int, curve: Curve, column: str) -> Line:
    places = []
    for point in curve.points:
        found = point.accepted_load if column == "accepted_load" else point.latency
        if found is not None:
            places.append(_place(point, found))
    # A variant that equals an earlier one stands in the label of that one.
    same = None if curve.equals is None else 0
    return Line(curve.label, order, dict(curve.parameters), tuple(places), same)


def _place(point: CurvePoint, found: Spread) -> Place:
    values = np.array([found.mean])
    return Place(point.load, found.mean, found.low, found.high, _mark(point.status), values)


def _mark(status: str) -> Mark:
    """Return the mark of a point whose runs ended so, such as "2 steady, 1 saturated"."""
    words = set(status.replace(",", " ").split())
    if words & {"deadlocked", "livelocked", "starved"}:
        return "crossed"
    if "interrupted" in words:
        return "half"
    return "hollow" if words & {"saturated", "slow"} else "filled"
