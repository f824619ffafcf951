"""Sweeps on other processes: pools, a real cluster of Dask, arrays of Slurm jobs without Slurm."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tailback
from sweeping import ONE, assert_whole, digests, points, rows
from tailback import Progress, UsageError


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    from distributed import Client

    with Client(cluster) as client:
        yield client


def test_a_pool_of_processes_gives_the_same_bits(tmp_path: Path) -> None:
    spec = points(6)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        result = tailback.sweep(spec, store=tmp_path / "store", executor=pool)
        again = tailback.sweep(spec, store=tmp_path / "store", executor=pool)
    assert_whole(tmp_path / "store", digests(spec))
    here = tailback.run(spec)
    assert result.records.names == here.records.names
    assert result.records["traffic.load"].tolist() == here.records["traffic.load"].tolist()
    assert [run.explanation for run in result] == [run.explanation for run in here]
    assert result[2].spec.to_toml() == here[2].spec.to_toml()
    assert result[2].series["windows"].names == here[2].series["windows"].names
    assert [run.explanation for run in again] == [""] * 6, "nothing ran"


def test_a_pool_that_breaks_is_told_and_what_is_finished_is_kept(tmp_path: Path) -> None:
    spec, store = points(40), tmp_path / "store"
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:

        def kill(progress: Progress) -> None:
            if progress.points == 3:
                for process in multiprocessing.active_children():
                    process.kill()

        with pytest.raises(tailback.Error, match="the executor gave up"):
            tailback.sweep(spec, store=store, executor=pool, progress=kill)
    assert 3 <= len(rows(store)) < 40
    tailback.sweep(spec, store=store)
    assert_whole(store, digests(spec))


def test_workers_of_dask_killed_in_mid_sweep_lose_nothing(
    cluster: Any, client: Any, tmp_path: Path
) -> None:
    spec = points(60)
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.points in (8, 30) and len(killed) < 2:
            pids = [nanny.pid for nanny in cluster.workers.values()]
            killed.append(next(pid for pid in pids if pid is not None and pid not in killed))
            os.kill(killed[-1], signal.SIGKILL)

    result = tailback.sweep(spec, store=tmp_path / "store", executor=client, progress=kill)
    assert len(killed) == 2
    assert result.complete
    assert_whole(tmp_path / "store", digests(spec))


def test_ctrl_c_keeps_what_a_cluster_has_finished(client: Any, tmp_path: Path) -> None:
    spec, store = points(60), tmp_path / "store"

    pressed: list[int] = []

    def interrupt(progress: Progress) -> None:
        # Several points may end between two calls.
        if progress.points >= 5 and not pressed:
            pressed.append(progress.points)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(tailback.Interrupted) as caught:
        tailback.sweep(spec, store=store, executor=client, progress=interrupt)
    result = caught.value.result
    assert isinstance(result, tailback.Result)
    assert 5 <= len(result) == len(rows(store)) < 60


def test_the_command_on_dask(cluster: Any, tmp_path: Path, tailback_command: Path) -> None:
    spec, path, out = points(5), tmp_path / "spec.toml", tmp_path / "out"
    path.write_text(spec.to_toml(), encoding="utf-8")
    address = str(cluster.scheduler_address).removeprefix("tcp://")
    command: list[str | Path] = [
        tailback_command,
        "sweep",
        path,
        "--out",
        out,
        "--on",
        f"dask://{address}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "5 points kept from before" in done.stderr
    assert (out / "report.html").is_file()
    assert_whole(out, digests(spec))


HEARD_SECONDS = 0.3
# A machine that is busy otherwise may be late once, and not that often.
TRIES = 20

# The second point would take days.
ENDLESS = ONE.sweep(
    {
        "zip": [["traffic.load", "workload.measure_cycles"]],
        "traffic.load": [0.05, 0.1],
        "workload.measure_cycles": [1000, 900_000_000_000],
    }
)


def stopped(
    command: list[str | Path], ready: Callable[[], bool], **more: Any
) -> tuple[float, int, str]:
    """Start a command and press Ctrl-C once it is ready.

    The time until that was heard, the exit code, and what was said.
    """
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )
    assert child.stderr is not None
    start = time.monotonic()
    while not ready():
        assert child.poll() is None, child.stderr.read()
        assert time.monotonic() - start < 120
        time.sleep(0.05)
    time.sleep(0.2)
    pressed = time.monotonic()
    child.send_signal(signal.SIGINT)
    said = ""
    for line in child.stderr:
        said += line
        if "what is finished is kept" in line:
            break
    took = time.monotonic() - pressed
    _, rest = child.communicate(timeout=120)
    return took, child.returncode, said + rest


def test_ctrl_c_in_a_command_on_dask_is_heard_at_once(
    tmp_path: Path, tailback_command: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    path = tmp_path / "spec.toml"
    path.write_text(ENDLESS.to_toml(), encoding="utf-8")
    best = float("inf")
    for attempt in range(TRIES):
        out = tmp_path / f"out-{attempt}"
        command: list[str | Path] = [tailback_command, "sweep", path, "--out", out, "--on"]
        # A worker stays busy with the second point, and is of no use for another try.
        with distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
        ) as own:
            address = str(own.scheduler_address).removeprefix("tcp://")
            took, code, said = stopped(
                [*command, f"dask://{address}"],
                lambda out=out: len(rows(out)) == 1,  # type: ignore[misc]
            )
        assert code == 130, said
        assert "the same command runs the others" in said, said
        assert "Traceback" not in said, said
        assert [row["status"] for row in rows(out)] == ["steady"], "what had ended was kept"
        best = min(best, took)
        if best <= HEARD_SECONDS:
            break
    assert best <= HEARD_SECONDS


def test_ctrl_c_while_slurm_has_started_nothing_takes_its_jobs_back(
    tmp_path: Path, tailback_command: Path
) -> None:
    pytest.importorskip("dask_jobqueue")
    # A Slurm that accepts jobs and starts none.
    tools, asked, taken = tmp_path / "bin", tmp_path / "asked", tmp_path / "taken"
    tools.mkdir()
    for name, script in {
        "sbatch": f"echo Submitted batch job 7; echo job >> {asked}",
        "scancel": f"echo $@ >> {taken}",
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    path = tmp_path / "spec.toml"
    path.write_text(ENDLESS.to_toml(), encoding="utf-8")
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    command: list[str | Path] = [tailback_command, "sweep", path, "--out", tmp_path / "out"]
    best = float("inf")
    for _ in range(TRIES):
        asked.unlink(missing_ok=True)
        taken.unlink(missing_ok=True)
        took, code, said = stopped(
            [*command, "--on", "slurm", "--tasks", "1"], asked.exists, env=environment
        )
        assert code == 130, said
        assert taken.read_text(encoding="utf-8").split() == ["7"], said
        best = min(best, took)
        if best <= HEARD_SECONDS:
            break
    assert best <= HEARD_SECONDS


def test_ctrl_c_before_a_cluster_is_asked_is_heard_at_once(
    tmp_path: Path, tailback_command: Path
) -> None:
    path = tmp_path / "spec.toml"
    many = {"from": 0, "to": 999, "step": 1}
    path.write_text(
        ONE.sweep(
            {"router.header_cycles": many, "router.buffer_flits": {**many, "from": 32}}
        ).to_toml(),
        encoding="utf-8",
    )
    command: list[str | Path] = [tailback_command, "sweep", path, "--out", tmp_path / "out"]
    for on in ["dask://127.0.0.1:9", "slurm", "sbatch"]:
        child = subprocess.Popen([*command, "--on", on], stderr=subprocess.PIPE, text=True)
        # Python starts, and half a million points are looked at.
        time.sleep(3)
        assert child.poll() is None, "it is busy"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
        assert (child.returncode, "nothing was run" in said) == (130, True), said


def test_a_cluster_that_is_not_there_is_told(tmp_path: Path, tailback_command: Path) -> None:
    pytest.importorskip("distributed")
    path = tmp_path / "spec.toml"
    path.write_text(points(2).to_toml(), encoding="utf-8")
    command: list[str | Path] = [tailback_command, "sweep", path, "--out", tmp_path / "out"]
    # Nothing listens there.
    gone = subprocess.run(
        [*command, "--on", "dask://127.0.0.1:9"], capture_output=True, text=True, check=False
    )
    assert gone.returncode == 2
    assert "no scheduler of Dask answers at 127.0.0.1:9" in gone.stderr
    wrong = subprocess.run([*command, "--on", "pbs"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "dask://HOST:PORT, slurm or sbatch" in wrong.stderr


def test_threads_are_not_those_of_an_executor(tmp_path: Path, client: Any) -> None:
    with pytest.raises(ValueError, match="executor has its own"):
        tailback.sweep(points(1), store=tmp_path / "store", executor=client, threads=2)
    (tmp_path / "theirs").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="none of them are results"):
        tailback.sweep(points(1), store=tmp_path, executor=client)


def test_an_array_of_jobs_is_gathered(tmp_path: Path, tailback_command: Path) -> None:
    spec, path, out = points(10), tmp_path / "spec.toml", tmp_path / "it's out"
    path.write_text(spec.to_toml(), encoding="utf-8")
    sweep: list[str | Path] = [tailback_command, "sweep", path, "--out", out]
    done = subprocess.run(
        [*sweep, "--on", "sbatch", "--tasks", "4"], capture_output=True, text=True, check=True
    )
    script = out / "sweep.sbatch"
    assert f"sbatch {script}" in done.stdout
    assert "--array=0-3" in script.read_text(encoding="utf-8")
    for task in ("0", "2", "3"):
        environment = {**os.environ, "SLURM_ARRAY_TASK_ID": task}
        subprocess.run(["sh", script], env=environment, check=True)
    assert len(rows(out / "shares" / "0")) == 3
    collect = subprocess.run([*sweep, "--collect"], capture_output=True, text=True, check=False)
    assert collect.returncode == 1, collect.stderr
    assert "7 points kept from before; 3 points not run" in collect.stderr
    assert len(rows(out)) == 7
    rest = subprocess.run(sweep, capture_output=True, text=True, check=False)
    assert rest.returncode == 0, rest.stderr
    assert_whole(out, digests(spec))
    why = (out / "why.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(why) == 10


def test_failures_of_shares_are_told(tmp_path: Path, tailback_command: Path) -> None:
    spec = ONE.sweep({"router.buffer_flits": [8, 2, 16, 3]})
    path, out = tmp_path / "spec.toml", tmp_path / "out"
    path.write_text(spec.to_toml(), encoding="utf-8")
    sweep: list[str | Path] = [tailback_command, "sweep", path, "--no-progress", "--out"]
    for share in range(2):
        target = out / "shares" / str(share)
        code = subprocess.run([*sweep, target, "--share", f"{share}/2"], check=False).returncode
        assert code == share
    (out / ".tailback.lock").touch()
    done = subprocess.run([*sweep, out, "--collect"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "2 points kept from before; 2 points failed" in done.stderr
    assert len(tailback.load(out).failures) == 2
