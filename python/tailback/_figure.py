"""A matplotlib figure that keeps its style when it is written, and shows itself in notebooks."""

from __future__ import annotations

import io
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

# Colour, shape and dash by order: told apart by those who see few colours, and in grey print.
COLORS = (
    "#000000",
    "#0072B2",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#7F7F7F",
)
MARKS = ("o", "s", "D", "^", "v", "P", "<", ">")
DASHES: tuple[Any, ...] = (
    "-",
    "-",
    ":",
    "--",
    "-.",
    (0, (5, 1)),
    (0, (3, 1, 1, 1)),
    (0, (1, 1)),
)

STYLE: Any = {
    "font.size": 7,
    "axes.labelsize": 7,
    "axes.titlesize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.8,
    "lines.markeredgewidth": 0.8,
    "savefig.dpi": 300,
    "figure.dpi": 150,
    # Text stays text in files.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "figure.constrained_layout.use": True,
}


class Picture(Figure):
    """A figure of its own, which no window keeps alive.

    Attributes
    ----------
    caption
        What a reader must know of it, in a paragraph; "" where the axes say it all.
    """

    caption: str = ""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure; see matplotlib."""
        with mpl.rc_context(STYLE):
            super().savefig(fname, **options)

    def _repr_png_(self) -> bytes:
        out = io.BytesIO()
        self.savefig(out, format="png", dpi=150)
        return out.getvalue()
