#!/usr/bin/env python3
"""Are faults noticed that are made on purpose? Drives cargo-mutants. Standard library only.

    tools/mutants.py CARGO-MUTANTS [--sample 400] [--seed 1] [--area NAME]... [--again] [--out target/mutants]

A mutant is the program with one small change: a comparison turned round, a function that returns a
constant. A sample of those of all areas is drawn with the seed; 0: all of them. Every mutant meets the
unit tests of its own crate first (stage 1); those that survive, and do not stand in docs/mutants.md, meet
other tests, mostly the twins in `verify`, where the area has any (stage 2). What became of a mutant is kept in OUT/outcomes.jsonl, so that
a run that was stopped goes on, and is valid until the function changes. `--again` tries survivors again,
after tests were written, and those that ran too long, on a machine with less to do. Exit code 0: at least 95 % of those that compile are noticed, and every survivor
stands in docs/mutants.md; 1: not.
"""

import argparse
import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutants.md"
LEAST = 0.95

# Mutants of one call of cargo-mutants: what it found is kept after each.
CHUNK = 15

# Nothing is simulated for long in unit tests: what is compiled again for every mutant is compiled quickly.
QUICK = ["opt-level=0", "debug=false"]

# Parquet files are no statistics, and cost more to compile than all else.
LEAN = {"statistics": ["--no-default-features"]}

# Words in the names of the unit tests that an area meets, where the crate has many others.
WORDS = {"statistics": ["statistics", "histogram"], "admission": ["admission"], "queueing": ["queueing"]}

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
    parser.add_argument("program", type=Path, help="the program cargo-mutants")
    parser.add_argument("--sample", type=int, default=400, help="mutants drawn of all areas; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--area", action="append", choices=AREAS, help="only these; the sample stays that of all")
    parser.add_argument("--own-only", action="store_true", help="leave out stage 2")
    parser.add_argument("--again", action="store_true", help="try survivors, and those that ran too long, again")
    parser.add_argument("--timeout", type=int, default=120, help="seconds that the tests of a mutant may take")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "mutants", help="folder of builds, logs and counts")
    return parser.parse_args()


class Tree:
    """A copy of the working tree, which is changed in place, so that builds are incremental."""

    def __init__(self, out):
        self.root = out.resolve() / "tree"

    def refresh(self):
        """Takes over what has changed, and puts back what a run that was killed has left changed."""
        listing = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                                 stdout=subprocess.PIPE, text=True)
        wanted = {name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()}
        for name in wanted:
            source, copy = ROOT / name, self.root / name
            if not copy.is_file() or not filecmp.cmp(source, copy, shallow=False):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, copy)
        for path in [path for path in self.root.rglob("*") if path.is_file()]:
            if str(path.relative_to(self.root)) not in wanted:
                path.unlink()


def filters(area):
    package, files, _, _ = AREAS[area]
    return ["-p", package, *(word for file in files for word in ("-f", file))]


def key(area, mutant):
    """What a mutant is, wherever its function stands in the file."""
    file, span, function = mutant["file"], mutant["span"], mutant["function"]
    lines = (ROOT / file).read_text().splitlines()
    first, last = (function or mutant)["span"]["start"]["line"], (function or mutant)["span"]["end"]["line"]
    text = "\n".join(lines[first - 1:last])
    at = [span["start"]["line"] - first, span["start"]["column"], span["end"]["line"] - first, span["end"]["column"]]
    change = mutant["name"].split(":", 3)[3].strip()
    return json.dumps([area, file, change, at, hashlib.sha256(text.encode()).hexdigest()[:16]])


def listed(program, area):
    """The mutants of an area: names by key."""
    command = [program, "mutants", "--list", "--json", *filters(area)]
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    return {key(area, mutant): mutant["name"] for mutant in json.loads(done.stdout)}


def drawn(program, sample, seed):
    """By area: its mutants, and those of them that are in the sample of all. A mutant more displaces one at most."""
    every = {area: listed(program, area) for area in AREAS}
    def rank(mutant):
        return hashlib.sha256(f"{seed} {mutant}".encode()).digest()
    ranked = sorted((mutant for area in AREAS for mutant in every[area]), key=rank)
    chosen = set(ranked if sample == 0 else ranked[:sample])
    return {area: (names, {mutant: name for mutant, name in names.items() if mutant in chosen})
            for area, names in every.items()}


