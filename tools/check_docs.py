#!/usr/bin/env python3
"""Holds the documentation to the truth. Standard library only.

    tools/check_docs.py TAILBACK [--write]

For every Markdown file of the repository:

* fenced blocks marked ```sh run``` are run with bash, with TAILBACK first on the path, in a scratch folder that has
  `examples` and `papers`; the exit code must be 0, or N where the mark is ```sh run exit=N```. The blocks of one file
  share a folder, so a later one may use what an earlier one wrote. What the text promises of a block stands below it, a comment a
  promise, and there is at least one: `<!-- expect: REGEX -->`, which its output must hold (standard output and error together),
  `<!-- expect not: REGEX -->`, and `<!-- expect file: PATTERN -->` for a file that is there afterwards;
* fenced blocks marked ```sh``` alone that call `tailback` say who runs them: `<!-- run by: make TARGET -->`, or a file of tests.
  Their commands are parsed here;
* fenced blocks marked ```toml spec``` must pass `tailback check`, with the exit code of their mark;
* relative links and their anchors must lead somewhere; so must paths in backticks that begin with a folder of ours;
* what stands between `<!-- generated: NAME -->` and `<!-- end generated -->` must be what the program prints now, or a file of examples.
  `--write` puts that there instead of complaining.

Exit code 0: all true; 1: something is not, each with file and line.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = {"target", "out", "results", ".git", "node_modules", ".venv"}
FOLDERS = ("crates", "python", "docs", "verify", "papers", "examples", "tools", ".ci")
TIMEOUT_SECONDS = 300

PROMISE = re.compile(r"^ *<!-- (expect|expect not|expect file|run by): (.*) -->$")
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)$")
LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
GENERATED = re.compile(r"(<!-- generated: ([a-z-]+) -->\n)(.*?)(<!-- end generated -->)", re.S)


def markdown_files():
    """All Markdown files of the repository, in a fixed order."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.startswith(".cargo"))
        found += [Path(folder) / f for f in sorted(files) if f.endswith(".md")]
    return found


def blocks(text):
    """(line number, info words, body) of every fenced block, and the text without them, line by line."""
    found, prose, inside = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if inside is None and fence:
            inside = (number, fence["info"].split(), [])
        elif inside is not None and line.strip() == "```":
            found.append((inside[0], inside[1], "\n".join(inside[2]) + "\n"))
            inside = None
        elif inside is not None:
            inside[2].append(line)
        prose.append("" if inside is not None or fence else line)
    return found, prose


