"""Pictures with matplotlib."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tailback
from tailback import Curve, CurvePoint, Curves, Result, Spec, Spread, UsageError
from tailback._labels import spaced

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def study() -> Result:
    """Two mechanisms and one that changes nothing, three seeds, steady and not."""
    spec = Spec.from_toml(
        '[topology]\nkind = "torus"\nradix = [8, 8]\n[router]\nvirtual_channels = 3\n[traffic]\n'
        'load = 0.1\nsize = { kind = "fixed", flits = 8 }\n[workload]\nkind = "steady"\n'
        "warmup_cycles = 500\nmeasure_cycles = 1000\ndrain_cycles = 1000\n[run]\nreplicas = 3\n"
        '[sweep]\n"traffic.load" = [0.1, 0.2, 0.9, 1.2]\nadmission = ["off", "alo", "spth"]\n'
    )
    return tailback.run(spec, threads=2)


def drawn(figure: object) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="svg")  # type: ignore[attr-defined]
    return out.getvalue()


def texts(panel: object) -> Iterator[str]:
    return (text.get_text() for text in panel.texts)  # type: ignore[attr-defined]


def test_labels_keep_their_distance() -> None:
    assert spaced([0.2, 0.8], 0.1) == [0.2, 0.8]
    np.testing.assert_allclose(spaced([0.5, 0.5], 0.1), [0.45, 0.55])
    np.testing.assert_allclose(spaced([0.52, 0.5, 0.1], 0.1), [0.56, 0.46, 0.1])
    many = spaced([0.5] * 5 + [0.9], 0.1)
    assert np.diff(sorted(many)).min() >= 0.1 - 1e-9
    assert spaced([], 0.1) == []


def test_two_panels_with_units_and_one_label_for_twins(study: Result) -> None:
    figure = study.plot()
    accepted, latency = figure.axes
    assert accepted.get_ylabel() == "Accepted load\n[flits/node/cycle]"
    assert latency.get_ylabel() == "Mean latency\n[cycles]"
    assert latency.get_xlabel() == "Offered load [flits/node/cycle]"
    shown = list(texts(accepted))
    assert {"off = alo", "spth", "all alike"} <= set(shown)
    assert "alo" not in shown
    assert b"Accepted load" in drawn(figure)
    assert "Means over 3 seeds; bands are 95 % intervals in the logarithm." in figure.caption
    assert "off = alo, bit for bit." in figure.caption
    assert "Hollow: no steady state." in figure.caption


def test_axes_begin_at_zero_and_no_band_sets_them(study: Result) -> None:
    accepted, latency = study.plot().axes
    means = study.mean()
    assert accepted.get_ylim()[0] == latency.get_ylim()[0] == 0
    steady = [
        mean
        for mean, status in zip(means["latency_mean"], means["status"], strict=True)
        if status == "3 steady"
    ]
    assert max(steady) < latency.get_ylim()[1] < 3 * max(steady)
    assert accepted.get_xlim() == latency.get_xlim() == (0.0, 1.2)


def test_what_is_not_steady_is_hollow(study: Result) -> None:
    panel = study.plot("accepted_load", where="admission=off").axes[0]
    marks = [(np.asarray(line.get_xdata()), line) for line in panel.lines]
    faces = {float(x[0]): line.get_markerfacecolor() for x, line in marks if len(x) == 1}
    statuses = study.sel(admission="off").mean()
    for load, status in zip(statuses["traffic.load"], statuses["status"], strict=True):
        assert (faces[load] == "white") == (status != "3 steady"), load
    assert "white" in faces.values()


def test_options_of_the_command(study: Result) -> None:
    figure = study.plot(
        "latency_mean",
        where=["admission=off", "admission=spth"],
        panels="admission",
        log_y=True,
        xlim=(0, 1),
        ylim=(1, 1e4),
        xlabel="Load",
        ylabel="Cycles",
        title="Torus",
        size=(6, 3),
    )
    left, right = figure.axes
    assert [panel.get_title() for panel in (left, right)] == ["Torus, off", "Torus, spth"]
    assert left.get_yscale() == "log"
    assert (left.get_xlim(), left.get_ylim()) == ((0, 1), (1, 1e4))
    assert (left.get_xlabel(), left.get_ylabel()) == ("Load", "Cycles")
    assert figure.get_size_inches().tolist() == [6, 3]
    (over,) = study.plot("latency_p99", x="accepted_load", bound=False).axes
    assert over.get_xlabel() == "Accepted load [flits/node/cycle]"
    bars = study.plot("accepted_load", color="admission").axes[0]
    assert len({line.get_color() for line in bars.lines}) >= 3


def test_a_wide_picture_has_its_panels_beside_each_other(study: Result) -> None:
    left, right = study.plot(size=(7.16, 2.75)).axes
    assert left.get_position().x1 < right.get_position().x0
    assert left.get_xlabel() == right.get_xlabel() == "Offered load [flits/node/cycle]"


def test_axes_of_somebody_else(study: Result) -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    mine = figure.subplots(1, 3)
    assert study.plot("accepted_load", ax=mine[0]) is figure
    assert study.plot(ax=mine[1:]) is figure
    assert all(panel.lines for panel in mine)
    with pytest.raises(UsageError, match="2 panels, and ax has 1"):
        study.plot(ax=mine[0])


def test_what_cannot_be_drawn_is_said(study: Result, result: Result) -> None:
    for arguments, words in [
        (("status",), "no numbers"),
        (("duration",), "no numbers"),
    ]:
        with pytest.raises(UsageError, match=words):
            study.plot(*arguments)
    with pytest.raises(KeyError, match="latency_mean"):
        study.plot("latency")
    with pytest.raises(UsageError, match="no number is swept"):
        result[:1].plot()
    with pytest.raises(UsageError, match="admission"):
        study.plot(where="admission=no_such")


def test_too_few_seeds_are_dots(study: Result) -> None:
    figure = study.sel(seed=[1, 2], admission="off").plot("accepted_load")
    (panel,) = figure.axes
    assert not panel.collections, "no band of two seeds"
    assert "Dots: single seeds" in figure.caption


def test_time_series_are_chosen_and_not_strided(study: Result) -> None:
    figure = study.plot.time_series()
    assert [panel.get_title(loc="left") for panel in figure.axes] == ["off = alo", "spth"]
    assert "2 of 12 points (load 0.9)" in figure.caption
    chosen = study.plot.time_series(where=["traffic.load=0.2", "admission=spth"])
    assert len(chosen.axes) == 1
    assert "1 of 12 points" in chosen.caption
    assert b"Accepted load" in drawn(figure)
    tails = study.plot.histogram()
    share = np.asarray(tails.axes[0].lines[0].get_ydata())
    assert share[0] == 1.0
    assert (np.diff(share) <= 0).all()
    assert "2 of 12 points" in tails.caption


def test_maps(result: Result) -> None:
    panel = result.plot.heatmap("latency_mean").axes[0]
    assert panel.get_xlabel() == "Admission"
    assert panel.get_ylabel() == "Offered load [flits/node/cycle]"
    with pytest.raises(UsageError, match="space_time_cycles"):
        result.plot.space_time()


def _measured(name: str, *, equals: str | None = None, label: str = "") -> Curve:
    points = tuple(
        CurvePoint(
            load,
            Spread(mean, 0.95 * mean, 1.05 * mean, 3),
            Spread(20.0, 19.0, 21.0, 3),
            None,
            status,
            3,
        )
        for load, mean, status in ((0.1, 0.1, "3 steady"), (0.5, 0.4, "1 steady, 2 saturated"))
    )
    unknown: Any = dict.fromkeys(
        ("zero_load_latency", "knee", "saturation", "peak", "sustained", "against_first")
    )
    return Curve(
        name=name,
        label=label or name,
        parameters={"admission": name},
        equals=equals,
        never_saturates=False,
        channel_load_bound=0.44,
        points=points,
        **unknown,
    )


def test_measured_curves_have_a_picture() -> None:
    import matplotlib.pyplot as plt

    twins = (_measured("off", label="off = alo"), _measured("alo", equals="off"), _measured("spth"))
    curves = Curves(twins, (), 18, True)
    figure = curves.plot()
    accepted, latency = figure.axes
    assert latency.get_xlabel() == "Offered load [flits/node/cycle]"
    assert accepted.get_ylabel() == "Accepted load\n[flits/node/cycle]"
    names = [text.get_text() for text in accepted.texts]
    assert "off = alo" in names
    assert "spth" in names
    assert "alo" not in names, "what is the same is drawn once"
    hollow = [line for line in accepted.lines if line.get_markerfacecolor() == "white"]
    assert {tuple(np.atleast_1d(line.get_xdata())) for line in hollow} == {(0.5,)}
    own, axes = plt.subplots(2, 1)
    assert curves.plot(ax=axes, bound=False) is own
    with pytest.raises(tailback.UsageError, match="2 panels"):
        curves.plot(ax=plt.subplots()[1])
    plt.close("all")
