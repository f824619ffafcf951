"""The verbs of the command line as functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tailback
from tailback import Spec, SpecError, UsageError

COLLECTIVE = {"workload": {"kind": "collective"}}
PROGRAM = {"workload": {"kind": "program"}}


@pytest.fixture(scope="module")
def one() -> Spec:
    return Spec.from_toml(
        '[topology]\nkind = "torus"\nradix = [4, 4]\n[traffic]\nload = 0.3\n'
        'size = { kind = "fixed", flits = 4 }\n[workload]\nkind = "steady"\n'
        "warmup_cycles = 200\nmeasure_cycles = 600\ndrain_cycles = 600\n",
        name="one.toml",
    )


def test_a_packet_has_a_story(one: Spec) -> None:
    story = tailback.trace(one, packet=50)
    again = tailback.trace(one, source=story.source, packet=story.number)
    assert story == again
    assert story.delivered is not None
    assert story.latency == story.delivered - story.made
    assert story.stops[0].name.endswith("source queue")
    assert story.waiting <= story.latency
    assert f"delivered, {story.latency} cycles" in str(story)
    ends = [stop.left for stop in story.stops]
    assert ends == sorted(ends, key=lambda cycle: cycle or 0)
    with pytest.raises(TypeError, match="packet=1000"):
        tailback.trace(one)
    with pytest.raises(UsageError, match="no node 16"):
        tailback.trace(one, source=16)
    with pytest.raises(UsageError, match="2 points"):
        tailback.trace(one.sweep({"traffic.load": [0.1, 0.2]}), packet=1)


def test_capsules_are_verified(one: Spec, tmp_path: Path) -> None:
    run = tailback.run(one)[0]
    run.write_capsule(tmp_path / "good.json")
    text = (tmp_path / "good.json").read_text(encoding="utf-8")
    latency = f'"latency_mean": {run["latency_mean"]!r}'
    assert latency in text
    (tmp_path / "other.json").write_text(text.replace(latency, '"latency_mean": 1.5'), "utf-8")
    (tmp_path / "torn.json").write_text(text[:100], encoding="utf-8")
    good, other, torn = tailback.verify(tmp_path)
    assert (good.verdict, good.same, good.point_id) == ("same", True, run["point_id"])
    assert other.verdict == "different"
    (found,) = other.differences
    assert (found.column, found.was) == ("latency_mean", "1.5")
    assert float(found.now) == run["latency_mean"]
    assert torn.verdict == "damaged"
    assert torn.remark
    with pytest.raises(TypeError, match="needs a capsule"):
        tailback.verify()


def test_routers_have_a_price() -> None:
    cost = tailback.cost("bubble_adaptive_2d", channels=3)
    assert cost.dimensions == 2
    assert cost.area_mm2.value > tailback.cost("bubble_adaptive_2d").area_mm2.value
    assert cost.cycles[0] <= cost.cycles[1]
    assert len(tailback.cost()) == 8
    assert "crossbar" in cost._repr_html_().lower()
    with pytest.raises(UsageError, match="there is no router `no_such`"):
        tailback.cost("no_such")


def test_variants_are_compared(one: Spec) -> None:
    loaded = one.set("traffic.load=0.9")
    variants = {"off": {"admission": "off"}, "spth": {"admission": "spth"}, "as it is": {}}
    found = tailback.compare(loaded, variants, columns="accepted_load", seeds=4, threads=2)
    assert [row.variant for row in found] == ["spth", "as it is"]
    same = found[1]
    assert same.identical
    assert same.ratio.verdict == "identical"
    assert found[0].ratio.pairs == 4
    assert found[0].ratio.low is not None
    assert found[0].mean_of_first == pytest.approx(same.mean)
    assert "accepted_load" in repr(found)
    with pytest.raises(UsageError, match="two variants"):
        tailback.compare(one, {"off": {}})
    with pytest.raises(SpecError):
        tailback.compare(one, {"off": {}, "x": {"admission": "no_such"}})


def test_saturation_is_bracketed(one: Spec) -> None:
    spec = one.sweep({"admission": ["off", "alo"], "traffic.load": [0.1, 0.2]})
    told: list[tailback.Progress] = []
    found = tailback.saturation(spec, tolerance=0.1, threads=2, progress=told.append)
    off = found["off"]
    assert off.carried_load is not None
    assert off.refused_load is not None
    assert 0 < off.refused_load - off.carried_load <= 0.1
    assert found["alo"].equals == "off"
    assert len(off.runs) >= 3
    assert off.runs["offered_load"].dtype == np.float64
    assert told
    assert told[-1].points > 0
    with pytest.raises(UsageError, match="several variants"):
        found.carried_load  # noqa: B018
    with pytest.raises(UsageError, match="there are 'off', 'alo'"):
        found["spth"]


def test_curves_are_measured(one: Spec, tmp_path: Path) -> None:
    spec = one.sweep({"admission": ["off", "alo", "spth"]})
    curves = tailback.curve(
        spec, points=4, precision=0.1, tolerance=0.1, max_runs=900, out=tmp_path / "out"
    )
    assert [curve.name for curve in curves] == ["off", "alo", "spth"]
    assert curves["alo"].equals == "off"
    off = curves["off"]
    assert off.label == "off = alo"
    assert off.saturation is not None
    assert off.knee is not None
    assert off.knee.mean < off.saturation.mean
    assert off.peak is not None
    assert [point.load for point in off.points] == sorted(point.load for point in off.points)
    assert off.points[0].verdict == "stable"
    assert curves.headline
    assert "off = alo" in str(curves)
    assert "saturation" in curves._repr_html_()
    assert (tmp_path / "out" / "report.html").is_file()
    with pytest.raises(UsageError, match="out names a folder"):
        tailback.curve(spec, points=4, out=__file__)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda spec: tailback.saturation(spec, low=2.0), "low 2 is not below"),
        (lambda spec: tailback.saturation(spec, seeds=0), "invalid value '0' for seeds"),
        (lambda spec: tailback.curve(spec, max_runs=1), "invalid value '1' for max_runs"),
        (lambda spec: tailback.curve(spec.with_(COLLECTIVE)), "steady"),
        (lambda spec: tailback.curve(spec.with_(PROGRAM)), "has no load to vary"),
    ],
)
def test_what_is_wrong_is_said_in_python(
    call: Callable[[Spec], object], words: str, one: Spec
) -> None:
    with pytest.raises((UsageError, SpecError), match=words) as raised:
        call(one)
    assert "--" not in str(raised.value)


def test_warnings_are_warnings(one: Spec) -> None:
    idle = one.set("admission=alo")
    with pytest.warns(tailback.NoEffectWarning, match="alo"):
        tailback.trace(idle, packet=1)


def test_threads_call_verbs_at_the_same_time(one: Spec) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        stories = list(pool.map(lambda number: tailback.trace(one, packet=number), range(8)))
    assert len({(story.source, story.number) for story in stories}) == 8
