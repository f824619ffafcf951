#!/usr/bin/env python3
"""Build SICOSYS, the simulator of bubble-1999 in its public form, and run it for table 6.

    SICOSYS=path/to/checkout verify/external/sicosys_cells.py [--cycles N] [ROUTER] [TRAFFIC]

What SICOSYS says is printed as TOML: the most phits per cycle of any load, and the load. README.md
beside this file says which version, and what is changed so that a compiler of today takes it.
A run in which SICOSYS fails is told, and left out. Exit 1: the sources are missing or cannot be built.
"""

import argparse
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

RADIX = 16
SEED = 113
# The router of Router.sgm, and the sizes of its queues in phits as table 3 has them: of all queues,
# and of those that the file gives a size of their own.
ROUTERS = {
    "bubble_dor": ("DOR2D-BU-H1", 128, {}),
    "vc_dor": ("CDOR", 64, {}),
    "vc_adaptive": ("CADASIC", 128, {160: 64, 80: 32}),
    "bubble_adaptive": ("BADAOAC", 64, {}),
}
# In the order of table 6: the tag and its attributes, and the loads in phits/node/cycle.
RANDOM = [0.25, 0.3, 0.35, 0.4, 0.45, 1.0]
TRAFFIC = {
    "random": ('"MODAL" type=RANDOM', RANDOM),
    "bimodal": ('"BIMODAL" type=RANDOM prob=0.1 numMsg=10', RANDOM),
    "transpose": ('"MODAL" type=PERMUTATION', [0.1, 0.125, 0.15, 0.2, 0.25, 1.0]),
    "perfect shuffle": ('"MODAL" type=PERFECT-SUFFLE', [0.1, 0.125, 0.15, 0.2, 0.25, 1.0]),
    "bit reversal": ('"MODAL" type=BIT-REVERSAL', [0.1, 0.125, 0.2, 0.275, 0.35, 1.0]),
}
# The sources are of 2001: headers without an ending are new, and these declarations are in the way.
DECLARATION = re.compile(r"^\s*class [a-z]*stream\s*;", re.M)
HEADERS = ["iostream", "fstream", "iomanip", "strstream"]
FLAGS = ["-O2", "-std=gnu++98", "-fpermissive", "-w", "-DNO_TRAZA", "-DNO_SCT"]


def built(source, folder):
    """Build the program in a copy of its sources."""
    copy = folder / "sicosys"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns(".git"))
    for path in [*copy.glob("inc/*"), *copy.glob("src/*.cpp")]:
        text = path.read_text(encoding="latin-1")
        path.write_text(DECLARATION.sub("", text), encoding="latin-1")
    shim = copy / "shim"
    shim.mkdir()
    every = "".join(f"#include <{name}>\n" for name in [*HEADERS, "cstring", "cstdlib"])
    for name in [*HEADERS, "all"]:
        (shim / f"{name}.h").write_text(every + "using namespace std;\n")

    def compiled(name):
        done = subprocess.run(
            ["g++", *FLAGS, "-c", "-include", shim / "all.h", "-I", shim, "-I", copy / "inc"]
            + [copy / "src" / f"{name}.cpp", "-o", copy / f"{name}.o"],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"sicosys_cells: {name}.cpp could not be compiled: {done.stderr[-300:]}")
        return copy / f"{name}.o"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sorted(path.stem for path in copy.glob("src/*.cpp"))))
    program = folder / "ATCSimul"
    done = subprocess.run(["g++", "-o", program, *objects, "-lz"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"sicosys_cells: SICOSYS could not be linked: {done.stderr[-300:]}")
    return program


def router(source, name, size, sizes):
    """Return the text of a router, with queues of the sizes of table 3."""
    text = (source / "sgm" / "Router.sgm").read_text(encoding="latin-1")
    found = re.search(rf'<Router id="{name}".*?</Router>', text, re.S)
    text = re.sub(r"bufferSize=\d+", f"bufferSize={size}", found.group(0), count=1)
    return re.sub(r"\bsize=(\d+)", lambda m: f"size={sizes[int(m.group(1))]}", text)


def run(program, folder, routers, case, cycles):
    """Run a case and return its phits per cycle; nan where SICOSYS fails."""
    kind, traffic, load = case
    place = Path(tempfile.mkdtemp(dir=folder))
    (place / "Router.sgm").write_text(routers[kind], encoding="latin-1")
    (place / "Network.sgm").write_text(
        f'<TorusNetwork id="T" sizeX={RADIX} sizeY={RADIX} router="{ROUTERS[kind][0]}" delay=0>\n'
    )
    (place / "Simula.sgm").write_text(
        f'<Simulation id="S">\n<Network id="T">\n<SimulationCycles id={cycles}>\n'
        f"<TrafficPattern id={TRAFFIC[traffic][0]}>\n<Seed id={SEED}>\n<Probability id={load}>\n"
        "<MessageLength id=1>\n<PacketLength id=16>\n</Simulation>\n"
    )
    names = {"RouterFile": "Router", "NetworkFile": "Network", "SimulationFile": "Simula"}
    files = "".join(f'<{tag} id="{name}.sgm">\n' for tag, name in names.items())
    (place / "ATCSimul.ini").write_text(files)
    done = subprocess.run([program, "-s", "S"], cwd=place, capture_output=True, text=True)
    found = re.search(r"^Throughput\s*=\s*([\d.e+-]+)", done.stdout, re.M)
    if found is None:
        print(f"sicosys_cells: no throughput for {case}: {done.stderr[-80:]!r}", file=sys.stderr)
        return math.nan
    return float(found.group(1))


def main():
    """Run all routers under all kinds of traffic."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cycles", type=int, default=20_000, help="of each run [default: 20000]")
    parser.add_argument("router", nargs="?", choices=ROUTERS, help="this router alone")
    parser.add_argument("traffic", nargs="?", choices=TRAFFIC, help="this traffic alone")
    asked = parser.parse_args()
    kinds = [asked.router] if asked.router else list(ROUTERS)
    traffics = [asked.traffic] if asked.traffic else list(TRAFFIC)
    source = Path(os.environ.get("SICOSYS", "")).resolve()
    program = source / "ATCSimul"
    if not (source / "sgm" / "Router.sgm").is_file():
        sys.exit("sicosys_cells: set SICOSYS to a folder with the sources of SICOSYS")
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = Path(name)
        if not program.is_file():
            program = built(source, folder)
        routers = {kind: router(source, *ROUTERS[kind]) for kind in ROUTERS}
        cases = [(kind, t, load) for kind in kinds for t in traffics for load in TRAFFIC[t][1]]
        found = pool.map(lambda case: run(program, folder, routers, case, asked.cycles), cases)
        measured = dict(zip(cases, found))
        print(f"[sicosys.maximum_throughput]  # phits/cycle and the load: {', '.join(traffics)}")
        for kind in kinds:
            best = []
            for traffic in traffics:
                loads = TRAFFIC[traffic][1]
                known = [load for load in loads if not math.isnan(measured[kind, traffic, load])]
                if not known:
                    best.append("[]")
                    continue
                most = max(known, key=lambda load: measured[kind, traffic, load])
                best.append(f"[{measured[kind, traffic, most]:.4g}, {most}]")
            print(f"{kind} = [{', '.join(best)}]")


if __name__ == "__main__":
    main()
