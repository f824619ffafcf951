"""Specs in Python: a function for every kind of every section, made from the catalogue.

``build.topology.torus(radix=[16, 16])`` is the table ``[topology]`` with ``kind = "torus"``;
``build.traffic(load=0.3, pattern=build.traffic.pattern.tornado())`` is ``[traffic]`` with its
sub-table; ``build.spec(topology=..., traffic=..., sweep={...})`` is the whole. Nothing is named
here: what the program knows, this module has. ``help(build.admission.spth)`` shows parameters with
units, ranges and defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tailback import _catalogue, _maker
from tailback._component import Component
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
    names = [section["path"] for section in _catalogue.children("")]
    for table, value in tables.items():
        if table not in names:
            raise TypeError(_maker.unexpected("spec", table, names))
        if isinstance(value, Component) and value.section != table:
            raise TypeError(f"{table} takes no {value.section}: {value!r}")
    head = {"name": name, "description": description, "preset": preset}
    return Spec.from_dict({**head, **tables, "sweep": sweep}, name=name or "spec")


def presets() -> dict[str, str]:
    """Return the presets with what they are."""
    return {preset["name"]: preset["summary"] for preset in _catalogue.CATALOGUE["presets"]}


_SECTIONS = {
    _catalogue.identifier(section["path"]): _maker.section_of(section)
    for section in _catalogue.children("")
}
globals().update(_SECTIONS)
__all__ = ["presets", "spec", *_SECTIONS]


def __dir__() -> list[str]:
    return sorted(__all__)
