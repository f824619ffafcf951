"""Curves of variants with intervals: one panel of a picture.

Curves begin at zero, bands never set an axis, what is not steady is hollow, and curves that are
alike are drawn once, in grey, until they part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tailback._figure import COLORS, DASHES, MARKS
from tailback._labels import spaced
from tailback._lines import Line, Place, alike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LABELS = 8
"""With more lines than these a legend names them."""

GREY = "0.55"


@dataclass(slots=True)
class Options:
    """How a panel is drawn; None leaves it to the data."""

    log_x: bool = False
    log_y: bool = False
    xlim: tuple[float | None, float | None] | None = None
    ylim: tuple[float | None, float | None] | None = None
    bound: float | None = None
    by: str | None = None


@dataclass(slots=True)
class Drawn:
    """What a caption says of a panel."""

    seeds: set[int] = field(default_factory=set)
    bands: bool = False
    hollow: bool = False
    dots: bool = False
    above: list[float] = field(default_factory=list)
    top: float | None = None


def draw(panel: Axes, all_lines: list[Line], x: str, y: str, options: Options) -> Drawn:
    """Draw the lines of column ``y`` over ``x``, and return what there is to say."""
    told = Drawn()
    lines = [line for line in all_lines if line.same_as is None and line.places]
    shared = [] if options.log_y else alike(lines)
    top = _top(lines, y, options)
    if shared:
        _draw_shared(panel, lines, shared, top)
    for line in lines:
        _draw_line(panel, line, shared, _look(line, lines, options.by), top, told)
    _axes(panel, lines, options, top)
    if top is not None and "latency" in y:
        _say_above(panel, lines, top, told)
    if y == "accepted_load" and x == "traffic.load":
        _say_bounds(panel, lines, options)
    return told


def name_lines(panel: Axes, all_lines: list[Line], by: str | None) -> None:
    """Name the lines at their right ends, or in a legend where they are many."""
    lines = [line for line in all_lines if line.same_as is None and line.places]
    if not lines or (len(lines) == 1 and not lines[0].label):
        return
    if len(lines) > MOST_LABELS:
        handles = [_handle(line, _look(line, lines, by)) for line in lines]
        panel.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        return
    high = panel.get_ylim()[1]
    inside = panel.transData + panel.transAxes.inverted()
    ends = [line.places[-1] for line in lines]
    wanted = [float(inside.transform((end.x, min(end.mean, high)))[1]) for end in ends]
    height = panel.get_window_extent().height / panel.figure.dpi * 72
    for line, place in zip(lines, spaced(wanted, 8.6 / height), strict=True):
        panel.annotate(
            line.label or "all",
            (1.0, place),
            xytext=(5, 0),
            textcoords="offset points",
            xycoords="axes fraction",
            va="center",
            color=_look(line, lines, by)["color"],
            fontweight="bold",
            annotation_clip=False,
        )


def _handle(line: Line, look: dict[str, Any]) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], label=line.label, **look)


def _look(line: Line, lines: list[Line], by: str | None) -> dict[str, Any]:
    """Colour, mark and dash of a line: all three by its order, or the colour by a parameter."""
    order = line.order
    shade = order
    if by is not None:
        values = list(dict.fromkeys(str(other.parameters.get(by)) for other in lines))
        shade = values.index(str(line.parameters.get(by)))
        same = [o for o in lines if str(o.parameters.get(by)) == str(line.parameters.get(by))]
        order = same.index(line)
    return {
        "color": COLORS[shade % len(COLORS)],
        "marker": MARKS[order % len(MARKS)],
        "linestyle": DASHES[order % len(DASHES)],
    }


def _draw_shared(panel: Axes, lines: list[Line], shared: list[float], top: float | None) -> None:
    """Draw lines that are alike once."""
    means = [np.mean([p.mean for line in lines if (p := line.at(x))]) for x in shared]
    panel.plot(shared, means, color=GREY, lw=2.2, marker="o", zorder=2.5, clip_on=False)
    if len(shared) > 1:
        at = len(shared) // 2
        right = max(line.places[-1].x for line in lines)
        far = shared[at] > 0.4 * right
        panel.annotate(
            "all alike",
            (shared[at], float(means[at])),
            xytext=(-4, 5) if far else (6, -8),
            textcoords="offset points",
            ha="right" if far else "left",
            color="0.35",
        )


def _draw_line(
    panel: Axes,
    line: Line,
    shared: list[float],
    look: dict[str, Any],
    top: float | None,
    told: Drawn,
) -> None:
    own = [place for place in line.places if place.x not in shared]
    if not own:
        return
    start = [place for place in line.places if place.x in shared][-1:]
    path = [*start, *own]
    inside = [place for place in path if top is None or place.mean <= top]
    panel.plot(
        [place.x for place in inside],
        [place.mean for place in inside],
        color=look["color"],
        linestyle=look["linestyle"],
        zorder=3,
    )
    leaving = next((at for at, p in enumerate(path) if top is not None and p.mean > top), None)
    if leaving:
        pair = path[leaving - 1 : leaving + 1]
        panel.plot([p.x for p in pair], [p.mean for p in pair], color=look["color"], ls=":", lw=0.8)
    _draw_band(panel, path, look["color"], told)
    for place in own:
        told.seeds.add(len(place.values))
        told.hollow |= place.mark == "hollow"
        if top is None or place.mean <= top:
            _draw_mark(panel, place, look)
            if len(place.values) > 1 and place.low is None and np.ptp(place.values) > 0:
                told.dots = True
                xs = np.full(len(place.values), place.x)
                panel.plot(xs, place.values, ".", color=look["color"], ms=1.8, alpha=0.6, zorder=2)


def _draw_band(panel: Axes, path: list[Place], color: str, told: Drawn) -> None:
    known = [place for place in path if place.low is not None and place.high is not None]
    if not any(place.width for place in known):
        return
    told.bands = True
    limits = panel.axis()
    xs = [place.x for place in path]
    lows = [np.nan if place.low is None else place.low for place in path]
    highs = [np.nan if place.high is None else place.high for place in path]
    panel.fill_between(xs, lows, highs, color=color, alpha=0.14, lw=0, zorder=1)
    # A band sets no axis.
    panel.axis(limits)
    panel.autoscale(enable=True)


def _draw_mark(panel: Axes, place: Place, look: dict[str, Any]) -> None:
    color = look["color"]
    fill: dict[str, Any] = {
        "filled": {"markerfacecolor": color},
        "hollow": {"markerfacecolor": "white"},
        "half": {"fillstyle": "left", "markerfacecoloralt": "white"},
        "crossed": {"marker": "X", "markerfacecolor": "white"},
    }[place.mark]
    style = {"marker": look["marker"], "color": color, "linestyle": "none", **fill}
    panel.plot([place.x], [place.mean], markeredgecolor=color, zorder=4, clip_on=False, **style)


def _top(lines: list[Line], y: str, options: Options) -> float | None:
    """Return the top of a latency's axis: beyond saturation it grows with the length of the run."""
    if options.ylim is not None and options.ylim[1] is not None:
        return options.ylim[1]
    if "latency" not in y or options.log_y:
        return None
    places = [place for line in lines for place in line.places]
    steady = [place.mean for place in places if place.mark == "filled"]
    if not steady or max(place.mean for place in places) <= 1.35 * max(steady):
        return None
    return _rounded_up(1.35 * max(steady))


