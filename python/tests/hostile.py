"""Hostile arguments for the package, in a process without rights and of bounded memory and time.

    python hostile.py SEED FROM TO FOLDER

Runs the cases of these numbers in FOLDER, each a function of (seed, number), and prints those in
which anything but a documented exception came out. A case alone: ``python hostile.py 1 17 18 .``.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
import enum
import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import tailback
from tailback import Spec, build

SMALL = """\
name = "small"
topology = { kind = "torus", radix = [4, 4] }
traffic = { load = 0.1, size = { kind = "fixed", flits = 4 } }
workload = { kind = "steady", warmup_cycles = 20, measure_cycles = 100, drain_cycles = 100 }
run = { memory_limit_mib = 64 }
"""

STEPPED = """\
topology = { kind = "torus", radix = [4, 4] }
workload = { kind = "host" }
run = { memory_limit_mib = 64 }
"""
STEPS = [
    "send",
    "can_send",
    "queued_flits",
    "receive",
    "receive_array",
    "advance",
    "advance_until_delivery",
    "checkpoint",
    "end_log",
    "record",
    "why",
    "close",
]
HTSIM = "Nodes 8\nConnections 2\n0->1 id 1 start 0 size 1000\n2->3 id 2 start 5 size 64\n"
NS3 = "2\n0 1 3 100 1000 2.0\n2 5 3 100 64 2.001\n"

DOCUMENTED = (tailback.Error, TypeError, ValueError, OverflowError, IndexError, KeyError)
MEMORY_BYTES = 2 << 30
CASE_SECONDS = 20
NOBODY = 65534

PATHS = [
    "traffic.load",
    "traffic.pattern",
    "traffic.size.flits",
    "topology.radix",
    "topology.kind",
    "router",
    "run.seed",
    "run.replicas",
    "admission",
    "routing.file",
    "traffic.pattern.file",
    "probes.link_load",
    "workload.measure_cycles",
    "sweep",
    "name",
    "nonesuch",
]
WORDS = [
    "",
    "nan",
    "infinite",
    "uniform",
    "\x1b[2J",
    "a\x00b",
    "\ud800",
    "x" * 70000,
    "\u202e",
    "a=b",
    "{cycle}",
]
FILES = [
    "/dev/zero",
    "/proc/self/mem",
    "/proc/self/maps",
    ".",
    "..",
    "",
    "spec.toml",
    "nowhere/x",
    "a\x00b",
    "/",
    "x" * 5000,
]
NUMBERS = [
    0,
    -1,
    1,
    2,
    2**31,
    2**63,
    2**64,
    -(2**63),
    10**400,
    float("nan"),
    float("inf"),
    -0.0,
    5e-324,
    1e308,
    True,
]


class Mine(Exception):
    """What a caller's own objects raise: it passes through, as it is."""


class Grim:
    """An object of which nothing can be asked."""

    def __str__(self) -> str:
        raise Mine

    __repr__ = __fspath__ = __hash__ = __len__ = __str__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise Mine


class Word(str):
    """A text that says something else."""

    __slots__ = ()

    def __str__(self) -> str:
        raise Mine


class Tables(Mapping[str, Any]):
    """A dictionary without an end."""

    def __getitem__(self, key: str) -> Any:
        return self

    def __iter__(self) -> Iterator[str]:
        return iter(["topology", "traffic"])

    def __len__(self) -> int:
        return 1 << 62


class Colour(enum.Enum):
    """No value of a spec."""

    RED = "uniform"


def cyclic() -> Any:
    """A list or dictionary that holds itself."""
    around: dict[str, Any] = {"kind": "torus"}
    around["radix"] = [around]
    return around


def deep(depth: int) -> Any:
    """Lists within lists."""
    inner: Any = []
    for _ in range(depth):
        inner = [inner]
    return inner


def anything(draw: random.Random) -> Any:
    """Draw a value of any type."""
    makers: list[Callable[[], Any]] = [
        lambda: draw.choice(NUMBERS),
        lambda: draw.choice(NUMBERS),
        lambda: draw.choice(WORDS),
        lambda: draw.choice(FILES),
        lambda: [anything(draw) for _ in range(draw.randrange(4))],
        lambda: {draw.choice(WORDS): anything(draw)},
        lambda: {draw.choice(PATHS): anything(draw)},
        lambda: {draw.choice([1, None, b"x", (1,), 2.5]): 1},
        lambda: draw.choice(
            [None, b"\xff", {1, 2}, 1j, object(), Grim(), Word("uniform"), Tables(), Colour.RED]
        ),
        lambda: draw.choice([cyclic(), deep(30), deep(40), deep(900), deep(100_000)]),
        lambda: draw.choice(
            [datetime.date.today(), decimal.Decimal("0.1"), range(3), range(10**12), Path("x")]
        ),
        lambda: draw.choice(
            [np.float64("nan"), np.int64(3), np.array([[1, 2]]), np.array(["a"]), np.array([None])]
        ),
        lambda: draw.choice([lambda: 1, int, build, build.admission.alo(), Spec.from_toml(SMALL)]),
        lambda: (value for value in [1]),
    ]
    return draw.choice(makers)()


