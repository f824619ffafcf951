"""What would help a point."""

from typing import Any

import pytest

import tailback

TORUS: dict[str, Any] = {
    "topology": {"kind": "torus", "radix": [4, 4]},
    "router": {"virtual_channels": 2, "buffer_flits": 8},
    "traffic": {"load": 1.0, "size": {"kind": "fixed", "flits": 4}},
    "workload": {
        "kind": "steady",
        "warmup_cycles": 200,
        "measure_cycles": 2000,
        "drain_cycles": 0,
    },
}


def test_changes_are_tried_and_measured() -> None:
    found = tailback.remedies(TORUS, seeds=3, progress=False)
    by_setting = {remedy.setting: remedy for remedy in found}
    tie = by_setting['routing.tie = "alternate"']
    assert tie.outcome == "measured"
    assert tie.low is not None
    assert tie.high is not None
    assert tie.gain is not None
    assert tie.low <= tie.gain <= tie.high
    assert any(remedy.outcome == "refused" and remedy.words for remedy in found)
    gains = [remedy.gain for remedy in found if remedy.gain is not None]
    assert gains == sorted(gains, reverse=True), "the best comes first"


def test_ctrl_c_keeps_what_was_tried() -> None:
    long = {**TORUS, "workload": {**TORUS["workload"], "measure_cycles": 60_000}}

    def stop(progress: tailback.Progress) -> None:
        # The point itself has 3 runs, and so has each change.
        if progress.points >= 9:
            raise KeyboardInterrupt

    with pytest.raises(tailback.Interrupted) as raised:
        tailback.remedies(long, seeds=3, threads=1, progress=stop)
    found = raised.value.result
    outcomes = [remedy.outcome for remedy in found]
    assert outcomes.count("measured") >= 1
    assert outcomes.count("not") >= 1
    assert all(remedy.gain is None for remedy in found if remedy.outcome == "not")


def test_one_point_is_asked_for() -> None:
    with pytest.raises(tailback.UsageError, match="this spec has 3 runs"):
        tailback.remedies({**TORUS, "run": {"replicas": 3}}, progress=False)
    with pytest.raises(ValueError, match="at least 1"):
        tailback.remedies(TORUS, seeds=0)
