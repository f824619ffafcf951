"""Programs of other simulators become GOAL, or are refused with the place of what is wrong."""

from __future__ import annotations

import contextlib
import gzip
import os
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import tailback
from tailback import Goal, Spec, UsageError

CASES = int(os.environ.get("TAILBACK_HOSTILE_PYTHON_CASES", "400"))
SEED = int(os.environ.get("TAILBACK_HOSTILE_SEED", "7"))

LINE = re.compile(r"l(\d+): (?:(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)|calc (\d+))")
AFTER = re.compile(r"l(\d+) i?requires l(\d+)")


def awaited_by_the_last(operations: list[tuple[str, set[int]]]) -> set[int]:
    """The operations that the last one waits for, at however many removes."""
    awaited, todo = set[int](), [len(operations) - 1]
    while todo:
        fresh = operations[todo.pop()][1] - awaited
        awaited |= fresh
        todo += fresh
    return awaited


def read(goal: Goal) -> list[list[tuple[str, set[int]]]]:
    """Operations of ranks with what they wait for; a label stands before its use."""
    ranks: list[list[tuple[str, set[int]]]] = []
    sent, received = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for line in goal.text.splitlines():
        if line.startswith("rank"):
            ranks.append([])
            assert line == f"rank {len(ranks) - 1} {{"
        elif match := LINE.fullmatch(line):
            assert int(match[1]) == len(ranks[-1])
            ranks[-1].append((line.partition(": ")[2], set()))
            if match[2] == "send":
                sent[str(len(ranks) - 1), match[4], match[5], match[3]] += 1
            elif match[2] == "recv":
                received[match[4], str(len(ranks) - 1), match[5], match[3]] += 1
        elif match := AFTER.fullmatch(line):
            ranks[-1][int(match[1])][1].add(int(match[2]))
            assert max(int(match[1]), int(match[2])) < len(ranks[-1])
        else:
            assert line in ("", "}", f"num_ranks {goal.ranks}")
    assert sent == received
    assert len(ranks) == goal.ranks
    assert sum(map(len, ranks)) == goal.operations
    return ranks


# htsim


def test_a_connection_matrix_with_times_and_triggers() -> None:
    text = (
        "# three nodes\nNodes 3\nConnections 4\nTriggers 1\nFailures 0\n"
        "0->1 id 1 start 2500 size 100 recv_done_trigger 7\n"
        "0->2 id 2 start 5000000 size 200\n"
        "2->1 id 3 start 0 size 50 recv_done_trigger 7 prio 3\n"
        "1->2 id 4 trigger 7 size 300\n"
        "trigger id 7 barrier count 2\n"
    )
    zero, one, two = read(tailback.import_htsim(text))
    assert zero == [
        ("calc 3", set()),
        ("send 100b to 1 tag 0", {0}),
        ("calc 4997", {0}),
        ("send 200b to 2 tag 0", {2}),
    ]
    assert sorted(one) == [
        ("recv 100b from 0 tag 0", set()),
        ("recv 50b from 2 tag 0", set()),
        ("send 300b to 2 tag 0", {0, 1}),
    ]
    assert two[0] == ("send 50b to 1 tag 0", set())


