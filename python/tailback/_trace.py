"""One packet's story."""

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
    """A time with one reason, from cycle ``start`` to before cycle ``end``."""

    start: int
    end: int
    reason: str

    @property
    def cycles(self) -> int:
        """How long it was [cycles]."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Stop:
    """A queue on a packet's way.

    Attributes
    ----------
    name
        Router and queue, in words.
    router
        Coordinates of the router.
    arrived, left
        Cycle in which the head came, and in which it left; None where the story ends before.
    leaves_to
        The link or port that it left by.
    waits
        What kept it, one after the other.
    """

    name: str
    router: tuple[int, ...]
    arrived: int
    left: int | None
    leaves_to: str | None
    waits: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """Where one packet was in every cycle, and what kept it there. Times are cycles.

    Attributes
    ----------
    source, number, destination
        Node that made it, its number among the packets of that node, node that it goes to.
    flits
        Its length.
    made
        Cycle in which it was made.
    before
        What it waited for before it came to the front of its source queue.
    stops
        Queues on its way, from the source queue on.
    delivered
        Cycle in which its last flit arrived; None where the story ends before.
    end
        First cycle that was not simulated.
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
        """Time from making to delivery [cycles]."""
        return None if self.delivered is None else self.delivered - self.made

    @property
    def waiting(self) -> int:
        """Time in which something kept it, its source queue included [cycles]."""
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
    """Follow one packet through the network: every queue, every wait and its reason.

    Parameters
    ----------
    spec
        A spec of a single point, the path of one or a dictionary.
    packet
        Number of the packet, from 0 on, among those of its source; without ``source`` among all
        packets, in the order in which they come to the front of their source queues.
    source
        Its source node.
    destination
        With ``source``: the first packet to this node.
    from_cycle
        With ``source``: the first packet made in this cycle or later.
    progress
        As for `run`.

    Raises
    ------
    UsageError
        For a spec of several points, and where there is no such packet.
    SpecError
        For a wrong spec.
    Interrupted
        After Ctrl-C, with the story up to then as ``result``.
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
