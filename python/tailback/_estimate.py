"""Numbers with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean over seeds, or over searches, with its 95 % interval.

    Attributes
    ----------
    mean
        Arithmetic mean.
    low, high
        Ends of the interval; None below three values, and where it is too wide to say anything.
    count
        How many values it is of.
    """

    mean: float
    low: float | None
    high: float | None
    count: int

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def __float__(self) -> float:
        return self.mean

    def __str__(self) -> str:
        half = self.half
        return f"{self.mean:.4g}" if half is None else f"{self.mean:.4g} ± {half:.2g}"


Significance: TypeAlias = Literal[
    "differs", "no difference shown", "fewer than 3 seeds", "unknown", "identical"
]
"""What a comparison shows at 5 %, after Holm's correction where there are several."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio to the first variant under common seeds, with its 95 % interval.

    Attributes
    ----------
    ratio
        More than 1: more than the first variant.
    low, high
        Ends of the interval; None where there is none.
    pairs
        Pairs of seeds.
    p
        The p value with Holm's correction over all variants; None where there is none.
    verdict
        What it shows.
    """

    ratio: float | None
    low: float | None
    high: float | None
    pairs: int
    p: float | None
    verdict: Significance


def spread(plain: dict[str, Any] | None) -> Spread | None:
    """Return what the command printed of a spread."""
    if plain is None:
        return None
    return Spread(plain["mean"], plain.get("low"), plain.get("high"), plain["seeds"])


def ratio(plain: dict[str, Any] | None) -> Ratio | None:
    """Return what the command printed of a ratio."""
    if plain is None:
        return None
    return Ratio(
        plain["ratio"],
        plain["low"],
        plain["high"],
        plain["pairs"],
        plain.get("p_holm"),
        plain["verdict"],
    )
