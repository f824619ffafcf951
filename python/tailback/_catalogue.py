"""What a spec may say, as the program knows it, in words: for `tailback.build` and its stub."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from typing import Any

from tailback import _native

CATALOGUE: dict[str, Any] = _native.catalogue()


def identifier(name: str) -> str:
    """Return a name as Python can have it: ``lambda`` would be ``lambda_``."""
    return f"{name}_" if keyword.iskeyword(name) else name


def values_text(kind: Mapping[str, Any]) -> str:
    """Return what a parameter may be, in words."""
    match kind["is"]:
        case "choice":
            return " or ".join(f'"{word}"' for word, _ in kind["words"])
        case "component":
            return f"a kind of {kind['section']}"
        case "tables":
            return "a list of tables of " + ", ".join(param["name"] for param in kind["params"])
        case "settings":
            return "a table of paths and values"
        case "integers" | "floats":
            return f"a list of {kind['is']}{_range(kind)}"
        case "integer" if "word" in kind:
            return f'"{kind["word"]}" or an integer{_range(kind)}'
        case other:
            return f"{other}{_range(kind)}"


def _range(kind: Mapping[str, Any]) -> str:
    least, most = kind.get("min"), kind.get("max")
    if most is None:
        return "" if least is None else f" from {least}"
    return f" in {least} to {most}"


def documented(doc: str, params: list[Any]) -> str:
    """Return a docstring with the parameters, their units, ranges and defaults."""
    lines = [doc[:1].upper() + doc[1:].rstrip(".") + "."]
    if params:
        lines += ["", "Parameters", "----------"]
    for param in params:
        unit = f" [{param['unit']}]" if param.get("unit") else ""
        default = (
            ""
            if param.get("required") or "default" not in param
            else f"; default {param['default']!r}"
        )
        lines += [f"{identifier(param['name'])} : {values_text(param['type'])}{default}"]
        lines += [f"    {param['doc'].rstrip('.')}{unit}."]
    return "\n".join(lines)


def children(path: str) -> list[Any]:
    """Return the sections directly below a path; those at the top below "" ."""
    sections: list[Any] = CATALOGUE["sections"]
    return [s for s in sections if s["path"].rpartition(".")[0] == path]


def child_param(section: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameter that stands for a sub-table."""
    what = {"is": "component", "section": section["path"]}
    return {
        "name": section["path"].rpartition(".")[2],
        "type": what,
        "doc": section["doc"],
        "unit": "",
    }


def parameters(section: Mapping[str, Any], kind: Mapping[str, Any] | None) -> list[Any]:
    """Return all that a section takes when a kind is chosen, its sub-tables last."""
    own = [] if kind is None else kind["params"]
    return [*section["params"], *own, *map(child_param, children(section["path"]))]
