"""The cost of a router: silicon area and delays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, overload

from tailback import _html
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its origin.

    Attributes
    ----------
    value
        The number.
    source
        Whether the paper measured it, or a rule gives it between or beyond numbers of the paper.
    rule
        The rule, in words.
    """

    value: float
    source: Literal["measured", "interpolated", "extrapolated"]
    rule: str

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, slots=True)
class Module:
    """A module of a router.

    Attributes
    ----------
    name
        Name of the module.
    delay_ns
        Its delay [ns].
    area_mm2
        Its area [mm2]; None if the paper does not give one.
    count
        How many of these modules the router has.
    """

    name: str
    delay_ns: Estimate
    area_mm2: Estimate | None
    count: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a router's pipeline.

    Attributes
    ----------
    name
        Name of the stage.
    cycles
        Its length [cycles].
    extra_cycles
        Additional cycles at a turn and at consumption [cycles].
    """

    name: str
    cycles: Estimate
    extra_cycles: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a router.

    Attributes
    ----------
    router
        Name of the design.
    dimensions
        Number of dimensions of its torus.
    queues_phits
        Length of the queue of each virtual channel of a link [phits].
    crossbar
        Numbers of inputs and outputs of the crossbar.
    modules
        The modules of the router.
    stages
        The stages of its pipeline.
    area_mm2
        Area [mm2].
    critical
        The module or path that bounds the clock cycle, in words.
    cycle_ns
        Length of a clock cycle [ns].
    cycles
        The fewest and the most cycles of a hop [cycles].
    hop_ns
        Time of a hop [ns].
    """

    router: str
    dimensions: int
    queues_phits: tuple[int, ...]
    crossbar: tuple[int, int]
    modules: tuple[Module, ...]
    stages: tuple[Stage, ...]
    area_mm2: Estimate
    critical: str
    cycle_ns: Estimate
    cycles: tuple[int, int]
    hop_ns: Estimate

    def _repr_html_(self) -> str:
        heads = ("module\n", "delay\n[ns]", "area\n[mm2]", "count\n")
        rows = [
            (m.name, m.delay_ns.value, None if m.area_mm2 is None else m.area_mm2.value, m.count)
            for m in self.modules
        ]
        beside = (
            f"{self.area_mm2.value:.3g} mm2, cycle {self.cycle_ns.value:.3g} ns, "
            f"hop {self.hop_ns.value:.3g} ns"
        )
        head = _html.title(f"{self.router}, {self.dimensions}-D", beside)
        return head + _html.table(heads, rows)


@overload
def cost(
    router: str,
    *,
    channels: int | None = None,
    queue_phits: int | None = None,
    dimensions: int | None = None,
) -> Cost: ...
@overload
def cost(
    router: None = None,
    *,
    channels: int | None = None,
    queue_phits: int | None = None,
    dimensions: int | None = None,
) -> tuple[Cost, ...]: ...
def cost(
    router: str | None = None,
    *,
    channels: int | None = None,
    queue_phits: int | None = None,
    dimensions: int | None = None,
) -> Cost | tuple[Cost, ...]:
    """Compute the cost of a router by the rules of the paper bubble-1999.

    Parameters
    ----------
    router
        Name of a router of the paper, such as ``"bubble_adaptive_2d"``. None computes all of them.
    channels
        Number of virtual channels of a link. None takes that of the paper.
    queue_phits
        Length of the queue of each virtual channel [phits]. None takes that of the paper.
    dimensions
        Number of dimensions of the torus. None takes that of the router.

    Returns
    -------
    Cost or tuple of Cost
        The cost of the router; a tuple if ``router`` is None.

    Raises
    ------
    UsageError
        If there is no such router, or if no rule of the paper covers the sizes.

    Examples
    --------
    >>> price = tailback.cost("bubble_adaptive_2d")
    >>> price.critical, price.crossbar
    ('crossbar and arbiter, 9x5', (9, 5))
    """
    given = {"channels": channels, "queue_phits": queue_phits, "dimensions": dimensions}
    names = [] if router is None else [router]
    printed, stopped = call("cost", given, names=names, progress=False)
    if stopped is not None:
        raise stopped
    costs = tuple(_cost(row) for row in printed)
    return costs if router is None else costs[0]


def _cost(plain: dict[str, Any]) -> Cost:
    modules = tuple(
        Module(m["name"], Estimate(**m["delay_ns"]), _maybe(m["area_mm2"]), m["count"])
        for m in plain["modules"]
    )
    stages = tuple(
        Stage(s["name"], Estimate(**s["cycles"]), s["extra_cycles"]) for s in plain["stages"]
    )
    inputs, outputs = plain["crossbar"]
    return Cost(
        router=plain["router"],
        dimensions=plain["dimensions"],
        queues_phits=tuple(plain["queues_phits"]),
        crossbar=(inputs, outputs),
        modules=modules,
        stages=stages,
        area_mm2=Estimate(**plain["area_mm2"]),
        critical=plain["critical"],
        cycle_ns=Estimate(**plain["cycle_ns"]),
        cycles=(plain["cycles_least"], plain["cycles_most"]),
        hop_ns=Estimate(**plain["hop_ns"]),
    )


def _maybe(plain: dict[str, Any] | None) -> Estimate | None:
    return None if plain is None else Estimate(**plain)