class Outcomes:
    """What became of the mutants: by key, and by stage."""

    def __init__(self, out):
        self.path = out / "outcomes.jsonl"
        lines = self.path.read_text().splitlines() if self.path.is_file() else []
        self.known = {(row["mutant"], row["stage"]): row["outcome"] for row in map(json.loads, lines)}

    def keep(self, mutant, stage, outcome):
        self.known[mutant, stage] = outcome
        with self.path.open("a") as file:
            file.write(json.dumps({"mutant": mutant, "stage": stage, "outcome": outcome}) + "\n")


def tests(area, stage):
    """What cargo-mutants is told to run."""
    _, _, package, twins = AREAS[area]
    if stage == 1:
        return ["-C=--lib", "--", "--locked", "--", *WORDS.get(area, [])]
    return ["--test-package", package, "--", "--locked", *(word for twin in twins for word in ("--test", twin))]


def run(opts, tree, outcomes, area, names, stage):
    """Tries these mutants, and keeps what became of them."""
    out = tree.root.parent / f"{area}-{stage}"
    quick = [word for setting in (QUICK if stage == 1 else ["debug=false"])
             for word in ("-C=--config", f"-C=profile.dev.{setting}")]
    command = [opts.program.resolve(), "mutants", "--in-place", *filters(area), *LEAN.get(area, []), *quick,
               "--cap-lints=true", "--timeout", str(opts.timeout), "--no-shuffle", "--colors=never", "-o", out]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(tree.root.parent / f"build-{stage}")}
    pairs = list(names.items())
    for at in range(0, len(pairs), CHUNK):
        chunk = dict(pairs[at:at + CHUNK])
        tree.refresh()
        out.mkdir(parents=True, exist_ok=True)
        chosen = [word for name in chunk.values() for word in ("-F", f"^{re.escape(name)}$")]
        # That the tests pass where nothing is changed need not be asked again; cargo-mutants asks it of the area's own package
        # alone, which does not have the tests of stage 2.
        baseline = [] if at == 0 and stage == 1 else ["--baseline=skip"]
        print(f"{area}, stage {stage}: {at} of {len(pairs)}", flush=True)
        done = subprocess.run([*command, *baseline, *chosen, *tests(area, stage)], cwd=tree.root, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # 2: some survive; 3: some run too long. Both are counted below.
        if done.returncode not in (0, 2, 3):
            sys.exit(f"{done.stdout}\ncargo-mutants ended with {done.returncode} in area {area}, stage {stage}")
        found = {}
        for kind in ("caught", "missed", "timeout", "unviable"):
            for name in (out / "mutants.out" / f"{kind}.txt").read_text().splitlines():
                found[name] = kind
        # Fields that are left out escape the filter by name, and are tried although they were not drawn.
        for mutant, name in chunk.items():
            outcomes.keep(mutant, stage, found[name])


def tried(opts, tree, outcomes, area, names):
    """Counts of an area, and its survivors."""
    stages = [1, 2] if AREAS[area][3] and not opts.own_only else [1]
    left = names
    for stage in stages:
        def due(mutant):
            outcome = outcomes.known.get((mutant, stage))
            return outcome is None or (opts.again and outcome in ("missed", "timeout"))
        new = {mutant: name for mutant, name in left.items() if due(mutant)}
        run(opts, tree, outcomes, area, new, stage)
        left = {mutant: name for mutant, name in left.items() if outcomes.known[mutant, stage] == "missed"}
        if stage == 1:
            explained = {mutant: name for mutant, name in left.items() if not unexplained([name])}
            left = {mutant: name for mutant, name in left.items() if mutant not in explained}
    first = [outcomes.known[mutant, 1] for mutant in names]
    missed = [*explained.values(), *left.values()]
    counts = {"drawn": len(names), "unviable": first.count("unviable"), "own": first.count("caught"),
              "timeout": first.count("timeout"), "twins": first.count("missed") - len(missed), "missed": len(missed),
              "viable": len(names) - first.count("unviable")}
    return counts, missed


def unexplained(survivors):
    """Survivors that docs/mutants.md does not have: it names the file, then the change without its place."""
    page = PAGE.read_text()
    wordings = ((name, name.split(":", 3)) for name in survivors)
    return [name for name, (file, _, _, change) in wordings
            if f"`{file}`" not in page or f"`{change.strip()}`" not in page]


def main():
    opts = options()
    opts.out.mkdir(parents=True, exist_ok=True)
    tree, outcomes = Tree(opts.out), Outcomes(opts.out)
    areas, total, survivors = drawn(opts.program, opts.sample, opts.seed), {}, []
    heads = ("area", "mutants", "drawn", "do not compile", "caught by unit tests", "ran too long",
             "caught by other tests", "survive")
    rows = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for area in opts.area or AREAS:
        every, names = areas[area]
        if not names:
            continue
        counts, missed = tried(opts, tree, outcomes, area, names)
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
