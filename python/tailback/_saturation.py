"""The largest load that a network carries in a steady state, by bisection."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tailback import _html, _native
from tailback._errors import UsageError, stopped_by_user
from tailback._progress import ProgressLike
from tailback._spec import Spec, SpecLike
from tailback._table import Table, aligned
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Bracket:
    """Where one variant saturates. Loads are in flits/node/cycle.

    Attributes
    ----------
    name
        What is swept, in words; "" where nothing is.
    carried_load, refused_load
        The largest load that was carried and the smallest that was not; None where there is none.
    equals
        The earlier variant that it equals, bit for bit, so that it was not searched on its own.
    channel_load_bound
        Load at which some link is full.
    runs
        The runs of the search, in their order.
    """

    name: str
    carried_load: float | None
    refused_load: float | None
    equals: str | None
    channel_load_bound: float | None
    runs: Table = field(repr=False)


@dataclass(frozen=True, slots=True)
class Saturation:
    """Where the variants of a spec saturate: ``found["spth"]``, ``for bracket in found``.

    Attributes
    ----------
    variants
        A bracket each, in the order of the sweep.
    tolerance
        Width at which a search ends [flits/node/cycle].
    seeds
        Seeds for each load.
    """

    variants: tuple[Bracket, ...]
    tolerance: float
    seeds: int

    def __len__(self) -> int:
        return len(self.variants)

    def __iter__(self) -> Iterator[Bracket]:
        return iter(self.variants)

    def __getitem__(self, key: str | int) -> Bracket:
        """Return the bracket of a variant by its name or place."""
        if isinstance(key, int):
            return self.variants[key]
        for bracket in self.variants:
            if bracket.name == key:
                return bracket
        names = ", ".join(repr(bracket.name) for bracket in self.variants)
        raise UsageError(f"there is no variant {key!r}; there are {names}")

    @property
    def carried_load(self) -> float | None:
        """The largest load that was carried, of a spec with one variant [flits/node/cycle]."""
        return self._only().carried_load

    @property
    def refused_load(self) -> float | None:
        """The smallest load that was not, of a spec with one variant [flits/node/cycle]."""
        return self._only().refused_load

    def _only(self) -> Bracket:
        if len(self.variants) == 1:
            return self.variants[0]
        raise UsageError("there are several variants: name one, found['spth'].carried_load")

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        unit = "\n[flits/node/cycle]"
        heads = ["variant\n", f"carries{unit}", f"saturates at{unit}", "equals\n"]
        rows = [
            [one.name, *map(_html.shown, (one.carried_load, one.refused_load, one.equals))]
            for one in self.variants
        ]
        return heads, rows

    def __repr__(self) -> str:
        return f"<tailback.Saturation: {self.seeds} seeds>\n{aligned(*self._cells())}"

    def _repr_html_(self) -> str:
        return _html.title("Saturation", f"{self.seeds} seeds") + _html.table(*self._cells())


def saturation(
    spec: SpecLike,
    *,
    tolerance: float | None = None,
    low: float | None = None,
    high: float | None = None,
    seeds: int | None = None,
    threads: int | None = None,
    progress: ProgressLike = None,
) -> Saturation:
    """Search the largest load that each variant of a spec carries in a steady state, by bisection.

    A load counts as carried when the run with every seed ends steady. `tailback.curve` searches
    more carefully, and gives an interval.

    Parameters
    ----------
    spec
        A spec with the workload ``steady``, the path of one or a dictionary.
    tolerance
        Width of the bracket at which a search ends [flits/node/cycle]; None: 0.005.
    low, high
        A load that is surely carried, and one that is surely too much [flits/node/cycle]; None:
        0.01 and the channel-load bound.
    seeds
        Seeds for each load; None: 1.
    threads
        Runs at the same time; results do not depend on it. None: all cores.
    progress
        As for `run`.

    Raises
    ------
    SpecError, UsageError
        For a wrong spec, and for loads that make no range.
    Interrupted
        After Ctrl-C, with what is known as ``result``.
    """
    given = {"tolerance": tolerance, "low": low, "high": high, "seeds": seeds, "threads": threads}
    printed, stopped = call("saturation", given, spec=Spec.of(spec), progress=progress)
    if not printed:
        raise stopped or RuntimeError("the command printed no saturation")
    found = _saturation(printed[0])
    if isinstance(stopped, KeyboardInterrupt):
        raise stopped_by_user("interrupted; what is known is in `result`", found) from stopped
    if stopped is not None:
        raise stopped
    return found


def _saturation(plain: dict[str, Any]) -> Saturation:
    variants = tuple(map(_bracket, plain["variants"]))
    return Saturation(variants, plain["tolerance"], plain["seeds"])


def _bracket(plain: dict[str, Any]) -> Bracket:
    names = ("name", "carried_load", "refused_load", "equals", "channel_load_bound")
    runs = Table(_native.Table.of_rows(json.dumps(plain["runs"])))
    return Bracket(**{name: plain[name] for name in names}, runs=runs)
