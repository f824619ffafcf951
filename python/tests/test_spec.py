"""Specs: the same text, errors and points as on the command line."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tailback
from conftest import ROOT, SMALL
from tailback import Spec, SpecError, UsageError, build
from tailback._catalogue import identifier


def test_what_was_written_comes_back_to_the_letter(small: Spec) -> None:
    assert small.to_toml() == SMALL
    assert Spec.from_toml(small.to_toml()) == small


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.toml")), ids=lambda p: p.stem)
def test_every_example_survives_a_round_trip(path: Path) -> None:
    spec = Spec.from_file(path)
    by_dict = Spec.from_dict(spec.to_dict(), name=str(path))
    again = Spec.from_toml(by_dict.to_toml(), name=str(path))
    ids = [point.id for point in spec.points()]
    assert ids == [point.id for point in again.points()]
    assert len(set(ids)) == len(ids)


def test_changes_make_new_specs_and_sweeps_give_way(small: Spec) -> None:
    set_ = small.set("traffic.load=0.25", "run.seed=3")
    with_ = small.with_({"traffic.load": np.float64(0.25), "run.seed": np.int64(3)})
    assert set_ == with_ != small
    assert len(set_.points()) == 2
    assert {point.seed for point in set_.points()} == {3}
    assert small.to_toml() == SMALL
    reread = Spec.from_toml(set_.to_toml())
    assert [p.id for p in reread.points()] == [p.id for p in set_.points()]
    swept = small.sweep({"traffic.load": np.linspace(0.1, 0.4, 4), "run.seed": range(2)})
    assert len(swept.points()) == 4 * 2 * 2
    with pytest.raises(AttributeError, match="immutable"):
        small.other = 1


def test_a_point_alone_is_the_same_point(small: Spec) -> None:
    for point in small.points():
        (alone,) = point.spec.points()
        assert (alone.id, alone.seed) == (point.id, point.seed)
        assert point.swept["traffic.load"] in (0.1, 0.3)


def test_specs_and_errors_can_be_pickled(small: Spec) -> None:
    assert pickle.loads(pickle.dumps(small.set("traffic.load=0.2"))) == small.set(
        "traffic.load=0.2"
    )
    with pytest.raises(SpecError) as caught:
        small.set("traffic.laod=0.2").check()
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.problems == caught.value.problems


def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.toml"
    text = SMALL.replace('kind = "steady"', 'kind = "stedy"').replace("flits = 4", "flits = 900")
    path.write_text(text + "[router]\nbufer_flits = 8\n", encoding="utf-8")
    return path


def test_errors_are_those_of_the_command_line(tmp_path: Path, tailback_command: Path) -> None:
    path = wrong(tmp_path)
    command = subprocess.run(
        [tailback_command, "check", path], capture_output=True, text=True, check=False
    )
    assert command.returncode == 2
    with pytest.raises(SpecError) as caught:
        tailback.check(path)
    assert str(caught.value) == command.stderr.rstrip()
    problems = {problem.path: problem for problem in caught.value.problems}
    misspelt = next(p for p in caught.value.problems if "bufer_flits" in p.message)
    line = path.read_text(encoding="utf-8").splitlines().index("bufer_flits = 8") + 1
    assert (misspelt.source, misspelt.line, misspelt.column) == (str(path), line, 1)
    assert "buffer_flits" in (misspelt.help or "")
    assert any("workload" in where for where in problems)
    assert isinstance(caught.value, ValueError)


def test_errors_of_changes_and_dictionaries_show_what_was_said(small: Spec) -> None:
    with pytest.raises(SpecError, match="--set") as caught:
        small.set("traffic.load=90").check()
    assert caught.value.problems[0].source == "--set"
    with pytest.raises(SpecError, match="radix"):
        Spec.from_dict({"topology": {"kind": "torus", "radix": [4, 0]}}).check()
    with pytest.raises(SpecError, match="array"):
        Spec.from_toml("topology = [")


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        ("no/such/file.toml", UsageError, "cannot open"),
        ("name = 'x'\n", UsageError, "from_toml"),
        (3, TypeError, "not int"),
        ({"traffic": {"load": object()}}, TypeError, "traffic.load: a spec holds no object"),
        ({"traffic": {"load": 1 << 70}}, OverflowError, "too large"),
    ],
)
def test_what_is_no_spec_is_refused(value: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Spec.of(value)  # type: ignore[arg-type]


def test_explain_says_what_the_command_says(tailback_command: Path) -> None:
    path = ROOT / "examples" / "first.toml"
    shown = subprocess.run(
        [tailback_command, "explain", path], capture_output=True, text=True, check=True
    )
    assert tailback.explain(path) == shown.stdout
    assert Spec.from_file(path).resolved()["router"]["buffer_flits"] == 32


def test_check_tells_bounds_and_axes(small: Spec) -> None:
    check = tailback.check(small)
    assert check.points == 4
    assert check.axes == (("traffic.load",), ("admission",))
    assert check.cycles == 4 * 1200
    assert len(check.facts) == 4
    facts = check.facts[0]
    assert (facts.routers, facts.nodes, facts.links) == (16, 16, 64)
    assert facts.channel_load_bound == pytest.approx(1.0)
    assert facts.offered_load == pytest.approx(0.1)
    assert tailback.check(small, most=1).facts == check.facts[:1]


def test_builders_say_the_same_as_toml(small: Spec) -> None:
    built = build.spec(
        name="small",
        topology=build.topology.torus(radix=[4, 4]),
        traffic=build.traffic(load=0.1, size=build.traffic.size.fixed(flits=4)),
        workload=build.workload.steady(warmup_cycles=200, measure_cycles=1000, drain_cycles=1000),
        sweep={"traffic.load": [0.1, 0.3], "admission": [build.admission.off(), "alo"]},
    )
    assert [p.id for p in built.points()] == [p.id for p in small.points()]


def test_builders_have_what_the_catalogue_has() -> None:
    for section in tailback._native.catalogue()["sections"]:
        maker = build
        for name in section["path"].split("."):
            maker = getattr(maker, name)
        for kind in section["kinds"]:
            made = getattr(maker, identifier(kind["name"]))
            component = made()
            assert (component.section, component.kind) == (section["path"], kind["name"])
            for param in kind["params"]:
                assert param["name"] in (made.__doc__ or "")
                assert param["unit"] in (made.__doc__ or "")


def test_builders_refuse_what_there_is_not() -> None:
    with pytest.raises(TypeError, match="did you mean 'radix'"):
        build.topology.torus(radx=[4])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="topology takes no admission"):
        build.spec(topology=build.admission.alo())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="did you mean 'traffic'"):
        build.spec(trafic=build.traffic())  # type: ignore[call-arg]
    component = build.topology.torus(radix=(4, np.int64(4)))  # type: ignore[arg-type]
    assert component == build.topology.torus(radix=[4, 4])
    assert repr(component) == "build.topology.torus(radix=(4, np.int64(4)))"
    assert pickle.loads(pickle.dumps(component)) == component
    with pytest.raises(AttributeError):
        component.kind = "mesh"


def test_nothing_private_completes_below_build() -> None:
    completed = dir(build)
    assert completed == sorted(vars(build)["__all__"])
    assert not [name for name in completed if name.startswith("_")]
    jedi = pytest.importorskip("jedi")
    static = jedi.Script("from tailback import build\nbuild.").complete(2, 6)
    public = [found.name for found in static if not found.name.startswith("_")]
    assert public == completed
