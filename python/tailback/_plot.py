"""Pictures of results with matplotlib, fit for a paper: one column wide, units on every axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from tailback._errors import UsageError
from tailback._table import Array, extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tailback._figure import Picture
    from tailback._result import Result, Run

    Drawing = tuple[Picture, list[Axes]]

WIDTH = 3.5
"""Width of a column of a paper [inches]."""

LABELS = {
    "traffic.load": "Offered load",
    "accepted_load": "Accepted load",
    "latency_mean": "Mean latency",
}


@contextmanager
def _styled(panels: int, height: float = 2.4, width: float = WIDTH) -> Iterator[Drawing]:
    """Give a figure with panels side by side to draw in."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise extra("matplotlib", "plot") from None
    from tailback._figure import STYLE, Picture

    with mpl.rc_context(STYLE):
        figure = Picture(figsize=(width * panels, height))
        yield figure, list(figure.subplots(1, panels, squeeze=False)[0])


def _legend(figure: Picture, panel: Axes, lines: int) -> None:
    """Name the lines: in the panel where they are few, below it otherwise."""
    if lines > 4:
        handles, names = panel.get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
    elif lines > 1:
        panel.legend()


def _color(number: int) -> str:
    from tailback._figure import COLORS

    return COLORS[number % len(COLORS)]


def _mark(number: int) -> str:
    from tailback._figure import MARKS

    return MARKS[number % len(MARKS)]


