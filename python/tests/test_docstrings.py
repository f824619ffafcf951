"""Docstrings of what users call: complete, and with examples that do what they show."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tailback

MODULES = [
    "tailback",
    *(f"tailback.{module.name}" for module in pkgutil.iter_modules(tailback.__path__)),
]
# They need libraries that a user may lack, or they are the extension module.
LEFT_OUT = ("tailback._native", "tailback._ranks", "tailback._xarray", "tailback._cluster")
FUNCTIONS: list[Callable[..., Any]] = [
    value for name in tailback.__all__ if inspect.isfunction(value := getattr(tailback, name))
] + [tailback.build.spec, tailback.Rule, tailback.LocalRule, tailback.Pattern]


def sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each section of a docstring in NumPy's style."""
    parts = re.split(r"^([A-Z][a-z]+)\n-{3,}\n", text, flags=re.M)
    return {title: body.splitlines() for title, body in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_is_documented_as_a_whole(function: Callable[..., Any]) -> None:
    found = sections(inspect.getdoc(function) or "")
    named = ", ".join(line for line in found.get("Parameters", []) if not line.startswith(" "))
    documented = {name.strip().lstrip("*") for name in named.split(",")} - {""}
    signature = inspect.signature(function)
    assert documented == set(signature.parameters)
    assert any(line.startswith(">>>") for line in found.get("Examples", []))
    if signature.parameters and inspect.isfunction(function):
        assert found.get("Returns")
        assert found.get("Raises")


@pytest.mark.parametrize("name", [name for name in MODULES if name not in LEFT_OUT])
def test_examples_do_what_they_show(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    module = import_module(name)
    failed, _ = doctest.testmod(module, extraglobs={"tailback": tailback}, raise_on_error=False)
    assert failed == 0
