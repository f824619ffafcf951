"""The functions of `tailback.build`."""

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
    """Make a spec from its sections.

    Parameters
    ----------
    name
        Name of the spec. Messages and reports show it.
    description
        One sentence on what the spec is for.
    preset
        Name of a set of defaults; `presets` lists them.
    sweep
        Values by dotted path, such as ``{"traffic.load": [0.1, 0.2]}``. A range is written as
        ``{"from": 0.1, "to": 0.5, "step": 0.1}``. Every value is combined with every value of
        the other paths. The key ``"zip"`` has lists of paths that advance together.
    **tables
        The sections by name. Each is a component of this module, a dictionary, or the name of a
        kind.

    Returns
    -------
    Spec
        The spec. It is checked when it is used.

    Raises
    ------
    TypeError
        If there is no such section, or if a component belongs to another section.

    Examples
    --------
    >>> from tailback import build
    >>> spec = build.spec(
    ...     topology=build.topology.torus(radix=[4, 4]),
    ...     traffic=build.traffic(load=0.2, pattern="uniform"),
    ...     sweep={"admission": ["off", build.admission.spth(margin_flits=8)]},
    ... )
    >>> len(spec.points())
    2
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
    """Return a summary of each preset, by its name."""
    return {preset["name"]: preset["summary"] for preset in CATALOGUE["presets"]}


SECTIONS = {identifier(section["path"]): section_of(section) for section in children("")}
