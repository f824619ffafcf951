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

    @property
    def nodes(self) -> int:
        """Nodes of the network; those of a router have numbers in a row."""
        return self.routers * self.nodes_per_router

    @classmethod
    def of(cls, radix: list[int], ports: int, channels: int, flits: int, nodes: int) -> Network:
        """Return the network that the engine describes."""
        return cls(tuple(radix), int(np.prod(radix)), ports, channels, flits, nodes)


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

    local = False

    def __init__(self, make: Callable[[Network], Decide], epoch_cycles: int = 1) -> None:
        self.make = make
        self.epoch_cycles = _epoch(epoch_cycles)
        self.name = _name(make)

    def begin(self, radix: list[int], ports: int, channels: int, flits: int, nodes: int) -> Asked:
        """Make the rule of one point. Called by the engine."""
        network = Network.of(radix, ports, channels, flits, nodes)
        return Asked(self.make(network), network, self.name)


@dataclass(slots=True)
class RouterState:
    """What a rule of one router is shown, the same array every time.

    Attributes
    ----------
    cycle
        The cycle that is simulated; what is decided holds in it already.
    router
        The router.
    free
        bool of shape (ports, channels): the virtual channels of the router's network ports that a
        packet could take. Under cut-through they have room for a packet downstream, under wormhole
        no packet owns them.
    """

    cycle: int
    router: int
    free: npt.NDArray[np.bool_]


DecideLocally: TypeAlias = Callable[[RouterState], Decision]


class LocalRule:
    """An admission rule of one router in Python, in the place of ``[admission]``.

    Parameters
    ----------
    make
        A function of a `Network` that answers a function of a `RouterState`. That answers whether
        new packets of the router may enter: a bool, or bools of shape (2**ports,), by the set of
        ports that bring a packet closer, as bits: place 0b101 is for packets that could leave by
        ports 0 and 2. It is called once a point.
    epoch_cycles
        A router asks at most once in so many cycles, when the first new packet waits there; the
        answer holds for all its packets until the epoch ends. Each call costs some microseconds,
        which ``run.findings["rule_seconds"]`` reports.

    Notes
    -----
    A rule sees what the hardware of its router sees, in the same cycle, so records do not say
    ``ideal``. Packets for a node at their own router are never held.
    """

    local = True

    def __init__(self, make: Callable[[Network], DecideLocally], epoch_cycles: int = 1) -> None:
        self.make = make
        self.epoch_cycles = _epoch(epoch_cycles)
        self.name = _name(make)

    def begin(
        self, radix: list[int], ports: int, channels: int, flits: int, nodes: int
    ) -> AskedLocally:
        """Make the rule of one point. Called by the engine."""
        network = Network.of(radix, ports, channels, flits, nodes)
        return AskedLocally(self.make(network), network, self.name)


def _epoch(cycles: int) -> int:
    if cycles < 1:
        raise ValueError(f"epoch_cycles must be at least 1, not {cycles}")
    return cycles


def _name(make: object) -> str:
    return getattr(make, "__name__", type(make).__name__)


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
        _answer(self._decide(self._state), self.open, self._name)


class AskedLocally:
    """A rule of one router at work, with the arrays that the engine fills and reads."""

    def __init__(self, decide: DecideLocally, network: Network, name: str) -> None:
        self.free = np.zeros((network.ports, network.channels), np.uint8)
        self.open = np.ones(2**network.ports, np.uint8)
        shown = self.free.view(np.bool_)
        shown.flags.writeable = False
        self._state = RouterState(0, 0, shown)
        self._decide = decide
        self._name = name

    def ask(self, cycle: int, router: int) -> None:
        """Ask the rule and keep what it answers in `open`."""
        self._state.cycle, self._state.router = cycle, router
        _answer(self._decide(self._state), self.open, self._name)


def _answer(decision: Decision, into: npt.NDArray[np.uint8], name: str) -> None:
    answer = np.asarray(decision)
    if answer.dtype != np.bool_ or answer.shape not in ((), into.shape):
        raise TypeError(
            f"the rule {name} must answer a bool, or bools of shape {into.shape}, "
            f"not {answer.dtype} of shape {answer.shape}"
        )
    into[...] = answer
