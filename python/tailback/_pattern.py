"""Traffic patterns in Python. A pattern decides to which nodes each node sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tailback._rule import NetworkShape


class Pattern:
    """A traffic pattern in Python. It replaces ``traffic.pattern``.

    Parameters
    ----------
    make
        A function that gets a `NetworkShape` and returns a table. It is called once per point, before
        the point runs. The table is one of two things. Integers with shape (nodes,) are the
        destination of each node, from 0 to nodes - 1. Numbers with shape (nodes, nodes) are
        weights, at least 0: row ``s``, column ``d`` is the weight of packets from node ``s`` to
        node ``d``. Each row is scaled to shares. The weight of a node for itself is ignored, and a
        node with no other weight is silent.

    Notes
    -----
    The function is not called while the network runs, so the pattern costs what a built-in pattern
    costs. ``run.findings["pattern_seconds"]`` has the time that making the table took [s]. The
    destinations are drawn with the seed of the spec: the same table gives the same bits. Weights
    take 8 bytes of memory per pair of nodes.

    Examples
    --------
    >>> import numpy as np
    >>> import tailback
    >>> def half_way_round(network):
    ...     return (np.arange(network.nodes) + network.nodes // 2) % network.nodes
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> result = tailback.run(torus, pattern=tailback.Pattern(half_way_round))
    """

    def __init__(self, make: Callable[[NetworkShape], npt.ArrayLike]) -> None:
        self.make = make

    @property
    def name(self) -> str:
        """Name of the function that makes the pattern."""
        return getattr(self.make, "__name__", type(self.make).__name__)

    def begin(
        self, radix: list[int], ports: int, channels: int, flits: int, nodes: int
    ) -> npt.NDArray[Any]:
        """Make the table of one point: destinations or weights. The engine calls this method."""
        network = NetworkShape.of(radix, ports, channels, flits, nodes)
        table = np.asarray(self.make(network))
        count = network.nodes
        if table.shape == (count,) and table.dtype.kind in "iu":
            if table.size and not 0 <= int(table.min()) <= int(table.max()) < count:
                raise ValueError(f"the pattern {self.name} must return nodes below {count}")
            return np.ascontiguousarray(table, np.uint32)
        if table.shape == (count, count) and table.dtype.kind in "iuf":
            return np.ascontiguousarray(table, np.float64)
        raise TypeError(
            f"the pattern {self.name} must return integers of shape ({count},) or numbers of shape "
            f"({count}, {count}), not {table.dtype} of shape {table.shape}"
        )
