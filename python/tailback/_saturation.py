"""Searches the largest load that a network carries in a steady state, by bisection."""

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
from tailback._variants import variant
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Bracket:
    """The saturation load of one variant. Loads are in flits/node/cycle.

    Attributes
    ----------
    name
        Values of the swept parameters, in words; "" if nothing is swept.
    carried_load
        The largest load that the network carried; None if it carried none.
    refused_load
        The smallest load that it did not carry; None if it carried every load.
    equals
        Name of the earlier variant whose results are the same, bit for bit. A variant that equals
        another one is not searched. None if there is none.
    channel_load_bound
        Load at which some link is full; None if it is not known.
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
    """The saturation loads of all variants of a spec.

    ``found["spth"]`` is the bracket of a variant, and ``for bracket in found`` visits all of them.

    Attributes
    ----------
    variants
        One bracket per variant, in the order of the sweep.
    tolerance
        Width of a bracket at which a search ends [flits/node/cycle].
    seeds
        Number of seeds of each load.
    """

    variants: tuple[Bracket, ...]
    tolerance: float
    seeds: int

    def __len__(self) -> int:
        return len(self.variants)

    def __iter__(self) -> Iterator[Bracket]:
        return iter(self.variants)

    def __getitem__(self, key: str | int) -> Bracket:
        """Return the bracket of a variant, by its name or its number."""
        return variant(self.variants, key)

    @property
    def carried_load(self) -> float | None:
        """The largest load that the only variant carried [flits/node/cycle]."""
        return self._only().carried_load

    @property
    def refused_load(self) -> float | None:
        """The smallest load that the only variant did not carry [flits/node/cycle]."""
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
    """Search the largest load that each variant of a spec carries, by bisection.

    The network carries a load if the run with every seed ends steady. `tailback.curve` searches
    more carefully, and its result has an interval.

    Parameters
    ----------
    spec
        A spec with the workload ``steady``, the path of a spec file, or a dictionary.
    tolerance
        A search ends when its bracket is narrower than this [flits/node/cycle, more than 0]. None
        uses 0.005.
    low
        A load that the network surely carries [flits/node/cycle, more than 0]. None uses 0.01.
    high
        A load that is surely too much [flits/node/cycle, more than ``low``]. None uses the
        channel-load bound.
    seeds
        Number of seeds of each load, at least 1. None uses 1.
    threads
        Number of runs at the same time, at least 1. Results do not depend on it. None uses all
        cores.
    progress
        As for `run`.

    Returns
    -------
    Saturation
        One bracket per variant.

    Raises
    ------
    SpecError
        If the spec is wrong.
    UsageError
        If ``low`` and ``high`` make no range.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds what is known.

    Examples
    --------
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> found = tailback.saturation(torus, tolerance=0.2)
    >>> 0 < found.carried_load < found.refused_load
    True
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
