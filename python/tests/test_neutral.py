"""Whatever others write, a terminal that shows what the package says obeys none of it."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

import tailback
from conftest import SMALL
from tailback import Spec, SpecError, UsageError

EVIL = "\x1b[31mX\x9b1m\x85\x08\x7f\u202e\u2066\u200f\u2028\ufeffY"
RAW = "\x9b1m\x85\u202e\u2066\u200f\u2028\ufeff"


def neutral(text: str) -> None:
    evil = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n"]
    assert not evil, repr(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"routing": EVIL},
        {EVIL: 1},
        {"router": {"buffer_flits": EVIL}},
        {"traffic": {"pattern": {"kind": "permutation", "file": EVIL}}},
        {"preset": EVIL},
        {"sweep": {EVIL: [1]}},
    ],
)
def test_errors_of_specs(wrong: dict[str, object]) -> None:
    spec = Spec.from_dict(
        {"topology": {"kind": "torus", "radix": [4, 4]}, **wrong}, name=f"name{EVIL}"
    )
    with pytest.raises(SpecError) as raised:
        tailback.check(spec)
    neutral(str(raised.value))
    assert "\\u00" in str(raised.value)
    for problem in raised.value.problems:
        for text in (problem.message, problem.source, problem.label, problem.help):
            neutral(text or "")


def test_errors_of_text() -> None:
    for text in (f"'{RAW}' '{RAW}'", f"'{RAW}' = 1"):
        with pytest.raises(SpecError) as raised:
            tailback.check(Spec.from_toml(text))
        neutral(str(raised.value))
    with pytest.raises(SpecError) as raised:
        Spec.from_toml(SMALL).set(f"{EVIL}=1")
    neutral(str(raised.value))


def test_errors_of_files(tmp_path: Path) -> None:
    missing = tmp_path / EVIL.replace("/", "")
    for ask in (Spec.from_file, tailback.load, tailback.resume):
        with pytest.raises(tailback.Error) as raised:
            ask(missing)
        neutral(str(raised.value))


def test_what_is_shown_of_results() -> None:
    spec = Spec.from_toml(SMALL).with_({"traffic.load": 0.1, "admission": "off"})
    spec = spec.with_({"name": RAW})
    neutral(repr(spec))
    assert Spec.from_toml(spec.to_toml()).to_dict()["name"] == RAW, "the text itself is kept"
    result = tailback.run(spec)
    for text in (repr(result), str(result), repr(result.records)):
        neutral(text)
    with pytest.raises(KeyError) as raised:
        result.records[EVIL]
    neutral(str(raised.value.args[0]))
    with pytest.raises(UsageError) as wrong:
        result.draw("x.svg", EVIL)
    neutral(str(wrong.value))


def test_a_wrong_column_gets_the_nearest_right_ones() -> None:
    result = tailback.run(Spec.from_toml(SMALL).with_({"admission": "off"}))
    with pytest.raises(KeyError, match=r"did you mean .*`latency_p99`"):
        result.records["latency_p9"]
    with pytest.raises(UsageError, match=r"did you mean .*`latency_p99`"):
        result.draw("x.svg", "latency_p9")
