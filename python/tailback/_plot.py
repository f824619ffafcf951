"""Pictures of results with matplotlib, fit for a paper: units on every axis, one style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, overload

from tailback import _lines
from tailback._errors import UsageError
from tailback._table import extra

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from tailback._curve_plot import Drawn, Options
    from tailback._figure import Picture
    from tailback._lines import Line
    from tailback._result import Result

    Limits = tuple[float | None, float | None]

WIDTH = 3.5
"""Width of a column of a paper [inches]."""

LABELS = {
    "traffic.load": "Offered load",
    "accepted_load": "Accepted load",
    "latency_mean": "Mean latency",
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of all pictures.

    Raises
    ------
    UsageError
        Where matplotlib is missing.
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise extra("matplotlib", "plot") from None
    from tailback._figure import STYLE

    with mpl.rc_context(STYLE):
        yield


def titled(name: str, unit: str) -> str:
    """Return the label of an axis."""
    words = LABELS.get(name, name.rpartition(".")[2].replace("_", " ").capitalize())
    return f"{words} [{unit}]" if unit else words


class Plots:
    """Pictures of a result. Every method returns a matplotlib figure, which notebooks show.

    ``result.plot()`` draws curves; ``figure.savefig("curve.pdf")`` writes them.
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    @overload
    def __call__(
        self,
        y: str | Sequence[str] | None = ...,
        x: str | None = ...,
        *,
        where: str | Sequence[str] = ...,
        color: str | None = ...,
        panels: str | None = ...,
        log_x: bool = ...,
        log_y: bool = ...,
        xlim: Limits | None = ...,
        ylim: Limits | None = ...,
        xlabel: str | None = ...,
        ylabel: str | None = ...,
        title: str | None = ...,
        size: tuple[float, float] | None = ...,
        bound: bool = ...,
        ax: None = ...,
    ) -> Picture: ...
    @overload
    def __call__(
        self,
        y: str | Sequence[str] | None = ...,
        x: str | None = ...,
        *,
        where: str | Sequence[str] = ...,
        color: str | None = ...,
        panels: str | None = ...,
        log_x: bool = ...,
        log_y: bool = ...,
        xlim: Limits | None = ...,
        ylim: Limits | None = ...,
        xlabel: str | None = ...,
        ylabel: str | None = ...,
        title: str | None = ...,
        size: tuple[float, float] | None = ...,
        bound: bool = ...,
        ax: Axes | Sequence[Axes] | npt.NDArray[Any],
    ) -> Figure | SubFigure: ...
    def __call__(
        self,
        y: str | Sequence[str] | None = None,
        x: str | None = None,
        *,
        where: str | Sequence[str] = (),
        color: str | None = None,
        panels: str | None = None,
        log_x: bool = False,
        log_y: bool = False,
        xlim: Limits | None = None,
        ylim: Limits | None = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
        title: str | None = None,
        size: tuple[float, float] | None = None,
        bound: bool = True,
        ax: Axes | Sequence[Axes] | npt.NDArray[Any] | None = None,
    ) -> Picture | Figure | SubFigure:
        """Draw columns over a swept number, with a line for each variant.

        A variant is a setting of all other swept parameters. The runs of all seeds of a point make
        one mark at their mean. Bands are 95 % intervals, in the logarithm for what cannot be
        negative; they never set an axis. Where there are too few seeds for one, the seeds are
        dots. Hollow: not all seeds were steady. Variants that are identical, bit for bit, are one
        line, and variants that are alike are drawn once, in grey, until they part.

        Parameters
        ----------
        y
            Columns, a panel each; None: accepted load and mean latency.
        x
            A swept parameter or a column; None: the load, or the first number that is swept.
        where
            Which points: texts as for `Result.where`.
        color
            A swept parameter that chooses the colour; None: every variant has its own.
        panels
            A swept parameter with a column of panels for each of its values.
        log_x, log_y
            Logarithmic axes.
        xlim, ylim
            Limits of the axes, such as ``(0, 100)``; None at an end leaves that to the data.
        xlabel, ylabel, title
            Texts in the place of the usual ones.
        size
            Width and height of the figure [inches].
        bound
            Whether to mark the load at which some link is full, where that is known.
        ax
            matplotlib axes to draw in, one for each panel, instead of a figure of its own.

        Returns
        -------
        matplotlib.figure.Figure
            With a ``caption``, unless it is that of ``ax``.

        Raises
        ------
        UsageError
            For columns without numbers, where no number is swept, and where ``where`` chooses
            nothing.
        """
        from tailback._curve_plot import Options

        filters = [where] if isinstance(where, str) else list(where)
        result = self._result.where(*filters) if filters else self._result
        x = x or _lines.axis(result.records)
        if x is None:
            raise UsageError("no number is swept: name a column for x")
        columns = [y] if isinstance(y, str) else list(y or _usual(result))
        parts = _parts(result, panels)
        options = Options(log_x=log_x, log_y=log_y, xlim=xlim, ylim=ylim, by=color)
        options.bound = _bound(result) if bound and x == _lines.LOAD else None
        with styled():
            figure, grid = _grid(len(columns), len(parts), size, ax)
            chart = _Chart(result, x, columns, options)
            chart.fill(figure, grid, parts)
            for at, (name, _) in enumerate(parts):
                words = ", ".join(filter(None, [title, name]))
                if words:
                    grid[0][at].set_title(words)
            if xlabel is not None:
                for panel in grid[-1]:
                    panel.set_xlabel(xlabel)
            if ylabel is not None:
                for row in grid:
                    row[0].set_ylabel(ylabel)
            if ax is None:
                figure.caption = chart.caption()
        drawn: Picture = figure
        return drawn

    curve = __call__

    def heatmap(
        self, value: str = "accepted_load", x: str | None = None, y: str | None = None
    ) -> Picture:
        """Draw a column over two swept axes, in colours.

        Parameters
        ----------
        value
            The column.
        x, y
            Dimensions of ``result.to_xarray()``; None: the last and the first that are left.
        """
        from tailback._other_plots import heatmap

        return heatmap(self._result, value, x, y)

    def time_series(
        self,
        column: str = "accepted_load",
        *,
        series: str = "windows",
        where: str | Sequence[str] = (),
    ) -> Picture:
        """Draw a column of a series over its axis: a panel a variant, at one load.

        Thin lines are seeds, thick ones their mean. The load is the first one at which something
        is not steady, or the largest; with more than six variants the first, the best, the worst
        and the median by accepted load are shown. The figure's ``caption`` says what is left out.

        Parameters
        ----------
        column
            A column of the series.
        series
            Its name.
        where
            Other points: texts as for `Result.where`.
        """
        from tailback._other_plots import time_series

        return time_series(self._result, column, series, where)

    def histogram(self, *, where: str | Sequence[str] = ()) -> Picture:
        """Draw how many packets had which latency or more: a line a variant, at one load.

        Parameters
        ----------
        where
            Other points than those of `time_series`: texts as for `Result.where`.
        """
        from tailback._other_plots import histogram

        return histogram(self._result, where)

    def space_time(self, point: int = 0, *, channel: int | None = None) -> Picture:
        """Draw which buffers were full along a row and a column of routers, cycle by cycle.

        Parameters
        ----------
        point
            Number of the run.
        channel
            A virtual channel; None: how many of them were full.
        """
        from tailback._other_plots import space_time

        return space_time(self._result[point], channel)


