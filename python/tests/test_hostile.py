"""Hostile arguments: whatever is given, only documented exceptions come out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tailback
from conftest import ROOT
from tailback import Spec, UsageError, build

CASES = int(os.environ.get("TAILBACK_HOSTILE_PYTHON_CASES", "600"))
SEED = int(os.environ.get("TAILBACK_HOSTILE_SEED", "1"))
SCRIPT = ROOT / "python/tests/hostile.py"


def test_only_documented_exceptions_come_out(tmp_path: Path) -> None:
    # The process gives up its rights, and can write here all the same.
    for folder in (tmp_path, *tmp_path.parents[:3]):
        if folder.stat().st_uid == os.geteuid() and folder.name.startswith(("pytest", "test")):
            folder.chmod(0o755 if folder is not tmp_path else 0o777)
    command = [sys.executable, str(SCRIPT), str(SEED), "0", str(CASES), str(tmp_path)]
    ended = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300 + CASES
    )
    lines = ended.stdout.splitlines()
    wrong = [line for line in lines if line.startswith("wrong")]
    last = lines[-1] if lines else "nothing"
    assert not wrong, "\n".join(wrong)
    assert (ended.returncode, last) == (0, "done"), f"{last}: {ended.stderr[-3000:]}"
    assert sum(line.startswith("at ") for line in lines) == CASES


@pytest.mark.parametrize("value", [[], {}])
def test_what_holds_itself_is_refused_in_words(value: list[object] | dict[str, object]) -> None:
    if isinstance(value, list):
        value.append(value)
    else:
        value["kind"] = value
    calls: list[Callable[[], object]] = [
        lambda: Spec.from_dict({"topology": value}),
        lambda: Spec.from_toml("").with_({"topology": value}),
        lambda: build.spec(topology=build.topology.torus(radix=value)),  # type: ignore[arg-type]
        lambda: Spec.from_dict({"topology": np.array([value, None], dtype=object)}),
    ]
    for refused in calls:
        with pytest.raises(UsageError, match="32 levels"):
            refused()


def test_keys_that_are_no_texts_are_refused() -> None:
    with pytest.raises(TypeError, match="keys are texts, not int"):
        tailback.check({"traffic": {1: 2}})
