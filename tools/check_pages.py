#!/usr/bin/env python3
"""Does what docs/adding-a-mechanism.md says, in a copy of the tree. Standard library only.

    tools/check_pages.py PYTHON KIND...

A KIND is a section of the page: `throttle`, `probe`, `pattern` or `arbiter`. Its blocks are applied, in their order: the first line of a block
is a comment that names a new file, or a file and one of its lines by the words that it begins with. Then the suites run that take their lists
from the registries, and the generated files are written again. It is an error

* if a line of the page is not there, or there twice;
* if something does not build, a test fails, or a file is not formatted;
* if other files change than those that the page names and those that are generated;
* if the new name is missing in the recorded digests, in docs/spec.md or in the types of the Python package.

PYTHON is an interpreter that can import what the Python package needs. CARGO_TARGET_DIR is where builds are kept, `target` if it is not set:
the copy lies there, in `pages`, with builds of its own. The first one takes over what is there of the libraries. What takes how long is printed.

Exit code 0: the page is true; 1: it is not.
"""

import filecmp
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "adding-a-mechanism.md"
HEADING = re.compile(r"^## (?:An?) (\w+)$", re.M)
BLOCK = re.compile(r"^```\w+\n(?://|<!--) (.*?)(?: -->)?\n(.*?)^```$", re.M | re.S)
NEW = re.compile(r"new file (\S+)")
EDIT = re.compile(r'(\S+), (after|before|instead of) the line "(.*)"')
DIGESTS = "crates/sim/tests/digests/recorded.txt"
GENERATED = {DIGESTS, "docs/spec.md", "python/tailback/_kinds.pyi", "python/tailback/build.pyi"}
# All that is built: with one choice of packages, libraries have the same features and are compiled once.
PACKAGES = [word for name in ("sim", "verify", "cli", "python") for word in ("-p", f"tailback-{name}")]
# By kind: the package whose unit tests have the new file's, their filter, and tests of the reference model.
SUITES = {
    "throttle": ("tailback-mechanisms", "admission::", ("wormhole", "every_throttle", "engine_and_reference_agree")),
    "probe": ("tailback-probes", "entries::", None),
    "pattern": ("tailback-traffic", "pattern::", ("traffic", "every_pattern")),
    "arbiter": ("tailback-mechanisms", "arbiter::", ("wormhole", "every_throttle", "engine_and_reference_agree")),
}


class Untrue(Exception):
    """What the page says does not hold."""


def edits(kind):
    """(file, where, the line's beginning, text) of every block of a section; a new file is `None` of a line."""
    text = PAGE.read_text(encoding="utf-8")
    sections = {match[1]: match for match in HEADING.finditer(text)}
    if kind not in sections:
        raise Untrue(f"the page has no section on a {kind}")
    following = re.compile(r"^## ", re.M).search(text, sections[kind].end())
    section = text[sections[kind].end() : following.start() if following else len(text)]
    for words, body in BLOCK.findall(section):
        if new := NEW.fullmatch(words):
            yield new[1], "new", None, body
        elif edit := EDIT.fullmatch(words):
            yield *edit.groups(), body
        else:
            raise Untrue(f"a block says nothing of where it goes: {words}")


def apply(tree, kind):
    """Does what the section says; the files that it names."""
    named = set()
    for file, where, begin, body in edits(kind):
        named.add(file)
        path = tree / file
        if where == "new":
            if path.exists():
                raise Untrue(f"{file} is there already")
            path.write_text(body, encoding="utf-8")
            continue
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        found = [number for number, line in enumerate(lines) if line.startswith(begin)]
        if len(found) != 1:
            raise Untrue(f"{file} has {len(found)} lines that begin with: {begin}")
        at = found[0] + (where == "after")
        lines[at : at + (where == "instead of")] = [body]
        path.write_text("".join(lines), encoding="utf-8")
    return named


def copy_tree(tree):
    """Makes the copy like the working tree, ages of files included: Cargo goes by them."""
    listing = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    wanted = {name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()}
    for path in [path for path in tree.rglob("*") if path.is_file()]:
        if str(path.relative_to(tree)) not in wanted:
            path.unlink()
    for name in wanted:
        source, copy = ROOT / name, tree / name
        if not copy.is_file() or not filecmp.cmp(source, copy, shallow=False):
            copy.parent.mkdir(parents=True, exist_ok=True)
            # A file that was changed back is newer than what was built of it.
            (shutil.copyfile if copy.is_file() else shutil.copy2)(source, copy)
    return contents(tree)


