#!/usr/bin/env python3
"""Finds circles of files in the engine: files that name each other's items by `use`, directly or through others.

    tools/check_circles.py [FOLDER]

FOLDER is the `src` of a crate, `crates/engine/src` by default. Modules of tests are left out.
A folder's `mod.rs` is a file like others, and a name that it passes on (`pub use`) is an item of that file.
Two files may name each other: a trait and what it hands out. Standard library only.
Exit code 0: no circle has more than two files; 1: some have, and they are printed with the names that tie them.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.M)


def paths(tree):
    """Return the paths of a use tree: `a::{b, c::D}` is `a::b` and `a::c::D`."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        return [re.sub(r"\s+as\s+\w+$", "", tree)] if tree else []
    head, inner = tree[:brace], tree[brace + 1 : tree.rindex("}")]
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(inner):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append(inner[start:at])
            start = at + 1
    parts.append(inner[start:])
    return [re.sub(r"::self$", "", head + path) for part in parts for path in paths(part)]


def modules(source):
    """Return the file of every module of a crate, by its path as a tuple of names; tests are left out."""
    found = {}
    for file in sorted(source.rglob("*.rs")):
        names = file.relative_to(source).with_suffix("").parts
        if "tests" in names:
            continue
        if names[-1] in ("mod", "lib", "main"):
            names = names[:-1]
        found[names] = file
    return found


def without_tests(text):
    """Return the text before the modules of tests and models that stand at a file's end."""
    return re.split(r"^#\[cfg\([^\n]*\b(?:test|loom)\b[^\n]*\)\]\s*\n(?:#\[[^\n]*\n)*mod \w+ \{", text, maxsplit=1, flags=re.M)[0]


def target(path, module, known):
    """Return the module that holds an item, or None for an item of another crate."""
    names = [name.strip() for name in path.split("::")]
    if names[0] == "crate":
        place = ()
        names = names[1:]
    elif names[0] in ("super", "self"):
        place = module
        while names and names[0] in ("super", "self"):
            place = place[:-1] if names[0] == "super" else place
            names = names[1:]
    elif (*module, names[0]) in known:
        place = module
    else:
        return None
    while names and (*place, names[0]) in known:
        place = (*place, names[0])
        names = names[1:]
    return place


def ties(source):
    """Return for each module the modules that it names, and by which path."""
    known = modules(source)
    found = {module: {} for module in known}
    for module, file in known.items():
        text = re.sub(r"//[^\n]*", "", without_tests(file.read_text(encoding="utf-8")))
        for tree in USE.findall(text):
            for path in paths(re.sub(r"\s+", " ", tree)):
                other = target(path, module, known)
                if other is not None and other != module:
                    found[module].setdefault(other, path)
    return found


def circles(graph):
    """Return the strongly connected parts of a graph with more than one node (Tarjan 1972), without recursion."""
    number, low, on, stack, parts = {}, {}, set(), [], []
    for root in graph:
        if root in number:
            continue
        work = [(root, iter(graph[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(graph[other])))
                    break
                if other in on:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    part = set()
                    while node not in part:
                        part.add(stack.pop())
                    on -= part
                    if len(part) > 1:
                        parts.append(part)
    return parts


def main():
    """Print the circles that are too large."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "crates" / "engine" / "src"
    graph = ties(source)
    found = circles(graph)
    large = [part for part in found if len(part) > 2]
    for part in large:
        print(f"circle of {len(part)} files:")
        for module in sorted(part):
            names = sorted(f"{path}" for other, path in graph[module].items() if other in part)
            print(f"  {'/'.join(module) or 'lib'} names {', '.join(names)}")
    print(f"circles: {len(graph)} files, {len(found)} circles, the largest of {max(map(len, found), default=0)} files")
    return 1 if large else 0


if __name__ == "__main__":
    sys.exit(main())
