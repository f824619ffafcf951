"""What would help a point."""

import pytest

import tailback

TORUS = {
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
    gains = [remedy.gain for remedy in found if remedy.outcome == "measured"]
    assert gains == sorted(gains, reverse=True), "the best comes first"


def test_one_point_is_asked_for() -> None:
    with pytest.raises(tailback.UsageError, match="this spec has 3 runs"):
        tailback.remedies({**TORUS, "run": {"replicas": 3}}, progress=False)
    with pytest.raises(ValueError, match="at least 1"):
        tailback.remedies(TORUS, seeds=0)
