#!/usr/bin/env python3
"""Checks the plain English of the documentation, of docstrings and of every page of `--help`.

    tools/check_prose.py TAILBACK [FILE...]

STYLE.md has the rules. `tools/prose.toml` has them as data: limits, phrases to avoid with what to
write instead, and the names of proselint's own checks that apply. Three libraries do the work:
markdown-it-py finds the prose of a page, sentencex its sentences, proselint the phrases. Code,
comments and dated measurements (`<!-- measured: ... -->`) are left out. Without FILE the script
checks all pages, the docstrings of the Python package, and the help of every verb. Exit code 0: no
rule is broken; 1: some are, each with file and line.
"""

import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import sentencex
from markdown_it import MarkdownIt
from markdown_it.token import Token
from proselint import checks as proselint_checks
from proselint.registry.checks import Check, Padding, types

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "tools" / "prose.toml"
WORD = re.compile(r"[\w'/.-]*\w[\w'/-]*")
# Dated measurements, recorded output of a study, and lines of MyST.
NO_PROSE = re.compile(
    r"^(<!-- measured: .*?^<!-- end measured -->$|<!-- results:begin -->$.*?^<!-- results:end -->$"
    r"|:.*?$)",
    re.S | re.M,
)
# Code in a docstring, and the line under the title of a section.
DOC_CODE = re.compile(r"(`+).+?\1", re.S)
UNDERLINE = re.compile(r"-{3,}")
# A new option, argument or command on a page of help.
HELP_ITEM = re.compile(r"^ {2,6}(-{1,2}\w|\[|<|\w+ {2,})")


class Passage(NamedTuple):
    """A paragraph, a cell of a table or the text of an option: prose that stands together."""

    place: str
    line: int
    text: str
    is_paragraph: bool


class Rules(NamedTuple):
    """What `prose.toml` says."""

    words_per_sentence: int
    semicolons_per_sentence: int
    skipped: tuple[str, ...]
    checks: tuple[Check, ...]


def read_rules(text: str) -> Rules:
    """Read the rules; each phrase to avoid becomes a check of proselint."""
    rules = tomllib.loads(text)
    own = tuple(
        Check(
            check_type=types.ExistenceSimple(
                pattern=Padding.WORDS_IN_TEXT.format(f"(?:{avoid['pattern']})"),
                exceptions=tuple(avoid.get("except", ())),
            ),
            path="tailback",
            message=f"'{{}}': {avoid['instead']}",
        )
        for avoid in rules["avoid"]
    )
    wanted = rules["proselint"]
    theirs = tuple(
        check for check in proselint_checks.__register__ if any(map(check.matches_partial, wanted))
    )
    unknown = [name for name in wanted if not any(c.matches_partial(name) for c in theirs)]
    if unknown:
        raise SystemExit(f"{RULES.name}: proselint has no check {', '.join(unknown)}")
    limits = rules["limits"]
    return Rules(
        limits["words_per_sentence"],
        limits["semicolons_per_sentence"],
        tuple(rules["skipped"]),
        own + theirs,
    )


def plain(inline: Token) -> str:
    """Return the text of an inline token: a word for code, line breaks kept."""
    words: list[str] = []
    for number, child in enumerate(inline.children or []):
        if child.type == "text":
            words.append(child.content)
        elif child.type == "code_inline":
            words.append(f"XCODE{number}")
        elif child.type in ("softbreak", "hardbreak"):
            words.append("\n")
    return "".join(words)


def markdown_passages(place: str, text: str) -> Iterator[Passage]:
    """Find the prose of a Markdown page."""
    text = NO_PROSE.sub(lambda block: "\n" * block[0].count("\n"), text)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for before, token in pairwise(tokens):
        if token.type == "inline" and token.map:
            yield Passage(place, token.map[0] + 1, plain(token), before.type == "paragraph_open")


