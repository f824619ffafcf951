#!/usr/bin/env python3
"""Runs docs/tutorial.ipynb and stores what its cells show.

    tools/tutorial.py [--check]

``--check`` writes nothing. It ends with 1 where a cell shows something else than what is stored:
text must be the same, and where a picture or a page is stored there must be one.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat

NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "tutorial.ipynb"

CELL = re.compile(r"/\S*/ipykernel_\d+/\d+\.py")
"""What Python calls the file of a cell."""


def executed(notebook: Any) -> Any:
    """Return a copy of a notebook whose cells were run, in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = nbclient.NotebookClient(
            nbformat.from_dict(notebook), timeout=300, resources=resources
        )
        return client.execute()


def shown(cell: Any) -> list[tuple[str, str]]:
    """Return what a cell shows: texts by their kind; of pictures and pages, that they are there."""
    found = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            found.append((output["name"], output["text"]))
        for kind, data in sorted(output.get("data", {}).items()):
            found.append((kind, data if kind == "text/plain" else "there"))
    return found


def differences(stored: Any, ran: Any) -> list[str]:
    """Return what differs between two notebooks, a paragraph for each cell."""
    told = []
    for number, (one, other) in enumerate(zip(stored.cells, ran.cells, strict=True), 1):
        if one.cell_type == "code" and shown(one) != shown(other):
            was = "\n".join(f"  {kind}: {text}" for kind, text in shown(one))
            now = "\n".join(f"  {kind}: {text}" for kind, text in shown(other))
            told.append(f"cell {number} stored\n{was}\nand shows now\n{now}")
    return told


def tidied(notebook: Any) -> Any:
    """Return a notebook without what differs from run to run: bars, times, numbers of processes."""
    for number, cell in enumerate(notebook.cells, 1):
        cell.metadata, cell.id = {}, f"cell-{number}"
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not is_bar(output)]
            for output in cell.outputs:
                output.get("metadata", {}).clear()
                if output["output_type"] == "stream":
                    output["text"] = CELL.sub("tutorial.ipynb", output["text"])
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    return notebook


def is_bar(output: Any) -> bool:
    """Whether an output is a progress bar, of which nothing is left at the end."""
    return dict(output.get("data", {})) == {"text/plain": ""}


def main() -> int:
    """Run the notebook; store or compare."""
    stored = nbformat.read(NOTEBOOK, as_version=4)
    ran = tidied(executed(stored))
    if "--check" in sys.argv[1:]:
        told = differences(stored, ran)
        print("\n".join(told))
        return 1 if told else 0
    nbformat.write(ran, NOTEBOOK)
    return 0


if __name__ == "__main__":
    sys.exit(main())
