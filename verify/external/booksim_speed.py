#!/usr/bin/env python3
"""Speed of `tailback booksim` beside BookSim 2, by turns, on one machine.

    BOOKSIM=path/to/booksim TAILBACK=path/to/tailback verify/external/booksim_speed.py [NAME]... [KEY=VALUE]...

Keys go to both programs, as in `mesh8 sw_allocator=pim vc_allocator=pim`. Both are built programs; README.md beside this file says what is compared and how it is timed. Exit 0:
measured; 1: a program is missing, failed, or printed something unexpected.
"""

import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
# Samples of a short and of a long run. Tailback's have this many times the cycles.
SHORT, LONG = 2, 8
LONGER = 20
# The accepted rates of both programs are as near as this.
NEAR = 0.03

# Name: cycles of a sample in BookSim, and the configuration at about half of saturation.
CASES = {
    "mesh8": (
        2000,
        "topology = mesh; k = 8; n = 2; routing_function = dor; num_vcs = 4; vc_buf_size = 8;"
        " packet_size = 1; injection_rate = 0.2;",
    ),
    "mesh8-wide": (
        1000,
        "topology = mesh; k = 8; n = 2; routing_function = dor; num_vcs = 16; vc_buf_size = 8;"
        " packet_size = 4; input_speedup = 2; routing_delay = 0; injection_rate = 0.05;",
    ),
    "torus8": (
        2000,
        "topology = torus; k = 8; n = 2; routing_function = dim_order; num_vcs = 4; vc_buf_size = 8;"
        " packet_size = 5; injection_rate = 0.05;",
    ),
    "torus16": (
        500,
        "topology = torus; k = 16; n = 2; routing_function = dim_order; num_vcs = 4; vc_buf_size = 8;"
        " packet_size = 16; injection_rate = 0.0075;",
    ),
    "flatfly64": (
        1000,
        "topology = flatfly; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2;"
        " routing_function = ran_min; num_vcs = 4; vc_buf_size = 8; packet_size = 1; injection_rate = 0.25;",
    ),
    "fattree64": (
        1000,
        "topology = fattree; k = 4; n = 3; routing_function = nca; num_vcs = 4; vc_buf_size = 8;"
        " packet_size = 1; injection_rate = 0.25;",
    ),
    "fly64": (
        2000,
        "topology = fly; k = 4; n = 3; routing_function = dest_tag; num_vcs = 4; vc_buf_size = 8;"
        " packet_size = 1; injection_rate = 0.25;",
    ),
}
RULE = "sim_type = throughput; warmup_periods = 1; stopping_thres = 0.0; acc_stopping_thres = 0.0;"


def timed(command):
    """Run a command; return its user CPU time in seconds and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, done


def speed(command, period, accepted):
    """Return cycles per second of a program, without its start, and the rate that it says it accepts."""
    times = []
    for samples in (SHORT, LONG):
        seconds, done = timed([*command, f"sample_period={period}", f"max_samples={samples}"])
        rate = accepted(done.stdout)
        if rate is None:
            sys.exit(f"booksim_speed: {command[0]} printed no rate: {done.stderr[-300:]}")
        times.append(seconds)
    return (LONG - SHORT) * period / max(times[1] - times[0], 1e-3), rate


def of_booksim(text):
    """Return the accepted rate that BookSim prints last."""
    found = re.findall(r"Accepted flit rate average = ([\d.e+-]+)", text)
    return float(found[-1]) if found else None


def of_tailback(text):
    """Return the accepted rate of a record."""
    try:
        return json.loads(text)["booksim"]["acc"]
    except (ValueError, KeyError):
        return None


def program(variable):
    """Return the absolute path of the program that a variable names."""
    path = os.environ.get(variable, "")
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        sys.exit(f"booksim_speed: set {variable} to the path of a built program")
    return os.path.abspath(path)


def main():
    """Print a line for every round, then the medians."""
    booksim, tailback = program("BOOKSIM"), program("TAILBACK")
    keys = [word for word in sys.argv[1:] if "=" in word]
    names = [word for word in sys.argv[1:] if "=" not in word] or list(CASES)
    if unknown := [name for name in names if name not in CASES]:
        sys.exit(f"booksim_speed: there is no {unknown[0]}; there are {', '.join(CASES)}")
    medians = []
    for name in names:
        period, configuration = CASES[name]
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / f"{name}.cfg")
            Path(file).write_text(f"{configuration}\n{RULE}\n")
            ratios = []
            for _ in range(ROUNDS):
                theirs, rate = speed([booksim, file, *keys], period, of_booksim)
                ours, same = speed([tailback, "booksim", file, *keys, "--json"], period * LONGER, of_tailback)
                ratios.append(ours / theirs)
                print(f"{name}: BookSim {theirs:,.0f}, Tailback {ours:,.0f} cycles/s, {ratios[-1]:.1f} times", flush=True)
            if abs(same / rate - 1) > NEAR:
                print(f"{name}: the rates differ: BookSim accepts {rate}, Tailback {same}")
            medians.append(sorted(ratios)[ROUNDS // 2])
    for name, median in zip(names, medians):
        print(f"{name:<12} {median:6.1f} times BookSim's cycles per second")
    print(f"{'mean':<12} {math.exp(sum(map(math.log, medians)) / len(medians)):6.1f} times, geometric")


if __name__ == "__main__":
    main()