class Plots:
    """Pictures of a result. Every method answers a matplotlib figure, which notebooks show.

    ``figure.savefig("curve.pdf")`` writes it.
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    def curve(
        self, y: str | Sequence[str] | None = None, x: str | None = None, *, bound: bool = True
    ) -> Figure:
        """Draw columns over a swept number, a line for each combination of the others.

        Several seeds a point make one line of their means, with the 95 % interval as a band.

        Parameters
        ----------
        y
            Columns, a panel each; None: accepted load and mean latency.
        x
            A swept parameter or a column; None: the load, or the first number that is swept.
        bound
            Whether to mark the load at which some link is full, where that is known.
        """
        records = self._result.records
        x = x or self._axis()
        columns = [y] if isinstance(y, str) else list(y or ("accepted_load", "latency_mean"))
        lines = self._lines(x)
        notes = self._notes(lines, x)
        with _styled(len(columns)) as (figure, axes):
            for panel, column in zip(axes, columns, strict=True):
                for number, (name, rows) in enumerate(lines.items()):
                    label = name + notes.get(name, "")
                    self._line(panel, records[x][rows], records[column][rows], label, number)
                panel.set(xlabel=self._label(x), ylabel=self._label(column))
                self._scale(panel, column)
                if bound and x == "traffic.load":
                    self._bound(panel)
            _legend(figure, axes[0], len(lines))
        return figure

    def _line(self, panel: Axes, x: Array, y: Array, name: str, number: int) -> None:
        places = np.unique(x)
        groups = [y[(x == place) & np.isfinite(y)] for place in places]
        means = np.array([group.mean() if len(group) else np.nan for group in groups])
        halves = np.array([_half_width(group) for group in groups])
        color = _color(number)
        panel.plot(places, means, marker=_mark(number), color=color, label=name)
        if np.isfinite(halves).any():
            panel.fill_between(places, means - halves, means + halves, color=color, alpha=0.2, lw=0)

    def _scale(self, panel: Axes, column: str) -> None:
        """Let latencies beyond saturation leave the picture: they grow with the run."""
        panel.set_ylim(bottom=0)
        values = self._result.records[column]
        values = values[np.isfinite(values)]
        if "latency" in column and len(values) and values.max() > 10 * values.min():
            panel.set_ylim(top=8 * values.min())

    def _bound(self, panel: Axes) -> None:
        from tailback._check import check

        spec = self._result.spec
        facts = check(spec, most=1).facts[0] if spec is not None else None
        if facts is None or not facts.channel_load_bound or not facts.offered_load:
            return
        # The bound is a mean over all nodes; the axis is what is asked of those that send.
        load = float(self._result.records["traffic.load"][0])
        panel.axvline(
            facts.channel_load_bound * load / facts.offered_load, color="0.5", ls="--", lw=0.8
        )

    def _swept(self) -> list[str]:
        records = self._result.records
        swept = [name for name in records.names if records.meanings[name] == "swept parameter"]
        return [name for name in swept if len(set(map(str, records[name].tolist()))) > 1]

    def _numbers(self) -> list[str]:
        return [n for n in self._swept() if self._result.records[n].dtype.kind in "fiu"]

    def _axis(self) -> str:
        numbers = self._numbers()
        if not numbers:
            raise UsageError("no number is swept: name a column for x")
        return "traffic.load" if "traffic.load" in numbers else numbers[0]

    def _lines(self, x: str | None) -> dict[str, Array]:
        """Rows by what else is swept, in words."""
        records = self._result.records
        others = [name for name in self._swept() if name != x]
        rows: dict[str, list[int]] = {}
        for row in range(len(records)):
            if records["status"][row] != "interrupted":
                words = [_word(name, records[name][row]) for name in others]
                rows.setdefault(", ".join(filter(None, words)), []).append(row)
        return {name: np.array(numbers) for name, numbers in rows.items()}

    def identical(self) -> Iterator[tuple[str, ...]]:
        """Give groups of lines that came out identical, bit for bit, by name."""
        numbers = self._numbers()
        x = self._axis() if numbers else None
        lines = self._lines(x)
        names = list(lines)
        for group in self._groups(lines, x):
            yield tuple(names[line] for line in group)

    def _groups(self, lines: dict[str, Array], x: str | None) -> list[list[int]]:
        rows = [numbers.tolist() for numbers in lines.values()]
        return self._result.records._native.identical(rows, x)

    def _notes(self, lines: dict[str, Array], x: str) -> dict[str, str]:
        """Say behind the names of lines that are identical to an earlier one to which."""
        names = list(lines)
        return {
            names[line]: f" = {names[group[0]]}, identical"
            for group in self._groups(lines, x)
            for line in group[1:]
        }

    def _label(self, column: str) -> str:
        unit = self._result.records.units[column]
        words = column.rpartition(".")[2].replace("_", " ").capitalize()
        name = LABELS.get(column, words)
        return f"{name} [{unit}]" if unit else name

    def heatmap(
        self, value: str = "accepted_load", x: str | None = None, y: str | None = None
    ) -> Figure:
        """Draw a column over two swept axes, in colours.

        Parameters
        ----------
        value
            The column.
        x, y
            Dimensions of ``result.to_xarray()``; None: the last and the first that are left.
        """
        data = self._result.to_xarray()[value]
        names = [str(name) for name in data.dims if name != "replica"]
        x = x or next((name for name in reversed(names) if name != y), None)
        y = y or next((name for name in names if name != x), None)
        if x is None or y is None:
            raise UsageError(f"a heat map needs two swept axes; there are {names}")
        data = data.mean([name for name in data.dims if name not in (x, y)]).transpose(y, x)
        with _styled(1, height=2.8) as (figure, (panel,)):
            panel.grid(visible=False)
            image = panel.imshow(data.values, origin="lower", aspect="auto", cmap="viridis")
            for name, axis in ((x, panel.xaxis), (y, panel.yaxis)):
                labels = [_tick(place) for place in data[name].values]
                step = -(-len(labels) // 12)
                axis.set_ticks(range(0, len(labels), step), labels[::step])
                axis.set_label_text(self._label(name))
            figure.colorbar(image, label=self._label(value))
        return figure

    def time_series(self, column: str = "accepted_load", *, series: str = "windows") -> Figure:
        """Draw a column of a series over its axis, a line a point (8 at most)."""
        runs = self._some(8)
        with _styled(1) as (figure, (panel,)):
            for number, run in enumerate(runs):
                table = run.series[series]
                color = _color(number)
                panel.plot(table.x, table[column], color=color, lw=0.8, label=self._name(run))
            units = table.units
            panel.set(
                xlabel=_titled(table.x_name, units[table.x_name]),
                ylabel=_titled(column, units[column]),
            )
            _legend(figure, panel, len(runs))
        return figure

    def histogram(self) -> Figure:
        """Draw how many packets had which latency or more, a line a point (8 at most)."""
        runs = self._some(8)
        with _styled(1) as (figure, (panel,)):
            for number, run in enumerate(runs):
                table = run.series["latency_histogram"]
                count = table["packets"]
                above = count[::-1].cumsum()[::-1] / count.sum()
                color = _color(number)
                panel.step(table.x, above, where="post", color=color, label=self._name(run))
            panel.set(xscale="log", yscale="log", xlabel="Latency [cycles]")
            panel.set_ylabel("Share of packets at or above")
            _legend(figure, panel, len(runs))
        return figure

    def space_time(self, point: int = 0, *, channel: int | None = None) -> Figure:
        """Draw which buffers were full along a row and a column of routers, cycle by cycle.

        Parameters
        ----------
        point
            Number of the point.
        channel
            A virtual channel; None: how many of them were full.
        """
        charts = self._result[point].space_time
        if not charts:
            raise UsageError("no space-time charts: ask for them with probes.space_time_cycles")
        with _styled(len(charts), height=3.2, width=1.8) as (figure, axes):
            most = max(int(chart.busy.max(initial=0)) for chart in charts.values())
            top = 1 if channel is not None else max(1, most)
            for panel, (name, chart) in zip(axes, charts.items(), strict=True):
                cells = chart.busy if channel is None else chart.channel(channel)
                first, width = chart.first_cycle, cells.shape[1]
                image = panel.imshow(
                    cells,
                    aspect="auto",
                    interpolation="nearest",
                    cmap="Greys",
                    extent=(-0.5, width - 0.5, first + len(cells), first),
                    vmin=0,
                    vmax=top,
                )
                panel.grid(visible=False)
                panel.set(title=name, xlabel="Router")
                panel.tick_params(labelleft=panel is axes[0])
            axes[0].set_ylabel("Time [cycles]")
            what = "Full buffers" if channel is None else f"Channel {channel} full"
            figure.colorbar(image, ax=axes, label=what, ticks=range(top + 1))
        return figure

    def _some(self, most: int) -> list[Run]:
        """Points spread over the sweep."""
        step = -(-len(self._result) // most)
        runs = [self._result[row] for row in range(0, len(self._result), max(1, step))]
        if not runs:
            raise UsageError("no point has run")
        return runs

    def _name(self, run: Run) -> str:
        words = [_word(name, run[name]) for name in self._swept()]
        return ", ".join(filter(None, words)) or f"seed {run['seed']}"


def _half_width(values: Array) -> float:
    """Half of the 95 % interval of a mean, by Student's t."""
    if len(values) < 2:
        return np.nan
    # Quantiles at 0.975 for 1 to 30 degrees of freedom; beyond, the normal's with its first term.
    degrees = len(values) - 1
    t = _T975[degrees - 1] if degrees <= len(_T975) else 1.96 + 2.4 / degrees
    return float(t * values.std(ddof=1) / np.sqrt(len(values)))


_T975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


def _word(name: str, value: Any) -> str:
    if value is None or value != value:
        return ""
    key = name.rpartition(".")[2]
    bare = isinstance(value, str) and (key in ("kind", "pattern") or "." not in name)
    return str(value) if bare else f"{key.replace('_', ' ')} {_tick(value)}"


def _tick(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _titled(name: str, unit: str) -> str:
    words = name.replace("_", " ").capitalize()
    return f"{words} [{unit}]" if unit else words
