"""Specs in Python: a function for every kind of every section, made from the catalogue.

``build.topology.torus(radix=[16, 16])`` is the table ``[topology]`` with ``kind = "torus"``;
``build.traffic(load=0.3, pattern=build.traffic.pattern.tornado())`` is ``[traffic]`` with its
sub-table; ``build.spec(topology=..., traffic=..., sweep={...})`` is the whole. Nothing is named
here: what the program knows, this module has. ``help(build.admission.spth)`` shows parameters with
units, ranges and defaults.
"""

from __future__ import annotations

import difflib
import inspect
import keyword
from collections.abc import Mapping
from typing import Any

from tailback import _native
from tailback._component import Component
from tailback._spec import Spec

_CATALOGUE: dict[str, Any] = _native.catalogue()


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


class _Maker:
    """Makes the component of one section and kind."""

    def __init__(self, section: str, kind: str | None, doc: str, params: list[Any]) -> None:
        self._section, self._kind = section, kind
        self._names = [param["name"] for param in params]
        self.__name__ = self.__qualname__ = identifier(kind or section.rpartition(".")[2])
        self.__doc__ = documented(doc, params)
        empty = inspect.Parameter.empty
        self.__signature__ = inspect.Signature(
            [
                inspect.Parameter(
                    identifier(param["name"]),
                    inspect.Parameter.KEYWORD_ONLY,
                    default=empty if param.get("required") else param.get("default"),
                )
                for param in params
            ]
        )

    def __call__(self, **values: Any) -> Component[str]:
        named = {name.removesuffix("_"): value for name, value in values.items()}
        for name in named:
            if name not in self._names:
                raise TypeError(_unexpected(self.__name__, name, self._names))
        return Component(self._section, self._kind, named)

    def __repr__(self) -> str:
        kind = "" if self._kind is None else f".{self._kind}"
        return f"<tailback.build.{self._section}{kind}>"


def _unexpected(function: str, name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; it takes {', '.join(names) or 'nothing'}"
    return f"{function}() got an unexpected keyword argument {name!r}{hint}"


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


class _Section:
    """A section that has kinds: a maker for each, by name."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __repr__(self) -> str:
        return f"<section: {', '.join(vars(self))}>"


def children(path: str) -> list[Any]:
    """Return the sections directly below a path; those at the top below "" ."""
    sections: list[Any] = _CATALOGUE["sections"]
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


def _section(section: Mapping[str, Any]) -> Any:
    made: Any
    if section["kinds"]:
        made = _Section(section["doc"])
        for kind in section["kinds"]:
            maker = _Maker(
                section["path"], kind["name"], kind["summary"], parameters(section, kind)
            )
            setattr(made, identifier(kind["name"]), maker)
    else:
        made = _Maker(section["path"], None, section["doc"], parameters(section, None))
    for child in children(section["path"]):
        setattr(made, identifier(child["path"].rpartition(".")[2]), _section(child))
    return made


def spec(
    *,
    name: str | None = None,
    description: str | None = None,
    preset: str | None = None,
    sweep: Mapping[str, Any] | None = None,
    **tables: Any,
) -> Spec:
    """Make a spec of its tables.

    Parameters
    ----------
    name, description
        What it is called, and what it is for.
    preset
        Named defaults; `presets` lists them.
    sweep
        Values by dotted path, crossed: ``{"traffic.load": [0.1, 0.2]}``, or a range
        ``{"from": 0.1, "to": 0.5, "step": 0.1}``. ``"zip"`` has lists of paths that advance
        together.
    **tables
        The sections, each a component of this module, a dictionary, or the bare name of a kind.
    """
    names = [section["path"] for section in children("")]
    for table, value in tables.items():
        if table not in names:
            raise TypeError(_unexpected("spec", table, names))
        if isinstance(value, Component) and value.section != table:
            raise TypeError(f"{table} takes no {value.section}: {value!r}")
    head = {"name": name, "description": description, "preset": preset}
    return Spec.from_dict({**head, **tables, "sweep": sweep}, name=name or "spec")


def presets() -> dict[str, str]:
    """Return the presets with what they are."""
    return {preset["name"]: preset["summary"] for preset in _CATALOGUE["presets"]}


_SECTIONS = {identifier(section["path"]): _section(section) for section in children("")}
globals().update(_SECTIONS)
__all__ = ["presets", "spec", *_SECTIONS]


def __dir__() -> list[str]:
    return sorted(__all__)
