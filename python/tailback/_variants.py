"""One of several variants, by its name or its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from tailback._errors import UsageError


class Named(Protocol):
    """What has the name of a variant."""

    @property
    def name(self) -> str:
        """Values of the swept parameters, in words."""


Variant = TypeVar("Variant", bound=Named)


def variant(variants: Sequence[Variant], key: str | int) -> Variant:
    """Return one of several variants, by its name or its number.

    Raises
    ------
    UsageError
        If none has this name.
    """
    if isinstance(key, int):
        return variants[key]
    for one in variants:
        if one.name == key:
            return one
    names = ", ".join(repr(one.name) for one in variants)
    raise UsageError(f"there is no variant {key!r}; there are {names}")
