"""Flows of other simulators: htsim's connection matrices and ns-3's lists of flows."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from pathlib import Path

from tailback._errors import UsageError
from tailback._goal import Goal, RankDraft, drafts

#: Flows of a file at most: all are held.
_MOST_FLOWS = 1 << 21
#: Bytes of a line at most.
_LONGEST_LINE = 1 << 16
#: Bytes of a message at most.
_MOST_BYTES = 1 << 48
#: Nanoseconds at most.
_MOST_NS = 1 << 52


@dataclass(slots=True)
class _Flow:
    """A message from one node to another."""

    line: int
    source: int
    destination: int
    size: int
    start_ns: int | None = None
    trigger: int | None = None
    #: Triggers that it fires: when it has left its source, or when it has arrived.
    left: tuple[int, ...] = ()
    arrived: tuple[int, ...] = ()


def _source(path_or_text: str | os.PathLike[str]) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """Return the name and the lines of a file, or of a text with more than one line."""
    if isinstance(path_or_text, str) and "\n" in path_or_text:
        return "the text", _words("the text", enumerate(path_or_text.split("\n"), 1))
    path = Path(path_or_text)
    return str(path), _words(str(path), enumerate(_read(path), 1))


def _read(path: Path) -> Iterator[str]:
    """Read a file line by line, and hold no more of it."""
    byte = 0
    try:
        if not path.is_file():
            raise UsageError(f"{path} is no regular file")
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_LINE + 1):
                if len(line) > _LONGEST_LINE:
                    raise UsageError(
                        f"{path}, byte {byte}: the line has over {_LONGEST_LINE} bytes"
                    )
                yield line.decode("ascii")
                byte += len(line)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}, byte {byte + error.start}: it is no text of ASCII") from None


def _words(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Words of each line that has some, without comments."""
    flows = 0
    for number, line in lines:
        if words := line.partition("#")[0].split():
            flows += 1
            if flows > _MOST_FLOWS:
                raise _fault(name, number, f"there are more than {_MOST_FLOWS} lines; cut the file")
            yield number, words


def _fault(name: str, line: int, message: str) -> UsageError:
    return UsageError(f"{name}, line {line}: {message}")


def _whole(name: str, line: int, word: str, what: str, most: int) -> int:
    """Read a whole number in a range."""
    if not (word.isascii() and word.isdigit()) or len(word) > 20 or int(word) > most:
        raise _fault(name, line, f"{what} is `{word[:20]}`, and it is a whole number up to {most}")
    return int(word)


def _ns(name: str, line: int, word: str, ns: Decimal) -> int:
    """Read a time of these units, rounded up to nanoseconds."""
    try:
        value = Decimal(word[:40])
    except InvalidOperation:
        raise _fault(name, line, f"`{word[:20]}` is no time") from None
    # What is no number is in no order.
    if not value.is_finite() or not 0 <= value <= _MOST_NS / ns:
        raise _fault(name, line, f"the time `{word[:20]}` is not from 0 to {_MOST_NS} ns")
    return int((value * ns).to_integral_value(ROUND_CEILING))


