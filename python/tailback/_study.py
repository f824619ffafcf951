"""Published papers as studies that can be run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from tailback import _html, _native
from tailback._errors import stopped_by_user
from tailback._progress import Display, ProgressLike


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper that can be reproduced.

    Attributes
    ----------
    key
        Its name for `reproduce`, such as ``"spth-2015"``.
    title
        Title of the paper.
    items
        A summary of each table, figure and number of the paper, by name.
    """

    key: str
    title: str
    items: dict[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a paper beside the measured number.

    Attributes
    ----------
    item
        Table or figure of the paper.
    row, column
        Place of the number in it.
    paper_value, measured
        The printed and the measured number, in ``unit``; None if there is none.
    unit
        Unit of both numbers.
    deviation
        The relative difference: 0.1 if the measured number is 10 % more.
    note
        A remark, such as the number of seeds.
    required
        What the measured number must meet, in words; None if nothing is required.
    ok
        Whether the requirement is met; None if nothing is required.
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
    """A claim of a paper.

    Attributes
    ----------
    id
        Its number, such as ``"c1"``.
    text
        The claim.
    holds
        Whether the measurement confirms the claim; None if it was not judged.
    evidence
        The numbers behind the verdict, in words.
    """

    id: str
    text: str
    holds: bool | None
    evidence: str

    @property
    def verdict(self) -> str:
        """The verdict in words: ``"holds"``, ``"does not hold"`` or ``"not judged"``."""
        return {True: "holds", False: "does not hold", None: "not judged"}[self.holds]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a study. Notebooks show it.

    Attributes
    ----------
    name
        Name of the picture.
    caption
        What the picture shows.
    svg
        The picture as SVG; None if it was not drawn.
    """

    name: str
    caption: str
    svg: str | None = field(repr=False)

    def _repr_svg_(self) -> str | None:
        return self.svg


@dataclass(frozen=True, slots=True)
class Study:
    """The result of `reproduce`.

    Attributes
    ----------
    paper, title
        Key and title of the paper.
    quick
        Whether this is the short form.
    reading
        The reading under which it ran: what was chosen where the paper is silent.
    items
        The items that were run.
    cells
        Printed and measured numbers side by side.
    claims
        The claims of the paper and their verdicts.
    figures
        The pictures.
    notes
        Remarks: the name of an item and a text.
    text, markdown
        The whole study for a terminal, and as Markdown.
    report
        The whole study as an HTML page.
    """

    paper: str
    title: str
    quick: bool
    reading: str
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
        """Write the report, an HTML page that needs no other file.

        Parameters
        ----------
        path
            The file of the report.
        force
            Whether a file that is not a report may be replaced. Anything that is not a regular
            file is never replaced.

        Raises
        ------
        UsageError
            If the file exists and may not be replaced.
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
    """Return the papers that can be reproduced, by key.

    Examples
    --------
    >>> "spth-2015" in tailback.papers()
    True
    """
    return {key: Paper(key, title, dict(items)) for key, title, items in _native.papers()}


def reproduce(
    paper: str,
    items: str | Iterable[str] = (),
    *,
    quick: bool = False,
    reading: str | None = None,
    threads: int | None = None,
    progress: ProgressLike = None,
) -> Study:
    """Reproduce a paper: measure its numbers and judge its claims.

    Parameters
    ----------
    paper
        Key of the paper; `papers` lists the keys.
    items
        Names of tables, figures and numbers of the paper. The default is all of them.
    quick
        Whether to use smaller networks and shorter runs. They take minutes instead of hours.
    reading
        Name of a reading: what is chosen where the paper is silent. The default is the reading
        that the study declares.
    threads, progress
        As for `run`.

    Returns
    -------
    Study
        Printed and measured numbers, verdicts and pictures.

    Raises
    ------
    UsageError
        If there is no such paper, item or reading.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds the finished items.

    Examples
    --------
    >>> study = tailback.reproduce("spth-2015", "table2", quick=True)  # doctest: +SKIP
    >>> missed = [cell for cell in study.cells if cell.ok is False]    # doctest: +SKIP
    """
    wanted = [items] if isinstance(items, str) else list(items)
    with Display(progress) as display:
        plain, stopped = _native.reproduce(
            paper, wanted, quick, reading, threads or 0, display.told
        )
    study = Study(
        paper=plain["paper"],
        title=plain["title"],
        quick=plain["quick"],
        reading=plain["reading"],
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
