"""The `tailback` command, as the wheel carries it."""

from __future__ import annotations

import sys

from tailback import _native


def main() -> None:
    """Run the command line and exit with its code."""
    sys.exit(_native.main([sys.argv[0], *sys.argv[1:]], _elsewhere))


def _elsewhere(text: str, out: str, on: str, tasks: int, quiet: bool) -> bool:
    # Only sweeps on clusters need more than the extension module.
    from tailback._cluster import sweep_elsewhere

    return sweep_elsewhere(text, str(out), on, tasks, quiet)
