"""Runs: the same bits as the command's, free interpreter, Ctrl-C, stores."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

import tailback
from conftest import SMALL
from tailback import Interrupted, Progress, Result, Spec, SpecError, UsageError

LONG = Spec.from_toml(SMALL).with_(
    {"workload.measure_cycles": 20_000_000, "traffic.load": 0.3, "admission": "off"}
)


def digests(result: Result) -> list[str]:
    return list(result.records["digest"])


def test_bits_are_those_of_the_command(
    result: Result, tmp_path: Path, tailback_command: Path
) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    done = subprocess.run(
        [tailback_command, "run", path, "--json"], capture_output=True, text=True, check=True
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["digest"] for row in rows] == digests(result)
    speed = {"wall_seconds", "cycles_per_second", "flit_hops_per_second", "packet_hops_per_second"}
    for row, run in zip(rows, result, strict=True):
        assert {k: v for k, v in row.items() if k not in speed} == {
            k: v for k, v in run.record.items() if k not in speed
        }


def test_threads_and_single_points_change_no_bit(result: Result, small: Spec) -> None:
    assert digests(tailback.run(small, threads=1)) == digests(result)
    alone = [tailback.run(point.spec) for point in small.points()]
    assert [digest for one in alone for digest in digests(one)] == digests(result)
    assert digests(tailback.run(result[1].spec)) == digests(result)[1:2]
    with pytest.raises(ValueError, match="at least 1"):
        tailback.run(small, threads=0)


def test_a_wrong_spec_runs_nothing(small: Spec, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="virtual channel"):
        tailback.sweep(small.set("router.virtual_channels=1"), store=tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_progress_goes_up_to_the_end(small: Spec, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Progress] = []
    tailback.run(small, progress=told.append)
    assert told
    assert [p.points for p in told] == sorted(p.points for p in told)
    assert (told[-1].points, told[-1].points_total, told[-1].cycles_total) == (4, 4, 4800)
    assert told[-1].cycles >= 4800
    tailback.run(small, progress=True)
    assert "4 of 4" in capsys.readouterr().err
    tailback.run(small)
    assert capsys.readouterr().err == "", "no terminal, nothing shown"


def test_an_exception_in_progress_stops_the_run() -> None:
    def fail(_: Progress) -> None:
        raise RuntimeError("enough")

    started = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        tailback.run(LONG, progress=fail)
    assert time.monotonic() - started < 20


def test_other_threads_go_on_meanwhile() -> None:
    turns = 0
    ended = threading.Event()

    def stop(progress: Progress) -> None:
        if turns > 1000 or progress.seconds > 30:
            raise RuntimeError("seen enough")

    def work() -> None:
        nonlocal turns
        while not ended.wait(0.0001):
            turns += 1

    worker = threading.Thread(target=work)
    worker.start()
    with pytest.raises(RuntimeError, match="seen enough"):
        tailback.run(LONG, progress=stop)
    ended.set()
    worker.join()
    assert turns > 1000


def test_ctrl_c_keeps_what_is_finished(small: Spec) -> None:
    # Two short points, then one that would take minutes.
    spec = small.with_({"admission": "off"}).sweep(
        {"traffic.load": [0.1, 0.2, 0.3], "workload.measure_cycles": [1000, 1000, 20_000_000]},
        zip=[["traffic.load", "workload.measure_cycles"]],
    )
    pid = os.getpid()

    def interrupt(progress: Progress) -> None:
        if progress.points == 2:
            os.kill(pid, signal.SIGINT)

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        tailback.run(spec, threads=1, progress=interrupt)
    assert time.monotonic() - started < 30
    assert isinstance(caught.value, Interrupted)
    result = caught.value.result
    assert isinstance(result, Result)
    assert [run.status for run in result] == ["steady", "steady", "interrupted"]
    assert not result.complete
    assert result.points == 3


def test_ctrl_c_of_a_real_terminal(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    spec = tmp_path / "long.toml"
    spec.write_text(LONG.to_toml(), encoding="utf-8")
    script.write_text(
        "import tailback\n"
        "try:\n"
        f"    tailback.run({str(spec)!r}, progress=lambda p: print('runs', flush=True))\n"
        "except KeyboardInterrupt as stop:\n"
        "    print(stop.result[0].status, flush=True)\n",
        encoding="utf-8",
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "runs\n"
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read().splitlines()
        assert rest[-1] == "interrupted"
    assert process.returncode == 0


def test_a_store_keeps_what_is_finished(small: Spec, result: Result, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = tailback.sweep(small.set("admission=off"), store=store)
    assert len(first) == 2
    whole = tailback.sweep(small, store=store)
    assert digests(whole) == digests(result)
    # What an earlier run finished has its record here, and its series in the folder.
    assert whole[0].explanation == ""
    assert whole[1].explanation
    again = tailback.sweep(small, store=store)
    assert digests(again) == digests(result)
    loaded = tailback.load(store)
    assert sorted(digests(loaded)) == sorted(digests(result))
    lines = (store / "records.csv").read_text(encoding="utf-8").splitlines()
    assert "accepted_load_seeds_ci95" in lines[0].split(",")
    assert len(lines) > 1
    assert (store / "records.parquet").is_file()
    assert len(list((store / "capsules").iterdir())) == 4


def test_a_store_that_cannot_be_is_told(small: Spec, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    with pytest.raises(tailback.Error, match="file"):
        tailback.sweep(small, store=file / "below")
    with pytest.raises(tailback.Error, match="records"):
        tailback.load(tmp_path)


def test_a_capsule_is_verified_by_the_command(
    result: Result, tmp_path: Path, tailback_command: Path
) -> None:
    path = tmp_path / "capsule.json"
    result[2].write_capsule(path)
    subprocess.run([tailback_command, "verify", path], check=True, capture_output=True)


def test_the_command_of_the_wheel(tailback_command: Path) -> None:
    shown = subprocess.run([tailback_command, "-V"], capture_output=True, text=True, check=True)
    assert shown.stdout.split()[-1] == tailback.__version__
    wrong = subprocess.run([tailback_command, "rnu"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "rnu" in wrong.stderr


def test_papers_are_reproduced() -> None:
    papers = tailback.papers()
    assert "spth-2015" in papers
    with pytest.raises(UsageError, match="no paper"):
        tailback.reproduce("spth-2014")
    with pytest.raises(UsageError, match="no item `table9`"):
        tailback.reproduce("spth-2015", "table9")
    with pytest.raises(UsageError, match=r"no reading `0\.0\.9`"):
        tailback.reproduce("spth-2015", "table2", reading="0.0.9")
    study = tailback.reproduce("spth-2015", "table2", quick=True, reading="0.1.0")
    assert (study.items, study.reading) == (("table2",), "0.1.0")
    assert study.cells
    assert not study.failed
    assert study.cells[0].unit is not None
    assert str(study) == study.text


def test_a_reproduction_can_be_stopped() -> None:
    def interrupt(_: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted) as caught:
        tailback.reproduce("spth-2015", progress=interrupt)
    assert caught.value.result is not None


def test_what_a_spec_says_in_vain_is_a_warning(small: Spec) -> None:
    small = small.set("admission=off")
    turn = small.set("selection=turn")
    told = "selection.kind = turn has no effect under router.kind = cut_through, because "
    with pytest.warns(tailback.NoEffectWarning, match=told) as caught:
        tailback.run(turn)
    assert [Path(warning.filename).name for warning in caught] == ["test_run.py"]
    assert any(text.startswith(told) for text in tailback.check(turn).warnings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tailback.run(small)
        with pytest.raises(tailback.NoEffectWarning):
            tailback.run(turn)


def test_a_program_that_may_lock_is_a_warning(tmp_path: Path) -> None:
    goal = tmp_path / "crossed.goal"
    goal.write_text(
        "num_ranks 2\nrank 0 {\na: send 64b to 1 tag 1\nb: send 64b to 1 tag 2\nb requires a\n}\n"
        "rank 1 {\nx: recv 64b from 0 tag 2\ny: recv 64b from 0 tag 1\ny requires x\n}\n"
    )
    crossed = Spec.from_toml(
        "topology = { kind = 'mesh', radix = [2] }\n"
        "router = { kind = 'cut_through', buffer_flits = 8, ejection_packets = 1 }\n"
        f"workload = {{ kind = 'program', file = '{goal}', bytes_per_flit = 8 }}\n"
    )
    told = "it is not proved that the program cannot lock"
    with pytest.warns(UserWarning, match=told) as caught:
        tailback.run(crossed)
    assert [(warning.category, Path(warning.filename).name) for warning in caught] == [
        (UserWarning, "test_run.py")
    ]
    assert any(text.startswith(told) for text in tailback.check(crossed).warnings)
