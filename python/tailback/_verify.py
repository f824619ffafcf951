"""Runs capsules again and compares the results."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from tailback._errors import UsageError, stopped_by_user
from tailback._progress import ProgressLike
from tailback._verb import call


@dataclass(frozen=True, slots=True)
class Difference:
    """A column whose value differs.

    Attributes
    ----------
    column
        Name of the column.
    was
        Its value in the capsule.
    now
        Its value in the new run.
    """

    column: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of running one capsule again.

    Attributes
    ----------
    capsule
        The file of the capsule.
    point_id
        Identity of its run; None if the file is not a capsule.
    verdict
        Whether the results are the same or different, or the file is damaged or unreadable.
    differences
        Columns whose values differ.
    remark
        Why the capsule could not be run, or a hint on the comparison; None if there is neither.
    """

    capsule: str
    point_id: str | None
    verdict: Literal["same", "different", "damaged", "unreadable"]
    differences: tuple[Difference, ...]
    remark: str | None

    @property
    def same(self) -> bool:
        """Whether all results are the same as in the capsule."""
        return self.verdict == "same"


def verify(
    *capsules: str | os.PathLike[str], progress: ProgressLike = None
) -> tuple[Verified, ...]:
    """Run capsules again and compare the results.

    Parameters
    ----------
    *capsules
        Files of capsules, or folders that contain them.
    progress
        As for `run`.

    Returns
    -------
    tuple of Verified
        One entry per capsule.

    Raises
    ------
    TypeError
        If no capsule is given.
    UsageError
        If a file does not exist, or if a single file is not a capsule.
    Interrupted
        After Ctrl-C. Its attribute ``result`` holds what was compared by then.

    Examples
    --------
    >>> run = tailback.run({"topology": {"kind": "torus", "radix": [4, 4]}})[0]
    >>> run.write_capsule("run.capsule")
    >>> tailback.verify("run.capsule")[0].verdict
    'same'
    """
    if not capsules:
        raise TypeError("verify() needs a capsule, or a folder that holds some")
    names = [os.fspath(capsule) for capsule in capsules]
    for name in names:
        if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
            # A pipe that nobody writes to would be waited for, for ever.
            raise UsageError(f"{name} is a device or a pipe, and neither a capsule nor a folder")
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
