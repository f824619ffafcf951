#!/usr/bin/env python3
"""Writes the types of `tailback.build` and of columns from what the installed package knows.

    tools/python_stubs.py [--check]

``--check`` writes nothing and ends with 1 where a file is stale.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tailback import _native
from tailback._catalogue import CATALOGUE, child_param, children, documented, identifier, parameters

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "tailback"

KINDS = '''\
"""Types of the sections of `tailback.build`, written by tools/python_stubs.py."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from tailback._component import Component

Integers: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]
Floats: TypeAlias = Sequence[float] | npt.NDArray[np.floating[Any] | np.integer[Any]]
'''

BUILD = '''\
"""Types of `tailback.build`, written by tools/python_stubs.py from the catalogue."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from tailback import _kinds
from tailback._spec import Spec
'''

COLUMNS = '''\
"""Names of the columns of records by type, written by tools/python_stubs.py."""

from typing import Literal, TypeAlias
'''

PLAIN = {
    "bool": "bool",
    "float": "float",
    "text": "str",
    "path": "str | PathLike[str]",
    "integers": "Integers",
    "floats": "Floats",
    "rows": "Sequence[Integers]",
    "settings": "Mapping[str, Any]",
}

SPEC_DOC = "Make a spec of its tables; see the module."


def camel(path: str) -> str:
    """Return the class name of a dotted path."""
    return "".join(word.capitalize() for word in path.replace(".", "_").split("_"))


def type_of(kind: Mapping[str, Any], tables: str) -> str:
    """Return the type of a parameter's value; `tables` names that of a list of tables."""
    match kind["is"]:
        case "choice":
            return f"Literal[{', '.join(repr(word) for word, _ in kind['words'])}]"
        case "component":
            known = any(section["path"] == kind["section"] for section in CATALOGUE["sections"])
            # What is written within a section is a table.
            return f"{camel(kind['section'])}Like" if known else "Mapping[str, Any]"
        case "tables":
            return f"Sequence[{tables}]"
        case "integer":
            return "int" + (f" | Literal[{kind['word']!r}]" if "word" in kind else "")
        case other:
            return PLAIN[other]


def method(name: str, section: str, doc: str, params: list[Any]) -> Iterator[str]:
    """Yield a method that makes a component."""
    yield f"    def {name}("
    yield "        self,"
    if params:
        yield "        *,"
    for param in params:
        tables = f"{camel(section)}{camel(param['name'])}"
        default = "" if param.get("required") else " = ..."
        yield f"        {identifier(param['name'])}: {type_of(param['type'], tables)}{default},"
    yield f"    ) -> Component[Literal[{section!r}]]:"
    text = documented(doc, params).replace("\\", "\\\\")
    yield textwrap.indent(f'"""{text}\n"""' if "\n" in text else f'"""{text}"""', "        ")


def typed_dicts(section: str, params: list[Any]) -> Iterator[str]:
    """Yield the types of the rows of parameters that are lists of tables."""
    for param in params:
        if param["type"]["is"] == "tables":
            yield f"class {camel(section)}{camel(param['name'])}(TypedDict, total=False):"
            yield f'    """{param["doc"]}"""\n'
            for inner in param["type"]["params"]:
                yield f"    {inner['name']}: {type_of(inner['type'], 'Mapping[str, Any]')}"
                yield f'    """{inner["doc"]}{unit(inner)}"""'
            yield ""


def unit(param: Mapping[str, Any]) -> str:
    """Return the unit in brackets, where there is one."""
    return f" [{param['unit']}]" if param["unit"] else ""


def like(section: Mapping[str, Any]) -> str:
    """Return the alias of what a section's table may be."""
    path = section["path"]
    words = "".join(f", {kind['name']!r}" for kind in section["kinds"])
    bare = f" | Literal[{words[2:]}]" if words else ""
    return f"{camel(path)}Like: TypeAlias = Component[Literal[{path!r}]] | Mapping[str, Any]{bare}"


def section_class(section: Mapping[str, Any]) -> Iterator[str]:
    """Yield the class of a section, those of its sub-tables first."""
    path = section["path"]
    below = children(path)
    for child in below:
        yield from section_class(child)
    every = [*section["params"], *(p for kind in section["kinds"] for p in kind["params"])]
    yield from typed_dicts(path, every)
    yield like(section)
    yield ""
    yield f"class {camel(path)}:"
    yield f'    """{section["doc"]}"""\n'
    for child in below:
        name = child["path"].rpartition(".")[2]
        yield f"    {identifier(name)}: Final[{camel(child['path'])}]"
    for kind in section["kinds"]:
        yield from method(
            identifier(kind["name"]), path, kind["summary"], parameters(section, kind)
        )
    if not section["kinds"]:
        yield from method("__call__", path, section["doc"], parameters(section, None))
    yield ""


def kinds() -> str:
    """Return the types of all sections."""
    lines = [KINDS]
    for section in children(""):
        lines += section_class(section)
    return "\n".join(lines)


def build() -> str:
    """Return the stub of `tailback.build`: only what users may name."""
    top = children("")
    lines = [BUILD]
    lines += [f"{identifier(s['path'])}: Final[_kinds.{camel(s['path'])}]" for s in top]
    presets = ", ".join(repr(preset["name"]) for preset in _native.catalogue()["presets"])
    lines += [
        "",
        "def presets() -> dict[str, str]: ...",
        "def spec(",
        "    *,",
        "    name: str | None = ...,",
        "    description: str | None = ...,",
    ]
    lines += [
        f"    preset: Literal[{presets}] | None = ...,",
        "    sweep: Mapping[str, Any] | None = ...,",
    ]
    for section in top:
        param = child_param(section)
        what = f"_kinds.{type_of(param['type'], '')}"
        lines.append(f"    {identifier(param['name'])}: {what} | None = ...,")
    lines += [") -> Spec:", f'    """{SPEC_DOC}"""', ""]
    return "\n".join(lines)


def columns() -> str:
    """Return the names of columns by the type of their values."""
    lines = [COLUMNS]
    for kind, alias in (
        ("float", "FloatColumn"),
        ("integer", "IntegerColumn"),
        ("bool", "BoolColumn"),
        ("text", "TextColumn"),
    ):
        names = [name for name, _, _, of in _native.columns() if of == kind]
        if len(names) == 1:
            lines.append(f'{alias}: TypeAlias = Literal["{names[0]}"]')
        else:
            lines += [f"{alias}: TypeAlias = Literal[", *(f'    "{name}",' for name in names), "]"]
    return "\n".join(lines) + "\n"


FILES = {"_kinds.pyi": kinds, "build.pyi": build, "_columns.py": columns}


def main() -> int:
    """Write the files, or compare them."""
    stale = [
        name
        for name, text in FILES.items()
        if not (PACKAGE / name).is_file() or (PACKAGE / name).read_text("utf-8") != text()
    ]
    if "--check" not in sys.argv[1:]:
        for name in stale:
            (PACKAGE / name).write_text(FILES[name](), encoding="utf-8")
        return 0
    for name in stale:
        print(f"{name} is stale: run tools/python_stubs.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
