"""Messages on the wire of protocol buffers: fields as they stand, every length held to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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

    def messages(self) -> Iterator[Wire]:
        """Messages, each behind its length."""
        at = 0
        while at < len(self.data):
            length, at = self.varint(at)
            yield self.part(at, length)
            at += length

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
