"""Pictures of results with matplotlib, for papers: units on every axis, one type face."""

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

    from tailback._figure import Picture
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
        """Draw columns over a swept number, with one line per variant.

        A variant is a setting of all other swept parameters. The runs of a point make one mark, at
        their mean. A mark is hollow if some seed was not steady. Bands are 95 % intervals, and no
        band sets an axis. If a point has too few seeds for an interval, the seeds are dots.
        Variants whose results are identical, bit for bit, share a line. Where variants are merely
        alike, one grey line stands for all of them.

        Parameters
        ----------
        y
            Names of columns; each has its own panel. None draws accepted load and mean latency.
        x
            A swept parameter or a column. None takes the load, or the first swept number.
        where
            The points to draw, as texts for `Result.where`.
        color
            The swept parameter that chooses the colour. None gives every variant its own.
        panels
            A swept parameter. Each of its values has a column of panels.
        log_x, log_y
            Whether the axis is logarithmic.
        xlim, ylim
            Limits of the axis, such as ``(0, 100)``. None in place of a limit leaves it to the
            data.
        xlabel, ylabel, title
            Texts that replace the usual ones.
        size
            Width and height of the figure [inches].
        bound
            Whether to mark the load at which some link is full, if it is known.
        ax
            matplotlib axes to draw in, one for each panel. None makes a new figure.

        Returns
        -------
        matplotlib.figure.Figure
            A new figure has the attribute ``caption``, which explains the picture.

        Raises
        ------
        UsageError
            If a column has no numbers, if no number is swept, if ``where`` chooses no point, if
            ``ax`` has another number of panels, or if matplotlib is not installed.

        Examples
        --------
        >>> import tailback
        >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
        >>> result = tailback.run({**torus, "sweep": {"traffic.load": [0.1, 0.2, 0.3]}})
        >>> figure = result.plot("latency_mean", title="A small torus")
        >>> figure.savefig("latency.pdf")
        """
        from tailback._chart import Chart, bound_of, is_lowest, panels_of, parts_of, usual
        from tailback._curve_plot import Options

        filters = [where] if isinstance(where, str) else list(where)
        result = self._result.where(*filters) if filters else self._result
        x = x or _lines.axis(result.records)
        if x is None:
            raise UsageError("no number is swept: name a column for x")
        columns = [y] if isinstance(y, str) else list(y or usual(result))
        parts = parts_of(result, panels)
        options = Options(log_x=log_x, log_y=log_y, xlim=xlim, ylim=ylim, by=color)
        options.bound = bound_of(result) if bound and x == _lines.LOAD else None
        with styled():
            figure, grid = panels_of(len(columns), len(parts), size, ax)
            chart = Chart(result, x, columns, options)
            chart.fill(figure, grid, parts)
            for at, (name, _) in enumerate(parts):
                words = ", ".join(filter(None, [title, name]))
                if words:
                    grid[0][at].set_title(words)
            if xlabel is not None:
                for panel in filter(is_lowest, (panel for row in grid for panel in row)):
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
        """Draw a column over two swept axes, in colours. This needs xarray.

        Parameters
        ----------
        value
            Name of the column.
        x, y
            Dimensions of ``result.to_xarray()``. None takes the last dimension for ``x`` and the
            first one for ``y``.

        Raises
        ------
        UsageError
            If fewer than two axes are swept.
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
        """Draw a column of a series over its axis: one panel per variant, at one load.

        Thin lines are seeds, and thick lines are their mean. The load is the first one at which
        some run is not steady, or else the largest. Of more than six variants the picture shows
        the first, the best, the worst and the median by accepted load. The ``caption`` of the
        figure says what is left out.

        Parameters
        ----------
        column
            Name of a column of the series.
        series
            Name of the series.
        where
            The points to draw instead, as texts for `Result.where`.
        """
        from tailback._other_plots import time_series

        return time_series(self._result, column, series, where)

    def histogram(self, *, where: str | Sequence[str] = ()) -> Picture:
        """Draw the share of packets with at least a given latency: one line per variant.

        The picture shows the same points as `time_series`.

        Parameters
        ----------
        where
            The points to draw instead, as texts for `Result.where`.
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
            Number of a virtual channel. None draws how many virtual channels were full.

        Raises
        ------
        UsageError
            If the run has no space-time charts.
        """
        from tailback._other_plots import space_time

        return space_time(self._result[point], channel)
