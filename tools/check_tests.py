#!/usr/bin/env python3
"""One binary of tests per crate, with all its files. Standard library only.

    tools/check_tests.py

Every binary of tests compiles the loops of the engine again and is linked again. So a crate has one (`tests/it.rs` or `tests/it/main.rs`), and
those that its `Cargo.toml` names besides, each with its reason. A file below `tests` that no binary has as a module would never be
compiled, nor would one below `src` that neither library nor program has, and an example in the documentation of a library that has
`doctest = false` would never be run. Exit code 0: all is so; 1: it is not.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = re.compile(r"^((?: *#\[[^\n]*\]\n)*) *(?:pub(?:\([a-z]+\))? )?mod (\w+);$", re.M)
PATH = re.compile(r'#\[path = "([^"]+)"\]')


def reached(file, root):
    """The files that a file has as modules, itself among them; that of a binary, or of a `#[path]`, is the `mod.rs` of its folder."""
    yield file
    folder = file.parent if root or file.name == "mod.rs" else file.with_suffix("")
    for attributes, name in MODULE.findall(file.read_text(encoding="utf-8")):
        if path := PATH.search(attributes):
            yield from reached((file.parent / path[1]).resolve(), True)
        else:
            places = (folder / f"{name}.rs", folder / name / "mod.rs")
            yield from reached(next(place for place in places if place.is_file()), False)


def binaries(crate):
    """The root file of every binary of tests."""
    manifest = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))
    named = {entry["name"]: entry.get("path") for entry in manifest.get("test", [])}
    if manifest["package"].get("autotests", True):
        named |= dict.fromkeys([file.stem for file in crate.glob("tests/*.rs")] + [file.parent.name for file in crate.glob("tests/*/main.rs")])
    for name, path in named.items():
        places = [path] if path else [f"tests/{name}.rs", f"tests/{name}/main.rs"]
        yield name, next(crate / place for place in places if (crate / place).is_file())


def has_example(file):
    """Whether the documentation in a file has a block of Rust."""
    fences = re.findall(r"^ *(?:///|//!) ```(.*)$", file.read_text(encoding="utf-8"), re.M)
    return any(language in ("", "rust", "no_run", "should_panic") for language in fences[::2])


def main():
    problems = []
    for crate in [*sorted((ROOT / "crates").iterdir()), ROOT / "verify"]:
        found = dict(binaries(crate))
        text = (crate / "Cargo.toml").read_text(encoding="utf-8")
        for name in found if len(found) > 1 else ():
            if name != "it" and not re.search(rf'^# [^\n]*\n\[\[test\]\]\nname = "{name}"$', text, re.M):
                problems.append(f"{crate.name}: the binary of tests `{name}` belongs into `it`, or Cargo.toml says why not")
        if tomllib.loads(text).get("lib", {}).get("doctest") is False:
            sources = sorted(crate.glob("src/**/*.rs"))
            problems += [f"{file.relative_to(ROOT)}: an example that nobody runs" for file in sources if has_example(file)]
        roots = [root for root in (crate / "src/lib.rs", crate / "src/main.rs", *crate.glob("src/bin/*.rs")) if root.is_file()]
        compiled = {file for root in roots for file in reached(root, True)}
        lost = sorted(set(crate.glob("src/**/*.rs")) - compiled)
        problems += [f"{file.relative_to(ROOT)}: neither library nor program has this module" for file in lost]
        files = {file for root in found.values() for file in reached(root, True)}
        for file in sorted(crate.glob("tests/**/*.rs")):
            if file.resolve() not in files and file not in files:
                problems.append(f"{file.relative_to(ROOT)}: no binary of tests has this module")
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
