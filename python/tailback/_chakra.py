"""Execution traces of Chakra: one file of protocol buffers per rank."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, cast

from tailback._collectives import KINDS, MOST_BYTES, Collective, checked
from tailback._errors import UsageError
from tailback._goal import Goal, drafts
from tailback._wire import Stream, Wire

#: Bytes of an unpacked file at most, and how many times longer than when it is packed. Traces are
#: shortened to a tenth or a fiftieth.
_LONGEST = 1 << 30
_TIMES = 256

#: Nodes of a rank at most, and what they wait for, all together.
_MOST_NODES = 1 << 20
_MOST_WAITS = 1 << 22

#: Types of nodes by their number.
_METADATA, _LOAD, _STORE, _COMPUTE, _SEND, _RECEIVE, _COLLECTIVE = range(1, 8)

#: Fields of an attribute that hold a number, and one that holds a text.
_NUMBERS = {7: "int32", 9: "int64", 11: "uint32", 13: "uint64", 27: "bool"}
_TEXT = 29

#: Attributes that are read, and whether each is a text.
_READ = {
    "comm_type": False,
    "comm_size": False,
    "comm_src": False,
    "comm_dst": False,
    "comm_tag": False,
    "pg_name": True,
}

#: The first tag of collectives: those of sends lie below.
_TAGS = 1 << 24


@dataclass(slots=True)
class _Node:
    """A node of a trace."""

    file: str
    byte: int
    id: int = 0
    name: str = ""
    type: int = 0
    after: list[int] = field(default_factory=list)
    micros: int = 0
    values: dict[str, int | str] = field(default_factory=dict)

    def fault(self, message: str) -> UsageError:
        where = Wire(self.file, b"", self.byte)
        return where.fault(0, f"node {self.id} (`{self.name}`): {message}")

    def number(self, name: str, most: int, default: int | None = None) -> int:
        """Return an attribute that is in a range."""
        value = self.values.get(name, default)
        if value is None:
            raise self.fault(f"it has no attribute `{name}`")
        if not isinstance(value, int) or not 0 <= value <= most:
            raise self.fault(f"`{name}` is {value}, and it is from 0 to {most}")
        return value


@contextmanager
def _unpacked(path: Path) -> Iterator[Stream]:
    """Open a file without gzip around it. Nothing is held but what is read next."""
    try:
        if not path.is_file():
            raise UsageError(f"{path} is no regular file")
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if not packed:
                yield Stream(str(path), raw, _LONGEST, f"is longer than {_LONGEST} bytes")
                return
            size = os.fstat(raw.fileno()).st_size
            # Short files may be packed as well as they like.
            most = min(_LONGEST, max(_TIMES * size, 1 << 20))
            why = (
                f"has {size} bytes and is longer than {most} bytes when it is unpacked: no trace is"
            )
            with gzip.GzipFile(fileobj=raw) as file:
                yield Stream(str(path), cast("IO[bytes]", file), most, why)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UsageError(f"{path} is broken: {error}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _nodes(path: Path) -> list[_Node]:
    """Read the nodes of a rank: the first message is about the whole file."""
    with _unpacked(path) as stream:
        messages = stream.messages()
        if next(messages, None) is None:
            raise stream.fault("the file is empty")
        nodes: dict[int, _Node] = {}
        waits = 0
        for message in messages:
            node = _node(message)
            if node.id in nodes:
                raise node.fault("a node of this number is there twice")
            nodes[node.id] = node
            waits += len(node.after)
            if len(nodes) > _MOST_NODES or waits > _MOST_WAITS:
                most = f"{_MOST_NODES} nodes that wait {_MOST_WAITS} times"
                raise node.fault(f"a rank has at most {most} for another one")
    for node in nodes.values():
        for before in node.after:
            if before not in nodes:
                raise node.fault(f"it waits for node {before}, which is not in the file")
    return list(nodes.values())


def _node(wire: Wire) -> _Node:
    node = _Node(wire.name, wire.offset)
    for number, value in wire.fields():
        match number, value:
            case 1, int():
                node.id = value
            case 2, Wire():
                node.name = value.text()[:40]
            case 3, int():
                node.type = value
            case ((4 | 5), int()):
                node.after.append(value)
            case ((4 | 5), Wire()):
                node.after.extend(islice(value.numbers(), _MOST_WAITS + 1))
            case 7, int():
                node.micros = value
            case 10, Wire():
                _attribute(value, node)
            case ((1 | 2 | 3 | 4 | 5 | 7 | 10), _):
                raise wire.fault(0, f"field {number} of a node has another type")
    return node


def _attribute(wire: Wire, node: _Node) -> None:
    """Read an attribute, if it is one of those that mean something here."""
    name = ""
    value: int | str | None = None
    for number, content in wire.fields():
        if number == 1 and isinstance(content, Wire):
            name = content.text()
        elif number in _NUMBERS and isinstance(content, int):
            # Numbers with a sign are sixty-four bits wide on the wire.
            signed = number in (7, 9) and content >= 1 << 63
            value = content - (1 << 64) if signed else content
        elif number == _TEXT and isinstance(content, Wire):
            value = content.text()
    if name not in _READ:
        return
    # A number that is 0 may be left out.
    value = ("" if _READ[name] else 0) if value is None else value
    if isinstance(value, str) != _READ[name]:
        raise wire.fault(0, f"the attribute `{name}` has another type")
    node.values[name] = value


def _ordered(nodes: list[_Node]) -> list[_Node]:
    """Nodes behind those that they wait for, otherwise in the order of the file."""
    by_id = {node.id: node for node in nodes}
    left = {node.id: len(set(node.after)) for node in nodes}
    behind: dict[int, list[int]] = {}
    for node in nodes:
        for before in set(node.after):
            behind.setdefault(before, []).append(node.id)
    ready = [node.id for node in reversed(nodes) if not left[node.id]]
    done: list[_Node] = []
    while ready:
        done.append(by_id[ready.pop()])
        for after in reversed(behind.get(done[-1].id, [])):
            left[after] -= 1
            if not left[after]:
                ready.append(after)
    if len(done) < len(nodes):
        stuck = next(node for node in nodes if left[node.id])
        raise stuck.fault("it waits for itself, at however many removes")
    return done


class _Lowering:
    """Nodes of ranks as operations."""

    def __init__(
        self, ranks: int, groups: Mapping[str, Sequence[int]], algorithms: Mapping[str, str]
    ) -> None:
        self.drafts = drafts(ranks, "the trace")
        self.groups = groups
        self.algorithms = algorithms
        #: What the collectives of a group are, in the order in which its first rank has them.
        self.seen: dict[tuple[int, ...], list[Collective]] = {}
        self.tag = _TAGS

    def rank(self, rank: int, nodes: list[_Node]) -> None:
        """Lower a rank."""
        ends: dict[int, list[int]] = {}
        turns: dict[tuple[int, ...], int] = {}
        for node in _ordered(nodes):
            after = sorted({end for before in node.after for end in ends[before]})
            ends[node.id] = self.node(rank, node, after, turns) or after
        for members, turn in turns.items():
            if turn != len(self.seen[members]):
                due = len(self.seen[members])
                message = f"rank {rank} has {turn} collectives of a group"
                raise UsageError(f"{message}, another one {due}")

    def node(
        self, rank: int, node: _Node, after: list[int], turns: dict[tuple[int, ...], int]
    ) -> list[int]:
        """Lower a node, and return the operations with which it ends."""
        draft, ranks = self.drafts[rank], len(self.drafts)
        match node.type:
            case 1:
                return []
            case 2 | 3 | 4:
                if node.micros > 1 << 40:
                    raise node.fault(f"it takes {node.micros} microseconds")
                return [draft.add(f"calc {1000 * node.micros}", after)] if node.micros else []
            case 5 | 6:
                sends = node.type == _SEND
                peer = node.number("comm_dst" if sends else "comm_src", ranks - 1)
                size = node.number("comm_size", 1 << 48)
                tag = node.number("comm_tag", _TAGS - 1, 0)
                words = f"send {size}b to" if sends else f"recv {size}b from"
                return [draft.add(f"{words} {peer} tag {tag}", after)]
            case 7:
                return self.collective(rank, node, after, turns)
            case other:
                raise node.fault(f"a node of type {other} has no meaning here")

    def collective(
        self, rank: int, node: _Node, after: list[int], turns: dict[tuple[int, ...], int]
    ) -> list[int]:
        """Lower the part of a rank in a collective."""
        members = self.members(rank, node)
        kind = node.number("comm_type", 1 << 31)
        if kind not in KINDS:
            raise node.fault(f"a collective of type {kind} has no meaning here")
        size = node.number("comm_size", 1 << 48, 0)
        turn = turns[members] = turns.get(members, 0) + 1
        known = self.seen.setdefault(members, [])
        if len(known) < turn:
            if rank != members[0] and any(other < rank for other in members):
                raise node.fault(f"ranks before have {len(known)} collectives of this group")
            algorithm = self.algorithms.get(KINDS[kind])
            if algorithm is not None and size > MOST_BYTES:
                raise node.fault(f"`{algorithm}` takes up to {MOST_BYTES} bytes, not {size}")
            known.append(Collective(KINDS[kind], size, self.tag, algorithm))
            self.tag += known[-1].tags(len(members))
        due = known[turn - 1]
        if (due.kind, due.size) != (KINDS[kind], size):
            message = f"{KINDS[kind]} of {size} bytes meets {due.kind} of {due.size} bytes"
            raise node.fault(f"{message} in another rank")
        return due.lower(self.drafts[rank], members, members.index(rank), after)

    def members(self, rank: int, node: _Node) -> tuple[int, ...]:
        """Return the ranks of a collective."""
        name = node.values.get("pg_name", "")
        if not name or (not self.groups and name in ("0", "default_pg")):
            return tuple(range(len(self.drafts)))
        if name not in self.groups:
            raise node.fault(f"nobody says which ranks are in the group `{name}`; give `groups`")
        members = tuple(self.groups[str(name)])
        if rank not in members or len(set(members)) < len(members):
            raise node.fault(f"rank {rank} is not in the group `{name}` once")
        if not all(0 <= member < len(self.drafts) for member in members):
            raise node.fault(f"the group `{name}` has ranks that are not in the trace")
        return members


def import_chakra(
    prefix: str | os.PathLike[str],
    groups: Mapping[str, Sequence[int]] | None = None,
    algorithms: Mapping[str, str] | None = None,
) -> Goal:
    """Read execution traces of Chakra, a file per rank, packed with gzip or not.

    Computations and accesses to memory take as long as the trace says. Collectives become
    messages: rings for all-reduce, all-gather and reduce-scatter, pairs for all-to-all, binomial
    trees for broadcast and reduce, rounds for a barrier, unless ``algorithms`` says others. The
    program is for a clock of nanoseconds.

    Parameters
    ----------
    prefix
        What the names of all files begin with: ``run`` for ``run.0.et``, ``run.1.et``, and so on.
    groups
        The ranks of each process group, by its name. Collectives without a name are of all ranks.
    algorithms
        How collectives become messages, by their kind: ``{"all_reduce": "halving_doubling"}``. The
        words are those of ``tailback workload``.

    Returns
    -------
    Goal
        The program.

    Raises
    ------
    UsageError
        If a rank has no file, a file is broken, or something has no meaning here. The message has
        the byte.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("idle.0.et").write_bytes(bytes.fromhex("00 06 08 01 18 04 38 03"))
    >>> goal = tailback.import_chakra("idle")
    >>> (goal.ranks, goal.operations)
    (1, 1)
    """
    path = Path(prefix)
    form = re.compile(re.escape(path.name) + r"\.(\d{1,7})\.et(\.gz)?")
    found: dict[int, Path] = {}
    folder = path.parent
    try:
        entries = sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {error.strerror}") from None
    for entry in entries:
        if match := form.fullmatch(entry.name):
            if int(match[1]) in found:
                raise UsageError(f"rank {match[1]} has two files, {entry} is one of them")
            found[int(match[1])] = entry
    if not found:
        raise UsageError(f"there is no file {path}.0.et")
    for rank in range(max(found) + 1):
        if rank not in found:
            raise UsageError(f"rank {rank} has no file; {path}.{rank}.et is missing")
    lowering = _Lowering(len(found), groups or {}, checked(algorithms or {}))
    for rank in range(len(found)):
        lowering.rank(rank, _nodes(found[rank]))
    return Goal(lowering.drafts)
