"""Admission rules in Python: the bits of built-in ones, costs, mistakes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tailback
from tailback import LocalRule, NetworkShape, Result, RouterState, Rule, Spec, SpecError, State

THRESHOLD = 6
BUSY = 3
HOP_CYCLES = 2

OVERLOADED = """\
[topology]
kind = "torus"
radix = [6, 6]
[router]
virtual_channels = 3
buffer_flits = 8
[traffic]
load = 0.9
size = { kind = "fixed", flits = 4 }
[workload]
kind = "steady"
warmup_cycles = 500
measure_cycles = 3000
drain_cycles = 0
"""

ROUTERS = {
    "cut_through": {"router.kind": "cut_through"},
    "wormhole": {"router.kind": "wormhole"},
}


class Threshold:
    """No node starts a packet while the network has more full buffers than a constant.

    The side-band takes a gather to tell: what is full at the end of one is known at the end of the
    next (self-tuned-2001 section 3.1).
    """

    def __init__(self, network: NetworkShape) -> None:
        self.full = network.buffer_flits
        self.under_way = 0

    def __call__(self, state: State) -> bool:
        known, self.under_way = self.under_way, int((state.level >= self.full).sum())
        return known <= THRESHOLD


class Alo:
    """ALO, at least one (Baydal, Lopez and Duato 2000).

    A packet starts if every useful port has a free channel, or one of them has nothing but free
    ones.
    """

    def __init__(self, network: NetworkShape) -> None:
        ports = np.arange(network.ports)
        self.useful = np.arange(2**network.ports)[:, np.newaxis] >> ports & 1 != 0

    def __call__(self, state: RouterState) -> npt.NDArray[np.bool_]:
        some, whole = state.free.any(axis=1), state.free.all(axis=1)
        admits: npt.NDArray[np.bool_] = np.all(some | ~self.useful, axis=1)
        admits |= np.any(whole & self.useful, axis=1)
        return admits


ADAPTIVE = {"kind": "adaptive", "escape": "dateline"}
# With one useful port ALO lets a packet ask whenever it could go, as no throttle does.
ALO_ROUTERS: dict[str, dict[str, Any]] = {
    "adaptive wormhole": {"router.kind": "wormhole", "routing": ADAPTIVE},
    "adaptive cut-through": {
        "router.kind": "adaptive_cut_through",
        "routing": {"kind": "adaptive", "escape": "ring"},
        "flow_control": "bubble",
    },
}


@pytest.mark.parametrize("router", ALO_ROUTERS)
def test_alo_in_python_gives_the_bits_of_the_built_in_one(spec: Spec, router: str) -> None:
    spec = spec.with_(ALO_ROUTERS[router])
    built_in = tailback.run(spec.with_(admission="alo"))
    rule = tailback.run(spec, admission=LocalRule(Alo))
    assert digest(rule) == digest(built_in)
    assert digest(rule) != digest(tailback.run(spec)), "it throttled"
    assert rule.records["ideal"].tolist() == [False]


@pytest.mark.parametrize("router", ROUTERS)
def test_channels_counted_in_python_give_the_bits_of_busy_channels(spec: Spec, router: str) -> None:
    spec = spec.with_(ROUTERS[router])

    def make(network: NetworkShape) -> Callable[[RouterState], bool]:
        return lambda state: bool(np.count_nonzero(~state.free) <= BUSY)

    admission = tailback.build.admission.busy_channels(max_busy_channels=BUSY)
    built_in = tailback.run(spec.with_(admission=admission))
    rule = tailback.run(spec, admission=LocalRule(make))
    assert digest(rule) == digest(built_in)
    assert digest(rule) != digest(tailback.run(spec)), "it throttled"


def test_a_rule_of_a_router_is_asked_once_an_epoch_where_packets_wait(spec: Spec) -> None:
    seen: list[tuple[int, int]] = []

    def make(network: NetworkShape) -> object:
        def decide(state: RouterState) -> bool:
            assert state.free.shape == (4, 3)
            assert not state.free.flags.writeable
            seen.append((state.router, state.cycle // 50))
            return True

        return decide

    result = tailback.run(spec, admission=LocalRule(make, epoch_cycles=50))  # type: ignore[arg-type]
    assert digest(result) == digest(tailback.run(spec)), "it never held"
    assert len(seen) == len(set(seen)) == result[0].findings["rule_calls"]
    assert {router for router, _ in seen} == set(range(36))


def gather(spec: Spec) -> int:
    radix = spec.resolved()["topology"]["radix"]
    return HOP_CYCLES * sum(int(k) // 2 for k in radix)


def digest(result: Result) -> str:
    return str(result.records["digest"][0])


@pytest.fixture
def spec() -> Spec:
    return Spec.from_toml(OVERLOADED)


@pytest.mark.parametrize("router", ROUTERS)
def test_a_threshold_in_python_gives_the_bits_of_the_built_in_one(spec: Spec, router: str) -> None:
    spec = spec.with_(ROUTERS[router])
    admission = tailback.build.admission.global_threshold(
        threshold_buffers=THRESHOLD, estimate="last", hop_cycles=HOP_CYCLES
    )
    built_in = tailback.run(spec.with_(admission=admission))
    rule = tailback.run(spec, admission=Rule(Threshold, epoch_cycles=gather(spec)))
    assert digest(rule) == digest(built_in)
    off = tailback.run(spec)
    assert digest(rule) != digest(off), "it throttled"


def test_a_rule_that_never_holds_is_off(spec: Spec) -> None:
    rule = tailback.run(spec, admission=Rule(lambda network: lambda state: True))
    off = tailback.run(spec)
    assert digest(rule) == digest(off)
    assert rule.records["ideal"].tolist() == [True]
    assert off.records["ideal"].tolist() == [False]


def test_a_rule_that_always_holds_lets_nothing_in(spec: Spec) -> None:
    result = tailback.run(spec, admission=Rule(lambda network: lambda state: False))
    assert result["accepted_load"][0] < 0.02


def test_arrays_and_costs(spec: Spec) -> None:
    seen: list[tuple[int, float, int]] = []

    def make(network: NetworkShape) -> object:
        assert network == NetworkShape((6, 6), 36, 4, 3, 8, 1)

        def decide(state: State) -> npt.NDArray[np.bool_]:
            assert state.level.shape == (4, 3, 36)
            assert state.delivered.shape == (36,)
            assert state.level.max() <= 8
            assert not state.level.flags.writeable
            seen.append((state.cycle, float(state.level.mean()), int(state.delivered.sum())))
            return np.arange(36) % 2 < 1

        return decide

    result = tailback.run(spec, admission=Rule(make, epoch_cycles=50))  # type: ignore[arg-type]
    cycles = [cycle for cycle, _, _ in seen]
    assert cycles == list(range(49, 3500, 50))
    assert max(level for _, level, _ in seen) > 0
    assert sum(flits for cycle, _, flits in seen if cycle >= 500) == pytest.approx(
        result[0]["flits_delivered"], rel=0.01
    )
    findings = result[0].findings
    assert findings["rule_calls"] == len(seen)
    assert 0 < findings["rule_seconds"] < result["wall_seconds"][0]


def test_each_point_has_its_own_rule_and_threads_change_nothing(spec: Spec) -> None:
    sweep = spec.sweep({"traffic.load": [0.3, 0.6, 0.9], "run.seed": [1, 2]})
    rule = Rule(Threshold, epoch_cycles=12)
    one, two = (tailback.run(sweep, threads=n, admission=rule) for n in (1, 2))
    assert one.records["digest"].tolist() == two.records["digest"].tolist()


def test_mistakes_stop_the_run_with_their_exception(spec: Spec) -> None:
    endless = spec.with_({"workload.measure_cycles": 20_000_000})

    def broken(network: NetworkShape) -> object:
        return lambda state: 1 / 0

    started = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        tailback.run(endless, admission=Rule(broken))  # type: ignore[arg-type]
    wrong = Rule(lambda network: lambda state: np.zeros(3, bool))
    with pytest.raises(TypeError, match=r"bools of shape \(36,\)"):
        tailback.run(endless, admission=wrong)
    with pytest.raises(TypeError, match="bool"):
        tailback.run(endless, admission=Rule(lambda network: lambda state: 0.5))  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        tailback.run(endless, admission=Rule(lambda network: 1 / 0))  # type: ignore[arg-type,return-value]
    assert time.monotonic() - started < 30
    small = LocalRule(lambda network: lambda state: np.zeros(3, bool))
    with pytest.raises(TypeError, match=r"bools of shape \(16,\)"):
        tailback.run(endless, admission=small)
    for kind in (Rule, LocalRule):
        with pytest.raises(ValueError, match="at least 1"):
            kind(Threshold, epoch_cycles=0)  # type: ignore[arg-type]


def test_rules_are_refused_where_they_would_not_be_heard(spec: Spec) -> None:
    rule = Rule(Threshold)
    with pytest.raises(SpecError, match="throttle already"):
        tailback.run(spec.with_(admission="alo"), admission=rule)
