"""Collectives of traces as messages, in bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tailback._errors import UsageError
from tailback._goal import RankDraft
from tailback._verb import call

#: Types of Chakra's collectives that become messages.
KINDS = {
    0: "all-reduce",
    1: "reduce",
    2: "all-gather",
    5: "broadcast",
    6: "all-to-all",
    7: "reduce-scatter",
    8: "reduce-scatter",
    9: "barrier",
}

#: What a rank does in a step: whom it sends so many bytes, and from whom it receives so many.
Step = tuple[tuple[int, int] | None, tuple[int, int] | None]


#: Bytes of a collective with a chosen algorithm at most: what `tailback workload` takes.
MOST_BYTES = (1 << 32) - 1


@dataclass(slots=True)
class _Operation:
    """An operation of a generated program: its words up to the peer, the peer, its tag."""

    words: str
    peer: int
    tag: int
    after: list[int] = field(default_factory=list)
    after_start: list[int] = field(default_factory=list)


_LINE = re.compile(r"l(\d+): ((?:send|recv) \d+b (?:to|from)) (\d+) tag (\d+)")
_WAITS = re.compile(r"l(\d+) (i?)requires l(\d+)")


@lru_cache(maxsize=64)
def _generated(kind: str, algorithm: str, ranks: int, size: int) -> list[list[_Operation]]:
    """Return the operations of every rank, as `tailback workload` generates them."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "program.goal"
        flits = None if kind == "barrier" else size
        asked = {"algorithm": algorithm, "ranks": ranks, "flits": flits, "output": file}
        call("workload", asked, names=[kind])
        lists: list[list[_Operation]] = []
        with file.open(encoding="ascii") as lines:
            for line in lines:
                if line.startswith("rank "):
                    lists.append([])
                elif found := _LINE.match(line):
                    lists[-1].append(_Operation(found[2], int(found[3]), int(found[4])))
                elif found := _WAITS.match(line):
                    operation = lists[-1][int(found[1])]
                    (operation.after_start if found[2] else operation.after).append(int(found[3]))
    return lists


def checked(algorithms: Mapping[str, str]) -> dict[str, str]:
    """Return the algorithms by kinds as they are called here.

    Raises
    ------
    UsageError
        If there is no such kind, or a kind has no such algorithm.
    """
    found = {}
    for kind, algorithm in algorithms.items():
        here = str(kind).replace("_", "-")
        if here not in KINDS.values():
            kinds = ", ".join(dict.fromkeys(KINDS.values())).replace("-", "_")
            raise UsageError(f"a trace has no collectives `{kind}`; it has {kinds}")
        _generated(here, str(algorithm), 2, 1)
        found[here] = str(algorithm)
    return found


@dataclass(frozen=True, slots=True)
class Collective:
    """One collective of a group, the same for all its ranks."""

    kind: str
    size: int
    tag: int
    #: What `tailback workload` calls the algorithm; None: the usual one of the kind.
    algorithm: str | None = None

    def tags(self, ranks: int) -> int:
        """Return how many tags its messages have, from `tag` on."""
        if self.algorithm is None or ranks == 1:
            return 1
        lists = _generated(self.kind, self.algorithm, ranks, max(self.size, 1))
        return 1 + max((operation.tag for rank in lists for operation in rank), default=0)

    def lower(
        self, draft: RankDraft, members: tuple[int, ...], place: int, after: list[int]
    ) -> list[int]:
        """Add the operations of one member, and return those with which it ends.

        An operation waits for the last receive of the steps before.
        """
        if self.algorithm is not None:
            return self._chosen(draft, members, place, after)
        ends: list[int] = []
        heard = after
        for send, receive in self._steps(len(members), place):
            before = heard
            if send:
                to, size = send
                sent = draft.add(f"send {size}b to {members[to]} tag {self.tag}", before)
                ends.append(sent)
            if receive:
                source, size = receive
                words = f"recv {size}b from {members[source]} tag {self.tag}"
                heard = [draft.add(words, before)]
        return sorted({*ends, *(heard if heard is not after else ())})

    def _chosen(
        self, draft: RankDraft, members: tuple[int, ...], place: int, after: list[int]
    ) -> list[int]:
        """Add the operations of one member under the chosen algorithm."""
        if len(members) == 1:
            return []
        size = max(self.size, 1)
        operations = _generated(self.kind, str(self.algorithm), len(members), size)[place]
        first, waited = draft.count, set[int]()
        for operation in operations:
            words = f"{operation.words} {members[operation.peer]} tag {self.tag + operation.tag}"
            before = [first + number for number in operation.after]
            started = [first + number for number in operation.after_start]
            draft.add(words, before if before or started else after, started)
            waited |= set(before)
        return sorted(set(range(first, draft.count)) - waited)

    def _steps(self, ranks: int, place: int) -> Iterator[Step]:
        match self.kind:
            case "all-reduce":
                yield from self._ring(ranks, place, 0)
                yield from self._ring(ranks, place, 1)
            case "all-gather" | "reduce-scatter":
                yield from self._ring(ranks, place, 0)
            case "all-to-all":
                yield from self._pairs(ranks, place)
            case "broadcast":
                yield from self._tree(ranks, place)
            case "reduce":
                backwards = list(self._tree(ranks, place))[::-1]
                yield from ((receive, send) for send, receive in backwards)
            case _:
                far = 1
                while far < ranks:
                    yield ((place + far) % ranks, 1), ((place - far) % ranks, 1)
                    far *= 2

    def _chunk(self, chunk: int, ranks: int) -> int:
        """Bytes of a chunk: the first ones have one more."""
        each, longer = divmod(self.size, ranks)
        return each + (chunk % ranks < longer)

    def _ring(self, ranks: int, place: int, ahead: int) -> Iterator[Step]:
        to, source = (place + 1) % ranks, (place - 1) % ranks
        for step in range(ranks - 1):
            chunk = place + ahead - step
            yield (to, self._chunk(chunk, ranks)), (source, self._chunk(chunk - 1, ranks))

    def _pairs(self, ranks: int, place: int) -> Iterator[Step]:
        for step in range(1, ranks):
            to, source = (place + step) % ranks, (place - step) % ranks
            yield (to, self._chunk(to, ranks)), (source, self._chunk(place, ranks))

    def _tree(self, ranks: int, place: int) -> Iterator[Step]:
        far = 1
        while far < ranks:
            send = (place + far, self.size) if place < far and place + far < ranks else None
            receive = (place - far, self.size) if far <= place < 2 * far else None
            yield send, receive
            far *= 2
