"""Verbs of the command line, called from Python: options in, JSON out."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tailback import _native
from tailback._errors import SpecError, UsageError
from tailback._progress import Display, ProgressLike
from tailback._spec import Spec

Left = tuple[list[dict[str, Any]], BaseException | None]
"""The JSON objects that a verb printed, and the exception that stopped it."""


def options(values: Mapping[str, Any]) -> list[str]:
    """Return options as the command line has them; None and False say nothing, a list repeats."""
    arguments: list[str] = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
            continue
        several = value if isinstance(value, list | tuple) else [value]
        arguments += [f"{option}={_written(name, one)}" for one in several]
    return arguments


def _written(name: str, value: object) -> str:
    if isinstance(value, list | tuple | dict | set | frozenset):
        raise UsageError(f"`{name}` takes no {type(value).__name__}")
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    return repr(value) if isinstance(value, float) else str(value)


def call(
    verb: str,
    given: Mapping[str, Any],
    *,
    spec: Spec | None = None,
    names: Iterable[str] = (),
    progress: ProgressLike = None,
) -> Left:
    """Call a verb with options, and with a spec or names as its arguments.

    Raises
    ------
    UsageError, SpecError
        With what the command would say; options are named as arguments of Python.
    """
    behind = [spec.name] if spec is not None else list(names)
    arguments = ["tailback", verb, "--json", *options(given), "--", *behind]
    with Display(progress) as display:
        try:
            native = None if spec is None else spec._native
            _, printed, stopped = _native.verb(arguments, native, display.told)
        except SpecError:
            raise
        except UsageError as error:
            raise UsageError(in_python(str(error))) from None
    return [json.loads(line) for line in printed.splitlines() if line.strip()], stopped


_SET = re.compile(r"--set ([\w.]+=\S+?)(?=[;,.]?(?:\s|$))")
_QUOTED = re.compile(r"'--([a-z][a-z-]*)(?: <[^>]*>)?'")
_OPTION = re.compile(r"--([a-z][a-z-]*)\b")


def in_python(message: str) -> str:
    """Return a message of the command line with the words of Python."""
    message = _SET.sub(lambda found: f'spec.set("{found[1]}")', message)
    message = _QUOTED.sub(lambda found: _argument(found[1]), message)
    return _OPTION.sub(lambda found: _argument(found[1]), message)


def _argument(option: str) -> str:
    return "force=True" if option == "force" else option.replace("-", "_")
