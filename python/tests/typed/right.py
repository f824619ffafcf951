"""What a user writes; every type checker must agree with it, as strict as it can be."""

from __future__ import annotations

from typing import assert_type

import numpy as np
import numpy.typing as npt

import tailback
from tailback import build


def study() -> tailback.Spec:
    return build.spec(
        topology=build.topology.torus(radix=[8, 8]),
        router=build.router.cut_through(virtual_channels=2, ejection_channels="infinite"),
        traffic=build.traffic(load=0.1, pattern="uniform", size=build.traffic.size.fixed(flits=8)),
        workload=build.workload.steady(warmup_cycles=100, measure_cycles=500, drain_cycles=500),
        admission=build.admission.spth(margin_flits=8),
        sweep={"traffic.load": np.arange(0.1, 0.5, 0.1)},
    )


def middle(network: tailback.NetworkShape) -> npt.NDArray[np.int64]:
    return np.roll(np.arange(network.nodes), network.nodes // 2)


def steady(run: tailback.Run) -> bool:
    match run.status:
        case "steady" | "completed":
            return True
        case "saturated" | "slow" | "interrupted":
            return False
        case "deadlocked" | "stuck" | "starved" | "livelocked":
            return False


def main() -> None:
    result = tailback.run(study(), pattern=middle)
    assert_type(result, tailback.Result)
    assert_type(result[0], tailback.Run)
    assert_type(result[1:], tailback.Result)
    assert_type(result["latency_mean"], npt.NDArray[np.float64])
    assert_type(result["cycles"], npt.NDArray[np.uint64])
    assert_type(result["ideal"], npt.NDArray[np.bool_])
    assert_type(result[0].status, tailback.Status)
    assert_type(result[0]["latency_mean"], float | None)
    assert_type(result[0]["seed"], int)
    assert_type(result.mean(), tailback.Table)
    loaded = result.sel({"traffic.load": 0.3}).where(result["accepted_load"] > 0.1)
    assert_type(loaded, tailback.Result)
    print([steady(run) for run in loaded])
    curves = tailback.curve(study(), points=5, max_runs=100)
    for curve in curves:
        if curve.saturation is not None and curve.saturation.low is not None:
            print(curve.name, curve.saturation.mean - curve.saturation.low)
    assert_type(tailback.cost("bubble_adaptive_2d"), tailback.Cost)
    assert_type(tailback.cost(), tuple[tailback.Cost, ...])
    story = tailback.trace(study(), packet=100)
    assert_type(story.latency, int | None)
    print(sum(wait.cycles for stop in story.stops for wait in stop.waits))
    print([verified.same for verified in tailback.verify("results")])
    print(tailback.compare(study(), {"a": {}, "b": {"admission": "off"}}).significant)
    print(tailback.saturation(study(), seeds=2).carried_load)


if __name__ == "__main__":
    main()
