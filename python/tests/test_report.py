"""The HTML report in a real browser: curves to read, zoom and hide, a map to play."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, sync_playwright

from conftest import SMALL

PROBES = """
[probes]
load_map_every_cycles = 100
link_load = true
space_time_cycles = 50
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, tailback_command: Path) -> Path:
    folder = tmp_path_factory.mktemp("report")
    spec = folder / "small.toml"
    spec.write_text(SMALL + PROBES, encoding="utf-8")
    out = folder / "out"
    subprocess.run([tailback_command, "run", spec, "--out", out], check=True, capture_output=True)
    return out / "report.html"


@pytest.fixture(scope="module")
def page(report: Path) -> Iterator[Page]:
    chromium = shutil.which("chromium")
    assert chromium, "the report is tested in Debian's chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        complaints: list[str] = []
        loaded: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: loaded.append(request.url))
        page.goto(report.as_uri())
        yield page
        assert not complaints
        assert [url for url in loaded if not url.startswith("data:")] == [report.as_uri()]
        browser.close()


def figure_of(page: Page, words: str) -> Locator:
    return page.locator("figure", has=page.locator("figcaption", has_text=words)).first


def drag(page: Page, chart: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=4)
    page.mouse.up()


def test_a_pointer_reads_the_curves(page: Page) -> None:
    chart = page.locator(".chart").first
    tip = chart.locator(".tip")
    assert tip.is_hidden()
    chart.locator("svg").first.hover(position={"x": 90, "y": 120})
    assert "Offered load" in tip.inner_text()
    # The lowest load and what was accepted there, of both throttles.
    assert tip.inner_text().count(": ") == 2
    assert "0.1" in tip.inner_text()


def test_a_box_zooms_and_two_clicks_show_the_whole(page: Page) -> None:
    svg = page.locator(".chart > svg").first

    def ticks() -> list[str]:
        return svg.locator("text.x").all_text_contents()

    whole = ticks()
    drag(page, svg, (0.2, 0.3), (0.4, 0.6))
    zoomed = ticks()
    assert zoomed
    assert zoomed != whole
    assert float(zoomed[-1]) < float(whole[-1])
    svg.dblclick(position={"x": 200, "y": 100})
    assert ticks() == whole


def test_a_name_hides_its_curve_in_every_panel(page: Page) -> None:
    figure = page.locator("figure.has-live").first
    lines = figure.locator("svg path[stroke]")
    before = lines.count()
    name = figure.locator(".legend button").first
    name.click()
    assert name.get_attribute("aria-pressed") == "false"
    assert lines.count() < before
    name.click()
    assert lines.count() == before


def test_the_map_plays_and_tells_loads(page: Page) -> None:
    figure = figure_of(page, "Load of the network over time")
    slider = figure.locator("input[type=range]")
    time = figure.locator("output")
    first = time.inner_text()
    assert first.startswith("cycles 0 to 100")
    canvas = figure.locator("canvas")

    def pixels() -> str:
        return str(canvas.evaluate("c => c.toDataURL()"))

    start = pixels()
    slider.fill("9")
    assert time.inner_text() == "cycles 900 to 1000"
    assert pixels() != start
    canvas.hover(position={"x": 3, "y": 3})
    assert "router [0, 3]" in figure.locator(".how").inner_text()
    assert "flits/link/cycle" in figure.locator(".how").inner_text()
    figure.get_by_role("button", name="Play").click()
    page.wait_for_function("o => o.textContent !== 'cycles 900 to 1000'", arg=time.element_handle())
    figure.get_by_role("button", name="Pause").click()


def test_pictures_without_numbers_are_enlarged(page: Page) -> None:
    figure = figure_of(page, "Full input buffers over time")
    image = figure.locator("img")
    width = image.evaluate("i => i.clientWidth")
    figure.get_by_role("button", name="Enlarge").click()
    assert image.evaluate("i => i.clientWidth") == pytest.approx(1.5 * width, abs=2)
    figure.get_by_role("button", name="Fit to the page").click()
    assert image.evaluate("i => i.clientWidth") == pytest.approx(width, abs=2)


def test_tables_sort_by_value(page: Page) -> None:
    table = page.locator("table").first
    heads = table.locator("th").all_inner_texts()
    column = next(i for i, head in enumerate(heads) if head.startswith("accepted_load"))

    def values() -> list[float]:
        cells = table.locator(f"tbody td:nth-child({column + 1})").all_inner_texts()
        return [float(cell) for cell in cells]

    button = table.locator("th button").nth(column)
    button.click()
    assert values() == sorted(values())
    button.click()
    assert values() == sorted(values(), reverse=True)


def test_print_shows_the_pictures_themselves(page: Page) -> None:
    figure = page.locator("figure.has-live").first
    assert figure.locator("img").is_hidden()
    page.emulate_media(media="print")
    assert figure.locator("img").is_visible()
    assert figure.locator(".live").is_hidden()
    page.emulate_media(media="screen")
