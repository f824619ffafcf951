#!/usr/bin/env python3
"""Builds the site of the documentation: pages, gallery, Python reference, search.

    tools/build_site.py TAILBACK OUT

`OUT/source` gets copies of the Markdown pages, whose links are turned to where the pages stand on the site, the gallery with the
pictures that `docs/gallery/gallery.toml` declares, and a list of what the Python package has. Sphinx makes `OUT/html` of that; any
warning of it is an error, so links that lead nowhere are. Nothing is fetched, and the site needs no server.
"""

import inspect
import os
import re
import shutil
import sys
from pathlib import Path

import sphinx.cmd.build
from check_docs import PROMISE, ROOT, blocks
from gallery import pages_of_gallery

import tailback

LINK = re.compile(r"(?P<code>`[^`\n]*`)|(?P<text>!?\[[^\]]*\])\((?P<target>[^)\s]+)\)")
PROJECT = ("ARCHITECTURE", "STYLE", "CONTRIBUTING", "CHANGELOG", "THIRD_PARTY")


def places():
    """Return where each page and picture of the repository stands on the site."""
    found = {p: p.relative_to(ROOT / "docs") for p in (ROOT / "docs").rglob("*.md")}
    found |= {p: p.relative_to(ROOT / "docs") for p in (ROOT / "docs" / "pictures").glob("*")}
    found |= {ROOT / f"{name}.md": Path("project") / f"{name.lower()}.md" for name in PROJECT}
    found |= {p: Path("papers") / f"{p.parent.name}.md" for p in (ROOT / "papers").glob("*/README.md")}
    found[ROOT / "docs" / "tutorial.ipynb"] = Path("tutorial.ipynb")
    return found | {ROOT / "README.md": Path("index.md")}


def turned(path, line, where):
    """Turn the links of a line to the pages of the site; a link to anything else becomes its text."""

    def turn(match):
        if match["code"] or re.match(r"[a-z]+:|#", match["target"]):
            return match[0]
        file, _, part = match["target"].partition("#")
        place = where.get((path.parent / file).resolve())
        if place is None:
            return match["text"][1:-1]
        anchor = f"#{part}" if part and place.name != "index.md" else ""
        return f"{match['text']}({os.path.relpath(place, where[path].parent)}{anchor})"

    return LINK.sub(turn, line)


def stage(path, where, source):
    """Copy a page: links turned, promises to the tests left out."""
    text = path.read_text(encoding="utf-8")
    _, prose = blocks(text)
    lines = [
        turned(path, line, where) if plain else line
        for line, plain in zip(text.splitlines(), prose, strict=True)
        if not PROMISE.match(line)
    ]
    target = source / where[path]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def list_siblings(page):
    """Let the first page of a folder lead to the others, in the site's table of contents."""
    names = sorted(other.stem for other in page.parent.glob("*.md") if other != page)
    listed = "\n".join(["", "```{toctree}", ":hidden:", "", *names, "```", ""])
    page.write_text(page.read_text(encoding="utf-8") + listed, encoding="utf-8")


def list_new_pages(index):
    """Put pages that the first page does not name into a group of their own, so that no page is lost."""
    text = index.read_text(encoding="utf-8")
    pages = {page.stem for page in index.parent.glob("*.md")} - {"index"}
    new = sorted(page for page in pages if not re.search(rf"^{re.escape(page)}$", text, re.M))
    if new:
        listed = "\n".join(["", "```{toctree}", ":hidden:", ":caption: More", "", *new, "```", ""])
        index.write_text(text + listed, encoding="utf-8")


def python_reference():
    """Return the page that lists what the package has, in groups; autosummary makes a page of each."""
    groups = {"Functions": [], "Classes": [], "Errors and warnings": [], "Types": []}
    for name in tailback.__all__:
        member = getattr(tailback, name)
        if inspect.isfunction(member):
            groups["Functions"].append(name)
        elif inspect.isclass(member):
            groups["Errors and warnings" if issubclass(member, BaseException) else "Classes"].append(name)
        elif not inspect.ismodule(member):
            groups["Types"].append(name)
    lines = ["Python reference", "================", "", ".. currentmodule:: tailback", ""]
    for title, names in groups.items():
        if names:
            lines += [title, "-" * len(title), "", ".. autosummary::", "   :toctree: generated", ""]
            lines += [f"   {name}" for name in names] + [""]
    return "\n".join(lines)


def main():
    if len(sys.argv) != 3 or not Path(sys.argv[1]).is_file():
        sys.exit("usage: tools/build_site.py TAILBACK OUT")
    program, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    source, where = out / "source", places()
    shutil.rmtree(source, ignore_errors=True)
    for path in where:
        if path.suffix == ".md" and path != ROOT / "README.md":
            stage(path, where, source)
    list_new_pages(source / "index.md")
    for page in source.glob("*/README.md"):
        list_siblings(page)
    shutil.copy(ROOT / "docs" / "tutorial.ipynb", source)
    shutil.copytree(ROOT / "docs" / "pictures", source / "pictures")
    shutil.copytree(ROOT / "docs" / "site" / "_static", source / "_static")
    (source / "reference").mkdir()
    (source / "reference" / "index.rst").write_text(python_reference(), encoding="utf-8")
    pages_of_gallery(program, source / "gallery", out / "pictures")
    html = out / "html"
    sys.exit(sphinx.cmd.build.main(["-W", "--keep-going", "-q", "-c", str(ROOT / "docs" / "site"), "-d", str(out / "doctrees"),
                                    str(source), str(html)]))


if __name__ == "__main__":
    main()
