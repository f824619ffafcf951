"""Admission rules in Python: which routers let new packets into the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Network:
    """What a rule is made for.

    Attributes
    ----------
    radix
        Routers in each dimension.
    routers, ports, channels
        Routers; network ports of a router; virtual channels of a port.
    buffer_flits
        Depth of the input buffer of a virtual channel [flits].
    nodes_per_router
        Nodes of a router.
    """

    radix: tuple[int, ...]
    routers: int
    ports: int
    channels: int
    buffer_flits: int
    nodes_per_router: int


@dataclass(slots=True)
class State:
    """What a rule is shown, the same arrays every time.

    Attributes
    ----------
    cycle
        The cycle that ends; what is decided holds from the next one on.
    level
        uint16 of shape (ports, channels, routers): flits in each input buffer [flits].
    delivered
        uint64 of shape (routers,): flits that the nodes of each router received since the rule was
        last asked [flits].
    """

    cycle: int
    level: npt.NDArray[np.uint16]
    delivered: npt.NDArray[np.uint64]


Decision: TypeAlias = bool | npt.NDArray[np.bool_]
"""Whether new packets may enter: everywhere, or by router, shape (routers,)."""

Decide: TypeAlias = Callable[[State], Decision]


class Rule:
    """An admission rule in Python, in the place of ``[admission]``.

    Parameters
    ----------
    make
        A function of a `Network` that answers a function of a `State`, which answers whether new
        packets may enter. It is called once a point, so what the rule remembers is its own:
        ``Rule(MyRule)`` for a class with ``__init__(self, network)`` and
        ``__call__(self, state)``.
    epoch_cycles
        The rule is asked at the end of so many cycles. Each call costs some microseconds, which
        ``run.findings["rule_seconds"]`` reports.

    Notes
    -----
    A rule sees the whole network without delay, so records say ``ideal``; one that waits for its
    wires keeps what it saw. Packets for a node at their own router are never held.
    """

    def __init__(self, make: Callable[[Network], Decide], epoch_cycles: int = 1) -> None:
        if epoch_cycles < 1:
            raise ValueError(f"epoch_cycles must be at least 1, not {epoch_cycles}")
        self.make = make
        self.epoch_cycles = epoch_cycles

    @property
    def name(self) -> str:
        """What the rule is called."""
        return getattr(self.make, "__name__", type(self.make).__name__)

    def begin(self, radix: list[int], ports: int, channels: int, flits: int, nodes: int) -> Asked:
        """Make the rule of one point. Called by the engine."""
        routers = int(np.prod(radix))
        network = Network(tuple(radix), routers, ports, channels, flits, nodes)
        return Asked(self.make(network), network, self.name)


class Asked:
    """A rule at work, with the arrays that the engine fills and reads."""

    def __init__(self, decide: Decide, network: Network, name: str) -> None:
        self.level = np.zeros((network.ports, network.channels, network.routers), np.uint16)
        self.delivered = np.zeros(network.routers, np.uint64)
        self.open = np.ones(network.routers, np.uint8)
        shown = self.level.view()
        received = self.delivered.view()
        shown.flags.writeable = received.flags.writeable = False
        self._state = State(0, shown, received)
        self._decide = decide
        self._name = name

    def ask(self, cycle: int) -> None:
        """Ask the rule and keep what it answers in `open`."""
        self._state.cycle = cycle
        answer = np.asarray(self._decide(self._state))
        if answer.dtype != np.bool_ or answer.shape not in ((), self.open.shape):
            raise TypeError(
                f"the rule {self._name} must answer a bool, or bools of shape {self.open.shape}, "
                f"not {answer.dtype} of shape {answer.shape}"
            )
        self.open[...] = answer