class _Matrix:
    """A connection matrix of htsim while it is read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nodes: int | None = None
        self.connections: int | None = None
        self.triggers = 0
        self.flows: list[_Flow] = []
        self.kinds: dict[int, tuple[int, int]] = {}

    def line(self, number: int, words: list[str]) -> None:
        head = words[0]
        if head in ("Nodes", "Connections", "Triggers", "Failures"):
            if len(words) != 2:
                raise _fault(self.name, number, f"`{head}` has one number")
            value = _whole(self.name, number, words[1], f"`{head}`", 1 << 31)
            self.count(number, head, value)
        elif head == "trigger":
            self.trigger(number, words)
        elif "->" in head:
            self.flow(number, words)
        else:
            raise _fault(self.name, number, f"`{head[:20]}` begins no line of a connection matrix")

    def count(self, number: int, head: str, value: int) -> None:
        if head == "Nodes":
            self.nodes = value
        elif head == "Connections":
            self.connections = value
        elif head == "Failures" and value:
            raise _fault(self.name, number, "`Failures` have no meaning here")

    def trigger(self, number: int, words: list[str]) -> None:
        """`trigger id 1 oneshot`, or `trigger id 1 barrier count 3`."""
        match words:
            case ["trigger", "id", label, "oneshot"]:
                count = 1
            case ["trigger", "id", label, "barrier", "count", many]:
                count = _whole(self.name, number, many, "`count`", 1 << 31)
            case ["trigger", "id", _, kind, *_]:
                raise _fault(self.name, number, f"a trigger `{kind[:20]}` has no meaning here")
            case _:
                raise _fault(self.name, number, "a trigger is `trigger id N oneshot` or a barrier")
        which = _whole(self.name, number, label, "the id of the trigger", 1 << 31)
        if which in self.kinds:
            raise _fault(self.name, number, f"trigger {which} is there twice")
        self.kinds[which] = (count, number)

    def flow(self, number: int, words: list[str]) -> None:
        source, _, destination = words[0].partition("->")
        most = (1 << 20) - 1
        flow = _Flow(
            number,
            _whole(self.name, number, source, "the source", most),
            _whole(self.name, number, destination, "the destination", most),
            0,
        )
        rest = words[1:]
        if len(rest) % 2:
            raise _fault(self.name, number, f"`{rest[-1][:20]}` has no value behind it")
        for key, value in zip(rest[::2], rest[1::2], strict=True):
            self.option(number, flow, key, value)
        if not flow.size:
            raise _fault(self.name, number, "a connection without a `size` never ends")
        if flow.start_ns is None and flow.trigger is None:
            raise _fault(self.name, number, "a connection has a `start` or a `trigger`")
        if flow.start_ns is not None and flow.trigger is not None:
            raise _fault(self.name, number, "a connection has a `start` or a `trigger`, not both")
        self.flows.append(flow)

    def option(self, number: int, flow: _Flow, key: str, value: str) -> None:
        def whole(most: int) -> int:
            return _whole(self.name, number, value, f"`{key}`", most)

        match key:
            case "start":
                # htsim counts picoseconds.
                flow.start_ns = _ns(self.name, number, value, Decimal("0.001"))
            case "size":
                flow.size = whole(_MOST_BYTES)
            case "trigger":
                flow.trigger = whole(1 << 31)
            case "send_done_trigger":
                flow.left += (whole(1 << 31),)
            case "recv_done_trigger":
                flow.arrived += (whole(1 << 31),)
            case "id" | "prio" | "fc":
                whole(1 << 63)
            case _:
                raise _fault(self.name, number, f"`{key[:20]}` has no meaning here")

    def finish(self, last: int) -> Goal:
        if self.nodes is None:
            raise _fault(self.name, last + 1, "there is no `Nodes`")
        if self.connections is not None and self.connections != len(self.flows):
            message = f"`Connections` is {self.connections}, and there are {len(self.flows)}"
            raise _fault(self.name, last + 1, message)
        return _lower(self.name, self.nodes, self.flows, self.kinds)


def import_htsim(path_or_text: str | os.PathLike[str]) -> Goal:
    r"""Read a connection matrix of htsim (a file that ends with ``.cm``).

    Every connection becomes one message. Times are picoseconds, rounded up to nanoseconds. A
    trigger fires when the connections that name it with ``recv_done_trigger`` have arrived, and
    those with ``send_done_trigger`` have left. (htsim waits for an acknowledgement.) It must fire
    at the source of what waits for it.

    Parameters
    ----------
    path_or_text
        The file; or its text, which has more than one line.

    Returns
    -------
    Goal
        The program.

    Raises
    ------
    UsageError
        If the file is broken, or says what has no meaning here. The message has the line.

    Examples
    --------
    >>> tailback.import_htsim("Nodes 4\nConnections 1\n0->3 start 0 size 2000\n")
    Goal(ranks=4, operations=2)
    """
    name, lines = _source(path_or_text)
    matrix, last = _Matrix(name), 0
    for last, words in lines:
        matrix.line(last, words)
    return matrix.finish(last)


def _lower(name: str, nodes: int, flows: list[_Flow], kinds: dict[int, tuple[int, int]]) -> Goal:
    """Messages of flows: one may wait for a time, or for messages that arrived at its source."""
    program = drafts(nodes, name)
    for flow in flows:
        for node in (flow.source, flow.destination):
            if node >= nodes:
                raise _fault(name, flow.line, f"there is no node {node}; `Nodes` is {nodes}")
    fired = _fired(name, flows, kinds)
    # A flow is lowered behind those it waits for; one that waits for itself never is.
    done: list[tuple[int, int] | None] = [None] * len(flows)
    senders = _Senders(program)
    by_trigger: dict[int, list[int]] = {}
    for index, flow in enumerate(flows):
        if flow.trigger is not None:
            by_trigger.setdefault(flow.trigger, []).append(index)
    open_causes = {trigger: len(causes) for trigger, causes in fired.items()}
    timed = (index for index, flow in enumerate(flows) if flow.trigger is None)
    # Behind all that have a time: the clock of a source does not run back.
    ready = deque(sorted(timed, key=lambda index: (flows[index].start_ns or 0, index)))
    while ready:
        index = ready.popleft()
        flow = flows[index]
        causes = [] if flow.trigger is None else fired[flow.trigger]
        found = [(done[cause], end) for cause, end in causes]
        done[index] = senders.message(flow, [ends[end] for ends, end in found if ends])
        for trigger in (*flow.left, *flow.arrived):
            open_causes[trigger] -= 1
            if open_causes[trigger] == 0:
                ready.extend(by_trigger.get(trigger, []))
    for index, flow in enumerate(flows):
        if done[index] is None:
            message = f"trigger {flow.trigger} waits for this connection itself"
            raise _fault(name, flow.line, message)
    return Goal(program)


#: A flow, and whether it has left (0) or arrived (1).
_Cause = tuple[int, int]


def _fired(
    name: str, flows: list[_Flow], kinds: dict[int, tuple[int, int]]
) -> dict[int, list[_Cause]]:
    """Find what fires each trigger, and refuse what cannot be said here."""
    fired: dict[int, list[_Cause]] = {trigger: [] for trigger in kinds}
    for index, flow in enumerate(flows):
        for end, triggers in enumerate((flow.left, flow.arrived)):
            for trigger in triggers:
                if trigger not in fired:
                    raise _fault(name, flow.line, f"there is no trigger {trigger}")
                fired[trigger].append((index, end))
    for flow in flows:
        if flow.trigger is None:
            continue
        if flow.trigger not in kinds:
            raise _fault(name, flow.line, f"there is no trigger {flow.trigger}")
        causes = fired[flow.trigger]
        count, line = kinds[flow.trigger]
        if len(causes) != count:
            message = f"trigger {flow.trigger} waits for {count} connections, {len(causes)} name it"
            raise _fault(name, line, message)
        for index, end in causes:
            node = flows[index].destination if end else flows[index].source
            if node != flow.source:
                message = f"trigger {flow.trigger} fires at node {node}"
                message += f", and node {flow.source} cannot know of it without a message"
                raise _fault(name, flow.line, message)
    return fired


class _Senders:
    """Messages as operations: clocks of sources, and tags of pairs."""

    def __init__(self, program: list[RankDraft]) -> None:
        self.program = program
        #: By source: how far its clock has come, and the computation that brought it there.
        self.clocks: dict[int, tuple[int, int]] = {}
        self.tags: dict[tuple[int, int], int] = {}

    def message(self, flow: _Flow, after: list[int]) -> tuple[int, int]:
        """Add a message, and return the numbers of its send and its receive."""
        pair = (flow.source, flow.destination)
        tag = self.tags[pair] = self.tags.get(pair, -1) + 1
        if flow.start_ns:
            after = [*after, self.clock(flow.source, flow.start_ns)]
        send = f"send {flow.size}b to {flow.destination} tag {tag}"
        receive = f"recv {flow.size}b from {flow.source} tag {tag}"
        sent = self.program[flow.source].add(send, after)
        return sent, self.program[flow.destination].add(receive)

    def clock(self, source: int, start_ns: int) -> int:
        """Return a computation that ends at a time, which is not before the last one."""
        if source not in self.clocks:
            number = self.program[source].add(f"calc {start_ns}")
        else:
            now, number = self.clocks[source]
            if now < start_ns:
                number = self.program[source].add(f"calc {start_ns - now}", [number])
        self.clocks[source] = (start_ns, number)
        return number


def import_ns3(path_or_text: str | os.PathLike[str], ranks: int | None = None) -> Goal:
    r"""Read a list of flows as the ns-3 models of HPCC and DCQCN do (``flow.txt``).

    The first line has the number of flows. Every other line has a source, a destination, a
    priority, a port, a size in bytes and a start in seconds. Priority and port have no meaning
    here.

    Parameters
    ----------
    path_or_text
        The file; or its text, which has more than one line.
    ranks
        How many ranks there are; as many as the highest node needs by default.

    Returns
    -------
    Goal
        The program.

    Raises
    ------
    UsageError
        If the file is broken. The message has the line.

    Examples
    --------
    >>> tailback.import_ns3("1\n2 1 3 100 200000000 2\n")
    Goal(ranks=3, operations=3)
    """
    name, lines = _source(path_or_text)
    first, head = next(lines, (1, []))
    if len(head) != 1:
        raise _fault(name, first, "the number of flows stands first")
    count = _whole(name, first, head[0], "the number of flows", 1 << 31)
    flows = [_ns3_flow(name, number, words) for number, words in lines]
    if count != len(flows):
        raise _fault(name, first, f"{count} flows are promised, and {len(flows)} are there")
    highest = max((max(flow.source, flow.destination) for flow in flows), default=0)
    return _lower(name, highest + 1 if ranks is None else ranks, flows, {})


def _ns3_flow(name: str, number: int, words: list[str]) -> _Flow:
    if len(words) != 6:
        columns = "source, destination, priority, port, bytes, start"
        message = f"a flow has 6 columns ({columns}), not {len(words)}"
        raise _fault(name, number, message)
    most = (1 << 20) - 1
    source = _whole(name, number, words[0], "the source", most)
    destination = _whole(name, number, words[1], "the destination", most)
    for word, what in ((words[2], "the priority"), (words[3], "the port")):
        _whole(name, number, word, what, 1 << 31)
    size = _whole(name, number, words[4], "the size", _MOST_BYTES)
    start = _ns(name, number, words[5], Decimal(10) ** 9)
    return _Flow(number, source, destination, size, start_ns=start)
