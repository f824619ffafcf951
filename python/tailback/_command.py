"""The `tailback` command, as the wheel carries it."""

from __future__ import annotations

import sys
from contextlib import nullcontext

from tailback import _native
from tailback._ranks import started_together


def main() -> None:
    """Run the command line and exit with its code."""
    # The first works in several processes together, the second says that it does not.
    ranks = started_together() if sys.argv[1:2] in (["run"], ["resume"]) else None
    with ranks or nullcontext():
        code = _native.main(list(sys.argv), _elsewhere, ranks)
    sys.exit(code)


def _elsewhere(text: str, out: str, on: str, tasks: int, quiet: bool) -> bool:
    # Only sweeps on clusters need more than the extension module.
    from tailback._cluster import sweep_elsewhere

    return sweep_elsewhere(text, str(out), on, tasks, quiet)