class _Chart:
    """Panels of curves, and what is said below them."""

    def __init__(self, result: Result, x: str, columns: list[str], options: Options) -> None:
        self._result, self._x, self._columns, self._options = result, x, columns, options
        self._told: list[Drawn] = []
        self._equal: list[str] = []

    def fill(self, figure: Any, grid: list[list[Axes]], parts: list[tuple[str, Result]]) -> None:
        from tailback._curve_plot import draw, name_lines

        records = self._result.records
        named: list[tuple[Axes, list[Line]]] = []
        for row, column in zip(grid, self._columns, strict=True):
            for panel, (_, part) in zip(row, parts, strict=True):
                lines = _lines.lines(part.records, self._x, column)
                self._told.append(draw(panel, lines, self._x, column, self._options))
                self._equal += [line.label for line in lines if line.same_as is not None]
                panel.set_ylabel(titled(column, records.units[column]).replace(" [", "\n["))
                panel.set_xlabel("")
                if row is grid[0] or panel is not row[-1]:
                    named.append((panel, lines))
        for panel in grid[-1]:
            panel.set_xlabel(titled(self._x, records.units[self._x]))
        for panel, lines in named[: len(parts)]:
            name_lines(panel, lines, self._options.by)

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


def _usual(result: Result) -> list[str]:
    """Return the columns that one looks at first."""
    from tailback._result import known

    names = ["accepted_load", "latency_mean"]
    if not known(result.records["offered_load"]):
        names = ["duration", "latency_mean"]
    return [name for name in names if known(result.records[name])] or names


def _parts(result: Result, panels: str | None) -> list[tuple[str, Result]]:
    """Return what each column of panels shows, with its name."""
    if panels is None:
        return [("", result)]
    values = list(dict.fromkeys(result.records[panels].tolist()))
    key = panels.rpartition(".")[2].replace("_", " ")
    bare = key in ("kind", "pattern", panels)
    return [
        (str(value) if bare else f"{key} {value}", result.sel({panels: value})) for value in values
    ]


def _grid(
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
    from tailback._figure import Picture

    width, height = size or (WIDTH * columns, 0.45 + 1.75 * rows)
    figure: Picture = Picture(figsize=(width, height))
    made = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey="row")
    panels: list[list[Axes]] = [list(row) for row in made]
    return figure, panels


def _bound(result: Result) -> float | None:
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
