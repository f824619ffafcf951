#!/usr/bin/env python3
"""Runs every example that a `--help` page shows, and holds it to its promise. Standard library only.

    tools/check_examples.py TAILBACK

`tools/help_examples.toml` has an entry for every line of the `Examples:` of every verb, in the order of the page:

* `line`: the example, as the page has it without its comment;
* `expect`: regular expressions, each of which its output must hold (standard output and error together);
* `absent`: those of which it must hold none;
* `files`: files that are there afterwards;
* `exit`: its exit code, 0 by default;
* `instead`: what is run in its place where the line as it stands takes long or names what no machine has. It must begin with the
  verb of the line;
* `before`: shell commands that furnish the folder;
* `run_by`: who runs it instead, a target of the Makefile or a file of tests; such a line is only parsed.

The examples of a verb share a scratch folder with `examples`, `papers` and the `my.toml` of the file. A page without an entry for a
line, and an entry without a line, are faults: no example goes untested. Exit code 0: all hold; 1: some do not.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from check_docs import ROOT, is_target, missing, run_block

PROMISES = ROOT / "tools" / "help_examples.toml"


def page(tailback, verb):
    """The help of a verb, not wrapped."""
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    arguments = [tailback, verb, "--help"] if verb else [tailback, "--help"]
    return subprocess.run(arguments, text=True, stdout=subprocess.PIPE, env=environment, check=True).stdout


def verbs(tailback):
    """The verbs that the program lists itself."""
    listed = page(tailback, "").split("Commands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+) ", listed, re.M)


def lines(text):
    """The examples of a page, without their comments."""
    begin = re.search(r"^(Examples|Try first):\n((?:  .*\n?)+)", text, re.M)
    found = begin[2].splitlines() if begin else []
    return [re.split(r"\s{2,}", line.strip())[0] for line in found]


def parses(command, folder, tailback):
    """Whether the program takes the arguments of a command that is not run."""
    command = command[command.index("tailback") :].split("|")[0].split(">")[0]
    code, output = run_block(["bash", "-c", f"{command.strip()} --help"], "", folder, tailback)
    return [] if code == 0 else [f"it is not understood:\n{output}"]


def check(entry, folder, tailback):
    """What is wrong with one example."""
    line = entry["line"]
    if "run_by" in entry:
        there = is_target(entry["run_by"])
        return ([] if there else [f"there is no `{entry['run_by']}`"]) + parses(line, folder, tailback)
    command = entry.get("instead", line)
    verb = line[line.index("tailback") :].split()[:2]
    if command[command.index("tailback") :].split()[:2] != verb:
        return [f"`{command}` is no stand-in for it"]
    if "before" in entry:
        code, output = run_block(["bash", "-euo", "pipefail", "-c", entry["before"]], "", folder, tailback)
        if code:
            return [f"what it needs could not be made:\n{output}"]
    code, output = run_block(["bash", "-euo", "pipefail", "-c", command], "", folder, tailback)
    wrong = []
    if code != entry.get("exit", 0):
        tail = "\n".join("    " + text for text in output.splitlines()[-12:])
        wrong.append(f"exit code {code}, not {entry.get('exit', 0)}:\n{tail}")
    if not entry.get("expect") and not entry.get("files"):
        wrong.append("nothing is expected of it")
    wrong += missing(output, entry.get("expect", []), entry.get("absent", []))
    wrong += [f"there is no file {name}" for name in entry.get("files", []) if not list(Path(folder).glob(name))]
    return wrong


def check_verb(verb, entries, spec, tailback):
    """What is wrong with the examples of a verb."""
    shown = lines(page(tailback, verb))
    known = [entry["line"] for entry in entries]
    wrong = [f"`{line}` has no entry in {PROMISES.name}" for line in shown if line not in known]
    wrong += [f"`{line}` of {PROMISES.name} is not on the page" for line in known if line not in shown]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "papers"):
            shutil.copytree(ROOT / name, Path(folder) / name)
        (Path(folder) / "my.toml").write_text(spec, encoding="utf-8")
        for entry in entries:
            wrong += [f"`{entry['line']}`: {what}" for what in check(entry, folder, tailback)]
    return wrong, time.monotonic() - started


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit("usage: tools/check_examples.py TAILBACK")
    tailback = str(Path(sys.argv[1]).resolve())
    promises = tomllib.loads(PROMISES.read_text(encoding="utf-8"))
    pages = ["", *verbs(tailback)]
    wrong, ran = [f"there is no verb `{verb}`" for verb in promises["verb"] if verb not in [*pages, "tailback"]], 0

    def of(verb):
        entries = promises["verb"].get(verb or "tailback", [])
        return verb or "tailback", len(entries), *check_verb(verb, entries, promises["spec"], tailback)

    # Each uses all cores for itself where it can.
    with ThreadPoolExecutor(2) as pool:
        for verb, count, problems, seconds in pool.map(of, pages):
            wrong += [f"tailback {verb} --help: {what}" for what in problems]
            ran += count
            if seconds > 10:
                print(f"  the examples of {verb}: {seconds:.0f} s")
    for problem in wrong:
        print(problem, file=sys.stderr)
    if not wrong:
        print(f"help: {len(pages)} pages, {ran} examples, all hold")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
