"""The `tailback` command, as the wheel carries it."""

from __future__ import annotations

import sys

from tailback import _native


def main() -> None:
    """Run the command line and exit with its code."""
    sys.exit(_native.main(["tailback", *sys.argv[1:]]))
