"""One network in several processes, which a real mpirun starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

SPEC = """\
topology = { kind = "torus", radix = [8, 8], link_cycles = 2 }
router = { virtual_channels = 2, credit_cycles = 2 }
traffic = { load = 0.2, size = { kind = "fixed", flits = 4 } }
workload = { kind = "steady", warmup_cycles = 500, measure_cycles = 3000 }
probes = { link_load = true, node_load = true }
"""

# Root may, on machines of a test's own; a process more than there are cores may, too.
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def started(processes: int, command: Path, *arguments: str, cwd: Path) -> subprocess.Popen[str]:
    job = ["mpirun", "-n", str(processes), str(command), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(job, stdout=pipe, stderr=pipe, text=True, cwd=cwd, env=ENVIRONMENT)


def ended(job: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = job.communicate(timeout=120)
    return job.returncode, out, err


def record(out: str) -> dict[str, Any]:
    measured = (
        "wall_seconds",
        "cycles_per_second",
        "flit_hops_per_second",
        "packet_hops_per_second",
    )
    return {name: value for name, value in json.loads(out).items() if name not in measured}


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    return path


def test_any_number_of_processes_and_threads_gives_the_same_record(
    spec: Path, tailback_command: Path
) -> None:
    arguments = ("run", spec.name, "--json", "--no-progress")
    alone = subprocess.run(
        [tailback_command, *arguments], cwd=spec.parent, capture_output=True, text=True, check=True
    )
    for processes, threads in [(2, "1"), (2, "2"), (3, "1")]:
        code, out, err = ended(
            started(processes, tailback_command, *arguments, "-j", threads, cwd=spec.parent)
        )
        assert code == 0, err
        assert record(out) == record(alone.stdout), f"{processes} processes of {threads} threads"
        assert err.count("1 point") == 1, "only the first process talks"


def test_a_program_is_the_same_in_any_number_of_processes(
    spec: Path, tailback_command: Path
) -> None:
    program = "{ kind = 'all_reduce', algorithm = 'halving_doubling', ranks = 16, flits = 512 }"
    spec.write_text(
        "topology = { kind = 'torus', radix = [6, 6] }\n"
        "router = { kind = 'cut_through', buffer_flits = 32 }\ntraffic.packet_flits = 8\n"
        f"workload = {{ kind = 'program', generate = {program}, placement = 'random' }}\n"
    )
    arguments = ("run", spec.name, "--json", "--no-progress")
    alone = subprocess.run(
        [tailback_command, *arguments], cwd=spec.parent, capture_output=True, text=True, check=True
    )
    for processes in (2, 3):
        code, out, err = ended(started(processes, tailback_command, *arguments, cwd=spec.parent))
        assert code == 0, err
        assert record(out) == record(alone.stdout), f"{processes} processes"
        assert record(out)["status"] == "completed"


def test_points_of_a_sweep_follow_each_other_and_fill_one_folder(
    spec: Path, tailback_command: Path
) -> None:
    arguments = ("run", spec.name, "--set", "sweep={'traffic.load' = [0.1, 0.2]}", "--no-progress")
    here = subprocess.run(
        [tailback_command, *arguments, "--out", "here"],
        cwd=spec.parent,
        capture_output=True,
        text=True,
    )
    assert here.returncode == 0, here.stderr
    code, _, err = ended(
        started(2, tailback_command, *arguments, "--out", "there", cwd=spec.parent)
    )
    assert code == 0, err

    def kept(folder: str) -> list[str]:
        return [
            json.loads(line)["digest"]
            for line in (spec.parent / folder / "records.jsonl").read_text().splitlines()
        ]

    assert len(kept("here")) == 2
    assert kept("there") == kept("here")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["router.kind=wormhole"], "one process only"),
        (["topology.radix=[2]", "-j", "2"], "this network has 2 routers"),
        (["router.buffer_flits=0"], "must be between"),
    ],
)
def test_what_cannot_be_is_refused_once(
    spec: Path, tailback_command: Path, settings: list[str], said: str
) -> None:
    code, out, err = ended(
        started(2, tailback_command, "run", spec.name, "--set", *settings, cwd=spec.parent)
    )
    assert (code, out) == (2, "")
    assert err.count(said) == 1, err


def test_who_does_not_know_of_the_others_says_so(spec: Path, tailback_command: Path) -> None:
    # As mpirun starts it, where mpi4py is missing, and where it is of another MPI.
    environment = {**os.environ, "OMPI_COMM_WORLD_SIZE": "2"}
    hidden = "import sys; sys.modules['mpi4py'] = None; from tailback._command import main; main()"
    for command, said in [
        ([sys.executable, "-c", hidden], "pip install 'tailback[mpi]'"),
        ([str(tailback_command)], "mpi4py knows of 1"),
    ]:
        done = subprocess.run(
            [*command, "run", spec], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 2
        assert said in done.stderr


def test_a_process_that_dies_leaves_a_checkpoint_to_go_on_from(
    spec: Path, tailback_command: Path
) -> None:
    spec.write_text(SPEC.replace("measure_cycles = 3000", "measure_cycles = 400000"))
    whole = subprocess.run(
        [tailback_command, "run", spec.name, "--json", "--no-progress"],
        cwd=spec.parent,
        capture_output=True,
        text=True,
    )
    job = started(
        2,
        tailback_command,
        "run",
        spec.name,
        "--json",
        "--checkpoint-every",
        "2000",
        cwd=spec.parent,
    )
    checkpoint = spec.parent / "spec.checkpoint"
    deadline = time.monotonic() + 60
    while not checkpoint.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(second_of(job), signal.SIGKILL)
    code, out, err = ended(job)
    assert code != 0
    assert not out
    assert "`tailback resume spec.checkpoint` continues from it" in err
    resume = [str(tailback_command), "resume", checkpoint.name, "--json", "--no-progress"]
    rest = subprocess.run(resume, cwd=spec.parent, capture_output=True, text=True)
    assert rest.returncode == 0, rest.stderr
    assert record(rest.stdout) == record(whole.stdout)


def second_of(job: subprocess.Popen[str]) -> int:
    """The process of an MPI job that has rank 1."""
    children = Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
    for child in children:
        if b"OMPI_COMM_WORLD_RANK=1" in Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
            return int(child)
    raise AssertionError(f"no rank 1 among {children}")
