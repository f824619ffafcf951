"""The rules of plain English: each finds what it is for and leaves plain sentences alone."""

from __future__ import annotations

import sys

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
check_prose = pytest.importorskip("check_prose")
RULES = check_prose.read_rules((ROOT / "tools" / "prose.toml").read_text(encoding="utf-8"))


def faults(text: str) -> list[tuple[int, str]]:
    return [
        fault
        for passage in check_prose.markdown_passages("page.md", text)
        for fault in check_prose.broken(passage, RULES)
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("`set` and `with_` answer changed ones.", "a function returns"),
        ("The table has a row a point.", "one ... per ..."),
        ("A packet waits for ever.", "forever"),
        ("It does so for its sake.", "name the cause"),
        ("The load rises; the queue grows; the latency follows.", "a chain of semicolons"),
        ("| packets |\n|---|\n| a flit a cycle |\n", "one ... per ..."),
        ("A " + "very " * 40 + "long sentence.", "a sentence of 43 words"),
    ],
)
def test_a_fault_is_found(text: str, message: str) -> None:
    assert any(message in what for _, what in faults(text))


@pytest.mark.parametrize(
    "text",
    [
        "`set` and `with_` return a changed copy.",
        "The table has one row per point. The load rises; the queue grows.",
        "The code `answer a row a point` and\n\n```text\na row a point\n```\n",
        "One sentence of twenty words. " * 3,
    ],
)
def test_plain_english_passes(text: str) -> None:
    assert faults(text) == []


def test_a_fault_has_its_line() -> None:
    assert faults("One line.\n\nA second one, which\nwaits for ever.\n")[0][0] == 4


def test_help_is_read_as_people_read_it() -> None:
    text = (
        "Runs a spec\n\nUsage: tailback run <SPEC>\n\nOptions:\n"
        "  -o, --out <DIR>  Write one row a\n                   point\n"
        "  -h, --help       Print help\n\n"
        "Examples:\n  tailback run a row a point\n\nLoads are in flits.\n"
    )
    passages = list(check_prose.help_passages("tailback run --help", text))
    assert [p.text for p in passages] == [
        "Runs a spec",
        "Write one row a\npoint",
        "Print help",
        "Loads are in flits.",
    ]
    assert passages[1].line == 6


def test_docstrings_are_read_without_names_and_code() -> None:
    text = (
        'def f(a):\n    """Return a row a point.\n\n    Parameters\n    ----------\n'
        "    a row a point\n        One row a\n        ``point`` or a line a point.\n\n"
        '    Examples\n    --------\n    >>> a row a point\n    """\n'
        '\nX = 1\n"""A text behind a name waits for ever."""\n'
    )
    passages = list(check_prose.docstring_passages("module.py", text))
    assert [p.text for p in passages] == [
        "A text behind a name waits for ever.",
        "Return a row a point.",
        "One row a\nXCODE or a line a point.",
    ]
    lines = {fault[0] for p in passages for fault in check_prose.broken(p, RULES)}
    assert lines == {16, 2, 8}
