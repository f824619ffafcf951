"""Tables of a spec as values, and whatever Python has for a value as what a spec holds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

Section_co = TypeVar("Section_co", bound=str, covariant=True)


class Component(Generic[Section_co]):
    """A table of a spec: a section, or one of its kinds with parameters. Immutable.

    Made by the functions of ``tailback.build``; two with the same content are equal.
    """

    __slots__ = ("kind", "section", "values")

    section: str
    kind: str | None
    values: Mapping[str, Any]

    def __init__(self, section: str, kind: str | None, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "section", section)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "values", dict(values))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a component is immutable; make another one")

    def __reduce__(self) -> tuple[object, ...]:
        return (Component, (self.section, self.kind, self.values))

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain values, ``kind`` first."""
        table = {} if self.kind is None else {"kind": self.kind}
        return table | {name: plain(value) for name, value in self.values.items()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Component):
            return NotImplemented
        return self.section == other.section and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.section, repr(self.to_dict())))

    def __repr__(self) -> str:
        name = self.section if self.kind is None else f"{self.section}.{self.kind}"
        arguments = ", ".join(f"{key}={value!r}" for key, value in self.values.items())
        return f"build.{name}({arguments})"


def plain(value: Any) -> Any:
    """Return what a spec can hold: bools, numbers, texts, lists and dictionaries of them.

    Components become tables, NumPy's numbers and arrays become Python's, paths become texts. Values
    of dictionaries that are None are left out: they say nothing.
    """
    if value is None or isinstance(value, bool | int | float | str):
        # Subclasses, such as NumPy's float64, as what they are.
        return value if type(value) in (bool, int, float, str, type(None)) else _item(value)
    if isinstance(value, Component):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, list | tuple | range):
        return [plain(inner) for inner in value]
    return _item(value)


def _item(value: Any) -> Any:
    """Return NumPy's values as Python's; anything else as it is, to be refused by its name."""
    to_list = getattr(value, "tolist", None)
    return value if to_list is None else to_list()
