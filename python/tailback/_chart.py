"""The panels of a picture of curves, and the caption below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tailback import _lines
from tailback._curve_plot import Drawn, Options, draw, name_lines
from tailback._errors import UsageError
from tailback._figure import Picture
from tailback._plot import WIDTH, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tailback._result import Result


class Chart:
    """Panels of curves, and what is said below them."""

    def __init__(self, result: Result, x: str, columns: list[str], options: Options) -> None:
        self._result, self._x, self._columns, self._options = result, x, columns, options
        self._told: list[Drawn] = []
        self._equal: list[str] = []

    def fill(self, figure: Any, grid: list[list[Axes]], parts: list[tuple[str, Result]]) -> None:
        """Draw every panel, a row for each column and a column for each part."""
        units = self._result.records.units
        for row, column in zip(grid, self._columns, strict=True):
            for panel, (_, part) in zip(row, parts, strict=True):
                lines = _lines.lines(part.records, self._x, column)
                self._told.append(draw(panel, lines, self._x, column, self._options))
                self._equal += [line.label for line in lines if line.same_as is not None]
                panel.set_xlabel(titled(self._x, units[self._x]) if is_lowest(panel) else "")
                if row is grid[0]:
                    name_lines(panel, lines, self._options.by)
            row[0].set_ylabel(titled(column, units[column]).replace(" [", "\n["))

    def caption(self) -> str:
        """Return what a reader must know: what over what, seeds, bands, marks, what is left out."""
        over = titled(self._x, "").lower()
        what = " and ".join(titled(column, "").lower() for column in self._columns)
        told = [f"{what.capitalize()} over {over}."]
        seeds = sorted({count for drawn in self._told for count in drawn.seeds})
        if seeds and seeds[-1] > 1:
            number = str(seeds[-1]) if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
            bands = "; bands are 95 % intervals in the logarithm"
            has_bands = any(drawn.bands for drawn in self._told)
            told.append(f"Means over {number} seeds{bands if has_bands else ''}.")
        if any(drawn.dots for drawn in self._told):
            told.append("Dots: single seeds, where they are too few for an interval.")
        if any(drawn.hollow for drawn in self._told):
            told.append("Hollow: no steady state.")
        told += [f"{label}, bit for bit." for label in dict.fromkeys(self._equal)]
        for drawn in self._told:
            if drawn.above:
                count = len(drawn.above)
                words = "1 point is" if count == 1 else f"{count} points are"
                told.append(f"{words} above {drawn.top:g} and left out.")
        return " ".join(dict.fromkeys(told))


def usual(result: Result) -> list[str]:
    """Return the columns that one looks at first."""
    from tailback._result import known

    names = ["accepted_load", "latency_mean"]
    if not known(result.records["offered_load"]):
        names = ["duration", "latency_mean"]
    return [name for name in names if known(result.records[name])] or names


def parts_of(result: Result, panels: str | None) -> list[tuple[str, Result]]:
    """Return what each column of panels shows, with its name."""
    if panels is None:
        return [("", result)]
    values = list(dict.fromkeys(result.records[panels].tolist()))
    key = panels.rpartition(".")[2].replace("_", " ")
    bare = key in ("kind", "pattern", panels)
    return [
        (str(value) if bare else f"{key} {value}", result.sel({panels: value})) for value in values
    ]


def panels_of(
    rows: int, columns: int, size: tuple[float, float] | None, ax: Any
) -> tuple[Any, list[list[Axes]]]:
    """Return a figure with panels, or the panels that somebody gave."""
    if ax is not None:
        # One, a sequence of them, or the array that `subplots` returns.
        many = getattr(ax, "flat", ax if isinstance(ax, Sequence) else [ax])
        given: list[Axes] = list(many)
        if len(given) != rows * columns:
            raise UsageError(f"this picture has {rows * columns} panels, and ax has {len(given)}")
        return given[0].figure, [given[row * columns : (row + 1) * columns] for row in range(rows)]
    width, height = size or (WIDTH * columns, 0.45 + 1.75 * rows)
    figure = Picture(figsize=(width, height))
    if columns == 1 and width > 1.5 * height:
        # A wide picture of one part has its panels beside each other.
        return figure, [[panel] for panel in figure.subplots(1, rows, squeeze=False)[0]]
    made = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey="row")
    panels: list[list[Axes]] = [list(row) for row in made]
    return figure, panels


def is_lowest(panel: Axes) -> bool:
    """Whether no panel of the figure stands below this one."""
    place = panel.get_subplotspec()
    return place is None or place.is_last_row()


def bound_of(result: Result) -> float | None:
    """Return the load at which some link is full, as a value of ``traffic.load``."""
    from tailback._check import check

    if result.spec is None:
        return None
    facts = check(result.spec, most=1).facts[0]
    if not facts.channel_load_bound or not facts.offered_load:
        return None
    # The bound is a mean over all nodes; the axis is what is asked of those that send.
    load = float(result.records[_lines.LOAD][0])
    return facts.channel_load_bound * load / facts.offered_load
