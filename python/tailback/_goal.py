"""Programs as GOAL text: the common ground of all importers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tailback._errors import UsageError

#: Ranks of a program at most.
MOST_RANKS = 1 << 20


@dataclass(slots=True)
class RankDraft:
    """The operations of a rank as lines of GOAL, each after what it waits for."""

    lines: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, operation: str, after: Iterable[int] = ()) -> int:
        """Add an operation that waits until others have finished, and return its number."""
        number = self.count
        self.count += 1
        self.lines.append(f"l{number}: {operation}")
        self.lines.extend(f"l{number} requires l{before}" for before in sorted(set(after)))
        return number


class Goal:
    r"""A program of GOAL: operations of ranks that wait for each other.

    `tailback.import_chakra`, `tailback.import_htsim` and `tailback.import_ns3` return one. A spec
    names the file that `write` makes.

    Examples
    --------
    >>> goal = tailback.import_htsim("Nodes 2\nConnections 1\n0->1 start 0 size 4096\n")
    >>> print(goal.text)
    num_ranks 2
    <BLANKLINE>
    rank 0 {
    l0: send 4096b to 1 tag 0
    }
    <BLANKLINE>
    rank 1 {
    l0: recv 4096b from 0 tag 0
    }
    <BLANKLINE>
    """

    def __init__(self, drafts: list[RankDraft]) -> None:
        self._drafts = drafts

    @property
    def ranks(self) -> int:
        """How many ranks the program has."""
        return len(self._drafts)

    @property
    def operations(self) -> int:
        """How many operations all ranks have together."""
        return sum(draft.count for draft in self._drafts)

    def _lines(self) -> Iterator[str]:
        yield f"num_ranks {self.ranks}\n"
        for rank, draft in enumerate(self._drafts):
            yield f"\nrank {rank} {{\n"
            for line in draft.lines:
                yield line + "\n"
            yield "}\n"

    @property
    def text(self) -> str:
        """The program as text."""
        return "".join(self._lines())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the program to a file.

        Parameters
        ----------
        path
            The file. An existing file is replaced only if it is a program.

        Raises
        ------
        UsageError
            If something else than a program is there.
        """
        file = Path(path)
        if file.exists():
            if not file.is_file():
                raise UsageError(f"{file} is no regular file")
            with file.open("rb") as old:
                begin = old.read(10)
            if begin and begin != b"num_ranks ":
                raise UsageError(f"{file} is there and no program; choose another name")
        # The new text takes the name when it is whole.
        temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
        try:
            with temporary.open("x", encoding="ascii") as new:
                new.writelines(self._lines())
            temporary.replace(file)
        finally:
            temporary.unlink(missing_ok=True)

    def __repr__(self) -> str:
        return f"Goal(ranks={self.ranks}, operations={self.operations})"


def drafts(ranks: int, where: str) -> list[RankDraft]:
    """Make empty ranks, as many as a program may have."""
    if not 1 <= ranks <= MOST_RANKS:
        raise UsageError(f"{where}: there are {ranks} ranks, and a program has 1 to {MOST_RANKS}")
    return [RankDraft() for _ in range(ranks)]
