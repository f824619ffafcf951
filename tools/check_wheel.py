#!/usr/bin/env python3
"""Installs a wheel into a fresh environment and tries it there.

    tools/check_wheel.py target/wheels/tailback-0.1.0-cp311-abi3-linux_x86_64.whl

The environment has nothing but what the wheel requires, and the wheel is tried far from the source.
It ends with 1 and says why where something is missing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

WANTED = ("tailback/py.typed", "tailback/build.pyi", "tailback/_kinds.pyi", "tailback/_native.pyi")

TRIED = """
import pickle, sys
import tailback
from tailback import build

assert "matplotlib" not in sys.modules
spec = build.spec(
    topology=build.topology.torus(radix=[4, 4]),
    traffic=build.traffic(load=0.1, size=build.traffic.size.fixed(flits=4)),
    workload=build.workload.steady(warmup_cycles=100, measure_cycles=500, drain_cycles=500),
    sweep={"traffic.load": [0.1, 0.2]},
)
result = tailback.run(spec)
assert result["status"].tolist() == ["steady", "steady"], result
assert pickle.loads(pickle.dumps(result))["digest"].tolist() == result["digest"].tolist()
result.draw("curve.svg")
print(tailback.__version__)
"""


def main() -> int:
    """Try the wheel that is named."""
    wheel = Path(sys.argv[1]).resolve()
    if "-abi3-" not in wheel.name:
        return refused(f"{wheel.name} is for one version of Python, not for all from 3.11 on")
    with zipfile.ZipFile(wheel) as packed:
        lacking = [name for name in WANTED if name not in packed.namelist()]
    if lacking:
        return refused(f"{wheel.name} lacks {', '.join(lacking)}")
    with tempfile.TemporaryDirectory() as folder:
        return tried(wheel, Path(folder))


def tried(wheel: Path, folder: Path) -> int:
    """Install the wheel below a folder and run the package and the command."""
    venv.create(folder / "fresh", with_pip=True)
    programs = folder / "fresh" / "bin"
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, str(wheel)])
    if done.returncode:
        return refused("the wheel cannot be installed")
    run = subprocess.run(
        [programs / "python", "-c", TRIED], cwd=folder, capture_output=True, text=True
    )
    if run.returncode:
        return refused(f"the package does not work:\n{run.stderr}")
    version = run.stdout.strip()
    command = subprocess.run([programs / "tailback", "-V"], capture_output=True, text=True)
    if command.stdout.strip() != f"tailback {version}" or f"-{version}-" not in wheel.name:
        return refused(f"the command says {command.stdout.strip()!r}, the package {version!r}")
    if not (folder / "curve.svg").read_text(encoding="utf-8").startswith("<svg"):
        return refused("the picture is no SVG")
    print(f"{wheel.name} works in a fresh environment")
    return 0


def refused(why: str) -> int:
    """Say why, and return the exit code."""
    print(why, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
