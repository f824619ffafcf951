"""Shows the progress of a run: in a terminal, in a notebook, or to a function of the user."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Told: TypeAlias = Callable[[int, int, int, int | None], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    Attributes
    ----------
    points, points_total
        Number of points, or of other steps, that are done, and of all.
    cycles, cycles_total
        Number of simulated cycles, and of all cycles [cycles]. The second is None if it is not
        known.
    seconds
        Time since the beginning [s].
    """

    points: int
    points_total: int
    cycles: int
    cycles_total: int | None
    seconds: float

    @property
    def share(self) -> float:
        """Share of the work that is done, from 0 to 1."""
        if self.cycles_total:
            return min(1.0, self.cycles / self.cycles_total)
        return self.points / max(1, self.points_total)

    def __str__(self) -> str:
        filled = int(30 * self.share)
        bar = "━" * filled + "╌" * (30 - filled)
        left = self.seconds / self.share - self.seconds if self.share > 0 else None
        to_go = "" if left is None else f", {_time(left)} to go"
        return (
            f"{self.points} of {self.points_total} {bar} {100 * self.share:3.0f} %  "
            f"{_time(self.seconds)} so far{to_go}"
        )


ProgressLike: TypeAlias = bool | Callable[[Progress], None] | None
"""Whether to show progress.

None shows it in a terminal and in a notebook. True always shows it, and False never does. A
function is called with a `Progress` every 0.2 s.
"""


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}" if minutes else f"{rest} s"


class Display:
    """Shows progress between ``__enter__`` and ``__exit__``."""

    def __init__(self, progress: ProgressLike) -> None:
        self._start = time.monotonic()
        self._handle: Any = None
        self._shown = False
        self._user = progress if callable(progress) else None
        self._notebook = _in_notebook()
        wanted = self._notebook or sys.stderr.isatty() if progress is None else progress is True
        self.told: Told | None = self._told if wanted or self._user else None

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)
        elif self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _told(self, points: int, total: int, cycles: int, cycles_total: int | None) -> None:
        seconds = time.monotonic() - self._start
        progress = Progress(points, total, cycles, cycles_total, seconds)
        if self._user is not None:
            self._user(progress)
            return
        if self._notebook:
            self._in_cell(progress)
        else:
            sys.stderr.write(f"\r\033[K{progress}")
            sys.stderr.flush()
        self._shown = True

    def _in_cell(self, progress: Progress) -> None:
        from IPython import display as pictures

        text = {"text/plain": str(progress)}
        if self._handle is None:
            show: Any = pictures.display
            self._handle = show(text, raw=True, display_id=True)
        else:
            self._handle.update(text, raw=True)


def _in_notebook() -> bool:
    """Return whether the code runs in a notebook. This never imports IPython itself."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"
