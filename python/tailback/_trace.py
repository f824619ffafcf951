"""Follows one packet through the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tailback import _html
from tailback._errors import stopped_by_user
from tailback._progress import ProgressLike
from tailback._spec import Spec, SpecLike
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Wait:
    """A time in which a packet waited for one reason.

    Attributes
    ----------
    start
        The first cycle of the wait.
    end
        The first cycle after the wait.
    reason
        Why the packet waited, in words.
    """

    start: int
    end: int
    reason: str

    @property
    def cycles(self) -> int:
        """Length of the wait [cycles]."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Stop:
    """A queue in which the packet was.

    Attributes
    ----------
    name
        Router and queue, in words.
    router
        Coordinates of the router.
    arrived
        Cycle in which the head of the packet arrived.
    left
        Cycle in which the head left; None if the story ends before.
    leaves_to
        The link or port by which the packet left; None if the story ends before.
    waits
        The waits in this queue, one after the other.
    """

    name: str
    router: tuple[int, ...]
    arrived: int
    left: int | None
    leaves_to: str | None
    waits: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """The story of one packet: where it was in every cycle, and why it waited there.

    Attributes
    ----------
    source
        Node that made the packet.
    number
        Number of the packet among those of its source, from 0 on.
    destination
        Node to which the packet goes.
    flits
        Length of the packet [flits].
    made
        Cycle in which the packet was made.
    before
        The waits before the packet came to the front of its source queue.
    stops
        The queues on the way of the packet. The first one is the source queue.
    delivered
        Cycle in which the last flit arrived; None if the story ends before.
    end
        The first cycle that was not simulated.
    """

    source: int
    number: int
    destination: int
    flits: int
    made: int
    before: tuple[Wait, ...]
    stops: tuple[Stop, ...]
    delivered: int | None
    end: int

    @property
    def latency(self) -> int | None:
        """Time from making to delivery [cycles]; None if the packet was not delivered."""
        return None if self.delivered is None else self.delivered - self.made

    @property
    def waiting(self) -> int:
        """Total time in which the packet waited, also in its source queue [cycles]."""
        waits = [*self.before, *(wait for stop in self.stops for wait in stop.waits)]
        return sum(wait.cycles for wait in waits)

    def __str__(self) -> str:
        lines = [
            f"Packet {self.number} of node {self.source}: {self.flits} flits to node "
            f"{self.destination}, made in cycle {self.made}"
        ]
        lines += [f"{cycle:>8}  {where}{what}" for cycle, where, what in self._steps()]
        return "\n".join(lines)

    def _steps(self) -> list[tuple[int, str, str]]:
        steps = [(w.start, "source queue: ", f"{w.reason}, {w.cycles} cycles") for w in self.before]
        for stop in self.stops:
            steps.append((stop.arrived, stop.name, ""))
            steps += [(w.start, "  waits ", f"{w.cycles} cycles: {w.reason}") for w in stop.waits]
            if stop.left is not None:
                steps.append((stop.left, "  leaves by ", str(stop.leaves_to)))
        if self.delivered is None:
            steps.append((self.end, "the run ends, and it has not arrived", ""))
        else:
            words = f", {self.latency} cycles after it was made"
            steps.append((self.delivered, "delivered", words))
        return steps

    def _repr_html_(self) -> str:
        beside = f"{self.flits} flits to node {self.destination}"
        rows = [(cycle, where + what) for cycle, where, what in self._steps()]
        head = _html.title(f"Packet {self.number} of node {self.source}", beside)
        return head + _html.table(("cycle\n", "what\n"), rows)


def trace(
    spec: SpecLike,
    *,
    packet: int | None = None,
    source: int | None = None,
    destination: int | None = None,
    from_cycle: int | None = None,
    progress: ProgressLike = None,
) -> Story:
    """Follow one packet through the network.

    Parameters
    ----------
    spec
        A spec of one point, the path of a spec file, or a dictionary.
    packet
        Number of the packet, from 0 on, among the packets of ``source``. Without ``source`` it
        counts all packets, in the order in which they come to the front of their source queues.
    source
        Number of the node that makes the packet.
    destination
        Take the first packet of ``source`` to this node.
    from_cycle
        Take the first packet of ``source`` that is made in this cycle or later.
    progress
        As for `run`.

    Returns
    -------
    Story
        Every queue on the way, and every wait with its reason.

    Raises
    ------
    TypeError
        If neither ``packet`` nor ``source`` is given.
    UsageError
        If the spec has several points, or if there is no such packet.
    SpecError
        If the spec is wrong.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds the story so far.

    Examples
    --------
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> story = tailback.trace(torus, source=3)
    >>> story.source, story.number, story.latency == story.delivered - story.made
    (3, 0, True)
    """
    if packet is None and source is None:
        raise TypeError("name the packet by its number, packet=1000, or by its source, source=3")
    given = {
        "packet": packet,
        "source": source,
        "destination": destination,
        "from_cycle": from_cycle,
    }
    printed, stopped = call("trace", given, spec=Spec.of(spec), progress=progress)
    if not printed:
        raise stopped or RuntimeError("the command printed no story")
    story = _story(printed[0])
    if isinstance(stopped, KeyboardInterrupt):
        raise stopped_by_user("interrupted; the story so far is in `result`", story) from stopped
    if stopped is not None:
        raise stopped
    return story


def _story(plain: dict[str, Any]) -> Story:
    stops = tuple(
        Stop(
            name=stop["name"],
            router=tuple(stop["router"]),
            arrived=stop["from"],
            left=stop["left"],
            leaves_to=stop["leaves_to"],
            waits=_waits(stop["waits"]),
        )
        for stop in plain["stops"]
    )
    names = ("source", "number", "destination", "flits", "made", "delivered", "end")
    return Story(
        **{name: plain[name] for name in names}, before=_waits(plain["before"]), stops=stops
    )


def _waits(plain: list[dict[str, Any]]) -> tuple[Wait, ...]:
    return tuple(Wait(wait["from"], wait["to"], wait["reason"]) for wait in plain)
