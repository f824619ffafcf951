"""The functions of `tailback.build`: one for each kind of each section."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping
from typing import Any

from tailback._catalogue import children, documented, identifier, parameters
from tailback._component import Component


class Maker:
    """A function of `tailback.build`. It makes the components of one section and kind."""

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
                raise TypeError(unexpected(self.__name__, name, self._names))
        return Component(self._section, self._kind, named)

    def __repr__(self) -> str:
        kind = "" if self._kind is None else f".{self._kind}"
        return f"<tailback.build.{self._section}{kind}>"


def unexpected(function: str, name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; it takes {', '.join(names) or 'nothing'}"
    return f"{function}() got an unexpected keyword argument {name!r}{hint}"


class Section:
    """A section that has kinds. Each kind is an attribute: a function that makes components."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __repr__(self) -> str:
        return f"<section: {', '.join(vars(self))}>"


def section_of(section: Mapping[str, Any]) -> Any:
    made: Any
    if section["kinds"]:
        made = Section(section["doc"])
        for kind in section["kinds"]:
            maker = Maker(section["path"], kind["name"], kind["summary"], parameters(section, kind))
            setattr(made, identifier(kind["name"]), maker)
    else:
        made = Maker(section["path"], None, section["doc"], parameters(section, None))
    for child in children(section["path"]):
        setattr(made, identifier(child["path"].rpartition(".")[2]), section_of(child))
    return made