def contents(tree):
    """Every file of the copy, and a hash of it."""
    files = [path for path in tree.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {str(path.relative_to(tree)): hashlib.sha256(path.read_bytes()).digest() for path in files}


def seed(target, builds):
    """Takes over the libraries that are built: those of the working tree and those of others."""
    own = builds / "debug"
    if own.exists() or not (target / "debug").is_dir():
        return
    def skipped(folder, names):
        # Programs and tests are large, and none is wanted.
        in_deps = Path(folder).name == "deps"
        return [name for name in names if name in ("incremental", "examples") or in_deps and "." not in name]
    def taken_over(source, copy):
        # A library is never changed in place; a newer one takes its name.
        (os.link if Path(source).suffix in (".rlib", ".rmeta", ".so", ".a") else shutil.copy2)(source, copy)
    shutil.copytree(target / "debug", own, ignore=skipped, symlinks=True, copy_function=taken_over)


def work():
    """Seconds of CPU that commands took so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Check:
    """The copy of the tree, and how it is built."""

    def __init__(self, python):
        self.target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
        self.python = python
        self.tree, self.builds = self.target / "pages" / "tree", self.target / "pages" / "build"
        self.environment = {
            **os.environ, "CARGO_TARGET_DIR": str(self.builds), "PYTHONPATH": str(self.tree / "python"),
            "PYTHONDONTWRITEBYTECODE": "1", "TAILBACK_SOAK_CASES": "60",
        }

    def run(self, what, *command, **environment):
        """Runs a command in the copy, and prints how long it took."""
        begin, worked = time.monotonic(), work()
        done = subprocess.run(command, cwd=self.tree, env={**self.environment, **environment}, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        crates = len(re.findall(r"^ *Compiling ", done.stdout, re.M))
        print(f"  {time.monotonic() - begin:6.1f} s  {work() - worked:6.1f} s of CPU, {crates:2} crates  {what}", flush=True)
        if done.returncode != 0:
            raise Untrue(f"{' '.join(command)}\n{done.stdout[-6000:]}")
        return done.stdout

    def cargo_test(self, what, which, *words, **environment):
        """Runs tests, of which there is at least one."""
        output = self.run(what, "cargo", "test", "--locked", *which, "--", *words, **environment)
        if not re.search(r"test result: ok. [1-9]", output):
            raise Untrue(f"no test is about {' or '.join(words)}")

    def section(self, kind):
        """Checks a section of the page."""
        print(f"a {kind}:", flush=True)
        self.tree.mkdir(parents=True, exist_ok=True)
        before = copy_tree(self.tree)
        named = apply(self.tree, kind)
        stem = next(Path(file).stem for file, where, _, _ in edits(kind) if where == "new")
        self.run("format", "cargo", "fmt", "--all", "--", "--check")
        package, words, twin = SUITES[kind]
        # The Python package, which has no tests in Rust, selects the features of all libraries.
        self.cargo_test("its unit tests", ["-p", package, "-p", "tailback-python"], words)
        self.cargo_test("digests of it under every router", [*PACKAGES, "--test", "digests"], TAILBACK_RECORD="new")
        if twin:
            self.cargo_test("its twin", [*PACKAGES, "--test", twin[0]], *twin[1:])
        self.run("the program and the Python package", "cargo", "build", "--locked", *PACKAGES)
        debug = self.builds / "debug"
        self.run("docs/spec.md", sys.executable, "tools/check_docs.py", str(debug / "tailback"), "--write")
        native = self.tree / "python" / "tailback" / "_native.so"
        shutil.copyfile(debug / "libtailback_native.so", native)
        self.run("the types of the Python package", self.python, "tools/python_stubs.py")
        native.unlink()
        self.compare(stem, named, before)

    def compare(self, name, named, before):
        """Checks what has changed, and that the new name is wherever it has to be."""
        now = contents(self.tree)
        touched = {name for name in now.keys() | before.keys() if now.get(name) != before.get(name)}
        if beside := touched - named - GENERATED:
            raise Untrue(f"files changed that the page does not name: {', '.join(sorted(beside))}")
        if same := named - touched:
            raise Untrue(f"the page names files that do not change: {', '.join(sorted(same))}")
        for file in (DIGESTS, "docs/spec.md", "python/tailback/_kinds.pyi"):
            old = (ROOT / file).read_text(encoding="utf-8").splitlines()
            lines = set((self.tree / file).read_text(encoding="utf-8").splitlines()).difference(old)
            fresh = [line for line in lines if re.search(rf"\b{name}\b", line)]
            if not fresh or all(line.endswith("refused") for line in fresh):
                raise Untrue(f"{file} does not know {name}")
        print(f"  all is as the page says: {', '.join(sorted(named))}", flush=True)


def main():
    if len(sys.argv) < 3 or not set(sys.argv[2:]) <= set(SUITES):
        sys.exit(f"usage: tools/check_pages.py PYTHON KIND..., a KIND is one of {', '.join(SUITES)}")
    check = Check(os.path.abspath(sys.argv[1]))
    try:
        begin = time.monotonic()
        check.builds.mkdir(parents=True, exist_ok=True)
        seed(check.target, check.builds)
        print(f"  {time.monotonic() - begin:6.1f} s  libraries taken over", flush=True)
        for kind in sys.argv[2:]:
            check.section(kind)
    except Untrue as error:
        sys.exit(f"{PAGE.relative_to(ROOT)} is not true: {error}")


if __name__ == "__main__":
    main()