def docstrings(text: str) -> Iterator[tuple[int, str]]:
    """Find the docstrings of a Python file, with the line where each begins."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(ast.parse(text)):
        # An attribute may have a docstring behind it, too, so every text that stands alone counts.
        for statement in node.body if isinstance(node, documented) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                value = statement.value.value
                if isinstance(value, str):
                    yield statement.lineno, value


def docstring_passages(place: str, text: str) -> Iterator[Passage]:
    """Find the prose of docstrings in NumPy's style, without names of parameters and code."""
    for first, docstring in docstrings(text):
        kept: list[str] = []
        start, in_section, literal = first, False, False
        lines = [*inspect.cleandoc(docstring).splitlines(), ""]
        for number, (line, following) in enumerate(pairwise([*lines, ""]), first):
            title = UNDERLINE.fullmatch(following) is not None
            item = in_section and bool(line) and not line.startswith(" ")
            literal = literal and (not line or line.startswith(" "))
            skipped = title or item or literal or line.lstrip().startswith((">>>", "..."))
            if not line or skipped or UNDERLINE.fullmatch(line):
                if kept:
                    prose = DOC_CODE.sub(lambda code: code_word(code[0]), "\n".join(kept))
                    yield Passage(place, start, prose, True)
                kept = []
                in_section = in_section or title
                continue
            start = start if kept else number
            kept.append(line.strip())
            literal = line.endswith("::")


def code_word(code: str) -> str:
    """Return what stands for code in a docstring: a word, and the line breaks of the code."""
    return "XCODE" + "\n" * code.count("\n")


def help_passages(place: str, text: str) -> Iterator[Passage]:
    """Find the prose on a page of help, without examples and usage."""
    kept: list[str] = []
    first, skipping = 1, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        heading = re.fullmatch(r"([A-Z][a-z ]+):", line)
        starts_item = HELP_ITEM.match(line) is not None
        if not line.strip() or starts_item or heading:
            if kept and not skipping:
                yield Passage(place, first, "\n".join(kept), True)
            kept, first = [], number
        if heading:
            skipping = heading[1] in ("Examples", "Try first")
        elif line.startswith("Usage: "):
            continue
        elif starts_item:
            kept = re.split(r" {2,}", line.strip(), maxsplit=1)[1:] or [""]
        elif line.strip():
            skipping = skipping and line.startswith(" ")
            kept.append(line.strip())


def broken(passage: Passage, rules: Rules) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with a passage, with the line of each fault."""
    text = passage.text.replace("\n", " ")

    def line(offset: int) -> int:
        return passage.line + passage.text.count("\n", 0, max(offset, 0))

    if passage.is_paragraph:
        at = 0
        for sentence in sentencex.segment("en", text):
            at = max(text.find(sentence.strip(), at), at)
            words = len(WORD.findall(sentence))
            if words > rules.words_per_sentence:
                yield line(at), f"a sentence of {words} words: '{sentence.strip()[:60]}...'"
            if sentence.count(";") > rules.semicolons_per_sentence:
                yield line(at), f"a chain of semicolons: '{sentence.strip()[:60]}...'"
            at += len(sentence.strip())
    padded = f"\n{text}\n"
    for check in rules.checks:
        for result in check.check_with_flags(padded):
            yield line(result.span[0]), result.message


def help_pages(tailback: str) -> Iterator[tuple[str, str]]:
    """Print the help of every verb."""
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}

    def page(*arguments: str) -> str:
        command = [tailback, *arguments, "--help"]
        return subprocess.run(
            command, text=True, stdout=subprocess.PIPE, env=environment, check=True
        ).stdout

    overview = page()
    yield "tailback --help", overview
    listed = overview.split("Commands:\n")[1].split("\n\n")[0]
    for verb in re.findall(r"^  ([a-z]+) ", listed, re.M):
        yield f"tailback {verb} --help", page(verb)


def file_passages(path: Path) -> Iterator[Passage]:
    """Find the prose of a Markdown page or of a Python file."""
    find = markdown_passages if path.suffix == ".md" else docstring_passages
    return find(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))


def pages(rules: Rules) -> list[Path]:
    """Return the Markdown pages and Python files that are checked, in a fixed order."""
    package = ROOT / "python" / "tailback"
    found = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "papers").rglob("*.md"),
        *package.rglob("*.py"),
        *package.rglob("*.pyi"),
    ]
    return sorted(p for p in found if not any(p.relative_to(ROOT).match(s) for s in rules.skipped))


def main() -> None:
    """Check what the command line names."""
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_file():
        sys.exit("usage: tools/check_prose.py TAILBACK [FILE...]")
    tailback, rules = (
        str(Path(sys.argv[1]).resolve()),
        read_rules(RULES.read_text(encoding="utf-8")),
    )
    named = [Path(name).resolve() for name in sys.argv[2:]]
    passages = [passage for path in named or pages(rules) for passage in file_passages(path)]
    if not named:
        for place, text in help_pages(tailback):
            passages += help_passages(place, text)
    faults = [f"{p.place}:{number}: {what}" for p in passages for number, what in broken(p, rules)]
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    if not faults:
        print(f"prose: {len(passages)} passages, all plain")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
