#!/usr/bin/env python3
"""Writes the type stub of `tailback.build` from the catalogue of the installed package.

    tools/python_stubs.py [--check]

``--check`` writes nothing and ends with 1 where the stub is stale.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tailback import _native
from tailback.build import child_param, children, documented, identifier, parameters

STUB = Path(__file__).resolve().parent.parent / "python" / "tailback" / "build.pyi"

HEAD = '''\
"""Types of `tailback.build`, written by tools/python_stubs.py from the catalogue."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from tailback._component import Component
from tailback._spec import Spec

_Integers: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]
_Floats: TypeAlias = Sequence[float] | npt.NDArray[np.floating[Any] | np.integer[Any]]

def identifier(name: str) -> str: ...
def values_text(kind: Mapping[str, Any]) -> str: ...
def documented(doc: str, params: list[Any]) -> str: ...
def children(path: str) -> list[Any]: ...
def child_param(section: Mapping[str, Any]) -> dict[str, Any]: ...
def parameters(section: Mapping[str, Any], kind: Mapping[str, Any] | None) -> list[Any]: ...
def presets() -> dict[str, str]: ...
'''

PLAIN = {
    "bool": "bool",
    "float": "float",
    "text": "str",
    "path": "str | PathLike[str]",
    "integers": "_Integers",
    "floats": "_Floats",
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
            return f"_{camel(kind['section'])}Like"
        case "tables":
            return f"Sequence[{tables}]"
        case "integer":
            return "int" + (f" | Literal[{kind['word']!r}]" if "word" in kind else "")
        case other:
            return PLAIN[other]


def method(name: str, section: str, doc: str, params: list[Any]) -> Iterator[str]:
    """Yield a method that makes a component.

    No parameter is required: a preset or a sweep may give it.
    """
    yield f"    def {name}("
    yield "        self,"
    if params:
        yield "        *,"
    for param in params:
        tables = f"{camel(section)}{camel(param['name'])}"
        yield f"        {identifier(param['name'])}: {type_of(param['type'], tables)} = ...,"
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
    return f"_{camel(path)}Like: TypeAlias = Component[Literal[{path!r}]] | Mapping[str, Any]{bare}"


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
    yield f"class _{camel(path)}:"
    yield f'    """{section["doc"]}"""\n'
    for child in below:
        name = child["path"].rpartition(".")[2]
        yield f"    {identifier(name)}: Final[_{camel(child['path'])}]"
    for kind in section["kinds"]:
        yield from method(
            identifier(kind["name"]), path, kind["summary"], parameters(section, kind)
        )
    if not section["kinds"]:
        yield from method("__call__", path, section["doc"], parameters(section, None))
    yield ""


def stub() -> str:
    """Return the whole stub."""
    lines = [HEAD]
    top = children("")
    for section in top:
        lines += section_class(section)
    lines += [f"{identifier(s['path'])}: Final[_{camel(s['path'])}]" for s in top]
    presets = ", ".join(repr(preset["name"]) for preset in _native.catalogue()["presets"])
    lines += [
        "",
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
        lines.append(f"    {identifier(param['name'])}: {type_of(param['type'], '')} | None = ...,")
    lines += [") -> Spec:", f'    """{SPEC_DOC}"""', ""]
    return "\n".join(lines)


def main() -> int:
    """Write the stub, or compare it."""
    text = stub()
    if "--check" not in sys.argv[1:]:
        STUB.write_text(text, encoding="utf-8")
        return 0
    if STUB.is_file() and STUB.read_text(encoding="utf-8") == text:
        return 0
    print(f"{STUB.name} is stale: run tools/python_stubs.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
