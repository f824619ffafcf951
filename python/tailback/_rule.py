"""Admission rules in Python. A rule decides which routers let new packets into the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """The network of a point, as a rule or a pattern in Python gets it.

    Attributes
    ----------
    radix
        Number of routers in each dimension, lowest dimension first.
    routers
        Number of routers.
    ports
        Number of network ports of each router. Port ``2 * d`` leads up in dimension ``d``, and
        port ``2 * d + 1`` leads down.
    channels
        Number of virtual channels of each network port.
    buffer_flits
        Depth of the input buffer of each virtual channel [flits].
    nodes_per_router
        Number of nodes of each router.
    """

    radix: tuple[int, ...]
    routers: int
    ports: int
    channels: int
    buffer_flits: int
    nodes_per_router: int

    @property
    def nodes(self) -> int:
        """Number of nodes. The nodes of one router have consecutive numbers."""
        return self.routers * self.nodes_per_router

    @classmethod
    def of(cls, radix: list[int], ports: int, channels: int, flits: int, nodes: int) -> NetworkShape:
        """Return the network that the engine describes."""
        return cls(tuple(radix), int(np.prod(radix)), ports, channels, flits, nodes)


@dataclass(slots=True)
class State:
    """What a `Rule` sees of the network at the end of a cycle.

    The engine writes new values into the same arrays before each call. A rule that needs earlier
    values has to copy them.

    Attributes
    ----------
    cycle
        The cycle that ends. The decision of the rule holds from the next cycle on.
    level
        Array of uint16 with shape (ports, channels, routers): the level of each input buffer
        [flits].
    delivered
        Array of uint64 with shape (routers,): what the nodes of each router have received since
        the last call of the rule [flits].
    """

    cycle: int
    level: npt.NDArray[np.uint16]
    delivered: npt.NDArray[np.uint64]


Decision: TypeAlias = bool | npt.NDArray[np.bool_]
"""Whether new packets may enter: one bool, or an array of bools."""

Decide: TypeAlias = Callable[[State], Decision]


class Rule:
    """An admission rule in Python that sees the whole network. It replaces ``[admission]``.

    Parameters
    ----------
    make
        A function that gets a `NetworkShape` and returns the rule of one point. The rule is a function
        that gets a `State`. It returns whether new packets may enter: one bool for the whole
        network, or an array of bools with shape (routers,). ``make`` is called once per point, so
        points do not share what a rule remembers. It may be a class with
        ``__init__(self, network)`` and ``__call__(self, state)``.
    epoch_cycles
        The engine calls the rule once per epoch, at its end, and an epoch has this number of
        cycles [cycles, at least 1]. Each call costs some microseconds;
        ``run.findings["rule_seconds"]`` has their sum.

    Raises
    ------
    ValueError
        If ``epoch_cycles`` is below 1.

    Notes
    -----
    A rule sees the whole network without delay, so the records of its runs have the mark
    ``ideal``. A rule can model the delay of wires itself: it keeps what it sees, and uses it
    later. Packets for a node of their own router are never held back.

    Examples
    --------
    >>> import tailback
    >>> def emptier_than_half(network):
    ...     capacity = network.ports * network.channels * network.buffer_flits
    ...     return lambda state: state.level.sum(axis=(0, 1)) < capacity // 2
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> result = tailback.run(torus, admission=tailback.Rule(emptier_than_half, 100))
    """

    local = False

    def __init__(self, make: Callable[[NetworkShape], Decide], epoch_cycles: int = 1) -> None:
        self.make = make
        self.epoch_cycles = _epoch(epoch_cycles)
        self.name = _name(make)

    def begin(self, radix: list[int], ports: int, channels: int, flits: int, nodes: int) -> Asked:
        """Make the rule of one point. The engine calls this method."""
        network = NetworkShape.of(radix, ports, channels, flits, nodes)
        return Asked(self.make(network), network, self.name)


@dataclass(slots=True)
class RouterState:
    """What a `LocalRule` sees of its router.

    The engine writes new values into the same array before each call.

    Attributes
    ----------
    cycle
        The current cycle. The decision of the rule holds from this cycle on.
    router
        Number of the router.
    free
        Array of bool with shape (ports, channels): whether a packet could take this virtual
        channel of this network port. Under cut-through, such a channel has room for a packet
        downstream. Under wormhole, no packet owns it.
    """

    cycle: int
    router: int
    free: npt.NDArray[np.bool_]


DecideLocally: TypeAlias = Callable[[RouterState], Decision]


class LocalRule:
    """An admission rule in Python that sees one router. It replaces ``[admission]``.

    Parameters
    ----------
    make
        A function that gets a `NetworkShape` and returns the rule of one point. The rule is a function
        that gets a `RouterState`. It returns whether new packets of that router may enter: one
        bool, or an array of bools with shape (2**ports,). The index into that array is a set of
        ports, one bit per port: the ports that bring a packet closer to its destination. Index
        0b101 is for packets that could leave by ports 0 and 2. ``make`` is called once per point.
    epoch_cycles
        An epoch has this number of cycles [cycles, at least 1]. The engine calls the rule at most
        once per router and epoch, when the first new packet waits there. The decision holds for
        all packets of the router until the epoch ends. Each call costs some microseconds;
        ``run.findings["rule_seconds"]`` has their sum.

    Raises
    ------
    ValueError
        If ``epoch_cycles`` is below 1.

    Notes
    -----
    A local rule sees what the hardware of its router sees, in the same cycle, so the records of
    its runs do not have the mark ``ideal``. Packets for a node of their own router are never held
    back.

    Examples
    --------
    >>> import tailback
    >>> def some_channel_free(network):
    ...     return lambda state: bool(state.free.any())
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> result = tailback.run(torus, admission=tailback.LocalRule(some_channel_free, 100))
    """

    local = True

    def __init__(self, make: Callable[[NetworkShape], DecideLocally], epoch_cycles: int = 1) -> None:
        self.make = make
        self.epoch_cycles = _epoch(epoch_cycles)
        self.name = _name(make)

    def begin(
        self, radix: list[int], ports: int, channels: int, flits: int, nodes: int
    ) -> AskedLocally:
        """Make the rule of one point. The engine calls this method."""
        network = NetworkShape.of(radix, ports, channels, flits, nodes)
        return AskedLocally(self.make(network), network, self.name)


def _epoch(cycles: int) -> int:
    if cycles < 1:
        raise ValueError(f"epoch_cycles must be at least 1, not {cycles}")
    return cycles


def _name(make: object) -> str:
    return getattr(make, "__name__", type(make).__name__)


class Asked:
    """The rule of one point, with the arrays that the engine writes and reads."""

    def __init__(self, decide: Decide, network: NetworkShape, name: str) -> None:
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
        """Call the rule and keep its decision in `open`."""
        self._state.cycle = cycle
        _answer(self._decide(self._state), self.open, self._name)


class AskedLocally:
    """The local rule of one point, with the arrays that the engine writes and reads."""

    def __init__(self, decide: DecideLocally, network: NetworkShape, name: str) -> None:
        self.free = np.zeros((network.ports, network.channels), np.uint8)
        self.open = np.ones(2**network.ports, np.uint8)
        shown = self.free.view(np.bool_)
        shown.flags.writeable = False
        self._state = RouterState(0, 0, shown)
        self._decide = decide
        self._name = name

    def ask(self, cycle: int, router: int) -> None:
        """Call the rule and keep its decision in `open`."""
        self._state.cycle, self._state.router = cycle, router
        _answer(self._decide(self._state), self.open, self._name)


def _answer(decision: Decision, into: npt.NDArray[np.uint8], name: str) -> None:
    answer = np.asarray(decision)
    if answer.dtype != np.bool_ or answer.shape not in ((), into.shape):
        raise TypeError(
            f"the rule {name} must return a bool, or bools of shape {into.shape}, "
            f"not {answer.dtype} of shape {answer.shape}"
        )
    into[...] = answer
