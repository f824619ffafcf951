"""Heat maps, time series, histograms of latency and space-time charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tailback import _lines
from tailback._errors import UsageError
from tailback._figure import COLORS, DASHES, Picture
from tailback._plot import WIDTH, styled, titled
from tailback._table import Array

if TYPE_CHECKING:
    from tailback._record import Run
    from tailback._result import Result

MOST_VARIANTS = 6
MOST_WINDOWS = 60


def heatmap(result: Result, value: str, x: str | None, y: str | None) -> Picture:
    """Draw a column over two swept axes."""
    data = result.to_xarray()[value]
    names = [str(name) for name in data.dims if name != "replica"]
    x = x or next((name for name in reversed(names) if name != y), None)
    y = y or next((name for name in names if name != x), None)
    if x is None or y is None:
        raise UsageError(f"a heat map needs two swept axes; there are {names}")
    data = data.mean([name for name in data.dims if name not in (x, y)]).transpose(y, x)
    units = result.records.units
    with styled():
        figure = Picture(figsize=(WIDTH, 2.8))
        panel = figure.subplots()
        image = panel.imshow(data.values, origin="lower", aspect="auto", cmap="cividis")
        for name, axis in ((x, panel.xaxis), (y, panel.yaxis)):
            labels = [_tick(place) for place in data[name].values]
            step = -(-len(labels) // 12)
            axis.set_ticks(range(0, len(labels), step), labels[::step])
            axis.set_label_text(titled(name, units.get(name, "")))
        figure.colorbar(image, label=titled(value, units[value]))
    return figure


def time_series(result: Result, column: str, series: str, where: str | Sequence[str]) -> Picture:
    """Draw a column of a series over its axis."""
    chosen, groups, words = _chosen(result, where)
    with styled():
        figure = Picture(figsize=(WIDTH, 0.4 + 1.1 * len(groups)))
        panels = figure.subplots(len(groups), 1, squeeze=False, sharex=True, sharey=True)[:, 0]
        for panel, (name, order, rows) in zip(panels, groups, strict=True):
            tables = [chosen[row].series[series] for row in rows]
            color = COLORS[order % len(COLORS)]
            seeds = [_joined(table[column]) for table in tables]
            times = max((_joined(table.x) for table in tables), key=len)
            for values in seeds if len(seeds) > 1 else ():
                panel.plot(times[: len(values)], values, color=color, lw=0.5, alpha=0.45)
            shortest = min(map(len, seeds))
            mean = np.mean([values[:shortest] for values in seeds], axis=0)
            panel.plot(times[:shortest], mean, color=color, lw=1.2)
            panel.set_ylim(bottom=0)
            panel.set_title(name, loc="left", color=color)
        first = chosen[groups[0][2][0]].series[series]
        panels[-1].set_xlabel(titled(first.x_name, first.units[first.x_name]))
        figure.supylabel(titled(column, first.units[column]), fontsize=7)
    figure.caption = f"{titled(column, '')} over time: {words}. Thin: seeds, thick: their mean."
    return figure


def _joined(values: Array) -> Array:
    """Return the values of windows, neighbours joined until no more than a picture shows remain."""
    each = -(-len(values) // MOST_WINDOWS)
    whole = len(values) // each * each
    joined: Array = values[:whole].reshape(-1, each).mean(axis=1)
    return joined


def histogram(result: Result, where: str | Sequence[str]) -> Picture:
    """Draw how many packets had which latency or more."""
    chosen, groups, words = _chosen(result, where)
    with styled():
        figure = Picture(figsize=(WIDTH, 2.3))
        panel = figure.subplots()
        for name, order, rows in groups:
            edges, above = _tail([chosen[row] for row in rows])
            look = {"color": COLORS[order % len(COLORS)], "ls": DASHES[order % len(DASHES)]}
            panel.step(edges, above, where="post", label=name, **look)
        panel.set(xscale="log", yscale="log", xlabel="Latency [cycles]")
        panel.set_ylabel("Share of packets at or above")
        if len(groups) > 1:
            panel.legend()
    figure.caption = f"Share of packets with a latency or more: {words}, all seeds together."
    return figure


def _tail(runs: list[Run]) -> tuple[Any, Any]:
    """Return latencies, and the share of the packets of all runs that had these or more."""
    tables = [run.series["latency_histogram"] for run in runs]
    edges = np.unique(np.concatenate([table.x for table in tables]))
    count = np.zeros(len(edges))
    for table in tables:
        count[np.searchsorted(edges, table.x)] += table["packets"]
    return edges, count[::-1].cumsum()[::-1] / count.sum()


def space_time(run: Run, channel: int | None) -> Picture:
    """Draw which buffers were full along a row and a column of routers."""
    charts = run.space_time
    if not charts:
        raise UsageError("no space-time charts: ask for them with probes.space_time_cycles")
    with styled():
        figure = Picture(figsize=(1.8 * len(charts), 3.2))
        axes = list(figure.subplots(1, len(charts), squeeze=False)[0])
        most = max(int(chart.busy.max(initial=0)) for chart in charts.values())
        top = 1 if channel is not None else max(1, most)
        for panel, (name, chart) in zip(axes, charts.items(), strict=True):
            cells = chart.busy if channel is None else chart.channel(channel)
            first, width = chart.first_cycle, cells.shape[1]
            image = panel.imshow(
                cells,
                aspect="auto",
                interpolation="nearest",
                cmap="cividis_r",
                extent=(-0.5, width - 0.5, first + len(cells), first),
                vmin=0,
                vmax=top,
            )
            panel.set(title=name, xlabel="Router")
            panel.tick_params(labelleft=panel is axes[0])
        axes[0].set_ylabel("Time [cycles]")
        what = "Full buffers" if channel is None else f"Channel {channel} full"
        figure.colorbar(image, ax=axes, label=what, ticks=range(top + 1))
    return figure


def _chosen(
    result: Result, where: str | Sequence[str]
) -> tuple[Result, list[tuple[str, int, list[int]]], str]:
    """Return the runs that are shown, by variant with its order, and how many they are of all."""
    filters = [where] if isinstance(where, str) else list(where)
    chosen = result.where(*filters) if filters else _at_one_load(result)
    if not len(chosen):
        raise UsageError("no point has run")
    along = _lines.axis(chosen.records)
    variants = chosen.records._native.curves(along or _lines.LOAD, ["accepted_load"])
    groups = []
    for order, variant in enumerate(variants):
        for point in variant["points"] if variant["same_as"] is None else ():
            names = [variant["label"], _load(along, point) if len(variant["points"]) > 1 else ""]
            mean = (point["spreads"]["accepted_load"] or {}).get("mean", 0.0)
            groups.append((", ".join(filter(None, names)) or "all seeds", order, point, mean))
    groups = _few(groups)
    shown, points = len(groups), len(result.mean())
    words = f"{shown} of {points} points" if points > 1 else "the only point"
    if not filters and _lines.LOAD in _lines.numbers(result.records):
        words += f" (load {chosen.records[_lines.LOAD][0]:.3g})"
    return chosen, [(name, order, point["rows"]) for name, order, point, _ in groups], words


def _load(along: str | None, point: dict[str, Any]) -> str:
    return "" if along is None else f"{along.rpartition('.')[2]} {_tick(point['x'])}"


def _at_one_load(result: Result) -> Result:
    """Return the runs at the first load at which something is not steady, or at the largest."""
    along = _lines.axis(result.records)
    if along is None:
        return result
    values = sorted(set(result.records[along].tolist()))
    for value in values:
        here = result.sel({along: value})
        if any(status not in ("steady", "completed") for status in here["status"].tolist()):
            return here
    return result.sel({along: values[-1]})


def _few(groups: list[Any]) -> list[Any]:
    """Return the first, the best, the worst and the median where there are many."""
    if len(groups) <= MOST_VARIANTS:
        return groups
    ranked = sorted(range(len(groups)), key=lambda at: groups[at][3])
    kept = {0, ranked[-1], ranked[0], ranked[len(ranked) // 2]}
    return [groups[at] for at in sorted(kept)]


def _tick(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
