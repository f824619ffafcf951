#!/usr/bin/env python3
"""Are faults noticed that are made on purpose? Drives cargo-mutants. Standard library only.

    tools/mutants.py CARGO-MUTANTS [--sample 400] [--seed 1] [--area NAME]... [--in-place] [--out target/mutants]

A mutant is the program with one small change: a comparison turned round, a function that returns a
constant. A sample of those of all areas is drawn with the seed; 0: all of them. Every mutant meets the
unit tests of its own crate first (stage 1); those that survive meet other tests, mostly the twins in
`verify`, where the area has any (stage 2). Exit code 0: at least 95 % of those that compile are noticed,
and every survivor stands in docs/mutants.md; 1: not.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutants.md"
LEAST = 0.95

# Parquet files are no statistics, and cost more to compile than all else.
LEAN = {"statistics": ["--no-default-features"]}

# Name: package, files, and of those that its own unit tests let pass: what other tests they meet, of which package.
AREAS = {
    "curve": ("tailback-curve", [], "tailback-curve", ["queues"]),
    "cost": ("tailback-cost", [], None, []),
    "statistics": ("tailback-results",
                   ["crates/results/src/statistics/**", "crates/results/src/histogram.rs"], None, []),
    "deadlock": ("tailback-deadlock", [], "tailback-verify", ["deadlock", "deadlock_corpus", "bubble"]),
    "admission": ("tailback-mechanisms", ["crates/mechanisms/src/admission/**"],
                  "tailback-verify", ["differential", "wormhole"]),
    "queueing": ("tailback-mechanisms", ["crates/mechanisms/src/queueing/**"], "tailback-verify", ["ioq"]),
}

def options():
    parser = argparse.ArgumentParser(description="Are faults noticed that are made on purpose?")
    parser.add_argument("program", help="the program cargo-mutants")
    parser.add_argument("--sample", type=int, default=400, help="mutants drawn of all areas; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--area", action="append", choices=AREAS, help="only these; the sample stays that of all")
    parser.add_argument("--own-only", action="store_true", help="leave out stage 2")
    parser.add_argument("--in-place", action="store_true", help="change this tree itself, and put it back")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "mutants", help="folder of logs and counts")
    return parser.parse_args()


def filters(area):
    package, files, _, _ = AREAS[area]
    return ["-p", package, *(word for file in files for word in ("-f", file))]


def listed(program, area):
    """The names of an area's mutants."""
    command = [program, "mutants", "--list", "--json", *filters(area)]
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    return [mutant["name"] for mutant in json.loads(done.stdout)]


def drawn(program, sample, seed):
    """By area: its mutants, and those of them that are in the sample of all."""
    every = {area: listed(program, area) for area in AREAS}
    pairs = [(area, name) for area in AREAS for name in every[area]]
    chosen = pairs if sample == 0 else random.Random(seed).sample(pairs, min(sample, len(pairs)))
    chosen = set(chosen)
    return {area: (names, [name for name in names if (area, name) in chosen]) for area, names in every.items()}


def run(opts, area, names, stage, tests):
    """What became of these mutants: their names by outcome."""
    out = opts.out / f"{area}-{stage}"
    out.mkdir(parents=True, exist_ok=True)
    place = ["--in-place"] if opts.in_place else []
    # What is compiled again for every mutant is compiled quickly.
    quick = [word for key in ("opt-level=0", "debug=false")
             for word in ("-C=--config", f"-C=profile.dev.package.{AREAS[area][0]}.{key}")]
    command = [opts.program, "mutants", *place, *filters(area), *LEAN.get(area, []), "--cap-lints=true",
               "--timeout", "120", "--no-shuffle", "-o", str(out), *(quick if stage == 1 else [])]
    for name in names:
        command += ["-F", f"^{re.escape(name)}$"]
    done = subprocess.run([*command, *tests], cwd=ROOT, check=False)
    # 2: some survive; 3: some run too long. Both are counted below.
    if done.returncode not in (0, 2, 3):
        sys.exit(f"cargo-mutants ended with {done.returncode} in area {area}, stage {stage}")
    # Fields that are left out escape the filter by name, and are tried although they were not drawn.
    asked, kinds = set(names), ("caught", "missed", "timeout", "unviable")
    found = {kind: (out / "mutants.out" / f"{kind}.txt").read_text().splitlines() for kind in kinds}
    return {kind: [name for name in found[kind] if name in asked] for kind in kinds}


def tried(opts, area, names):
    """Counts of an area, and its survivors."""
    _, _, package, twins = AREAS[area]
    first = run(opts, area, names, 1, ["--", "--locked", "--lib"])
    missed, by_twins = first["missed"], 0
    if missed and twins and not opts.own_only:
        named = [word for twin in twins for word in ("--test", twin)]
        second = run(opts, area, missed, 2, ["--test-package", package, "--", "--locked", *named])
        by_twins = len(second["caught"]) + len(second["timeout"])
        missed = second["missed"]
    viable = len(names) - len(first["unviable"])
    counts = {"drawn": len(names), "unviable": len(first["unviable"]), "own": len(first["caught"]),
              "timeout": len(first["timeout"]), "twins": by_twins, "missed": len(missed), "viable": viable}
    return counts, missed


def unexplained(survivors):
    """Survivors that docs/mutants.md does not have: it names the file, then the change without its place."""
    page = PAGE.read_text()
    wordings = ((name, name.split(":", 3)) for name in survivors)
    return [name for name, (file, _, _, change) in wordings
            if f"`{file}`" not in page or f"`{change.strip()}`" not in page]


def main():
    opts = options()
    areas, total, survivors = drawn(opts.program, opts.sample, opts.seed), {}, []
    heads = ("area", "mutants", "drawn", "do not compile", "caught by unit tests", "ran too long",
             "caught by other tests", "survive")
    rows = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for area, (every, names) in areas.items():
        if not names or (opts.area and area not in opts.area):
            continue
        counts, missed = tried(opts, area, names)
        survivors += missed
        total = {key: total.get(key, 0) + count for key, count in counts.items()}
        row = (area, len(every), *(counts[key] for key in ("drawn", "unviable", "own", "timeout", "twins", "missed")))
        rows.append("| " + " | ".join(str(cell) for cell in row) + " |")
    table, list_of = "\n".join(rows), "".join(f"{name}\n" for name in survivors)
    (opts.out / "report.md").write_text(f"{table}\n\n{list_of}")
    share = 1 - total["missed"] / max(total["viable"], 1)
    print(f"{table}\n\n{list_of}\n{share:.1%} of {total['viable']} mutants that compile are noticed")
    new = unexplained(survivors)
    if new:
        print("not in docs/mutants.md:", *new, sep="\n  ")
    if share < LEAST or new:
        sys.exit(1)


if __name__ == "__main__":
    main()
