"""Collectives of traces as messages, in bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tailback._goal import RankDraft

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


@dataclass(frozen=True, slots=True)
class Collective:
    """One collective of a group, the same for all its ranks."""

    kind: str
    size: int
    tag: int

    def lower(
        self, draft: RankDraft, members: tuple[int, ...], place: int, after: list[int]
    ) -> list[int]:
        """Add the operations of one member, and return those with which it ends.

        An operation waits for the last receive of the steps before.
        """
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
