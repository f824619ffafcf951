"""Programs of users under type checkers that are as strict as they can be."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

TYPED = ROOT / "python" / "tests" / "typed"
PROGRAMS = Path(sys.executable).parent


def wanted(name: str) -> list[int]:
    """Return the lines that say that they are wrong."""
    lines = (TYPED / name).read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if "# wrong" in line]


def mypy(name: str, tmp_path: Path) -> tuple[list[int], str]:
    """Return the lines with errors, and all that mypy says; run where our settings are not."""
    program = tmp_path / name
    program.write_bytes((TYPED / name).read_bytes())
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", program.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    errors = re.findall(rf"^{name}:(\d+): error: ", done.stdout, re.M)
    return sorted({int(line) for line in errors}), done.stdout + done.stderr


def pyright(name: str, tmp_path: Path) -> tuple[list[int], str]:
    """Return the lines with errors, and all that pyright says."""
    (tmp_path / name).write_bytes((TYPED / name).read_bytes())
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [str(PROGRAMS / "basedpyright"), "--outputjson", "--pythonpath", sys.executable, name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)["generalDiagnostics"]
    errors = {one["range"]["start"]["line"] + 1 for one in told if one["severity"] == "error"}
    return sorted(errors), json.dumps(told, indent=1)


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_right_program_has_no_errors(checker: object, tmp_path: Path) -> None:
    assert callable(checker)
    errors, told = checker("right.py", tmp_path)
    assert errors == [], told


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_every_mistake_is_found_and_nothing_else(checker: object, tmp_path: Path) -> None:
    assert callable(checker)
    errors, told = checker("wrong.py", tmp_path)
    assert errors == wanted("wrong.py"), told
