"""Traffic patterns in Python: the bits of built-in ones, shares, mistakes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

import tailback
from sweeping import ONE
from tailback import NetworkShape, Pattern, Result, Spec


@pytest.fixture
def spec() -> Spec:
    return ONE.with_({"probes.node_load": True, "workload.measure_cycles": 1000})


def digest(result: Result) -> str:
    return str(result.records["digest"][0])


def complement(network: NetworkShape) -> npt.NDArray[np.int64]:
    return network.nodes - 1 - np.arange(network.nodes)


def one_destination_each(network: NetworkShape) -> npt.NDArray[np.float64]:
    return 3.0 * np.eye(network.nodes)[complement(network)]


@pytest.mark.parametrize("table", [complement, one_destination_each])
def test_a_permutation_in_python_gives_the_bits_of_the_built_in_one(
    spec: Spec, table: Callable[[NetworkShape], npt.ArrayLike]
) -> None:
    built_in = tailback.run(spec.with_({"traffic.pattern": "bcmp"}))
    assert digest(tailback.run(spec, pattern=Pattern(table))) == digest(built_in)
    assert digest(tailback.run(spec)) != digest(built_in)


def test_weights_are_the_shares_of_packets(spec: Spec) -> None:
    def weights(network: NetworkShape) -> npt.NDArray[np.float64]:
        table = np.zeros((16, 16))
        table[:, 0] = 3
        table[:, 5] = 1
        table[5, :] = 0
        return table

    long = spec.with_({"workload.measure_cycles": 40_000, "traffic.load": 0.02})
    run = tailback.run(long, pattern=Pattern(weights))[0]
    received = run.series["nodes"]["received"]
    assert set(np.flatnonzero(received)) == {0, 5}
    # 14 nodes split their packets 3 to 1; node 0 sends all to node 5, and node 5 nothing.
    assert received[0] / received[5] == pytest.approx(14 * 0.75 / (14 * 0.25 + 1), rel=0.1)
    assert 0 < run.findings["pattern_seconds"] < 10


def test_each_point_has_its_own_table(spec: Spec) -> None:
    seen: list[NetworkShape] = []

    def table(network: NetworkShape) -> npt.NDArray[np.int64]:
        seen.append(network)
        return complement(network)

    swept = spec.sweep({"topology.radix": [[4, 4], [4, 4, 4]]})
    tailback.run(swept, threads=1, pattern=Pattern(table))
    assert [network.nodes for network in seen] == [16, 64]


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (np.arange(3), TypeError, r"integers of shape \(16,\)"),
        (np.zeros(16), TypeError, "not float64"),
        (np.arange(16) + 1, ValueError, "below 16"),
        (np.arange(16) - 1, ValueError, "below 16"),
        (-np.ones((16, 16)), ValueError, "at least 0"),
        (np.full((16, 16), np.nan), ValueError, "at least 0"),
    ],
)
def test_mistakes_are_told(
    spec: Spec, answer: npt.ArrayLike, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        tailback.run(spec, pattern=Pattern(lambda network: answer))
