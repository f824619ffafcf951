"""What notebooks show."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import tailback
from tailback import Result, Spec, build

HOSTILE = '<script>alert("x")</script>'


class Page(HTMLParser):
    """The tags and the text of a page, all closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(page)
        assert self.open == [], page

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag not in ("img", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page(thing: object) -> Page:
    made = Page(thing._repr_html_())  # type: ignore[attr-defined]
    assert "script" not in made.tags
    return made


def test_a_result_shows_points_and_a_picture(result: Result) -> None:
    shown = page(result)
    assert "4 points, 4 runs" in shown.text
    assert "img" in shown.tags
    assert "1 steady" in shown.text
    single = page(result[:1])
    assert "img" not in single.tags, "there is no curve"


def test_a_run_shows_its_numbers_and_its_time(result: Result) -> None:
    shown = page(result[3])
    assert result[3].explanation in shown.text
    assert {"svg", "polyline"} <= set(shown.tags)
    assert "latency_mean [cycles]" in shown.text
    assert "admission" in shown.text


def test_a_spec_shows_its_tables_and_its_network(small: Spec) -> None:
    shown = page(small)
    assert shown.tags.count("circle") == 16
    assert "sweep traffic.load" in shown.text
    assert "[0.1, 0.3]" in shown.text
    hostile = page(small.with_({"name": HOSTILE, "description": HOSTILE}))
    assert HOSTILE in hostile.text, "escaped"
    for odd in ("", "topology = 3", '[topology]\nradix = "a"', "[topology]\nradix = [0]", "x = 1"):
        page(Spec.from_toml(odd))


def test_a_check_shows_what_bounds_the_network(small: Spec) -> None:
    shown = page(small.check())
    assert "svg" in shown.tags
    assert "channel-load bound" in shown.text
    assert "alo has no effect" in shown.text
    assert page(tailback.check(small, most=0)).tags


def test_a_study_shows_numbers_claims_and_pictures() -> None:
    study = tailback.reproduce("spth-2015", "table2", quick=True)
    shown = page(study)
    assert "Required numbers that are missed: 0." in shown.text
    assert study.cells[0].row in shown.text
    claim = tailback.Claim("c", HOSTILE, holds=False, evidence="")
    from dataclasses import replace

    hostile = page(replace(study, claims=(claim,), title=HOSTILE))
    assert hostile.text.count(HOSTILE) == 2


def test_names_of_others_are_escaped(tmp_path: object) -> None:
    spec = build.spec(
        topology=build.topology.torus(radix=[4, 4]),
        traffic=build.traffic(load=0.1, size=build.traffic.size.fixed(flits=4)),
        workload=build.workload.steady(warmup_cycles=50, measure_cycles=100, drain_cycles=100),
    )
    series = page(tailback.run(spec)[0].series["windows"])
    assert "cycle" in series.text
    assert page(tailback.cost("vc_dor_2d")).text
    assert page(tailback.trace(spec, packet=1)).text


@pytest.mark.parametrize("values", [[], [1.0], [float("nan"), 1.0, 2.0], [0.0, 0.0]])
def test_a_line_needs_two_values(values: list[float]) -> None:
    from tailback import _html

    drawn = _html.sparkline(values, "words")
    assert ("polyline" in drawn) == (sum(value == value for value in values) > 1)
    assert "nan" not in drawn
