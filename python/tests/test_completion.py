"""Curves of completion time of programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tailback
from tailback import Spec, SpecError, UsageError

EXAMPLE = Path(__file__).parents[2] / "examples" / "all_reduce.toml"
RING = {
    "topology": {"kind": "torus", "radix": [8]},
    "router": {"kind": "cut_through", "buffer_flits": 32, "header_cycles": 1},
    "traffic": {"packet_flits": 8},
    "workload": {
        "kind": "program",
        "generate": {"kind": "all_reduce", "ranks": 8, "flits": 1024},
    },
}
SIZES = "workload.generate.flits=512,1024"


def test_times_are_those_of_the_formula_and_of_single_runs(tmp_path: Path) -> None:
    times = tailback.completion(RING, vary=SIZES, out=tmp_path / "out")
    (ring,) = times
    assert (times.x, times.x_unit, times.complete) == ("workload.generate.flits", "flits", True)
    # 2 (K - 1) (m + links + 1): 14 steps with m = flits / 8 and 2 cycles a link, header and all.
    assert [point.duration and point.duration.mean for point in ring.points] == [938.0, 1834.0]
    for point in ring.points:
        alone = tailback.run(Spec.of(RING).set(f"workload.generate.flits={int(point.x)}"))[0]
        assert point.duration is not None
        assert point.duration.mean == alone["duration"]
        assert point.bound == alone["bound"]
        assert point.status == f"{point.seeds} completed"
    kept = json.loads((tmp_path / "out" / "curve.json").read_text(encoding="utf-8"))
    assert [point["x"] for point in kept["variants"][0]["points"]] == [512.0, 1024.0]
    # A folder of the same curve is completed: nothing is run again.
    told: list[Any] = []
    again = tailback.completion(RING, vary=SIZES, out=tmp_path / "out", progress=told.append)
    assert again == times
    assert "1834" in str(times)
    assert "1834" in times._repr_html_()


def test_variants_are_found_by_name_and_drawn_with_their_bounds() -> None:
    pytest.importorskip("matplotlib")
    import matplotlib.pyplot as plt

    times = tailback.completion(EXAMPLE, vary="workload.generate.flits=64..512")
    assert times["algorithm ring"] is times[0]
    assert times.headline.startswith("Fastest: ")
    with pytest.raises(UsageError, match="no variant 'rings'; there are 'algorithm ring'"):
        times["rings"]
    figure = times.plot()
    (panel,) = figure.axes
    assert panel.get_xlabel() == "Message size [flits]"
    assert panel.get_xscale() == "log"
    dashed = [line for line in panel.lines if line.get_linestyle() == "--"]
    bounds = {tuple(np.asarray(line.get_ydata()).tolist()) for line in dashed}
    assert bounds >= {tuple(point.bound for point in curve.points) for curve in times}
    assert "below which no run ends" in figure.caption
    _, axes = plt.subplots()
    assert times.plot(ax=axes) is axes.figure
    with pytest.raises(UsageError, match="1 panels"):
        times.plot(ax=plt.subplots(2, 1)[1])
    plt.close("all")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seeds": 0}, "invalid value '0' for seeds"),
        ({"vary": "workload.generate.flits=0..2"}, "PATH=FROM..TO is wanted"),
        ({"vary": "workload.generate.algorithm=ring,spread"}, 'has no choice "spread"'),
    ],
)
def test_what_is_wrong_is_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises((UsageError, SpecError), match=words):
        tailback.completion(RING, **options)


def test_other_workloads_are_sent_to_curve() -> None:
    with pytest.raises(UsageError, match="not a program; `curve` measures it"):
        tailback.completion({"topology": {"kind": "torus", "radix": [4, 4]}})
