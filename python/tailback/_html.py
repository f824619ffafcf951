"""Pages of a few lines that notebooks show in the place of a repr. All text is escaped here."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from tailback import _native

MOST_ROWS = 20
"""Rows that a page shows of a table."""


def shown(value: object) -> str:
    """Return a value as pages and tables show it."""
    if value is None or value != value:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else _native.shown(str(value))


def text(words: object) -> str:
    """Return text for a page."""
    return escape(_native.shown_lines(str(words)))


def title(words: str, beside: str = "") -> str:
    """Return the first line of a page: what it is, and what is said beside it."""
    small = f' <span style="opacity:.7">{text(beside)}</span>' if beside else ""
    return f'<p style="margin:.2em 0"><b>{text(words)}</b>{small}</p>'


def paragraph(words: str) -> str:
    """Return a paragraph."""
    return f'<p style="margin:.2em 0;max-width:48em">{text(words)}</p>'


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; no heads, no line of them."""
    head = "".join(f"<th>{_lines(name)}</th>" for name in heads)
    cells = ("".join(f"<td>{text(cell)}</td>" for cell in map(shown, row)) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    top = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f"<table>{top}<tbody>{body}</tbody></table>"


def more(count: int) -> str:
    """Return what is said below a table that leaves rows out; nothing where it shows all."""
    return paragraph(f"... {count} more rows") if count > 0 else ""


def facts(pairs: Mapping[str, Any]) -> str:
    """Return a table of names and values; what is unknown is left out."""
    return table((), [(name, value) for name, value in pairs.items() if shown(value)])


def fold(summary: str, body: str) -> str:
    """Return text that unfolds when somebody clicks on its summary."""
    return f"<details><summary>{text(summary)}</summary><pre>{text(body)}</pre></details>"


def picture(svg: bytes, words: str, width: int = 560) -> str:
    """Return an SVG as a picture of its own, whose styles and names meet no other's."""
    data = base64.b64encode(svg).decode()
    return (
        f'<img alt="{text(words)}" src="data:image/svg+xml;base64,{data}" '
        f'style="max-width:{width}px;width:100%;background:#fff">'
    )


def side_by_side(parts: Iterable[str]) -> str:
    """Return parts beside each other, below each other where there is no room."""
    inner = "".join(f"<div>{part}</div>" for part in parts if part)
    return f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:start">{inner}</div>'


def sparkline(values: Sequence[float], words: str) -> str:
    """Return values as a line of the height of some words, from 0 to the largest."""
    known = [value for value in values if value == value]
    if len(known) < 2:
        return ""
    top = max(*known, 1e-12)
    step = 240 / (len(values) - 1)
    places = [(at * step, 38 - 36 * value / top) for at, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places if y == y)
    return _svg(
        240,
        40,
        f'<polyline points="{line}" fill="none" stroke="#0072B2" stroke-width="1.5"/>'
        '<line x1="0" y1="38.5" x2="240" y2="38.5" stroke="currentColor" stroke-width=".5"/>',
        words,
    )


def axis(ticks: Sequence[float], marks: Mapping[str, float], words: str) -> str:
    """Return an axis from 0 on with ticks, and named marks above it."""
    top = 1.05 * max([*ticks, *marks.values(), 1e-12])
    parts = ['<line x1="4" y1="44.5" x2="356" y2="44.5" stroke="currentColor"/>']
    parts += [_mark(4 + 352 * tick / top, 40, 49, "currentColor") for tick in ticks]
    for row, (name, value) in enumerate(marks.items()):
        x, y = 4 + 352 * value / top, 12 + 14 * row
        side = "end" if x > 180 else "start"
        parts.append(_mark(x, y + 4, 49, "#D55E00"))
        label = f"{text(name)} {value:.3g}"
        parts.append(
            f'<text x="{x:.1f}" y="{y}" text-anchor="{side}" fill="currentColor" '
            f'font-size="11">{label}</text>'
        )
    return _svg(360, 54, "".join(parts), words)


def network(topology: Any) -> str:
    """Return the routers and links of a small grid, in its first two dimensions."""
    table = topology if isinstance(topology, Mapping) else {}
    radix = table.get("radix")
    if not isinstance(radix, list) or not radix or not all(isinstance(k, int) for k in radix):
        return ""
    across, down = radix[0], radix[1] if len(radix) > 1 else 1
    if max(across, down) > 32 or min(across, down) < 1:
        return ""
    step = 160 / max(across, down)
    rings = table.get("kind") == "torus"

    def lines(along: int, others: int, turned: str) -> str:
        stub = step * 0.4 if rings else 0.0
        first, last = step / 2 - stub, (along - 0.5) * step + stub
        heights = ((other + 0.5) * step for other in range(others))
        drawn = (f"M{first:.1f},{h:.1f}H{last:.1f}" for h in heights)
        return f'<path {turned}d="{"".join(drawn)}" stroke="currentColor" stroke-width=".6"/>'

    width, height = across * step, down * step
    turn = 'transform="matrix(0 1 1 0 0 0)" '
    dots = "".join(
        f'<circle cx="{(x + 0.5) * step:.1f}" cy="{(y + 0.5) * step:.1f}" r="{step / 5:.1f}"/>'
        for x in range(across)
        for y in range(down)
    )
    inner = lines(across, down, "") + lines(down, across, turn) + f'<g fill="#0072B2">{dots}</g>'
    words = f"{table.get('kind', 'grid')} of {' x '.join(map(str, radix))} routers"
    return _svg(max(1, math.ceil(width)), max(1, math.ceil(height)), inner, words)


def _mark(x: float, top: float, bottom: float, color: str) -> str:
    return f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="{color}"/>'


def _svg(width: int, height: int, inner: str, words: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">'
        f"<title>{text(words)}</title>{inner}</svg>"
    )


def _lines(words: str) -> str:
    return "<br>".join(text(line) for line in words.split("\n"))