def tables(draw: random.Random) -> Any:
    """Draw what stands in the place of a dictionary of tables."""
    whole: dict[str, Any] = Spec.from_toml(SMALL).to_dict()
    for _ in range(draw.randrange(1, 3)):
        section = draw.choice([*whole, draw.choice(PATHS)])
        if isinstance(whole.get(section), dict) and draw.random() < 0.7:
            whole[section][draw.choice([*whole[section], draw.choice(WORDS)])] = anything(draw)
        else:
            whole[section] = anything(draw)
    whole["run"] = {"memory_limit_mib": 64} if draw.random() < 0.9 else anything(draw)
    return whole


def spec_like(draw: random.Random) -> Any:
    """Draw what stands in the place of a spec."""
    kind = draw.randrange(8)
    if kind < 4:
        return tables(draw)
    return [Spec.from_toml(SMALL), anything(draw), draw.choice(FILES), "spec.toml"][kind - 4]


def changed(draw: random.Random) -> Spec:
    """Change a good spec in one of the ways there are."""
    spec, path = Spec.from_toml(SMALL), draw.choice([*PATHS, *WORDS])
    way = draw.randrange(4)
    if way == 0:
        return spec.with_({path: anything(draw)})
    if way == 1:
        return spec.sweep({path: anything(draw)})
    if way == 2:
        return spec.set(f"{path}={draw.choice(WORDS + [str(n) for n in NUMBERS[:8]])}")
    return spec.with_(
        **{draw.choice(["topology", "traffic", "admission", "sweep"]): anything(draw)}
    )


def stepped(draw: random.Random) -> object:
    """Do anything with a network that a host steps."""
    log = draw.choice([None, None, "calls.log", *FILES])
    with tailback.Network.from_text(STEPPED, log=log) as network:
        for _ in range(draw.randrange(1, 6)):
            name = draw.choice(STEPS)
            good = {"send": [0, 5, 8], "advance": [network.cycle + 30]}
            values = [draw.choice([3, 0, anything(draw)]) for _ in range(draw.randrange(4))]
            values = good.get(name, values) if draw.random() < 0.5 else values
            getattr(network, name)(*values)
        return network.idle


def imported(draw: random.Random, good: str) -> Any:
    """Draw what stands in the place of a file of flows, or of its text."""
    if draw.random() < 0.3:
        return draw.choice([*FILES, anything(draw)])
    words = good.split(" ")
    at = draw.randrange(len(words))
    words[at] = str(draw.choice([*WORDS, *NUMBERS, "7\n", "1 2"]))
    return " ".join(words)


def options(draw: random.Random, names: list[str]) -> dict[str, Any]:
    """Draw some keyword arguments."""
    return {name: anything(draw) for name in names if draw.random() < 0.3}


