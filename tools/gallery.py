#!/usr/bin/env python3
"""Makes the gallery: runs the command of every picture that `docs/gallery/gallery.toml` declares, and writes its page.

    tools/gallery.py TAILBACK [--write] [--slow]

makes the pictures again that are stored for the README, and compares them byte for byte; `--write` replaces the stored ones instead.
`--slow` does so with the stored pictures that take minutes, which are left out otherwise.
Standard library only. Exit code 0: they are the same; 1: some are not.

A picture is a table `[[picture]]` with these keys:

* `name`: the page's name; `title` and `shows`, one sentence each: what it is, what one sees;
* `group`: the part of the gallery in which it stands;
* `spec`: the spec, a file of the repository, or none;
* `command`: what makes it, lines of bash that are run in a folder with `examples`, `papers` and `gallery`, the specs of the gallery;
* `picture`: the file that the command leaves there, a pattern that one file matches; or
* `stored`: a file of the repository that holds this picture, too;
* `slow`: true where the command takes minutes. The site then shows the stored picture;
* `prints`: a regular expression that what the command prints must match; the text is then shown in place of a picture.

Pictures are kept beside the site under the hash of the program, the specs and the entry, and made again when one of them changes.
"""

import hashlib
import re
import shutil
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from check_docs import ROOT, run_block

GALLERY = ROOT / "docs" / "gallery"


def entries():
    """Return what the gallery declares."""
    return tomllib.loads((GALLERY / "gallery.toml").read_text(encoding="utf-8"))["picture"]


def key(program, entry):
    """Return a hash of everything that a picture depends on."""
    parts = [program.read_bytes(), repr(sorted(entry.items())).encode()]
    if "spec" in entry:
        parts.append((ROOT / entry["spec"]).read_bytes())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def make(program, entry, kept):
    """Run the command of an entry; returns the file with the picture, or with the text."""
    place = kept / key(program, entry)
    if done := list(place.glob("*")):
        return done[0]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        shutil.copytree(ROOT / "papers", Path(folder) / "papers")
        shutil.copytree(GALLERY, Path(folder) / "gallery")
        code, output = run_block(["bash", "-euo", "pipefail", "-c", entry["command"]], "", folder, program)
        if code != entry.get("exit", 0):
            raise SystemExit(f"gallery, {entry['name']}: exit code {code}\n{output}")
        place.mkdir(parents=True)
        if "prints" in entry:
            if not re.search(entry["prints"], output, re.M):
                raise SystemExit(f"gallery, {entry['name']}: the output has no `{entry['prints']}`\n{output}")
            (place / "text.txt").write_text(output, encoding="utf-8")
            return place / "text.txt"
        found = sorted(Path(folder).glob(entry["picture"]))
        if len(found) != 1:
            raise SystemExit(f"gallery, {entry['name']}: {entry['picture']} matches {len(found)} files, not one")
        return shutil.copy(found[0], place / f"{entry['name']}{found[0].suffix}")


def shown(file):
    """Return the Markdown that shows a picture, or a text."""
    if file.suffix == ".txt":
        return f"```text\n{file.read_text(encoding='utf-8')}```"
    return f"```{{image}} {file.name}\n:class: picture\n```"


def page(entry, file):
    """Return the page of a picture: what one sees, the command, the spec."""
    parts = [f"# {entry['title']}", entry["shows"], shown(file), "## The command", f"```sh\n{entry['command'].strip()}\n```"]
    if "spec" in entry:
        text = (ROOT / entry["spec"]).read_text(encoding="utf-8")
        parts += ["## The spec", f"`{entry['spec']}`", f"```toml\n{text}```"]
    return "\n\n".join(parts) + "\n"


def card(entry, file):
    """Return the card that leads to a picture's page."""
    image = f":img-top: {file.name}\n" if file.suffix != ".txt" else ""
    return f":::{{grid-item-card}} {entry['title']}\n:link: {entry['name']}\n:link-type: doc\n{image}\n{entry['shows']}\n:::"


def pages_of_gallery(program, target, kept):
    """Make all pictures and write the pages of the gallery into `target`."""
    target.mkdir(parents=True)
    groups, made, declared = {}, {}, entries()
    # Most commands keep one core busy.
    with ThreadPoolExecutor(2) as pool:
        files = list(pool.map(lambda e: ROOT / e["stored"] if e.get("slow") else Path(make(program, e, kept)), declared))
    for entry, file in zip(declared, files, strict=True):
        made[entry["name"]] = shutil.copy(file, target / file.name) if file.suffix != ".txt" else file
        (target / f"{entry['name']}.md").write_text(page(entry, file), encoding="utf-8")
        groups.setdefault(entry["group"], []).append(entry)
    lines = ["# Gallery", "", f"{len(made)} pictures. Each page has the command that made its picture, and the spec.", ""]
    for group, members in groups.items():
        lines += [f"## {group}", "", "::::{grid} 1 2 3 3", ":gutter: 3", ""]
        lines += ["\n\n".join(card(entry, Path(made[entry["name"]])) for entry in members), "", "::::", ""]
    names = "\n".join(entry["name"] for entry in declared)
    lines += ["```{toctree}", ":hidden:", "", names, "```", ""]
    (target / "index.md").write_text("\n".join(lines), encoding="utf-8")


def main():
    arguments = [a for a in sys.argv[1:] if a not in ("--write", "--slow")]
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        sys.exit("usage: tools/gallery.py TAILBACK [--write] [--slow]")
    program, problems, slow = Path(arguments[0]).resolve(), 0, "--slow" in sys.argv
    asked = [entry for entry in entries() if "stored" in entry and entry.get("slow", False) == slow]

    def again(entry):
        with tempfile.TemporaryDirectory() as kept:
            return Path(make(program, entry, Path(kept))).read_bytes()

    with ThreadPoolExecutor(2) as pool:
        pictures = list(pool.map(again, asked))
    for entry, made in zip(asked, pictures, strict=True):
        stored = ROOT / entry["stored"]
        if stored.is_file() and stored.read_bytes() == made:
            continue
        if "--write" in sys.argv:
            stored.write_bytes(made)
            print(f"rewrote {entry['stored']}")
        else:
            print(f"{entry['stored']}: the command makes another picture now; `make docs` rewrites it", file=sys.stderr)
            problems += 1
    if "--write" not in sys.argv and not problems:
        print(f"gallery: {len(asked)} stored pictures are what their commands make")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
