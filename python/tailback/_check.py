"""What can be known of a spec before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailback import _html, _native
from tailback._spec import Spec, SpecLike


@dataclass(frozen=True, slots=True)
class Facts:
    """Size and bounds of one point. Above the bounds no run is steady.

    Attributes
    ----------
    swept
        What the sweep chose, by dotted path.
    point_id, seed
        Identity and seed.
    routers, nodes, links
        Counts; links are directed.
    memory_bytes
        What the run may come to use [bytes].
    hops_mean
        Mean links on the way.
    zero_load_latency
        Mean latency in an empty network [cycles].
    bisection_load
        Load at which uniform traffic fills the narrowest middle cut [flits/node/cycle].
    channel_load_bound
        Load at which ``busiest_link`` is full [flits/node/cycle].
    busiest_link
        The first link or node to be full.
    offered_load
        Load that the sources are asked for [flits/node/cycle].
    deadlock_freedom
        Why the configuration cannot deadlock, or that it can.
    details
        What only some kinds of router have to say, by name.
    warnings
        What one may want to know before running.

    Numbers are None where counting would take too long or there is no such thing.
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
    bisection_load: float
    channel_load_bound: float | None
    busiest_link: str | None
    offered_load: float | None
    deadlock_freedom: str
    details: Mapping[str, str]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A spec that can run.

    Attributes
    ----------
    points
        How many runs it asks for.
    axes
        Swept paths; those that advance together as one group, slowest first.
    cycles
        Cycles of all runs together, None where that is not known.
    facts
        Of the first points.
    """

    points: int
    axes: tuple[tuple[str, ...], ...]
    cycles: int | None
    facts: tuple[Facts, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings, each once."""
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
        A spec, the path of one or a dictionary.
    most
        Facts of so many points at most: counting the load of every link may take a second.

    Raises
    ------
    SpecError
        With all that is wrong, as the command line says it.
    """
    points, groups, cycles, rows = _native.check(Spec.of(spec)._native, most, None)
    facts = tuple(Facts(**row | {"warnings": tuple(row["warnings"])}) for row in rows)
    return Check(points, tuple(tuple(group) for group in groups), cycles, facts)
