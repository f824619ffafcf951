"""Functions that make the parts of a spec: one for each kind of each section.

``build.topology.torus(radix=[16, 16])`` makes the table ``[topology]`` with ``kind = "torus"``.
``build.traffic(load=0.3, pattern=build.traffic.pattern.tornado())`` makes ``[traffic]`` with its
sub-table. ``build.spec(topology=..., traffic=..., sweep={...})`` makes the whole spec.

The functions are made from the catalogue of the program, so this module has every kind that the
program has. ``help(build.admission.spth)`` shows parameters with units, ranges and defaults.
"""

from tailback import _build
from tailback._build import presets as presets
from tailback._build import spec as spec

globals().update(_build.SECTIONS)
__all__ = ["presets", "spec", *_build.SECTIONS]


def __dir__() -> list[str]:
    return sorted(__all__)
