"""Tables of a spec as Python values, and the translation of Python values into those of a spec."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from tailback._errors import UsageError

Section_co = TypeVar("Section_co", bound=str, covariant=True)


class Component(Generic[Section_co]):
    """A table of a spec: a section, or one kind of a section with its parameters.

    The functions of ``tailback.build`` make components. A component never changes. Two components
    with the same content are equal.

    Attributes
    ----------
    section
        Name of the section, such as ``"traffic.pattern"``.
    kind
        Name of the kind; None for a section without kinds.
    values
        The parameters that were given, by name.
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

    def to_dict(self, depth: int = 0) -> dict[str, Any]:
        """Return the table as plain values, ``kind`` first. ``depth`` is its level in a spec."""
        table = {} if self.kind is None else {"kind": self.kind}
        return table | {name: plain(value, depth + 1) for name, value in self.values.items()}

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


# The deepest nesting and the longest list or table that a spec may have.
DEEPEST = 32
LONGEST = 1 << 20


def plain(value: Any, depth: int = 0) -> Any:
    """Translate a value of Python into what a spec can hold.

    A spec holds bools, numbers, texts, and lists and dictionaries of them. Components become
    tables, numbers and arrays of NumPy become those of Python, and paths become texts. Numbers lose
    the noise of their last bits (`written`). Entries of dictionaries that are None are left out.

    Raises
    ------
    UsageError
        If the value is deeper or longer than a spec can be.
    TypeError
        If a key is not a text.
    """
    if depth > DEEPEST:
        raise UsageError(f"tables and lists nest deeper than {DEEPEST} levels, or hold themselves")
    if type(value) is float:
        return written(value)
    if value is None or isinstance(value, bool | int | float | str):
        # Subclasses, such as NumPy's float64, as what they are.
        return value if type(value) in (bool, int, str, type(None)) else _item(value, depth)
    if isinstance(value, Component):
        return value.to_dict(depth)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if not isinstance(value, Mapping | list | tuple | range):
        return _item(value, depth)
    if len(value) > LONGEST:
        raise UsageError(f"{len(value)} values are more than a spec can hold ({LONGEST})")
    if isinstance(value, Mapping):
        pairs = [(_key(key), inner) for key, inner in value.items() if inner is not None]
        return {key: plain(inner, depth + 1) for key, inner in pairs}
    return [plain(inner, depth + 1) for inner in value]


def written(number: float) -> float:
    """Return the number that a person would write for a number that arithmetic made.

    ``np.arange(0.1, 0.5, 0.1)`` contains 0.30000000000000004, and 0.3 is meant. A number within one
    part in 10**14 of a number of at most nine digits becomes that number. Every other number stays
    as it is.
    """
    rounded = float(f"{number:.9g}")
    return rounded if abs(number - rounded) <= 1e-14 * abs(number) else number


def _key(key: object) -> str:
    """Return the key of a table. A text of NumPy becomes one of Python."""
    if not isinstance(key, str):
        raise TypeError(f"keys are texts, not {type(key).__name__}")
    return str.__str__(key)


def _item(value: Any, depth: int) -> Any:
    """Translate a value of NumPy into one of Python. Others stay, and the spec refuses them."""
    to_list = getattr(value, "tolist", None)
    if to_list is None or isinstance(value, type):
        return value
    listed = to_list()
    return listed if listed is value else plain(listed, depth + 1)
