"""Programs as GOAL text: the common ground of all importers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tailback._errors import UsageError

#: Ranks of a program at most.
MOST_RANKS = 1 << 20


#: Bytes of the text of a program at most: some fifteen million operations.
_MOST_TEXT = 1 << 30


@dataclass(slots=True)
class _Room:
    """Room for text that all ranks of a program share: a small file may ask for a long program."""

    left: int

    def take(self, text: bytes) -> None:
        self.left -= len(text)
        if self.left < 0:
            raise UsageError(
                f"the program has more than {_MOST_TEXT} bytes as GOAL; make it smaller"
            )


@dataclass(slots=True)
class RankDraft:
    """The operations of a rank as lines of GOAL, each after what it waits for."""

    room: _Room
    text: bytearray = field(default_factory=bytearray)
    count: int = 0

    def add(
        self, operation: str, after: Iterable[int] = (), after_start: Iterable[int] = ()
    ) -> int:
        """Add an operation that waits until others have finished, or started; return its number."""
        number = self.count
        self.count += 1
        waits = "".join(f"l{number} requires l{before}\n" for before in sorted(set(after)))
        waits += "".join(f"l{number} irequires l{before}\n" for before in sorted(set(after_start)))
        lines = f"l{number}: {operation}\n{waits}".encode("ascii")
        self.room.take(lines)
        self.text += lines
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

    def _parts(self) -> Iterator[bytes | bytearray]:
        yield b"num_ranks %d\n" % self.ranks
        for rank, draft in enumerate(self._drafts):
            yield b"\nrank %d {\n" % rank
            yield draft.text
            yield b"}\n"

    @property
    def text(self) -> str:
        """The program as text."""
        return b"".join(self._parts()).decode("ascii")

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the program to a file, whole or not at all.

        Parameters
        ----------
        path
            The file. An existing file is replaced only if it is a program. A symbolic link is
            followed.
        force
            Whether any other regular file is replaced, too.

        Raises
        ------
        UsageError
            If something else than a program is there.
        """
        file = Path(os.path.realpath(path))
        # The new text takes the name when it is whole.
        temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
        try:
            if file.exists():
                _check_replaced(file, force=force)
            with temporary.open("xb") as new:
                new.writelines(self._parts())
            temporary.replace(file)
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror}") from None
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()

    def __repr__(self) -> str:
        return f"Goal(ranks={self.ranks}, operations={self.operations})"


def _check_replaced(file: Path, *, force: bool) -> None:
    """Refuse to replace what is no regular file, or no program."""
    if not file.is_file():
        raise UsageError(f"{file} is no regular file")
    with file.open("rb") as old:
        begin = old.read(10)
    if begin and begin != b"num_ranks " and not force:
        raise UsageError(f"{file} is there and no program; choose another name, or use force=True")


def drafts(ranks: int, where: str) -> list[RankDraft]:
    """Make empty ranks, as many as a program may have."""
    if not 1 <= ranks <= MOST_RANKS:
        raise UsageError(f"{where}: there are {ranks} ranks, and a program has 1 to {MOST_RANKS}")
    room = _Room(_MOST_TEXT)
    return [RankDraft(room) for _ in range(ranks)]
