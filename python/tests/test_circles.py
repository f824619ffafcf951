"""`tools/check_circles.py` finds circles of files, and only those that have more than two."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_circles.py"


def check(folder: Path, files: dict[str, str]) -> tuple[int, str]:
    """Return the exit code and the output of the tool for a crate of these files."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, TOOL, folder], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_a_circle_of_three_is_told_with_its_names(tmp_path: Path) -> None:
    code, said = check(
        tmp_path,
        {
            "lib.rs": "mod a;\nmod b;\nmod c;\n",
            "a.rs": "use crate::b::{B, Other};\n",
            "b.rs": "use super::c::C as D;\n",
            "c/mod.rs": "mod d;\nuse d::D;\n",
            "c/d.rs": "pub(super) use super::super::a::A;\n",
        },
    )
    assert code == 1
    assert "circle of 4 files" in said
    assert "a names crate::b::B" in said


def test_two_files_may_name_each_other_and_tests_may_name_all(tmp_path: Path) -> None:
    code, said = check(
        tmp_path,
        {
            "lib.rs": "mod a;\nmod b;\nmod c;\n",
            "a.rs": "use crate::b::B;\nuse crate::c::C;\n",
            "b.rs": "use crate::a::A;\n",
            "c.rs": "// use crate::a::A;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
        },
    )
    assert code == 0, said
    assert "the largest of 2 files" in said
