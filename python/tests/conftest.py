"""Small specs that run in a moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import tailback

ROOT = Path(__file__).resolve().parents[2]

# Whoever starts the tests in the background may have Ctrl-C ignored, here and in what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _ctrl_c_stays_as_it_was() -> Iterator[None]:
    """What one test imports, dask_jobqueue for one, must not take Ctrl-C away from the next."""
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


SMALL = """\
# a small torus
name = "small"
[topology]
kind = "torus"
radix = [4, 4]
[traffic]
load = 0.1
size = { kind = "fixed", flits = 4 }
[workload]
kind = "steady"
warmup_cycles = 200
measure_cycles = 1000
drain_cycles = 1000
[sweep]
"traffic.load" = [0.1, 0.3]
admission = ["off", "alo"]
"""


@pytest.fixture
def small() -> tailback.Spec:
    return tailback.Spec.from_toml(SMALL, name="small.toml")


@pytest.fixture(scope="session")
def result() -> tailback.Result:
    return tailback.run(tailback.Spec.from_toml(SMALL, name="small.toml"), threads=2)


@pytest.fixture(scope="session")
def tailback_command() -> Path:
    import sys

    return Path(sys.executable).parent / "tailback"
