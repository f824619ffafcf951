#!/usr/bin/env python3
"""Ask BookSim 2 how many flits a flow through one router gets.

    BOOKSIM=path/to/booksim verify/external/booksim_flows.py > verify/external/booksim_flows.csv

Every node of a crossbar of 16 sends to its neighbour, and more than a link carries, so no flow meets
another one. What is accepted depends on buffers, credits and packets alone. Prints one row per
configuration, 256 in all, with the flits per node and cycle that BookSim prints; about a minute.
python/tests/test_booksim.py compares Tailback with these rows. BOOKSIM is a built program; README.md
beside this file says which one. Exit 0: measured; 1: the program is missing, failed, or printed
something unexpected.
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The network, as in BookSim's own words; what a row says comes from the command line.
CONFIGURATION = """\
topology = fly; k = 16; n = 1; routing_function = dest_tag;
traffic = neighbor; injection_rate = 1.0;
sim_type = throughput; sample_period = 20000; warmup_periods = 1; max_samples = 4;
vc_allocator = islip; sw_allocator = islip;
routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = 1;
"""

# Packets in flits, credit delay in cycles, channels, flits of a buffer, whether the tail's credit is awaited.
VALUES = {
    "packet_size": (1, 16),
    "credit_delay": (0, 1),
    "num_vcs": (1, 2, 3, 4),
    "vc_buf_size": range(1, 9),
    "wait_for_tail_credit": (0, 1),
}


def accepted(booksim, configuration, values):
    """Return what BookSim accepts, as it prints it."""
    keys = [f"{key}={value}" for key, value in zip(VALUES, values)]
    done = subprocess.run([booksim, configuration, *keys], capture_output=True, text=True)
    found = re.findall(r"Accepted flit rate average = ([\d.e+-]+)", done.stdout)
    if not found:
        sys.exit(f"booksim_flows: BookSim printed no rate for {' '.join(keys)}: {done.stderr[-300:]}")
    return found[-1]


def main():
    """Print the rows."""
    booksim = os.environ.get("BOOKSIM", "")
    if not os.access(booksim, os.X_OK):
        sys.exit("booksim_flows: set BOOKSIM to the path of BookSim's program")
    print(",".join([*VALUES, "accepted"]))
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "flows.cfg"
        configuration.write_text(CONFIGURATION)
        for values in itertools.product(*VALUES.values()):
            rate = accepted(os.path.abspath(booksim), str(configuration), values)
            print(",".join([*map(str, values), rate]), flush=True)


if __name__ == "__main__":
    main()
