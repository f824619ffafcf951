#!/usr/bin/env python3
"""Speed of `tailback bench dragonfly-1056` beside FOGSim and BookSim 2 on the same network, by turns, on one machine.

    FOGSIM=path/to/fogsim BOOKSIM=path/to/booksim TAILBACK=path/to/tailback verify/external/dragonfly_1056.py

All three are built programs. Without FOGSIM or BOOKSIM the other one is measured alone. README.md beside this file
says what is compared and how it is timed. Exit 0: measured; 1: a program is missing, failed, or printed something
unexpected.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROUNDS = 3
NODES = 1056
# The accepted loads of two programs are as near as this.
NEAR = 0.03
# Cycles of a short and of a long run; their difference has no start-up and no warm-up.
FOGSIM_CYCLES = (200, 1200)
BOOKSIM_SAMPLES, BOOKSIM_PERIOD = (4, 8), 500

FOGSIM = """[CONFIG]
P=4
A=8
H=4
WarmupCycles=1000
Switch=BASE_SW
ArbiterIterations=1
InjectionQueueLength=256
LocalQueueLength=256
GlobalQueueLength=256
LocalLinkTransmissionDelay=10
GlobalLinkTransmissionDelay=100
InjectionDelay=1
PacketSize=8
FlitSize=8
PalmTreeConfiguration=1
LocalLinkChannels=2
InjectionChannels=1
GlobalChannels=1
Traffic=UN
routing=MIN
deadlock_avoidance=DALLY
Probability=50
Seed=1
"""

BOOKSIM = f"""
topology = dragonflynew; k = 4; n = 1; routing_function = min;
num_vcs = 2; vc_buf_size = 256; packet_size = 8; internal_speedup = 2.0;
traffic = uniform; injection_rate_uses_flits = 1; injection_rate = 0.5;
sim_type = throughput; warmup_periods = 3; sample_period = {BOOKSIM_PERIOD}; latency_thres = 1e9;
stopping_thres = 0.0; acc_stopping_thres = 0.0; sim_count = 1; seed = 13;
"""


def fail(message):
    sys.exit(f"dragonfly_1056: {message}")


def program(variable):
    """Return the absolute path of the program that a variable names; None where it is not set."""
    path = os.environ.get(variable, "")
    if path and not (os.path.isfile(path) and os.access(path, os.X_OK)):
        fail(f"{variable}={path} is no built program")
    return os.path.abspath(path) if path else None


def timed(command, folder):
    """Run a command; return its user CPU time in seconds and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def fogsim(path, folder):
    """Return cycles per second and the accepted load of FOGSim."""
    (Path(folder) / "fogsim.cfg").write_text(FOGSIM)
    times = []
    for cycles in FOGSIM_CYCLES:
        seconds, text = timed([path, "fogsim.cfg", f"MaxCycles={cycles}", "OutputFileName=fogsim.out"], folder)
        times.append(seconds)
    received = [int(count) for count in re.findall(r"cycle:\s+1\d\d\d\s.*Messages received:\s+(\d+)", text)]
    if len(received) < 2:
        fail("FOGSim printed no messages; is it the FOGSim of README.md?")
    # A line per 100 cycles, and packets of 8 phits.
    load = (received[-1] - received[0]) * 8 / (100 * (len(received) - 1) * NODES)
    return (FOGSIM_CYCLES[1] - FOGSIM_CYCLES[0]) / (times[1] - times[0]), load


def booksim(path, folder):
    """Return cycles per second and the accepted load of BookSim 2."""
    (Path(folder) / "booksim.cfg").write_text(BOOKSIM)
    times, cycles = [], []
    for samples in BOOKSIM_SAMPLES:
        seconds, text = timed([path, "booksim.cfg", f"max_samples={samples}"], folder)
        clock = re.search(r"^Time taken is (\d+) cycles", text, re.M)
        rates = re.findall(r"Accepted flit rate average\s*=\s*([\d.e+-]+)", text)
        if not clock or not rates:
            fail("BookSim printed no summary; is it the BookSim 2 of README.md?")
        times.append(seconds)
        cycles.append(int(clock.group(1)))
    return (cycles[1] - cycles[0]) / (times[1] - times[0]), float(rates[-1])


def tailback(path, folder):
    """Return cycles per second and the accepted load of Tailback, start-up, warm-up and drain included."""
    seconds, text = timed([path, "bench", "dragonfly-1056", "--json"], folder)
    try:
        row = json.loads(text.splitlines()[-1])
        return row["cycles"] / seconds, row["accepted_load"]
    except (ValueError, KeyError, IndexError):
        fail("tailback bench dragonfly-1056 --json printed no line with its work")


def main():
    """Print a line for every round, then the medians."""
    ours = program("TAILBACK") or fail("set TAILBACK to a release build of tailback")
    others = [("FOGSim", program("FOGSIM"), fogsim), ("BookSim 2", program("BOOKSIM"), booksim)]
    others = [other for other in others if other[1]] or fail("set FOGSIM or BOOKSIM to a built program")
    ratios = {name: [] for name, _, _ in others}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            for name, path, run in others:
                theirs, load = run(path, folder)
                speed, own_load = tailback(ours, folder)
                ratios[name].append(speed / theirs)
                print(
                    f"{name}: {theirs:,.0f} cycles/s, accepted {load:.4f}; Tailback: {speed:,.0f} cycles/s, accepted "
                    f"{own_load:.4f}; {speed / theirs:.1f} times",
                    flush=True,
                )
                if abs(load / own_load - 1) > NEAR:
                    print(f"{name} and Tailback do not carry the same traffic")
    for name, values in ratios.items():
        print(f"{name:<10} {median(values):6.1f} times its cycles per second, the median of {ROUNDS} rounds")


if __name__ == "__main__":
    main()