def test_a_connection_may_wait_until_another_has_left() -> None:
    text = (
        "Nodes 3\nConnections 2\nTriggers 1\n0->1 id 1 start 0 size 9 send_done_trigger 1\n"
        "0->2 id 2 trigger 1 size 8\ntrigger id 1 oneshot\n"
    )
    assert read(tailback.import_htsim(text))[0] == [
        ("send 9b to 1 tag 0", set()),
        ("send 8b to 2 tag 0", {0}),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("0->1 start 0 size x", "line 2: `size` is `x`"),
        ("0->1 start 0", "line 2: a connection without a `size`"),
        ("0->1 size 5", "line 2: a connection has a `start` or a `trigger`"),
        ("0->1 size 5 start 0 trigger 1", "not both"),
        ("0->2 start 0 size 5", "line 2: there is no node 2"),
        ("0->1 start -1 size 5", "line 2: the time `-1`"),
        ("0->1 start 1e999999 size 5", "the time `1e999999`"),
        ("0->1 start nan size 5", "line 2"),
        ("0->1 start 0 size", "`size` has no value"),
        ("0->1 start 0 size 5 addon 3", "`addon` has no meaning here"),
        ("0->1 trigger 3 size 5", "there is no trigger 3"),
        ("0->1 start 0 size 5 recv_done_trigger 3", "there is no trigger 3"),
        ("trigger id 1 multishot", "a trigger `multishot` has no meaning here"),
        ("failure id 1", "`failure` begins no line"),
        ("Failures 1", "`Failures` have no meaning here"),
        ("Connections 5", "`Connections` is 5, and there are 0"),
        ("0->1 trigger 1 size 5 recv_done_trigger 1\ntrigger id 1 oneshot", "cannot know of it"),
        ("0->1 trigger 1 size 5 send_done_trigger 1\ntrigger id 1 oneshot", "waits for this"),
        ("0->1 trigger 1 size 5\ntrigger id 1 oneshot", "waits for 1 connections, 0 name it"),
        ("trigger id 1 oneshot\ntrigger id 1 oneshot", "line 3: trigger 1 is there twice"),
    ],
)
def test_broken_matrices(lines: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        tailback.import_htsim(f"Nodes 2\n{lines}\n")


# ns-3


def test_flows_of_ns3() -> None:
    zero, one, two = read(tailback.import_ns3("2\n2 1 3 100 2000 2\n2 1 3 100 1000 0.5\n"))
    assert (zero, len(one)) == ([], 2)
    assert two[0] == ("calc 500000000", set())
    assert two[1] == ("send 1000b to 1 tag 0", {0})
    assert two[2] == ("calc 1500000000", {0})
    assert tailback.import_ns3("1\n0 1 3 100 1 0\n", ranks=16).ranks == 16


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "the number of flows stands first"),
        ("2\n0 1 3 100 1 0\n", "2 flows are promised, and 1 are there"),
        ("1\n0 1 3 100 1\n", "line 2: a flow has 6 columns"),
        ("1\n0 1 3 100 1 x\n", "line 2: `x` is no time"),
        ("1\n0 99999999999 3 100 1 0\n", "line 2: the destination"),
        ("1\n0 1 3 100 \u00b2 0\n", "line 2: the size"),
    ],
)
def test_broken_flows(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        tailback.import_ns3(text)


def test_files_of_flows_are_read_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "flow.txt"
    for content, message in [
        (b"1\n0 1 3 100 1 \xff\n", "byte 14: it is no text of ASCII"),
        (b"1\n" + bytes(1 << 17), "byte 2: the line has over 65536 bytes"),
    ]:
        path.write_bytes(content)
        with pytest.raises(UsageError, match=message):
            tailback.import_ns3(path)
    with pytest.raises(UsageError, match="no regular file"):
        tailback.import_ns3(tmp_path)
    monkeypatch.setattr("tailback._flows._MOST_FLOWS", 3)
    path.write_text("9\n" + "0 1 3 100 1 0\n" * 9)
    with pytest.raises(UsageError, match="line 4: there are more than 3 lines"):
        tailback.import_ns3(path)


# Chakra


def varint(value: int) -> bytes:
    value &= 2**64 - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def number(which: int, value: int) -> bytes:
    return varint(which << 3) + varint(value)


def part(which: int, content: bytes) -> bytes:
    return varint(which << 3 | 2) + varint(len(content)) + content


def attribute(name: str, value: int | str) -> bytes:
    head = part(1, name.encode())
    content = part(29, value.encode()) if isinstance(value, str) else number(9, value)
    return part(10, head + content)


def node(
    which: int, kind: int, after: tuple[int, ...] = (), micros: int = 0, **values: int | str
) -> bytes:
    content = number(1, which) + part(2, f"n{which}".encode()) + number(3, kind)
    content += part(5, b"".join(map(varint, after))) if after else b""
    content += number(7, micros) if micros else b""
    content += b"".join(attribute(name, value) for name, value in values.items())
    return varint(len(content)) + content


HEAD = varint(5) + part(1, b"0.1")


def trace(folder: Path, *ranks: bytes) -> Path:
    for rank, nodes in enumerate(ranks):
        (folder / f"run.{rank}.et").write_bytes(HEAD + nodes)
    return folder / "run"


def test_a_trace_of_two_ranks(tmp_path: Path) -> None:
    zero = node(5, 5, (3,), comm_dst=1, comm_size=64, comm_tag=2) + node(3, 4, (), 7)
    one = node(1, 6, (), comm_src=0, comm_size=64, comm_tag=2) + node(2, 4, (1,), 2)
    goal = tailback.import_chakra(trace(tmp_path, zero, one))
    assert read(goal) == [
        [("calc 7000", set()), ("send 64b to 1 tag 2", {0})],
        [("recv 64b from 0 tag 2", set()), ("calc 2000", {0})],
    ]
    packed = tmp_path / "run.1.et"
    packed.write_bytes(gzip.compress(packed.read_bytes()))
    assert tailback.import_chakra(tmp_path / "run").text == goal.text


@pytest.mark.parametrize("kind", [0, 1, 2, 5, 6, 7, 8, 9])
@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
def test_collectives_match(tmp_path: Path, kind: int, ranks: int) -> None:
    nodes = (
        node(1, 4, (), 5) + node(2, 7, (1,), comm_type=kind, comm_size=100) + node(3, 4, (2,), 1)
    )
    lists = read(tailback.import_chakra(trace(tmp_path, *[nodes] * ranks)))
    for operations in lists:
        assert operations[0] == ("calc 5000", set())
        assert operations[-1][0] == "calc 1000"
        assert awaited_by_the_last(operations) == set(range(len(operations) - 1))
    if kind == 0:
        assert len(lists[0]) == 2 + 4 * (ranks - 1)


def test_groups_have_their_own_collectives(tmp_path: Path) -> None:
    nodes = node(1, 7, (), comm_type=0, comm_size=8, pg_name="even")
    other = nodes.replace(b"even", b"odds")
    prefix = trace(tmp_path, nodes, other, nodes, other)
    groups = {"even": [0, 2], "odds": [1, 3]}
    lists = read(tailback.import_chakra(prefix, groups))
    assert "to 2 tag" in lists[0][0][0]
    with pytest.raises(UsageError, match="which ranks are in the group `even`"):
        tailback.import_chakra(prefix)
    with pytest.raises(UsageError, match="not in the group"):
        tailback.import_chakra(prefix, {"even": [0, 1], "odds": [2, 3]})


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (node(1, 7, (), comm_type=3, comm_size=8), "a collective of type 3 has no meaning here"),
        (node(1, 9), "a node of type 9 has no meaning here"),
        (node(1, 5, (), comm_size=8), "it has no attribute `comm_dst`"),
        (node(1, 5, (), comm_dst=1, comm_size="8"), "`comm_size` has another type"),
        (node(1, 5, (), comm_dst=-1, comm_size=8), "`comm_dst` is -1"),
        (node(1, 5, (), comm_dst=2, comm_size=8), "`comm_dst` is 2"),
        (node(1, 4, (2,), 5), "it waits for node 2, which is not in the file"),
        (node(1, 4, (2,), 5) + node(2, 4, (1,), 5), "it waits for itself"),
        (node(1, 4, (), 5) * 2, "a node of this number is there twice"),
        (node(1, 4, (), 2**50), "microseconds"),
        (varint(1 << 40) + b"x", "1099511627776 bytes are promised, and 1 are left"),
        (varint(3) + part(3, b"x"), "field 3 of a node has another type"),
        (b"\xff" * 11, "a number is longer than 10 bytes"),
        (b"\x80", "the file ends within a number"),
        (varint(1) + b"\x0c", "has the form 4, which is none"),
        (varint(1) + b"\x00", "a field has the number 0"),
    ],
)
def test_broken_traces(tmp_path: Path, nodes: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        tailback.import_chakra(trace(tmp_path, nodes, b""))


def test_files_that_are_missing_or_packed_too_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        tailback.import_chakra(tmp_path / "run")
    prefix = trace(tmp_path, b"", b"", b"")
    (tmp_path / "run.1.et").unlink()
    with pytest.raises(UsageError, match="rank 1 has no file"):
        tailback.import_chakra(prefix)
    (tmp_path / "run.1.et").write_bytes(gzip.compress(HEAD)[:-9])
    with pytest.raises(UsageError, match="is broken"):
        tailback.import_chakra(prefix)
    (tmp_path / "run.1.et").write_bytes(b"")
    with pytest.raises(UsageError, match="the file is empty"):
        tailback.import_chakra(prefix)
    # Nothing of a small file grows large: neither its bytes, nor its nodes, nor its program.
    filler = part(11, bytes(1 << 20))
    each = varint(len(filler) + 4)
    nodes = b"".join(each + number(1, which) + number(3, 4) + filler for which in range(8))
    for content, message in [
        (bytes(1 << 20), "byte 8: node 0 (``): a node of this number is there twice"),
        (nodes, "bytes when it is unpacked: no trace is"),
        (varint(1 << 40) + bytes(1 << 16), "1099511627776 bytes are promised, and 65536 are left"),
    ]:
        (tmp_path / "run.1.et").write_bytes(gzip.compress(HEAD + content))
        with pytest.raises(UsageError, match=re.escape(message)):
            tailback.import_chakra(prefix)
    monkeypatch.setattr("tailback._chakra._MOST_NODES", 3)
    (tmp_path / "run.1.et").write_bytes(HEAD + b"".join(node(which, 4) for which in range(4)))
    with pytest.raises(UsageError, match="a rank has at most 3 nodes"):
        tailback.import_chakra(prefix)
    monkeypatch.setattr("tailback._goal._MOST_TEXT", 100)
    prefix = trace(tmp_path, *[node(1, 7, (), comm_type=6, comm_size=9)] * 3)
    with pytest.raises(UsageError, match="more than 100 bytes as GOAL"):
        tailback.import_chakra(prefix)


CHOSEN = [
    (0, "all_reduce", "halving_doubling"),
    (0, "all_reduce", "recursive_doubling"),
    (0, "all_reduce", "double_binary_tree"),
    (0, "all_reduce", "hierarchical"),
    (1, "reduce", "binomial"),
    (2, "all_gather", "halving_doubling"),
    (5, "broadcast", "binomial"),
    (6, "all_to_all", "spread"),
    (7, "reduce_scatter", "halving_doubling"),
    (9, "barrier", "dissemination"),
]


@pytest.mark.parametrize(("number_of", "kind", "algorithm"), CHOSEN)
def test_collectives_with_a_chosen_algorithm(
    tmp_path: Path, number_of: int, kind: str, algorithm: str
) -> None:
    two = node(1, 7, (), comm_type=number_of, comm_size=600)
    two += node(2, 7, (1,), comm_type=number_of, comm_size=600, pg_name="half")
    two += node(3, 4, (2,), 1)
    # The second collective is of half of the ranks, in another order, and waits for the first one.
    rest = node(1, 7, (), comm_type=number_of, comm_size=600) + node(3, 4, (1,), 1)
    prefix = trace(tmp_path, two, rest, two, rest, two, rest)
    groups = {"half": [4, 0, 2]}
    goal = tailback.import_chakra(prefix, groups, {kind: algorithm})
    lists = read(goal)
    for operations in lists:
        assert operations[-1][0] == "calc 1000"
        assert awaited_by_the_last(operations) == set(range(len(operations) - 1))
    goal.write(tmp_path / "x.goal")
    spec = f"""
    topology = {{ kind = "hyperx", sides = [6] }}
    router = {{ kind = "cut_through", buffer_flits = 32 }}
    traffic = {{ packet_flits = 8 }}
    clock = {{ cycle_ns = 1 }}
    workload = {{ kind = "program", file = "{tmp_path / "x.goal"}", bytes_per_flit = 1 }}
    """
    assert tailback.run(Spec.from_toml(spec))[0].status == "completed"


def test_algorithms_that_are_none(tmp_path: Path) -> None:
    prefix = trace(tmp_path, node(1, 7, (), comm_type=0, comm_size=8))
    with pytest.raises(UsageError, match="no collectives `gather`; it has all_reduce, reduce"):
        tailback.import_chakra(prefix, None, {"gather": "ring"})
    with pytest.raises(UsageError, match="quick"):
        tailback.import_chakra(prefix, None, {"all_reduce": "quick"})
    huge = trace(tmp_path, *[node(1, 7, (), comm_type=0, comm_size=1 << 40)] * 2)
    assert tailback.import_chakra(huge).operations == 8
    with pytest.raises(UsageError, match="`halving_doubling` takes up to 4294967295 bytes"):
        tailback.import_chakra(huge, None, {"all_reduce": "halving_doubling"})


def test_collectives_that_differ_between_ranks(tmp_path: Path) -> None:
    one = node(1, 7, (), comm_type=0, comm_size=8)
    with pytest.raises(UsageError, match="all-reduce of 9 bytes meets all-reduce of 8 bytes"):
        tailback.import_chakra(trace(tmp_path, one, node(1, 7, (), comm_type=0, comm_size=9)))
    with pytest.raises(UsageError, match="collectives of a group"):
        tailback.import_chakra(trace(tmp_path, one + node(2, 7, (1,), comm_type=9), one))


# All formats


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    dice = random.Random(SEED)
    chakra = HEAD + node(5, 5, (3,), comm_dst=1, comm_size=64) + node(3, 4, (), 7)
    matrix = b"Nodes 3\nConnections 1\n0->1 id 1 start 2500 size 100 send_done_trigger 7\n"
    matrix += b"trigger id 7 oneshot\n"
    readers: list[tuple[bytes, str, Callable[[], Goal]]] = [
        (chakra, "run.0.et", lambda: tailback.import_chakra(tmp_path / "run")),
        (matrix, "x.cm", lambda: tailback.import_htsim(tmp_path / "x.cm")),
        (b"1\n2 1 3 100 200 2\n", "flow.txt", lambda: tailback.import_ns3(tmp_path / "flow.txt")),
    ]
    for content, name, reader in readers:
        for _ in range(CASES):
            changed = bytearray(content)
            for _ in range(dice.randrange(1, 5)):
                changed[dice.randrange(len(changed))] = dice.randrange(256)
            (tmp_path / name).write_bytes(
                changed[: dice.randrange(len(changed) + 1)] if dice.random() < 0.3 else changed
            )
            with contextlib.suppress(UsageError):
                assert reader().text


def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path) -> None:
    goal = tailback.import_ns3("1\n0 1 3 100 1 0\n")
    path = tmp_path / "x.goal"
    for _ in range(2):
        goal.write(path)
        assert path.read_text() == goal.text
    path.write_text("my notes\n")
    with pytest.raises(UsageError, match=r"no program.*force=True"):
        goal.write(path)
    assert path.read_text() == "my notes\n"
    goal.write(path, force=True)
    link = tmp_path / "link"
    link.symlink_to("x.goal")
    path.write_text("num_ranks 1\n")
    goal.write(link)
    assert link.is_symlink()
    assert path.read_text() == goal.text
    link.unlink()
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.goal"]
    with pytest.raises(UsageError, match="no regular file"):
        goal.write(tmp_path)
    with pytest.raises(UsageError, match=r"cannot write .*: No such file"):
        goal.write(tmp_path / "none" / "x")
