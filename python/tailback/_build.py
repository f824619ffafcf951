"""What `tailback.build` consists of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tailback._catalogue import CATALOGUE, children, identifier
from tailback._component import Component
from tailback._maker import section_of, unexpected
from tailback._spec import Spec


def spec(
    *,
    name: str | None = None,
    description: str | None = None,
    preset: str | None = None,
    sweep: Mapping[str, Any] | None = None,
    **tables: Any,
) -> Spec:
    """Make a spec of its tables.

    Parameters
    ----------
    name, description
        What it is called, and what it is for.
    preset
        Named defaults; `presets` lists them.
    sweep
        Values by dotted path, crossed: ``{"traffic.load": [0.1, 0.2]}``, or a range
        ``{"from": 0.1, "to": 0.5, "step": 0.1}``. ``"zip"`` has lists of paths that advance
        together.
    **tables
        The sections, each a component of this module, a dictionary, or the bare name of a kind.
    """
    names = [section["path"] for section in children("")]
    for table, value in tables.items():
        if table not in names:
            raise TypeError(unexpected("spec", table, names))
        if isinstance(value, Component) and value.section != table:
            raise TypeError(f"{table} takes no {value.section}: {value!r}")
    head = {"name": name, "description": description, "preset": preset}
    return Spec.from_dict({**head, **tables, "sweep": sweep}, name=name or "spec")


def presets() -> dict[str, str]:
    """Return the presets with what they are."""
    return {preset["name"]: preset["summary"] for preset in CATALOGUE["presets"]}


SECTIONS = {identifier(section["path"]): section_of(section) for section in children("")}
