"""Checkpoints: on from the state of a run, and forks of it."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest

import tailback
from tailback import Interrupted, Progress, SpecError, UsageError

SPEC = {
    "topology": {"kind": "torus", "radix": [4, 4]},
    "traffic": {"load": 0.6, "size": {"kind": "fixed", "flits": 4}},
    "workload": {"kind": "steady", "warmup_cycles": 1024, "measure_cycles": 1024},
}


@pytest.fixture
def state(tmp_path: Path) -> tuple[tailback.Result, Path]:
    """Return an unbroken run, and its state in cycle 1024."""
    file = tmp_path / "state-{cycle}"
    whole = tailback.run(SPEC, checkpoint_every=1000, checkpoint=file)
    return whole, tmp_path / "state-1024"


def test_a_run_goes_on_to_the_same_bits(state: tuple[tailback.Result, Path]) -> None:
    whole, file = state
    again = tailback.resume(file)
    assert again[0].record["digest"] == whole[0].record["digest"]
    assert again[0].record["point_id"] == whole[0].record["point_id"]
    assert again[0].series["windows"] is not None


def test_a_fork_says_what_it_is(state: tuple[tailback.Result, Path]) -> None:
    whole, file = state
    fork = tailback.resume(file, {"traffic.load": 0.1}, admission="alo")
    record = fork[0].record
    assert (record["fork.cycle"], record["admission"], record["traffic.load"]) == (1024, "alo", 0.1)
    assert record["point_id"] != whole[0].record["point_id"]
    assert record["accepted_load"] < whole[0].record["accepted_load"]


def test_what_cannot_go_on_is_refused(state: tuple[tailback.Result, Path], tmp_path: Path) -> None:
    _, file = state
    with pytest.raises(UsageError, match="cannot change in a fork"):
        tailback.resume(file, {"router.buffer_flits": 8})
    with pytest.raises(SpecError, match="nonsense"):
        tailback.resume(file, admission="nonsense")
    damaged = tmp_path / "damaged"
    damaged.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(UsageError, match="damaged checkpoint"):
        tailback.resume(damaged)
    with pytest.raises(ValueError, match="go together"):
        tailback.run(SPEC, checkpoint_every=1000)
    with pytest.raises(ValueError, match="at least 1"):
        tailback.resume(file, checkpoint_every=0, checkpoint="x")
    pattern = tailback.Pattern(lambda network: np.arange(network.nodes)[::-1])
    with pytest.raises(ValueError, match="no pattern in Python"):
        tailback.run(SPEC, pattern=pattern, checkpoint_every=1000, checkpoint="x")


def test_a_run_that_ended_well_leaves_no_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "state"
    longer = tailback.Spec.of(SPEC).with_({"workload.measure_cycles": 4096})
    tailback.run(longer, checkpoint_every=600, checkpoint=file)
    assert not list(tmp_path.iterdir())
    tailback.run(longer, checkpoint_every=600, checkpoint=file, keep_checkpoints=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state", "state.previous"]
    again = tailback.resume(file, checkpoint_every=600, checkpoint=tmp_path / "other")
    assert again[0].record["status"] == "steady"
    assert len(list(tmp_path.iterdir())) == 2, "what it goes on from stays"


def test_a_checkpoint_replaces_nothing_else(tmp_path: Path) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(tailback.Spec.of(SPEC).to_toml())
    (tmp_path / "thesis.tex").write_text("mine")
    (tmp_path / "soft").symlink_to("spec.toml")
    for name, force, words in [
        ("spec.toml", False, "never replaces an input"),
        ("soft", True, "never replaces an input"),
        ("thesis.tex", False, "something other than a checkpoint"),
        (".", True, "a folder"),
    ]:
        with pytest.raises(UsageError, match=words):
            tailback.run(spec, checkpoint_every=600, checkpoint=tmp_path / name, force=force)
    tailback.run(spec, checkpoint_every=600, checkpoint=tmp_path / "state", keep_checkpoints=True)
    with pytest.raises(UsageError, match="never replaces an input"):
        tailback.resume(tmp_path / "state", checkpoint_every=600, checkpoint=tmp_path / "state")
    with pytest.raises(UsageError, match="a device"):
        tailback.run(spec, checkpoint_every=600, checkpoint="/dev/null", force=True)
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def test_a_stopped_run_keeps_its_state(tmp_path: Path) -> None:
    def interrupt(_: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    file = tmp_path / "state"
    endless = tailback.Spec.of(SPEC).with_({"workload.measure_cycles": 10**12})
    with pytest.raises(Interrupted):
        tailback.run(endless, progress=interrupt, checkpoint_every=10**12, checkpoint=file)
    assert file.is_file()
