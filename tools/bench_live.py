#!/usr/bin/env python3
"""Measures what it costs to be watched: a play that a client of the socket watches, beside one that nobody watches, and beside `tailback run`.

    tools/bench_live.py TAILBACK [SPEC] [--set PATH=VALUE ...] [--pairs N] [--seconds S]

The three take turns, so that whatever else the machine does weighs on all alike. Printed are medians of cycles a second, pictures a second
of the client, and the median of the ratios of each turn. It is no test: how fast something is depends on the machine. Standard library only.
"""

import argparse
import json
import os
import re
import signal
import socket
import statistics
import struct
import subprocess
import time


class Client:
    """A client of the socket of `tailback live`."""

    def __init__(self, address):
        host, key = re.fullmatch(r"http://([^/]+)/\?key=(.*)", address).groups()
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = (
            f"GET /socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: tailback.1, key.{key}\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(4096)
        self.rest = self.rest.split(b"\r\n\r\n", 1)[1]
        self.pictures = 0
        self.number = 0

    def say(self, **order):
        """Sends an order; a client masks what it sends, here with zeros."""
        body = json.dumps(order).encode()
        length = bytes([0x80 | len(body)]) if len(body) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(body))
        self.socket.sendall(b"\x81" + length + bytes(4) + body)

    def bytes(self, count):
        while len(self.rest) < count:
            got = self.socket.recv(1 << 20)
            if not got:
                raise EOFError("the server has ended")
            self.rest += got
        found, self.rest = self.rest[:count], self.rest[count:]
        return found

    def message(self):
        """The next message: a string, or bytes."""
        kind, length = self.bytes(2)
        if length == 126:
            (length,) = struct.unpack(">H", self.bytes(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self.bytes(8))
        body = self.bytes(length)
        return body.decode() if kind & 15 == 1 else body

    def hear(self):
        """The next message: text, or None for a picture, which is acknowledged as a page does that has drawn it."""
        body = self.message()
        if isinstance(body, str):
            return json.loads(body)
        number = struct.unpack_from("<I", body, 4)[0]
        if body[2] in (1, 2) and number != self.number:
            self.number = number
            self.pictures += 1
            self.say(op="ack", n=number)
        return None

    def ask(self, **order):
        """Sends an order and waits for its answer."""
        self.say(id=1, **order)
        while True:
            told = self.hear()
            if told and told.get("id") == 1:
                return told["ok"]


def played(arguments, seconds, watched):
    """Cycles a second of a play for so long, and pictures a second of who watches it."""
    server = subprocess.Popen([*arguments, "--no-open", "--port", "0"], stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
    client = Client(server.stdout.readline().split()[2])
    if watched:
        client.ask(op="hello", versions=[1])
    client.ask(op="run", speed="max")
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        client.hear() if watched else time.sleep(0.05)
    client.pictures = 0
    from_cycle, start = client.ask(op="step", cycles=0)["cycle"], time.monotonic()
    client.ask(op="run", speed="max")
    while time.monotonic() < start + seconds:
        client.hear() if watched else time.sleep(0.05)
    cycle, took = client.ask(op="step", cycles=0)["cycle"], time.monotonic() - start
    server.send_signal(signal.SIGINT)
    server.wait()
    return (cycle - from_cycle) / took, client.pictures / took


def ran(arguments, cycles):
    """Cycles a second of a run of so many cycles."""
    lengths = {"warmup_cycles": 0, "measure_cycles": cycles, "drain_cycles": 0}
    sets = [f"--set=workload.{name}={value}" for name, value in lengths.items()]
    done = subprocess.run([*arguments, *sets, "--json"], stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout.splitlines()[0])["cycles_per_second"]


def main():
    parser = argparse.ArgumentParser(description="what it costs to be watched")
    parser.add_argument("tailback")
    parser.add_argument("spec", nargs="?", default="examples/first.toml")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    sets = options.set or ["traffic.load=0.2"]
    more = [options.spec, *(f"--set={one}" for one in sets)]
    turns = []
    for _ in range(options.pairs):
        alone, _ = played([options.tailback, "live", *more], options.seconds, False)
        watched, pictures = played([options.tailback, "live", *more], options.seconds, True)
        run = ran([options.tailback, "run", *more], int(max(alone, 1000) * options.seconds))
        turns.append((run, alone, watched, pictures))
        print(f"run {run:9,.0f}   alone {alone:9,.0f}   watched {watched:9,.0f} cycles/s   {pictures:4.1f} pictures/s", flush=True)
    middle = [statistics.median(column) for column in zip(*turns, strict=True)]
    print(f"median: run {middle[0]:,.0f}, alone {middle[1]:,.0f}, watched {middle[2]:,.0f} cycles/s, {middle[3]:.1f} pictures/s; {os.cpu_count()} cores")
    ratio = statistics.median(watched / alone for _, alone, watched, _ in turns)
    print(f"watched to alone: {ratio:.3f}; watched to run: {statistics.median(watched / run for run, _, watched, _ in turns):.3f}")


if __name__ == "__main__":
    main()
