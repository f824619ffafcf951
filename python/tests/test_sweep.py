"""Sweeps: killed, edited, without room, refused; points that fail."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tailback
from sweeping import ONE, assert_kept, assert_whole, digests, points, rows
from tailback import Spec, SpecError, UsageError

# `make sweep-soak` asks for more.
POINTS = int(os.environ.get("TAILBACK_SWEEP_POINTS", "60"))
KILLS = int(os.environ.get("TAILBACK_SWEEP_KILLS", "3"))

SCRIPT = "import sys, tailback; tailback.sweep(sys.argv[1], store=sys.argv[2])"
WAYS = ["package", "command"]


@pytest.fixture
def sweep_command(tailback_command: Path) -> Callable[[str, Path, Path], list[str]]:
    def command(way: str, spec: Path, store: Path) -> list[str]:
        if way == "package":
            return [sys.executable, "-c", SCRIPT, str(spec), str(store)]
        return [str(tailback_command), "sweep", str(spec), "--out", str(store), "--no-progress"]

    return command


def written(spec: Spec, folder: Path) -> Path:
    path = folder / "spec.toml"
    path.write_text(spec.to_toml(), encoding="utf-8")
    return path


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not condition() and process.poll() is None:
        time.sleep(0.002)


@pytest.mark.parametrize("way", WAYS)
def test_a_sweep_killed_again_and_again_ends_as_an_unbroken_one(
    way: str, sweep_command: Callable[[str, Path, Path], list[str]], tmp_path: Path
) -> None:
    spec, store = points(POINTS), tmp_path / "store"
    command = sweep_command(way, written(spec, tmp_path), store)
    draws = random.Random(7)
    killed, before = 0, 0
    while killed < KILLS:
        # Somewhere between the last finished point and the end of the sweep.
        share = (POINTS - before) // (KILLS - killed + 1)
        after = before + draws.randrange(1, max(2, share))
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True) as process:
            wait_until(lambda after=after: len(rows(store)) >= after, process)  # type: ignore[misc]
            time.sleep(draws.random() * 0.02)
            process.kill()
        assert process.returncode == -signal.SIGKILL, "it was killed in mid-sweep"
        killed += 1
        now = len(rows(store))
        assert before < now < POINTS, "nothing was lost, and not all is done"
        before = now
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    assert_whole(store, digests(spec))


def test_only_what_is_new_runs_after_an_edit(tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = tailback.sweep(ONE.sweep({"traffic.load": [0.1, 0.2]}), store=store)
    edited = ONE.sweep({"traffic.load": [0.2, 0.3, 0.1]})
    again = tailback.sweep(edited, store=store)
    assert [bool(run.explanation) for run in again] == [False, True, False], "what ran now"
    loads = again.records["traffic.load"].tolist()
    assert loads == [0.2, 0.3, 0.1]
    assert again.records["digest"][0] == first.records["digest"][1]
    assert len(rows(store)) == 3


class Inline:
    """An executor that runs what it is given at once, after doing something else."""

    def __init__(self, before: Callable[[int], object]) -> None:
        self.before = before
        self.given = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        self.before(self.given)
        self.given += 1
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args))
        except Exception as error:
            future.set_exception(error)
        return future


def test_points_that_cannot_be_are_told_and_the_others_run(
    tmp_path: Path, tailback_command: Path
) -> None:
    spec = ONE.sweep({"router.buffer_flits": [8, 2, 16, 3]})
    with pytest.raises(SpecError):
        tailback.run(spec)
    result = tailback.sweep(spec, store=tmp_path / "store")
    assert result.records["router.buffer_flits"].tolist() == [8, 16]
    assert [failure.swept for failure in result.failures] == [
        {"router.buffer_flits": 2},
        {"router.buffer_flits": 3},
    ]
    assert "packet" in result.failures[0].reason
    assert not result.complete
    assert "2 points, 2 runs, 2 failed>" in repr(result)
    assert tailback.load(tmp_path / "store").failures == result.failures
    path = written(spec, tmp_path)
    for again in range(2):
        done = subprocess.run(
            [tailback_command, "sweep", path, "--out", tmp_path / "out", "--no-progress"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert "; 2 points failed" in done.stderr
        assert (
            f"failed: point {result.failures[0].point_id} (router.buffer_flits = 2)" in done.stderr
        )
        assert ("2 points kept from before" in done.stderr) == bool(again)
        assert tailback.load(tmp_path / "out").failures == result.failures
    with pytest.raises(SpecError, match="buffer_flits"):
        tailback.sweep(ONE.sweep({"router.buffer_flits": [2, 3]}), store=tmp_path / "none")


def test_a_point_that_fails_when_its_turn_comes_runs_again_next_time(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.txt", "c.txt")]
    for step, file in enumerate(files, start=1):
        file.write_text("".join(f"{(n + step) % 16}\n" for n in range(16)), encoding="utf-8")
    spec = ONE.sweep(
        {"traffic.pattern": [{"kind": "permutation", "file": str(file)} for file in files]}
    )
    lost = files[1].read_text(encoding="utf-8")
    vanishing = Inline(lambda number: files[1].unlink(missing_ok=True))
    result = tailback.sweep(spec, store=tmp_path / "store", executor=vanishing)
    assert len(result) == 2
    (failure,) = result.failures
    assert "b.txt" in failure.reason
    assert len(rows(tmp_path / "store")) == 2
    files[1].write_text(lost, encoding="utf-8")
    again = tailback.sweep(spec, store=tmp_path / "store")
    assert again.complete
    assert not again.failures
    assert [bool(run.explanation) for run in again] == [False, True, False], "what ran now"
    assert not tailback.load(tmp_path / "store").failures


def test_answers_that_are_none_make_points_fail(tmp_path: Path) -> None:
    class Wrong(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
            future = super().submit(fn, *args)
            bytes_, _ = future.result()
            answers = {
                0: bytes_.replace(b'"version":"', b'"version":"9'),
                1: b"nonsense",
                2: self.first,
            }
            self.first = bytes_ if self.given == 1 else self.first
            answer: Future[Any] = Future()
            answer.set_result((answers.get(self.given - 1, bytes_), ""))
            return answer

        first = b""

    executor = Wrong(lambda number: None)
    result = tailback.sweep(points(4), store=tmp_path / "store", executor=executor)
    reasons = [failure.reason for failure in result.failures]
    assert len(result) == 1
    assert "version 9" in reasons[0]
    assert "nonsense" in reasons[1]
    assert "a worker ran point" in reasons[2]


@pytest.mark.parametrize("way", WAYS)
def test_a_folder_of_somebody_else_is_refused(
    way: str, sweep_command: Callable[[str, Path, Path], list[str]], tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(UsageError, match="none of them are results"):
        tailback.sweep(points(1), store=theirs)
    done = subprocess.run(
        sweep_command(way, written(points(1), tmp_path), theirs),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "none of them are results" in done.stderr
    assert [path.name for path in theirs.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("way", WAYS)
def test_a_second_sweep_into_one_folder_is_refused_and_the_first_goes_on(
    way: str, sweep_command: Callable[[str, Path, Path], list[str]], tmp_path: Path
) -> None:
    spec, store = points(40), tmp_path / "store"
    command = sweep_command(way, written(spec, tmp_path), store)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True) as first:
        wait_until(lambda: len(rows(store)) > 0, first)
        first.send_signal(signal.SIGSTOP)
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        first.send_signal(signal.SIGCONT)
    assert second.returncode != 0
    assert "is being written by another run" in second.stderr
    assert first.returncode == 0
    assert_whole(store, digests(spec))


def small_files() -> None:
    """No file may grow beyond what a few records take."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_cannot_grow_stops_the_sweep_and_loses_nothing(
    way: str, sweep_command: Callable[[str, Path, Path], list[str]], tmp_path: Path
) -> None:
    spec, store = points(40), tmp_path / "store"
    command = sweep_command(way, written(spec, tmp_path), store)
    full = subprocess.run(
        command, preexec_fn=small_files, capture_output=True, text=True, check=False
    )
    assert full.returncode == 1, full.stderr
    assert re.search(r"(records|why)\.jsonl: File too large", full.stderr), full.stderr
    before = rows(store)
    assert 0 < len(before) < 40
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    assert_kept(before, store)
    assert_whole(store, digests(spec))


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of a few hundred kilobytes."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("way", WAYS)
def test_a_full_disk_stops_the_sweep_and_loses_nothing(
    way: str, sweep_command: Callable[[str, Path, Path], list[str]], tmp_path: Path
) -> None:
    spec = points(40)
    with small_disk(tmp_path / "disk") as disk:
        store = disk / "store"
        command = sweep_command(way, written(spec, tmp_path), store)
        full = subprocess.run(command, capture_output=True, text=True, check=False)
        assert full.returncode == 1, full.stderr
        assert "No space left on device" in full.stderr
        before = rows(store)
        assert 0 < len(before) < 40
        remount = ["mount", "-o", "remount,size=20m", str(disk)]
        subprocess.run(remount, check=True)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        assert_kept(before, store)
        assert_whole(store, digests(spec))


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """A folder that nobody can write to."""
    if os.geteuid() == 0:
        # The superuser may write everywhere, but for a file system that takes nothing.
        with small_disk(folder) as disk:
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            yield disk
    else:
        folder.mkdir(0o555)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize("way", WAYS)
def test_a_read_only_folder_is_named(
    way: str, sweep_command: Callable[[str, Path, Path], list[str]], tmp_path: Path
) -> None:
    path = written(points(1), tmp_path)
    with read_only(tmp_path / "folder") as folder:
        command = sweep_command(way, path, folder / "store")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert re.search(
        r"cannot create folder \S+/store: (Permission denied|Read-only file system)", done.stderr
    )