def anchor(heading):
    """The anchor that Markdown viewers give a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    kept = [c for c in text if c in " -_" or unicodedata.category(c)[0] in "LN"]
    return "".join(kept).replace(" ", "-")


def anchors(path):
    """All anchors of a Markdown file."""
    _, prose = blocks(path.read_text(encoding="utf-8"))
    headings = [line.lstrip("#") for line in prose if line.startswith("#")]
    return {anchor(h) for h in headings}


def check_links(path, prose):
    """Relative links and paths in backticks that lead nowhere."""
    for number, line in enumerate(prose, 1):
        for match in LINK.finditer(CODE.sub("", line)):
            target = match.group(1) or match.group(2)
            if re.match(r"[a-z]+:", target):
                continue
            file, _, part = target.partition("#")
            place = (path.parent / file).resolve() if file else path
            if not place.exists():
                yield number, f"the link `{target}` leads nowhere"
            elif part and place.suffix == ".md" and part not in anchors(place):
                yield number, f"the link `{target}` names a heading that is not there"
        for match in CODE.finditer(line):
            words = match.group(1)
            if words.split("/")[0] in FOLDERS and "/" in words and not re.search(r"[\s<>…{]", words):
                name = words.rstrip("/").split(":")[0]
                if not any(ROOT.glob(name)):
                    yield number, f"there is no `{words}`"


def expected_exit(words):
    """N of `exit=N`, 0 without it."""
    return next((int(w[5:]) for w in words if w.startswith("exit=")), 0)


def run_block(command, stdin, folder, tailback):
    """Runs one block; (exit code, what it printed)."""
    path = f"{Path(tailback).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100"}
    try:
        done = subprocess.run(command, input=stdin, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, f"not done after {TIMEOUT_SECONDS} s\n"


def promises(text):
    """What stands below each fenced block, by the line of its fence: [(kind, what)]."""
    found, lines = {}, text.splitlines()
    for number, _, body in blocks(text)[0]:
        below = number + body.count("\n") + 1
        found[number] = []
        while below < len(lines) and (match := PROMISE.match(lines[below])):
            found[number].append(match.groups())
            below += 1
    return found


def missing(output, expected, absent):
    """Promises that an output does not keep."""
    for pattern in expected:
        if not re.search(pattern, output, re.M):
            yield f"the output has no `{pattern}`:\n" + "\n".join("    " + line for line in output.splitlines()[-30:])
    for pattern in absent:
        if match := re.search(pattern, output, re.M):
            yield f"the output has `{match[0]}`"


def is_target(name):
    """Whether `make TARGET` or a file of tests is there."""
    if name.startswith("make "):
        return re.search(rf"^{re.escape(name[5:])}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M) is not None
    return (ROOT / name).is_file()


def check_kept(number, words, body, kept, folder, output):
    """Promises of a block that it does not keep, or that there are none."""
    of = lambda kind: [what for known, what in kept if known == kind]  # noqa: E731
    if words[:2] == ["sh", "run"] and not kept:
        yield number, "the block promises nothing: say below it what it shows, `<!-- expect: REGEX -->`"
    for what in missing(output, of("expect"), of("expect not")):
        yield number, what
    for pattern in of("expect file"):
        if not list(Path(folder).glob(pattern)):
            yield number, f"there is no file {pattern}"


def check_elsewhere(number, body, kept, folder, tailback):
    """Blocks that others run: who does, and whether the program takes their arguments."""
    commands = [line for line in body.splitlines() if re.match(r"(mpirun -n \d+ )?tailback ", line)]
    runners = [what for kind, what in kept if kind == "run by"]
    if commands and not runners:
        yield number, "nobody runs the block: mark it `sh run`, or say who does, `<!-- run by: make TARGET -->`"
    for name in runners:
        if not is_target(name):
            yield number, f"there is no `{name}`"
    for command in commands:
        command = command[command.index("tailback ") :].split("#")[0].split("|")[0].split(">")[0]
        code, output = run_block(["bash", "-c", f"{command.strip()} --help"], "", folder, tailback)
        if code != 0:
            yield number, f"`{command.strip()}` is not understood:\n{output}"


def check_blocks(found, kept, folder, tailback):
    """Blocks that do not do what their mark says, or what the text promises of them."""
    for number, words, body in found:
        if words == ["sh"]:
            yield from check_elsewhere(number, body, kept[number], folder, tailback)
        if words[:2] == ["sh", "run"]:
            command, stdin = ["bash", "-euo", "pipefail", "-c", body], ""
        elif words[:2] == ["toml", "spec"]:
            command, stdin = [tailback, "check", "-"], body
        else:
            continue
        code, output = run_block(command, stdin, folder, tailback)
        if code != expected_exit(words):
            tail = "\n".join("    " + line for line in output.splitlines()[-15:])
            yield number, f"the block ended with exit code {code}, not {expected_exit(words)}:\n{tail}"
        yield from check_kept(number, words, body, kept[number], folder, output)


def printed(tailback, *arguments):
    """What the program prints."""
    return subprocess.run([tailback, *arguments], text=True, stdout=subprocess.PIPE, check=True).stdout


def table(tailback):
    """The columns of a record as a Markdown table."""
    rows = json.loads(printed(tailback, "list", "columns", "--json"))
    lines = ["| column | unit | meaning |", "|---|---|---|"]
    lines += [f"| `{row['name']}` | {row['unit']} | {row['meaning']} |" for row in rows]
    return "\n".join(lines) + "\n"


def example(language, name):
    """A file of examples/hosts, in a fenced block."""
    return f"```{language}\n{(ROOT / 'examples' / 'hosts' / name).read_text(encoding='utf-8')}```\n"


GENERATORS = {
    "spec": lambda tailback: printed(tailback, "list", "--markdown"),
    "columns": table,
    "booksim": lambda tailback: printed(tailback, "booksim", "--keys"),
    "workloads": lambda tailback: printed(tailback, "workload", "--parameters", "--markdown"),
    "networks": lambda tailback: printed(tailback, "topology", "--parameters", "--markdown"),
    "host-c": lambda tailback: example("c", "request_reply.c"),
    "host-cpp": lambda tailback: example("cpp", "request_reply.cpp"),
    "host-python": lambda tailback: example("python", "request_reply.py"),
    "host-rust": lambda tailback: example("rust", "request_reply.rs"),
    "host-cores": lambda tailback: example("cpp", "cores.cpp"),
}


def check_generated(path, text, tailback, write):
    """Generated parts that are not fresh; with `write` they are made so."""
    problems = []

    def fresh(match):
        number = text[: match.start()].count("\n") + 1
        if match.group(2) not in GENERATORS:
            problems.append((number, f"nothing generates `{match.group(2)}`"))
            return match.group(0)
        content = GENERATORS[match.group(2)](tailback)
        if content != match.group(3) and not write:
            problems.append((number, "this part is not fresh; `make docs` rewrites it"))
        return match.group(1) + content + match.group(4)

    new = GENERATED.sub(fresh, text)
    if write and new != text:
        path.write_text(new, encoding="utf-8")
        print(f"rewrote {path.relative_to(ROOT)}")
    return problems


def check_file(path, tailback, write):
    """What is wrong with a file, and how many of its blocks were run."""
    text = path.read_text(encoding="utf-8")
    found, prose = blocks(text)
    problems, ran = check_generated(path, text, tailback, write), 0
    if not write:
        problems += check_links(path, prose)
        ran = sum(words[:2] in (["sh", "run"], ["toml", "spec"]) for _, words, _ in found)
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            for name in ("examples", "papers") if ran else ():
                shutil.copytree(ROOT / name, Path(folder) / name)
            problems += check_blocks(found, promises(text), folder, tailback)
        seconds = time.monotonic() - started
        if seconds > 10:
            print(f"  {path.relative_to(ROOT)}: {seconds:.0f} s", flush=True)
    return [f"{path.relative_to(ROOT)}:{number}: {what}" for number, what in problems], ran


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        sys.exit("usage: tools/check_docs.py TAILBACK [--write]")
    tailback, write = str(Path(arguments[0]).resolve()), "--write" in sys.argv
    problems, ran, files = [], 0, markdown_files()
    # Many blocks keep one core busy.
    with ThreadPoolExecutor(2) as pool:
        for found, blocks_run in pool.map(lambda path: check_file(path, tailback, write), files):
            problems += found
            ran += blocks_run
    for problem in problems:
        print(problem, file=sys.stderr)
    if not write and not problems:
        print(f"documentation: {len(files)} files, {ran} blocks run, all true")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
