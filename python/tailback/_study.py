"""Published papers as executable studies."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from tailback import _html, _native
from tailback._errors import stopped_by_user
from tailback._progress import Display, ProgressLike


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper that can be reproduced: its key, its title and summaries of its items by name."""

    key: str
    title: str
    items: dict[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a paper beside the measured one, both in ``unit``.

    ``deviation`` is their relative difference; ``ok`` whether what is ``required`` holds, None
    where nothing is.
    """

    item: str
    row: str
    column: str
    paper_value: float | None
    measured: float | None
    unit: str
    deviation: float | None
    note: str | None
    required: str | None
    ok: bool | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a paper, whether it holds here (None: not judged), and the evidence."""

    id: str
    text: str
    holds: bool | None
    evidence: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, which notebooks show."""

    name: str
    caption: str
    svg: str | None = field(repr=False)

    def _repr_svg_(self) -> str | None:
        return self.svg


@dataclass(frozen=True, slots=True)
class Study:
    """A reproduction of a paper, or of items of it."""

    paper: str
    title: str
    quick: bool
    items: tuple[str, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    claims: tuple[Claim, ...] = field(repr=False)
    figures: tuple[Figure, ...] = field(repr=False)
    notes: tuple[tuple[str, str], ...] = field(repr=False)
    text: str = field(repr=False)
    markdown: str = field(repr=False)
    report: str = field(repr=False)

    @property
    def failed(self) -> bool:
        """Whether a required number is missed."""
        return any(cell.ok is False for cell in self.cells)

    def write_report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the report, a page of HTML that needs no other file.

        Raises
        ------
        UsageError
            Where something stands that is no report, unless ``force`` says to replace the file;
            what is no regular file is never replaced.
        """
        _native.write(os.fspath(path), self.report.encode(), "html", force)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        missed = sum(cell.ok is False for cell in self.cells)
        beside = ", ".join(self.items) + (" (quick)" if self.quick else "")
        verdict = f"Required numbers that are missed: {missed}."
        heads = ("item\n", "row\n", "column\n", "paper\n", "measured\n", "unit\n", "holds\n")
        rows = [
            (c.item, c.row, c.column, c.paper_value, c.measured, c.unit, _mark(c.ok))
            for c in self.cells
        ]
        claims = [(_mark(claim.holds), claim.text) for claim in self.claims]
        drawn = [
            _html.picture(figure.svg.encode(), figure.caption, 320)
            for figure in self.figures[:4]
            if figure.svg
        ]
        return (
            _html.title(self.title, beside)
            + _html.paragraph(verdict)
            + (_html.table(heads, rows[: _html.MOST_ROWS]) if rows else "")
            + _html.more(len(rows) - _html.MOST_ROWS)
            + (_html.table(("holds\n", "claim\n"), claims) if claims else "")
            + _html.side_by_side(drawn)
        )


def _mark(holds: bool | None) -> str:
    return "" if holds is None else "yes" if holds else "NO"


def papers() -> dict[str, Paper]:
    """Return the papers that can be reproduced, by key."""
    return {key: Paper(key, title, dict(items)) for key, title, items in _native.papers()}


def reproduce(
    paper: str,
    items: str | Iterable[str] = (),
    *,
    quick: bool = False,
    threads: int | None = None,
    progress: ProgressLike = None,
) -> Study:
    """Reproduce a paper: its numbers beside measured ones, a verdict on every claim.

    Parameters
    ----------
    paper
        Its key; see `papers`.
    items
        Tables, figures and numbers of it; all where none are named.
    quick
        Smaller networks and shorter runs: minutes instead of hours.
    threads, progress
        As for `run`.

    Raises
    ------
    UsageError
        For a paper or an item that there is not.
    Interrupted
        After Ctrl-C, with the finished items as ``result``.
    """
    wanted = [items] if isinstance(items, str) else list(items)
    with Display(progress) as display:
        plain, stopped = _native.reproduce(paper, wanted, quick, threads or 0, display.told)
    study = Study(
        paper=plain["paper"],
        title=plain["title"],
        quick=plain["quick"],
        items=tuple(plain["items"]),
        cells=tuple(Cell(**cell) for cell in plain["cells"]),
        claims=tuple(Claim(**claim) for claim in plain["claims"]),
        figures=tuple(Figure(**figure) for figure in plain["figures"]),
        notes=tuple((item, text) for item, text in plain["notes"]),
        text=plain["text"],
        markdown=plain["markdown"],
        report=plain["report"],
    )
    if isinstance(stopped, KeyboardInterrupt):
        message = f"interrupted; finished: {', '.join(study.items) or 'nothing'}, in `result`"
        raise stopped_by_user(message, study) from stopped
    if stopped is not None:
        raise stopped
    return study
