#!/usr/bin/env python3
"""What sweeps cost beside what they simulate. Needs the Python package in its environment.

    tools/sweep_overhead.py [POINTS]

Runs POINTS tiny points (2000) into a folder, by `tailback sweep` and by `tailback.sweep`, and a few points of about a
second with `tailback.run` and with `tailback.sweep`, in turns; prints points a minute and the overhead in percent of the
simulation's own time.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tailback

TINY = """\
name = "tiny"
[topology]
kind = "torus"
radix = [4, 4]
[traffic]
load = 0.1
size = { kind = "fixed", flits = 4 }
[workload]
kind = "steady"
warmup_cycles = 100
measure_cycles = 200
drain_cycles = 200
"""
SECOND = {"topology.radix": [16, 16], "workload.measure_cycles": 65_000, "run.replicas": 4}


def seconds(work):
    """How long it takes."""
    start = time.monotonic()
    work()
    return time.monotonic() - start


def tiny(points, folder):
    """Points a minute of each way."""
    spec = tailback.Spec.from_toml(TINY).with_({"run.replicas": points})
    path = folder / "tiny.toml"
    path.write_text(spec.to_toml(), encoding="utf-8")
    command = [Path(sys.executable).parent / "tailback", "sweep", path, "--no-progress", "--out", folder / "command"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    ways = {
        "tailback sweep": lambda: subprocess.run(command, **quiet),
        "tailback.sweep": lambda: tailback.sweep(spec, store=folder / "package"),
    }
    for name, work in ways.items():
        print(f"{name}: {60 * points / seconds(work):,.0f} tiny points a minute")


def overhead(folder):
    """Wall-clock time beyond that of the simulation, with one thread."""
    spec = tailback.Spec.from_toml(TINY).with_(SECOND)
    for turn in range(3):
        store = folder / f"store-{turn}"
        ways = {
            "tailback.run": lambda: tailback.run(spec, threads=1),
            "tailback.sweep": lambda store=store: tailback.sweep(spec, store=store, threads=1),
        }
        for name, work in ways.items():
            start = time.monotonic()
            result = work()
            whole, simulated = time.monotonic() - start, sum(result.records["wall_seconds"])
            share = 100 * (whole / simulated - 1)
            print(f"{name}: {len(result)} points of {simulated / len(result):.2f} s, overhead {share:.1f} percent")


def main():
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory(dir=".") as name:
        tiny(points, Path(name))
        overhead(Path(name))


if __name__ == "__main__":
    main()
