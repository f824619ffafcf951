"""Capsules run again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from tailback._errors import stopped_by_user
from tailback._progress import ProgressLike
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Difference:
    """A column that came out otherwise: what the capsule says, and what came out now."""

    column: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of running a capsule again.

    Attributes
    ----------
    capsule
        Its file.
    point_id
        Identity of its run; None for a file that is no capsule.
    verdict
        A word: the same came out, something else did, or the file is damaged or cannot be read.
    differences
        Columns that differ.
    remark
        Why it could not be run, or what one should know beside; None for nothing.
    """

    capsule: str
    point_id: str | None
    verdict: Literal["same", "different", "damaged", "unreadable"]
    differences: tuple[Difference, ...]
    remark: str | None

    @property
    def same(self) -> bool:
        """Whether all that the capsule says came out again."""
        return self.verdict == "same"


def verify(
    *capsules: str | os.PathLike[str], progress: ProgressLike = None
) -> tuple[Verified, ...]:
    """Run capsules again and compare what comes out.

    Parameters
    ----------
    *capsules
        Files, or folders that hold them.
    progress
        As for `run`.

    Raises
    ------
    UsageError
        For files that are not there, and a single file that is no capsule.
    Interrupted
        After Ctrl-C, with what was compared by then as ``result``.
    """
    if not capsules:
        raise TypeError("verify() needs a capsule, or a folder that holds some")
    names = [os.fspath(capsule) for capsule in capsules]
    printed, stopped = call("verify", {}, names=names, progress=progress)
    verified = tuple(
        Verified(
            capsule=row["capsule"],
            point_id=row["point_id"],
            verdict=row["verdict"],
            differences=tuple(Difference(**difference) for difference in row["differences"]),
            remark=row["remark"],
        )
        for row in printed
    )
    if isinstance(stopped, KeyboardInterrupt):
        message = f"interrupted; {len(verified)} capsules were compared, in `result`"
        raise stopped_by_user(message, verified) from stopped
    if stopped is not None:
        raise stopped
    return verified
