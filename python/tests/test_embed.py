"""A network that a host in Python steps."""

from __future__ import annotations

import os
import runpy
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tailback
from tailback import embed

HOSTS = Path(__file__).parents[2] / "examples" / "hosts"
SPEC = """
topology = { kind = "torus", radix = [4, 4] }
router = { kind = "cut_through", buffer_flits = 32, source_queue_packets = 2 }
"""


def test_settings_are_texts() -> None:
    with pytest.raises(tailback.UsageError, match=r"a setting is a text such as .* not int"):
        tailback.Network.from_text("", set=range(10**12))  # type: ignore[arg-type]


def test_the_host_of_the_examples_completes_when_the_one_in_c_does() -> None:
    last = runpy.run_path(str(HOSTS / "request_reply.py"))["main"](str(HOSTS / "mesh.toml"))
    with tailback.Network(HOSTS / "mesh.toml") as network:
        assert network.nodes == 16
    # The host in C and the program as a GOAL file: crates/capi/tests/hosts.rs.
    goal = ["num_ranks 16"]
    for rank in range(16):
        client, peer = rank < 8, 15 - rank
        goal.append(f"rank {rank} {{")
        for k in range(20):
            if client:
                goal += [f"s{k}: send 16b to {peer} tag 0", f"r{k}: recv 64b from {peer} tag 1"]
                goal.append(f"r{k} requires s{k}")
                if k < 19:
                    goal += [f"t{k}: calc 7", f"t{k} requires r{k}"]
                if k > 0:
                    goal.append(f"s{k} requires t{k - 1}")
            else:
                goal += [f"r{k}: recv 16b from {peer} tag 0", f"t{k}: calc 7"]
                goal += [f"s{k}: send 64b to {peer} tag 1", f"t{k} requires r{k}"]
                goal.append(f"s{k} requires t{k}")
                if k > 0:
                    goal.append(f"r{k} requires s{k - 1}")
        goal.append("}")
    assert last == completes("\n".join(goal) + "\n")


def completes(goal: str) -> float:
    """The completion time of a program on the network of the hosts."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.goal").write_text(goal)
        spec = (
            (HOSTS / "mesh.toml")
            .read_text()
            .replace(
                '{ kind = "host" }',
                "{ kind = 'program', file = 'program.goal', bytes_per_flit = 8 }",
            )
        )
        (Path(folder) / "spec.toml").write_text(spec + "clock = { cycle_ns = 1.0 }\n")
        result = tailback.run(tailback.Spec.from_file(Path(folder) / "spec.toml"))
        return float(result["duration"][0])


def test_deliveries_come_as_rows_and_as_arrays() -> None:
    for arrays in (False, True):
        with tailback.Network.from_text(SPEC) as network:
            assert network.send(0, 5, flits=8, tag=7)
            assert network.send(3, 5, flits=8, tag=8)
            assert network.cycle == 0
            assert network.under_way == 2
            assert not network.idle
            network.advance(100)
            if arrays:
                rows = network.receive_array(5)
                assert rows.dtype == embed.DELIVERY
                assert sorted(rows["tag"]) == [7, 8]
                assert np.all(rows["cycle"] < 100)
            else:
                assert sorted(row.tag for row in network.receive(5)) == [7, 8]
            assert network.idle
            assert network.next_delivery is None
            assert len(network.receive_array()) == 0


def test_misuse_is_an_exception_each() -> None:
    network = tailback.Network.from_text(SPEC)
    for call in (
        lambda: network.send(16, 0, flits=1),
        lambda: network.send(0, 16, flits=1),
        lambda: network.send(0, 1, flits=0),
        lambda: network.send(0, 1, flits=33),
        lambda: network.send(0, 1, flits=1, message_class=1),
        lambda: network.receive(16),
        lambda: network.advance(1 << 40),
        lambda: tailback.Network("no such file.toml"),
        lambda: tailback.Network.from_text("topology = 7"),
        lambda: tailback.Network.restore("no such checkpoint"),
        network.end_log,
    ):
        with pytest.raises(tailback.UsageError):
            call()
    assert network.send(0, 5, flits=32)
    assert network.send(0, 5, flits=32)
    assert not network.can_send(0, 1)
    assert not network.send(0, 5, flits=1)
    network.close()
    network.close()
    with pytest.raises(tailback.UsageError, match="closed"):
        network.advance(1)


@pytest.mark.parametrize(
    "open_it",
    [tailback.Network, tailback.Network.from_booksim, tailback.Network.restore, tailback.verify],
)
def test_nobody_waits_for_a_pipe(open_it: Callable[[Path], object], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(tailback.UsageError, match="is a device or a pipe"):
            open_it(path)


def test_a_log_is_replayed_and_a_checkpoint_goes_on(tmp_path: Path, tailback_command: Path) -> None:
    log, kept = tmp_path / "calls.log", tmp_path / "kept"
    with tailback.Network.from_text(SPEC, log=log) as network:
        for k in range(200):
            network.send(k % 16, (k * 5 + 1) % 16, flits=4, tag=k)
            network.advance(network.cycle + 3)
            if k == 100:
                network.checkpoint(kept)
        digest = network.record()["digest"]
        assert network.why()
    with tailback.Network.restore(kept) as again:
        for k in range(101, 200):
            again.send(k % 16, (k * 5 + 1) % 16, flits=4, tag=k)
            again.advance(again.cycle + 3)
        assert again.record()["digest"] == digest
    command = [str(tailback_command), "replay", str(log)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "same" in done.stdout


def test_a_log_begins_at_any_time_and_a_message_is_followed(
    tmp_path: Path, tailback_command: Path
) -> None:
    kept, log = tmp_path / "kept", tmp_path / "calls.log"
    with tailback.Network.from_text(SPEC) as network:
        network.send(0, 10, flits=32, tag=1)
        network.advance(5)
        network.checkpoint(kept)
    with tailback.Network.restore(kept, log=log) as again:
        again.follow(2)
        assert again.story() is None
        again.send(0, 10, flits=32, tag=2)
        again.advance(200)
        story = again.story()
        assert story is not None
        assert story.startswith("Message with tag 2: 32 flits from node 0 to node 10")
        assert "delivered" in story
    command = [str(tailback_command), "replay", str(log), "--trace", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert story in done.stdout


def test_other_threads_run_while_it_advances() -> None:
    network = tailback.Network.from_text('topology = { kind = "torus", radix = [16, 16] }')
    beats: list[float] = []
    calls: list[tuple[float, float]] = []

    def work(messages: int) -> None:
        for k in range(messages):
            network.send(k % 256, (k * 7 + 1) % 256, flits=8)
        begun = time.perf_counter()
        network.advance(network.cycle + messages)
        calls.append((begun, time.perf_counter()))

    def seen_within() -> bool:
        begun, ended = calls[-1]
        quarter = (ended - begun) / 4
        return any(begun + quarter < beat < ended - quarter for beat in beats)

    # A busy machine may give this thread no time during a short call: calls become longer.
    for messages in [2000 << doublings for doublings in range(8)]:
        thread = threading.Thread(target=work, args=(messages,))
        thread.start()
        while thread.is_alive():
            time.sleep(0.001)
            beats.append(time.perf_counter())
        thread.join()
        if seen_within():
            return
    raise AssertionError("no other thread ran in the middle of a call")