def _rounded_up(value: float) -> float:
    """Return the next multiple of 1, 2.5 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    step = next(step for step in (0.1, 0.25, 0.5, 1.0) if value / (power * step) <= 10)
    return math.ceil(value / (power * step) - 1e-9) * power * step


def _axes(panel: Axes, lines: list[Line], options: Options, top: float | None) -> None:
    means = [place.mean for line in lines for place in line.places]
    if options.log_x:
        panel.set_xscale("log")
    else:
        xs = [place.x for line in lines for place in line.places]
        if xs and max(xs) > 0:
            panel.set_xlim(min(0.0, *xs), max(xs))
    if options.log_y:
        panel.set_yscale("log")
    elif means and min(means) >= 0:
        panel.set_ylim(bottom=0)
    if top is not None and not options.log_y:
        panel.set_ylim(top=top)
    if options.xlim is not None:
        panel.set_xlim(*options.xlim)
    if options.ylim is not None:
        panel.set_ylim(*options.ylim)


def _say_above(panel: Axes, lines: list[Line], top: float, told: Drawn) -> None:
    """Say how many points stand above the frame, and where nothing is steady."""
    places = [place for line in lines for place in line.places]
    told.above = sorted(place.mean for place in places if place.mean > top)
    told.top = top
    xs = sorted({place.x for place in places})
    steady = [place.x for place in places if place.mark == "filled"]
    beyond = [x for x in xs if x > max(steady)]
    if not beyond or not told.above:
        return
    before = max(x for x in xs if x < beyond[0])
    start, end = (before + beyond[0]) / 2, panel.get_xlim()[1]
    panel.axvspan(start, end, color="0.95", lw=0, zorder=0)
    panel.set_xlim(right=end)
    count = "1 point" if len(told.above) == 1 else f"{len(told.above)} points"
    low, high = round(told.above[0]), round(told.above[-1])
    if (end - start) * 3 > end:
        panel.text(
            (start + end) / 2,
            top / 2,
            f"no steady state:\n{count} at\n{low:,} to {high:,}\nwhich grow with\nthe run's length",
            ha="center",
            va="center",
            color="0.35",
            fontsize=6,
        )


def _say_bounds(panel: Axes, lines: list[Line], options: Options) -> None:
    """Draw what can be accepted at most: what is offered, and what the busiest link carries."""
    means = [place.mean for line in lines for place in line.places]
    highest = max([*means, options.bound or 0.0], default=0.0)
    if options.ylim is None and not options.log_y and highest > 0:
        panel.set_ylim(0, math.floor(highest * 10 + 1) / 10)
    low, high = panel.get_ylim()
    left, right = panel.get_xlim()
    start, end = max(low, left, 0), min(high, right)
    panel.plot([start, end], [start, end], color="0.45", ls="--", lw=0.7, zorder=0.5)
    if options.bound is not None and low < options.bound < high:
        panel.axhline(options.bound, color="0.45", ls=":", lw=0.8, zorder=0.5)
        panel.annotate(
            f"channel-load bound {options.bound:.3g}",
            (left, options.bound),
            # Above its line, unless that is the top of the panel.
            xytext=(3, 2 if options.bound < 0.92 * high else -8),
            textcoords="offset points",
            color="0.35",
        )
    panel.set_xlim(left, right)
    panel.set_ylim(low, high)
