"""The check of a spec: what is known about its network before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailback import _html, _native
from tailback._spec import Spec, SpecLike


@dataclass(frozen=True, slots=True)
class Facts:
    """Size and bounds of one point. No run is steady at a load above the bounds.

    A number is None if counting would take too long, or if it has no meaning for this network.

    Attributes
    ----------
    swept
        Values of the swept parameters, by dotted path.
    point_id
        16 hexadecimal digits that identify what is simulated.
    seed
        Seed of all random numbers of the run.
    routers, nodes, links
        Numbers of routers, nodes and directed links.
    memory_bytes
        The most memory that the run is expected to use [bytes].
    hops_mean
        Mean number of links on the way of a packet.
    zero_load_latency
        Mean latency in an empty network [cycles].
    bisection_load
        Load at which uniform traffic fills the links across the middle of a grid
        [flits/node/cycle]; None in any other network.
    channel_load_bound
        Load at which ``busiest_link`` is full [flits/node/cycle].
    busiest_link
        The link or port that is full first, in words.
    offered_load
        Load that the spec asks of the sources, as a mean over all nodes [flits/node/cycle].
    deadlock_freedom
        Why this configuration cannot deadlock, or that it can.
    details
        More facts that only some kinds of router have, by name.
    warnings
        Settings that have no effect, or that may surprise.
    diameter
        Links of the longest minimal way between nodes; None where the network is too large.
    minimal_bound, ecmp_bound
        Load at which uniform traffic fills a link over the minimal ways of the network's family,
        and over all shortest ways [flits/node/cycle]; None where the network is too large to count.
    """

    swept: Mapping[str, Any]
    point_id: str
    seed: int
    routers: int
    nodes: int
    links: int
    memory_bytes: int
    hops_mean: float | None
    zero_load_latency: float | None
    bisection_load: float | None
    channel_load_bound: float | None
    busiest_link: str | None
    offered_load: float | None
    deadlock_freedom: str
    details: Mapping[str, str]
    warnings: tuple[str, ...]
    diameter: int | None = None
    minimal_bound: float | None = None
    ecmp_bound: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """The result of `check`: the spec can run, and these are its facts.

    Attributes
    ----------
    points
        Number of runs of the spec.
    axes
        Swept paths, the slowest axis first. Paths that advance together are one axis.
    cycles
        Cycles of all runs together [cycles]; None if that is not known.
    facts
        The facts of the first points, at most ``most`` of them.
    """

    points: int
    axes: tuple[tuple[str, ...], ...]
    cycles: int | None
    facts: tuple[Facts, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings of the facts, without repetitions."""
        return tuple(dict.fromkeys(text for facts in self.facts for text in facts.warnings))

    def _repr_html_(self) -> str:
        cycles = "" if self.cycles is None else f", {self.cycles:,} cycles"
        head = _html.title(
            "Check", f"{self.points} {'run' if self.points == 1 else 'runs'}{cycles}"
        )
        told = "".join(map(_html.paragraph, self.warnings))
        if not self.facts:
            return head + told
        first = self.facts[0]
        numbers = {
            "routers": first.routers,
            "nodes": first.nodes,
            "links": first.links,
            "mean hops [links]": first.hops_mean,
            "zero-load latency [cycles]": first.zero_load_latency,
            "channel-load bound [flits/node/cycle]": first.channel_load_bound,
            "busiest link": first.busiest_link,
            "deadlock": first.deadlock_freedom,
        }
        return head + _html.side_by_side((_html.facts(numbers), self._axis())) + told

    def _axis(self) -> str:
        """Draw the loads that are asked for, and what bounds them."""
        loads = sorted({facts.offered_load for facts in self.facts if facts.offered_load})
        first = self.facts[0]
        bounds = {"bisection": first.bisection_load, "channel-load bound": first.channel_load_bound}
        marks = {name: bound for name, bound in bounds.items() if bound}
        words = "loads of this spec and the bounds of its network [flits/node/cycle]"
        return _html.axis(loads, marks, words) if loads else ""


def check(spec: SpecLike, *, most: int = 100) -> Check:
    """Check every point of a spec without running it.

    Parameters
    ----------
    spec
        A spec, the path of a spec file, or a dictionary.
    most
        Facts are counted for this number of points at most. Counting the load of every link of a
        large network may take a second per point.

    Returns
    -------
    Check
        What bounds the network of each point.

    Raises
    ------
    SpecError
        If the spec is wrong. It lists all problems, in the words of the command line.

    Examples
    --------
    >>> torus = {"topology": {"kind": "torus", "radix": [8, 8]}, "traffic": {"load": 0.2}}
    >>> facts = tailback.check(torus).facts[0]
    >>> facts.nodes, round(facts.channel_load_bound, 3), facts.busiest_link
    (64, 0.788, 'link x+ of router [0, 0]')
    """
    points, groups, cycles, rows = _native.check(Spec.of(spec)._native, most, None)
    facts = tuple(Facts(**row | {"warnings": tuple(row["warnings"])}) for row in rows)
    return Check(points, tuple(tuple(group) for group in groups), cycles, facts)
