"""What a router costs in silicon and nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, overload

from tailback import _html
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, whether the paper has it (``source``), and the ``rule`` behind it."""

    value: float
    source: Literal["measured", "interpolated", "extrapolated"]
    rule: str

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, slots=True)
class Module:
    """A module of a router: its delay [ns], its area [mm2] and how many there are."""

    name: str
    delay_ns: Estimate
    area_mm2: Estimate | None
    count: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a router's pipeline: its cycles, and those more at turns and consumption."""

    name: str
    cycles: Estimate
    extra_cycles: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The price of a router.

    Attributes
    ----------
    router, dimensions
        The design, and the dimensions of its torus.
    queues_phits
        Queues of a link's channels [phits].
    crossbar
        Inputs and outputs.
    modules, stages
        What it is made of, and its pipeline.
    area_mm2, cycle_ns, hop_ns
        Area, clock cycle, and time of a hop.
    critical
        What the cycle is bound by, in words.
    cycles
        Least and most cycles of a hop.
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
    """Price a router after bubble-1999: modules, area, cycle time, time of a hop.

    Parameters
    ----------
    router
        A router of the paper, such as "bubble_adaptive_2d"; None: all of them, as a tuple.
    channels
        Virtual channels of a link; None: the paper's.
    queue_phits
        Queue of each of a link's channels [phits]; None: the paper's.
    dimensions
        Dimensions of the torus; None: the router's.

    Raises
    ------
    UsageError
        For a router that there is not, and for sizes that no rule of the paper covers.
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
