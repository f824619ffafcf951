"""Traffic patterns in Python: to whom every node sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tailback._rule import Network


class Pattern:
    """A traffic pattern in Python, in the place of ``traffic.pattern``.

    Parameters
    ----------
    make
        A function of a `Network`, called once a point before it runs. It answers either integers of
        shape (nodes,), the destination of each node, or floats of shape (nodes, nodes), weights by
        source and destination. A row of weights is scaled to shares; what a node sends to itself
        counts as nothing, and one that would send to nobody else is silent.

    Notes
    -----
    Nothing of it is called while the network runs, so it costs what a built-in pattern does;
    ``run.findings["pattern_seconds"]`` is what making the table took. Packets are drawn with the
    spec's seed: the same table gives the same bits. Weights take 8 bytes a pair of nodes.
    """

    def __init__(self, make: Callable[[Network], npt.ArrayLike]) -> None:
        self.make = make

    @property
    def name(self) -> str:
        """What the pattern is called."""
        return getattr(self.make, "__name__", type(self.make).__name__)

    def begin(
        self, radix: list[int], ports: int, channels: int, flits: int, nodes: int
    ) -> npt.NDArray[Any]:
        """Make the table of one point: uint32 destinations or float64 weights. For the engine."""
        network = Network.of(radix, ports, channels, flits, nodes)
        table = np.asarray(self.make(network))
        count = network.nodes
        if table.shape == (count,) and table.dtype.kind in "iu":
            if table.size and not 0 <= int(table.min()) <= int(table.max()) < count:
                raise ValueError(f"the pattern {self.name} must answer nodes below {count}")
            return np.ascontiguousarray(table, np.uint32)
        if table.shape == (count, count) and table.dtype.kind in "iuf":
            return np.ascontiguousarray(table, np.float64)
        raise TypeError(
            f"the pattern {self.name} must answer integers of shape ({count},) or numbers of shape "
            f"({count}, {count}), not {table.dtype} of shape {table.shape}"
        )
