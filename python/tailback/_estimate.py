"""Numbers with their 95 % intervals."""

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
        Ends of the interval. They are None with fewer than three values, and where half of the
        interval exceeds half of the mean.
    count
        Number of values.
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
"""What a comparison shows at the 5 % level, after Holm's correction for several variants."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratio of a variant to the first variant under common seeds, with its 95 % interval.

    Attributes
    ----------
    ratio
        The variant's value over that of the first variant; None if a value is 0.
    low, high
        Ends of the interval; None if there is none.
    pairs
        Number of pairs of seeds.
    p
        The p value with Holm's correction over all variants; None if there is none.
    verdict
        What the ratio shows at the 5 % level.
    """

    ratio: float | None
    low: float | None
    high: float | None
    pairs: int
    p: float | None
    verdict: Significance


def spread(plain: dict[str, Any] | None) -> Spread | None:
    """Make a `Spread` from the JSON of the command."""
    if plain is None:
        return None
    return Spread(plain["mean"], plain.get("low"), plain.get("high"), plain["seeds"])


def ratio(plain: dict[str, Any] | None) -> Ratio | None:
    """Make a `Ratio` from the JSON of the command."""
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
