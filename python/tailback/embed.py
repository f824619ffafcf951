"""A network inside another simulator: a host in Python sends, steps and receives.

>>> import tailback
>>> spec = 'topology = { kind = "torus", radix = [4, 4] }'
>>> with tailback.Network.from_text(spec) as network:
...     network.send(0, 5, flits=8, tag=77)
...     network.advance(100)
...     [(delivery.tag, delivery.sent) for delivery in network.receive(5)]
True
[(77, 0)]

What is sent while the clock stands at cycle t is generated in cycle t, in the order of the calls.
What is delivered in cycle t can be received once the clock stands at t + 1. docs/embedding.md is
the guide.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from tailback import _native
from tailback._errors import UsageError

__all__ = ["DELIVERY", "Delivery", "Network"]

DELIVERY = np.dtype(
    [
        ("tag", np.uint64),
        ("sent", np.uint64),
        ("entered", np.uint64),
        ("cycle", np.uint64),
        ("source", np.uint32),
        ("destination", np.uint32),
        ("message_class", np.uint32),
        ("flits", np.uint32),
        ("hops", np.uint32),
        ("reserved", np.uint32),
    ]
)
"""The type of the rows of `Network.receive_array`, with the fields of `Delivery`."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that has been delivered.

    Attributes
    ----------
    tag
        What the host calls the message.
    sent
        Cycle in which it was sent.
    entered
        Cycle in which the head of its last packet left the source.
    cycle
        Cycle in which its last tail was received.
    source
        The node that sent it.
    destination
        The node that receives it.
    message_class
        Its message class.
    flits
        Its length in flits.
    hops
        Links between routers that its last packet took.
    """

    tag: int
    sent: int
    entered: int
    cycle: int
    source: int
    destination: int
    message_class: int
    flits: int
    hops: int


def _settings(settings: Sequence[str]) -> list[str]:
    checked = []
    for setting in settings:
        if not isinstance(setting, str):
            kind = type(setting).__name__
            raise UsageError(f"a setting is a text such as 'traffic.packet_flits=8', not {kind}")
        checked.append(setting)
    return checked


class Network:
    """A network that a host steps.

    It is a context manager, which closes it. A network is used by one thread at a time; while it
    advances, other threads of the interpreter run.

    Parameters
    ----------
    spec
        Path of a spec. Its workload takes no effect unless its kind is "host".
    set
        Changes, such as "traffic.packet_flits=8".
    log
        File to which all calls are logged, for `tailback replay`. It replaces another log at most.

    Raises
    ------
    UsageError
        If the spec is wrong or a file cannot be read or written.
    """

    def __init__(
        self,
        spec: str | os.PathLike[str],
        *,
        set: Sequence[str] = (),
        log: str | os.PathLike[str] | None = None,
    ) -> None:
        self._begin(_native.Stepped.from_file(os.fspath(spec), _settings(set)), log)

    def _begin(
        self, stepped: _native.Stepped, log: str | os.PathLike[str] | None = None
    ) -> Network:
        self._stepped = stepped
        self._nodes, self._classes, self._shortest, self._longest = stepped.shape()
        if log is not None:
            stepped.log(os.fspath(log))
        return self

    @classmethod
    def from_text(
        cls,
        spec: str,
        *,
        set: Sequence[str] = (),
        log: str | os.PathLike[str] | None = None,
    ) -> Network:
        """Open the network of a spec as TOML."""
        return cls.__new__(cls)._begin(_native.Stepped.from_text(spec, _settings(set)), log)

    @classmethod
    def from_booksim(
        cls,
        path: str | os.PathLike[str],
        *,
        set: Sequence[str] = (),
        log: str | os.PathLike[str] | None = None,
    ) -> Network:
        """Open the network of a BookSim 2 configuration, with changes such as "k=4"."""
        stepped = _native.Stepped.from_booksim(os.fspath(path), _settings(set))
        return cls.__new__(cls)._begin(stepped, log)

    @classmethod
    def restore(
        cls,
        path: str | os.PathLike[str],
        *,
        log: str | os.PathLike[str] | None = None,
    ) -> Network:
        """Go on from a checkpoint."""
        return cls.__new__(cls)._begin(_native.Stepped.restore(os.fspath(path)), log)

    def __enter__(self) -> Network:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the log and free the network. Closing it again does nothing."""
        self._stepped.close()

    @property
    def nodes(self) -> int:
        """Nodes, numbered from 0."""
        return self._nodes

    @property
    def classes(self) -> int:
        """Message classes, numbered from 0: `router.message_classes` of the spec."""
        return self._classes

    @property
    def message_flits(self) -> tuple[int, int]:
        """The shortest and the longest message that may be sent, in flits."""
        return self._shortest, self._longest

    @property
    def cycle(self) -> int:
        """The cycle in which the clock stands. All cycles before it have been simulated."""
        return self._stepped.cycle()

    @property
    def idle(self) -> bool:
        """Whether no message is under way and none waits to be received."""
        return self._stepped.idle()

    @property
    def under_way(self) -> int:
        """Messages that have been sent and not been delivered."""
        return self._stepped.under_way()

    @property
    def next_delivery(self) -> int | None:
        """The cycle before which no delivery can be received, unless more is sent.

        It is None if nothing is under way or waits. Each message counts with the time that it would
        take in an empty network.
        """
        return self._stepped.next_delivery()

    def can_send(self, node: int, flits: int, message_class: int = 0) -> bool:
        """Return whether `node` can send a message of this number of flits now."""
        return self._stepped.can_send(node, message_class, flits)

    def queued_flits(self, node: int, message_class: int = 0) -> int:
        """Return the flits of `node` that were sent and whose packet has not left it."""
        return self._stepped.queued_flits(node, message_class)

    def send(
        self, source: int, destination: int, flits: int, tag: int = 0, message_class: int = 0
    ) -> bool:
        """Send a message. Return False if the source queue is full; then nothing was sent.

        Raises
        ------
        UsageError
            If a node or the class does not exist, or the length is not allowed.
        """
        return self._stepped.send(source, destination, message_class, flits, tag)

    def advance(self, to: int) -> None:
        """Simulate all cycles before `to`.

        Raises
        ------
        UsageError
            If the clock does not go there.
        Error
            If the network is deadlocked or livelocked. The clock stands still from then on.
        """
        self._stepped.advance(to)

    def advance_until_delivery(self, to: int) -> None:
        """Simulate until a delivery can be received, up to cycle `to`."""
        self._stepped.advance_until_delivery(to)

    def receive(self, node: int | None = None, message_class: int | None = None) -> list[Delivery]:
        """Receive all deliveries of a node, or of all nodes in their order.

        Deliveries of a node and class come in the order of their cycles, those of one cycle in the
        order of their sources. Where ejection buffers are finite, what is not received stays there.
        """
        return [Delivery(*row) for row in self._stepped.receive(node, message_class)]

    def receive_array(
        self, node: int | None = None, message_class: int | None = None
    ) -> npt.NDArray[Any]:
        """Receive as `receive` does, as an array with the type `DELIVERY`."""
        return np.frombuffer(self._stepped.receive_packed(node, message_class), dtype=DELIVERY)

    def record(self) -> dict[str, Any]:
        """Return the record of the run as if it ended now, with the columns of `tailback run`."""
        row: dict[str, Any] = json.loads(self._stepped.record()[0])
        return row

    def why(self) -> str:
        """Return in words why the network was the bottleneck."""
        return self._stepped.record()[1]

    def follow(self, tag: int) -> None:
        """Follow the next message that is sent with this tag to another node.

        `story` tells of its first packet. Until that has arrived, each cycle costs a look at all
        packets. One message at a time is followed.
        """
        self._stepped.follow(tag)

    def story(self) -> str | None:
        """Return where the packet that is followed was in every cycle, and what kept it there.

        It is None before the packet has come to the front of its source queue.
        """
        return self._stepped.story()

    def log(self, path: str | os.PathLike[str]) -> None:
        """Keep a log of all calls from now on, in the place of any other.

        Where something has happened already, the log begins with a checkpoint.
        """
        self._stepped.log(os.fspath(path))

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint, whole or not at all. It replaces another checkpoint at most."""
        self._stepped.checkpoint(os.fspath(path))

    def end_log(self) -> None:
        """End the log with the digest of what was simulated.

        Raises
        ------
        UsageError
            If it could not be written, or no log is kept.
        """
        self._stepped.end_log()
