#!/usr/bin/env python3
"""Finds public functions with boolean parameters: `f(true, false)` says nothing where it is called.

    tools/check_booleans.py [FOLDER]

FOLDER has the crates, `crates` by default. A condition that a function asserts may be a boolean: that parameter is called `holds`.
Modules of tests are left out. Standard library only.
Exit code 0: there is none; 1: there are some, and they are printed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FUNCTION = re.compile(r"^[ \t]*pub(?:\([a-z ]+\))? (?:const |unsafe )*fn (\w+)(?:<[^(]*>)?\(", re.M)
BOOLEAN = re.compile(r"(?:mut )?(\w+)\s*:\s*&?(?:mut )?bool$|.*:\s*\(.*\bbool\b.*\)$", re.S)
TESTS = re.compile(r"^#\[cfg\([^\n]*\btest\b[^\n]*\)\]\s*\n(?:#\[[^\n]*\n)*mod \w+ \{", re.M)
# Each turns the flag of a command, or of a call from Python, into a word.
ALLOWED = {
    ("cli/src/output.rs", "replace"),
    ("python/src/output.rs", "write"),
    ("python/src/studies.rs", "reproduce"),
}


def parameters(text, start):
    """Return the parameters of a function; its list begins at `start`."""
    depth, at, found = 0, start, [""]
    while depth >= 0:
        letter = text[at]
        depth += (letter in "([{<") - (letter in ")]}" or letter == ">" and text[at - 1] != "-")
        if letter == "," and depth == 0:
            found.append("")
        elif depth >= 0:
            found[-1] += letter
        at += 1
    return [parameter.strip() for parameter in found if parameter.strip()]


def offenders(folder):
    """Yield place, function and parameter of every boolean parameter."""
    for file in sorted(folder.glob("*/src/**/*.rs")):
        name = file.relative_to(folder).as_posix()
        if "tests" in file.parts or file.stem == "tests":
            continue
        text = TESTS.split(file.read_text(encoding="utf-8"), maxsplit=1)[0]
        for function in FUNCTION.finditer(text):
            if (name, function[1]) in ALLOWED:
                continue
            line = text.count("\n", 0, function.start(1)) + 1
            for parameter in parameters(text, function.end()):
                match = BOOLEAN.match(parameter)
                if match and match[1] != "holds":
                    yield f"{name}:{line}", function[1], parameter


def main():
    """Print the boolean parameters."""
    found = list(offenders(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "crates"))
    for place, function, parameter in found:
        print(f"{place}: fn {function} has a boolean parameter: {parameter}")
    print(f"booleans: {len(found)} in the parameters of public functions")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
