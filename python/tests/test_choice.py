"""Results by point, by seed, in part, and in other processes."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import tailback
from tailback import Result, Spec, UsageError, build


@pytest.fixture(scope="module")
def seeds(swept: Spec) -> Result:
    return tailback.run(swept.with_({"run.replicas": 3}), threads=2)


@pytest.fixture(scope="module")
def swept() -> Spec:
    return build.spec(
        topology=build.topology.torus(radix=[4, 4]),
        traffic=build.traffic(load=0.1, size=build.traffic.size.fixed(flits=4)),
        workload=build.workload.steady(warmup_cycles=200, measure_cycles=1000, drain_cycles=1000),
        sweep={
            "traffic.load": np.arange(0.1, 1.0, 0.4),
            "admission": ["off", build.admission.spth(margin_flits=8)],
        },
    )


def test_a_part_is_a_result(seeds: Result) -> None:
    assert len(seeds) == 18
    part = seeds[3:9:2]
    assert [run["digest"] for run in part] == seeds["digest"][3:9:2].tolist()
    assert part[0].series["windows"].x.tolist() == seeds[3].series["windows"].x.tolist()
    assert part.complete
    assert len(seeds[18:]) == 0
    assert repr(seeds[18:])
    assert seeds[-1]["seed"] == 3


def test_values_choose_runs(seeds: Result) -> None:
    assert len(seeds.sel({"traffic.load": 0.5}, admission="off")) == 3
    assert len(seeds.sel({"traffic.load": slice(0.4, None)})) == 12
    assert len(seeds.sel(seed=[1, 2], admission="spth")) == 6
    with pytest.raises(UsageError, match="did you mean 'admission'"):
        seeds.sel(admision="off")
    with pytest.raises(UsageError, match=r"no run has traffic.load = 0.7; there are 0.1, 0.5, 0.9"):
        seeds.sel({"traffic.load": 0.7})
    with pytest.raises(UsageError, match="no step"):
        seeds.sel({"traffic.load": slice(0, 1, 2)})


def test_conditions_choose_runs(seeds: Result) -> None:
    assert len(seeds.where("admission=off", "traffic.load=0.1", "traffic.load=0.5")) == 6
    fast = seeds.where(seeds["latency_mean"] < 8.0)
    assert 0 < len(fast) < 18
    assert (fast["latency_mean"] < 8.0).all()
    assert len(seeds.where("traffic.load=0.1", seeds["seed"] == 2)) == 2
    for wrong in ("traffic.lod=0.1", "admission=alo", np.ones(18), [True]):
        with pytest.raises(UsageError):
            seeds.where(wrong)


def test_what_fits_nowhere_is_an_error_in_words(seeds: Result, swept: Spec) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UsageError, match="no run has admission = a deep list"):
        seeds.sel(admission=deep)
    for condition in ([range(10**12)], (1,), [True]):
        with pytest.raises(UsageError, match="a bool for each of the 18 runs, not a"):
            seeds.where(condition)
    with pytest.raises(UsageError, match="`low` takes no list"):
        tailback.saturation(swept, low=[deep])  # type: ignore[arg-type]


def test_seeds_are_summed_up(seeds: Result) -> None:
    means = seeds.mean()
    assert len(means) == 6
    assert len(seeds.per_seed) == 18
    of_first = seeds["accepted_load"][:3]
    assert means["accepted_load"][0] == pytest.approx(of_first.mean())
    logs = np.log(of_first)
    half = np.exp(4.302653 * logs.std(ddof=1) / np.sqrt(3))
    wide = of_first.mean() * (half - 1 / half) / 2
    assert means["accepted_load_seeds_ci95"][0] == pytest.approx(wide, rel=1e-3)
    assert means["seeds"].tolist() == [3] * 6
    assert means["seeds"].dtype == np.uint64
    assert means["status"][0] == "3 steady"
    assert means.units["latency_mean_seeds_ci95"] == "cycles"
    assert means["traffic.load"].tolist() == [0.1, 0.1, 0.5, 0.5, 0.9, 0.9]
    assert repr(seeds).startswith("<tailback.Result: 6 points, 18 runs>")
    assert np.isnan(seeds.sel(seed=1).mean()["latency_mean_seeds_ci95"]).all(), "one seed"


def of_load(load: float) -> Result:
    spec = Spec.from_toml(
        f'[topology]\nkind = "torus"\nradix = [4, 4]\n[traffic]\nload = {load}\n'
        'size = { kind = "fixed", flits = 4 }\n[workload]\nkind = "steady"\n'
        "warmup_cycles = 100\nmeasure_cycles = 300\ndrain_cycles = 300\n"
        "[probes]\nspace_time_cycles = 20\n"
    )
    return tailback.run(spec, threads=1)


def test_results_come_back_from_other_processes() -> None:
    loads = [0.1, 0.2]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = list(pool.map(of_load, loads))
    here = [of_load(load) for load in loads]
    for one, other in zip(there, here, strict=True):
        for name in one.records.names:
            if name != "wall_seconds" and not name.endswith("_per_second"):
                left, right = one[name], other[name]
                np.testing.assert_array_equal(left, right, err_msg=name)
        assert one.spec == other.spec
        assert one[0].explanation == other[0].explanation
        np.testing.assert_array_equal(one[0].space_time["E"].masks, other[0].space_time["E"].masks)
        assert one[0].spec == other[0].spec


def test_everything_survives_a_pickle(seeds: Result) -> None:
    again = pickle.loads(pickle.dumps(seeds))
    for name in seeds.records.names:
        np.testing.assert_array_equal(again[name], seeds[name])
        assert again[name].dtype == seeds[name].dtype
    run = pickle.loads(pickle.dumps(seeds[4]))
    assert run.record == seeds[4].record
    series = pickle.loads(pickle.dumps(seeds[4].series["windows"]))
    assert (series.name, series.unit) == ("windows", seeds[4].series["windows"].unit)
    np.testing.assert_array_equal(series.x, seeds[4].series["windows"].x)
    means = pickle.loads(pickle.dumps(seeds.mean()))
    np.testing.assert_array_equal(means["latency_mean"], seeds.mean()["latency_mean"])
    error = pickle.loads(pickle.dumps(tailback.Interrupted("stopped", seeds[:2])))
    assert len(error.result) == 2
    for wrong in (tailback._native.Table, tailback._native.Outcome):
        with pytest.raises(ValueError, match="not a"):
            wrong.from_bytes(b"nonsense")


def test_numbers_are_those_that_people_write(swept: Spec) -> None:
    assert swept.to_dict()["sweep"]["traffic.load"] == [0.1, 0.5, 0.9]
    assert "0.3," in swept.sweep({"traffic.load": np.arange(0.1, 0.5, 0.1)}).to_toml()
    kept = [1 / 3, 0.1234567890123, 2**0.5, -0.0, float("inf"), 0.30000000000001]
    for number in kept:
        value = swept.with_({"traffic.load": number}).to_dict()["traffic"]["load"]
        assert value == number
    listed = swept.with_({"traffic.load": 0.1 + 0.2}).to_dict()["traffic"]["load"]
    assert listed == 0.3
    written = Spec.from_toml("[traffic]\nload = 0.30000000000000004")
    assert written.sweep({"run.seed": [1]}).to_dict()["traffic"]["load"] == 0.1 + 0.2
