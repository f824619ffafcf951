"""A matplotlib figure that keeps its style when it is written, and shows itself in notebooks."""

from __future__ import annotations

import io
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

# Told apart by those who see few colours, and in print by their marks.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = "osv^Dx+"

STYLE: Any = {
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "savefig.dpi": 300,
    "figure.dpi": 150,
    # Text stays text in files.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "figure.constrained_layout.use": True,
}


class Picture(Figure):
    """A figure of its own, which no window keeps alive."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure; see matplotlib."""
        with mpl.rc_context(STYLE):
            super().savefig(fname, **options)

    def _repr_png_(self) -> bytes:
        out = io.BytesIO()
        self.savefig(out, format="png", dpi=150)
        return out.getvalue()
