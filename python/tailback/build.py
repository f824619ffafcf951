"""Specs in Python: a function for every kind of every section, made from the catalogue.

``build.topology.torus(radix=[16, 16])`` is the table ``[topology]`` with ``kind = "torus"``;
``build.traffic(load=0.3, pattern=build.traffic.pattern.tornado())`` is ``[traffic]`` with its
sub-table; ``build.spec(topology=..., traffic=..., sweep={...})`` is the whole. Nothing is named
here: what the program knows, this module has. ``help(build.admission.spth)`` shows parameters with
units, ranges and defaults.
"""

from tailback import _build
from tailback._build import presets as presets
from tailback._build import spec as spec

globals().update(_build.SECTIONS)
__all__ = ["presets", "spec", *_build.SECTIONS]


def __dir__() -> list[str]:
    return sorted(__all__)
