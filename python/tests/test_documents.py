"""Documents, examples, stubs: all that is shown is run."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "docs" / "python.md"]
BLOCK = re.compile(r"^```python run([^\n]*)\n(.*?)^```$", re.S | re.M)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_blocks_of_documents_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    blocks = list(BLOCK.finditer(text))
    assert blocks
    for block in blocks:
        if "frames" in block[1]:
            pytest.importorskip("pandas")
            pytest.importorskip("polars")
        if "xarray" in block[1]:
            pytest.importorskip("xarray")
        # Errors name the line of the document.
        lines = "\n" * text[: block.start(2)].count("\n")
        exec(compile(lines + block[2], str(path), "exec"), names)
    assert list(tmp_path.glob("*.svg"))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("curve", ["examples/mesh.toml", "picture.svg"]),
        ("throttles", ["folder"]),
        ("one_point", []),
    ],
)
def test_examples_run(name: str, arguments: list[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("xarray")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    script = ROOT / "python" / "examples" / f"{name}.py"
    subprocess.run([sys.executable, script, *arguments], cwd=tmp_path, check=True)
    made = [file for file in ("picture.svg", "folder/curve.pdf") if (tmp_path / file).is_file()]
    assert len(made) == (name != "one_point")


def test_every_example_is_run() -> None:
    there = {path.stem for path in (ROOT / "python" / "examples").glob("*.py")}
    assert there == {"curve", "throttles", "one_point"}


def test_the_notebook_shows_what_is_stored() -> None:
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    command = [sys.executable, str(ROOT / "tools" / "tutorial.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_cell_that_shows_something_else_is_noticed() -> None:
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    tool = runpy.run_path(str(ROOT / "tools" / "tutorial.py"))
    stored = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    kinds = {kind for cell in stored.cells for kind, _ in tool["shown"](cell)}
    assert {"stdout", "text/plain", "text/html", "image/png"} <= kinds
    assert tool["differences"](stored, stored) == []
    for output in (
        nbformat.v4.new_output("stream", name="stdout", text="another number"),
        nbformat.v4.new_output("display_data", data={"image/png": "AA=="}),
    ):
        other = nbformat.from_dict(stored)
        cell = next(cell for cell in other.cells if cell.cell_type == "code")
        cell.outputs.append(output)
        assert len(tool["differences"](stored, other)) == 1


def test_stubs_are_fresh() -> None:
    tool = ROOT / "tools" / "python_stubs.py"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_everything_public_is_documented() -> None:
    import tailback

    for name in tailback.__all__:
        thing = getattr(tailback, name)
        if callable(thing):
            assert (thing.__doc__ or "").strip(), name
    assert (Path(tailback.__file__).parent / "py.typed").is_file()
