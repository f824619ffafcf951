"""Messages on the wire of protocol buffers: fields as they stand, every length held to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from tailback._errors import UsageError


@dataclass(frozen=True, slots=True)
class Wire:
    """Bytes of a file, with their name and their place in it."""

    name: str
    data: bytes
    offset: int = 0

    def fault(self, at: int, message: str) -> UsageError:
        """Return an error with its byte."""
        return UsageError(f"{self.name}, byte {self.offset + at}: {message}")

    def varint(self, at: int) -> tuple[int, int]:
        """Read a number of variable length, and where it ends."""
        value = 0
        for shift in range(0, 70, 7):
            if at >= len(self.data):
                raise self.fault(at, "the file ends within a number")
            byte = self.data[at]
            value |= (byte & 0x7F) << shift
            at += 1
            if byte < 0x80:
                return value & (2**64 - 1), at
        raise self.fault(at, "a number is longer than 10 bytes")

    def part(self, at: int, length: int) -> Wire:
        """Return some bytes of these."""
        if length > len(self.data) - at:
            left = len(self.data) - at
            raise self.fault(at, f"{length} bytes are promised, and {left} are left")
        return Wire(self.name, self.data[at : at + length], self.offset + at)

    def fields(self) -> Iterator[tuple[int, int | Wire]]:
        """Fields of a message: number and value. Those of fixed width are skipped."""
        at = 0
        while at < len(self.data):
            began = at
            key, at = self.varint(at)
            number, form = key >> 3, key & 7
            if number == 0:
                raise self.fault(began, "a field has the number 0")
            match form:
                case 0:
                    value, at = self.varint(at)
                    yield number, value
                case 2:
                    length, at = self.varint(at)
                    yield number, self.part(at, length)
                    at += length
                case 1 | 5:
                    width = 8 if form == 1 else 4
                    self.part(at, width)
                    at += width
                case _:
                    raise self.fault(began, f"a field has the form {form}, which is none")

    def numbers(self) -> Iterator[int]:
        """Packed numbers of variable length."""
        at = 0
        while at < len(self.data):
            value, at = self.varint(at)
            yield value

    def text(self) -> str:
        """Return these bytes as text."""
        return self.data.decode("utf-8", "replace")


#: Bytes of a message at most.
_LONGEST = 1 << 26


class Stream:
    """Messages of a file, each behind its length. One is held at a time."""

    def __init__(self, name: str, file: IO[bytes], most: int, why: str) -> None:
        self.name = name
        self._file = file
        self._most = most
        self._why = why
        self._at = 0

    def fault(self, message: str) -> UsageError:
        """Return an error with the byte that is due next."""
        return Wire(self.name, b"", self._at).fault(0, message)

    def _read(self, count: int) -> Wire:
        """Read as many bytes as there are, up to a count."""
        part = Wire(self.name, self._file.read(count), self._at)
        self._at += len(part.data)
        if self._at > self._most:
            raise UsageError(f"{self.name} {self._why}")
        return part

    def _length(self) -> int | None:
        """Read the length of a message; None at the end of the file."""
        number = self._read(1)
        while number.data and number.data[-1] >= 0x80 and len(number.data) < 10:
            byte = self._read(1).data
            if not byte:
                break
            number = Wire(self.name, number.data + byte, number.offset)
        return number.varint(0)[0] if number.data else None

    def messages(self) -> Iterator[Wire]:
        """Yield the messages in their order."""
        while (length := self._length()) is not None:
            message = self._read(min(length, _LONGEST))
            if length > len(message.data):
                left = len(message.data)
                what = f"{left} are left" if left < _LONGEST else f"{_LONGEST} are the most"
                raise message.fault(0, f"{length} bytes are promised, and {what}")
            yield message
