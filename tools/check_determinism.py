#!/usr/bin/env python3
"""Same spec, same seed: same bits, in any build and for any number of threads. Standard library only.

    tools/check_determinism.py PROGRAM...

Runs the same short specs with every program on one and on three threads and compares all columns of all records but
those that the wall clock makes. Exit code 0: equal; 1: not.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMED = {"wall_seconds", "cycles_per_second", "flit_hops_per_second", "packet_hops_per_second"}

# Every data path of the engine once: whole and ramped credits, throttles, finite sources, several nodes, a mesh.
SHORT = ["workload.warmup_cycles=200", "workload.measure_cycles=800", "workload.drain_cycles=500"]
CASES = [
    ("examples/first.toml", [*SHORT, "run.replicas=2"]),
    ("examples/mesh.toml", [*SHORT, "topology.nodes_per_router=2", "router.source_queue_packets=3"]),
    ("examples/collective.toml", ["traffic.size={ kind = 'bimodal', short_flits = 2, long_flits = 13 }"]),
    ("examples/collective.toml", ["router.credit_cycles=3", "arbiter=random", "topology.radix=[5, 4, 3]",
                                  "traffic.pattern=uniform", "routing.tie=random"]),
]


def records(program, threads, spec, changes):
    """The records of a run by their identity, without what the wall clock makes."""
    command = [program, "run", str(ROOT / spec), "--json", "--no-progress", "--threads", str(threads)]
    for change in changes:
        command += ["--set", change]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [{name: value for name, value in row.items() if name not in TIMED} for row in rows]


def main():
    programs = sys.argv[1:]
    if not programs:
        sys.exit("usage: tools/check_determinism.py PROGRAM...")
    compared = 0
    for spec, changes in CASES:
        expected = records(programs[0], 1, spec, changes)
        for program in programs:
            for threads in (1, 3):
                if (program, threads) == (programs[0], 1):
                    continue
                found = records(program, threads, spec, changes)
                for was, now in zip(expected, found, strict=True):
                    differing = [name for name in was if was[name] != now.get(name)]
                    if differing or was.keys() != now.keys():
                        sys.exit(f"{spec} {changes}: {program} on {threads} threads differs from {programs[0]} in "
                                 f"{', '.join(differing)} of point {was['point_id']}")
                    compared += 1
    print(f"determinism: {compared} records equal")


if __name__ == "__main__":
    main()