def case(draw: random.Random) -> Callable[[], object]:
    """Draw a call."""
    run_options = ["threads", "admission", "pattern", "checkpoint_every", "checkpoint"]
    calls: list[Callable[[], object]] = [
        lambda: tailback.check(spec_like(draw), **options(draw, ["most"])),
        lambda: tailback.check(changed(draw)),
        lambda: changed(draw).explain(),
        lambda: changed(draw).run(threads=1, progress=False),
        lambda: tailback.run(spec_like(draw), progress=False, **options(draw, run_options)),
        lambda: tailback.run(Spec.from_toml(SMALL), progress=False, **options(draw, run_options)),
        lambda: tailback.sweep(
            spec_like(draw), store=draw.choice([*FILES, anything(draw), "out"]), progress=False
        ),
        lambda: tailback.explain(spec_like(draw)),
        lambda: tailback.load(draw.choice([*FILES, anything(draw)])),
        lambda: tailback.resume(draw.choice([*FILES, anything(draw)]), progress=False),
        lambda: Spec.from_toml(anything(draw)),
        lambda: Spec.from_toml(SMALL, name=anything(draw)),
        lambda: Spec.from_dict(anything(draw), **options(draw, ["name"])),
        lambda: Spec.of(anything(draw)).points(),
        lambda: build.spec(
            **{draw.choice(["topology", "traffic", "workload"]): anything(draw)}
        ).check(),
        lambda: build.topology.torus(radix=anything(draw), link_cycles=anything(draw)),
        lambda: build.traffic(load=anything(draw), pattern=anything(draw), size=anything(draw)),
        lambda: RESULT.draw(
            draw.choice([*FILES, "new.svg", "spec.toml"]), **options(draw, ["x", "y"])
        ),
        lambda: RESULT[draw.choice([anything(draw), 0])],
        lambda: RESULT.to_xarray(anything(draw)),
        lambda: RESULT.where(anything(draw), anything(draw)),
        lambda: RESULT.sel({draw.choice([*PATHS, "status", "cycles"]): anything(draw)}),
        lambda: RESULT[slice(draw.choice(NUMBERS), anything(draw))],
        lambda: tailback.trace(
            spec_like(draw),
            progress=False,
            **options(draw, ["packet", "source", "destination", "from_cycle"]),
        ),
        lambda: tailback.saturation(
            changed(draw), progress=False, **options(draw, ["low", "high", "seeds", "tolerance"])
        ),
        lambda: tailback.curve(
            changed(draw),
            progress=False,
            max_runs=5,
            points=3,
            **options(draw, ["low", "high", "highest", "precision", "seeds", "out"]),
        ),
        lambda: tailback.compare(
            Spec.from_toml(SMALL),
            draw.choice([{"a": {}, "b": tables(draw)}, {anything(draw): {}}, anything(draw)]),
            progress=False,
            **options(draw, ["columns", "seeds"]),
        ),
        lambda: tailback.verify(draw.choice([*FILES, anything(draw)])),
        lambda: tailback.cost(anything(draw), **options(draw, ["channels", "dimensions"])),
        lambda: tailback.reproduce(anything(draw)),
        lambda: stepped(draw),
        lambda: tailback.Network(
            draw.choice([*FILES, anything(draw)]), **options(draw, ["set", "log"])
        ),
        lambda: tailback.Network.from_booksim(draw.choice([*FILES, anything(draw)])),
        lambda: tailback.Network.restore(draw.choice([*FILES, anything(draw)])),
        lambda: tailback.Network.from_text(anything(draw), **options(draw, ["set"])),
        lambda: tailback.import_htsim(imported(draw, HTSIM)).write(draw.choice([*FILES, "goal"])),
        lambda: tailback.import_ns3(imported(draw, NS3), **options(draw, ["ranks"])),
        lambda: tailback.import_chakra(draw.choice([*FILES, anything(draw)]), anything(draw)),
    ]
    return draw.choice(calls)


def late(signum: int, frame: FrameType | None) -> None:
    """Raise where a case takes too long."""
    raise TimeoutError(signum, frame)


def failure(seed: int, number: int) -> str | None:
    """Run a case; what came out of it that must not."""
    draw = random.Random(f"{seed} {number}")
    signal.alarm(CASE_SECONDS)
    try:
        with contextlib.redirect_stdout(None):
            case(draw)()
    except Mine:
        return None
    except DOCUMENTED as error:
        words = str(error)
        wrong = "a bug in this program" in words or not words
        return f"{type(error).__name__}: {words[:300]!r}" if wrong else None
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:300]!r}"
    finally:
        signal.alarm(0)
    return None


def confine() -> None:
    """Give up rights, and take limits."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> int:
    """Run the cases that the arguments ask for."""
    seed, first, end = (int(word) for word in sys.argv[1:4])
    os.chdir(sys.argv[4])
    confine()
    Path("spec.toml").write_text(SMALL, encoding="utf-8")
    signal.signal(signal.SIGALRM, late)
    found = 0
    for number in range(first, end):
        # Who reads this knows which case ended the process, where one did.
        print(f"at {number}", flush=True)
        words = failure(seed, number)
        if words is not None:
            found += 1
            print(f"wrong {number} {words}", flush=True)
        if Path("spec.toml").read_text(encoding="utf-8") != SMALL:
            print(f"wrong {number} it wrote into its own input", flush=True)
            Path("spec.toml").write_text(SMALL, encoding="utf-8")
    print("done", flush=True)
    return 1 if found else 0


RESULT = tailback.run(Spec.from_toml(SMALL), progress=False)

if __name__ == "__main__":
    sys.exit(main())
