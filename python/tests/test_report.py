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


def explored(page: Page) -> Locator:
    """The first figure of curves, ready to be read."""
    figure = page.locator("figure:has(.live .chart)").first
    explore = figure.get_by_role("button", name="Explore")
    if explore.count():
        explore.click()
    return figure


def test_the_page_begins_with_the_answer(page: Page) -> None:
    headline = page.locator("header .headline")
    assert "4 points are steady" in headline.inner_text()
    made = page.locator("header .made").inner_text()
    for fact in (" UTC", "tailback ", "(commit ", " core", "4 points", "tailback run "):
        assert fact in made, fact
    table = page.locator("table.variants")
    assert table.locator("tbody th").all_inner_texts() == ["off = alo"]
    assert table.locator(".dots i.filled").count() == 2
    box = table.bounding_box()
    assert box
    assert box["y"] + box["height"] < 700, "statuses are seen without scrolling"


def test_pictures_come_first_and_are_explored_on_demand(page: Page) -> None:
    figure = page.locator("figure:has(.live .chart)").first
    assert figure.locator("img").is_visible()
    assert figure.locator(".live").is_hidden()
    button = figure.get_by_role("button", name="Explore")
    button.click()
    assert figure.locator("img").is_hidden()
    assert figure.locator(".live").is_visible()
    figure.get_by_role("button", name="Show the picture").click()
    assert figure.locator("img").is_visible()


def test_pictures_fill_their_frames(page: Page) -> None:
    shares = page.evaluate(
        """() => [...document.querySelectorAll("figure .sheet")]
            .map((sheet) => [sheet, sheet.querySelector("img, svg")])
            .filter(([sheet, picture]) => sheet.clientWidth > 0 && picture)
            .map(([sheet, picture]) => picture.getBoundingClientRect().width / sheet.clientWidth)"""
    )
    assert len(shares) > 2
    assert min(shares) > 0.3, shares


def test_figures_can_be_taken_along(page: Page) -> None:
    figure = page.locator("figure:has(.live .chart)").first
    begins = {"SVG": b"<svg", "PNG": b"\x89PNG", "CSV": b"panel,series,x,y"}
    for kind, begin in begins.items():
        with page.expect_download() as download:
            figure.locator(".get button", has_text=kind).click()
        assert (
            download.value.suggested_filename
            == f"small-{figure.get_attribute('id')}.{kind.lower()}".replace("-f", "-figure-")
        )
        assert download.value.path().read_bytes().lstrip().startswith(begin), kind


@pytest.mark.parametrize("width", [500, 700, 1280, 2500])
def test_no_width_needs_sideways_scrolling(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    over = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    page.set_viewport_size({"width": 1200, "height": 900})
    assert over == 0


def test_the_dark_scheme_reaches_curves(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    background = page.locator("html").evaluate("e => getComputedStyle(e).backgroundColor")
    curves = page.locator(".sheet.lines img").first.evaluate("e => getComputedStyle(e).filter")
    page.emulate_media(color_scheme="light")
    assert background == "rgb(22, 24, 28)"
    assert "invert" in curves


SECOND_AXIS = """() => {
  const axis = (label, high) => ({ label, unit: "", log: false, low: 0, high });
  const series = { name: "a", colour: "#000", band: null, line: true, dots: false, dashed: false };
  const chart = {
    title: "", marks: [], x: axis("Cycle", 10), y: axis("Load", 1), y2: axis("Packets", 2000),
    series: [{ ...series, step: false, right: true, points: [[0, 0], [10, 2000]] }],
  };
  const box = document.createElement("div");
  box.className = "live second-axis";
  document.body.append(box);
  liveCharts(box, [chart]);
}"""


def test_a_second_axis_has_its_own_place(page: Page) -> None:
    page.evaluate(SECOND_AXIS)
    chart = page.locator(".second-axis .chart > svg")

    def places(names: str) -> list[float]:
        texts = chart.locator(names).all()
        return [float(text.get_attribute("x") or 0) for text in texts]

    assert chart.locator("text.tick.y2").all_text_contents()[-1] == "2000"
    assert max(places("text.tick.y")) < 100 < 500 < min(places("text.tick.y2"))
    assert chart.locator("text.label.y2").text_content() == "Packets"
    page.evaluate("document.querySelector('.second-axis').remove()")


def test_the_page_of_a_single_run_has_its_numbers(
    page: Page, report: Path, tailback_command: Path
) -> None:
    out = report.parent.parent / "single"
    spec = report.parent.parent / "small.toml"
    one = ["--set", "traffic.load=0.1", "--set", "admission=off"]
    command: list[str | Path] = [tailback_command, "run", spec, *one, "--out", out]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    single = page.context.browser.new_page()  # type: ignore[union-attr]
    single.goto((out / "report.html").as_uri())
    assert "The network is steady" in single.locator(".headline").inner_text()
    names = single.locator(".answer table").first.locator("tbody td:first-child").all_inner_texts()
    assert {"status", "mean latency", "latency percentiles", "simulated"} <= set(names)
    for name in names:
        assert f"  {name}  " in printed or f" {name} " in printed, name
    single.close()


def test_a_pointer_reads_the_curves(page: Page) -> None:
    chart = explored(page).locator(".chart").first
    tip = chart.locator(".tip")
    assert tip.is_hidden()
    chart.locator("svg").first.hover(position={"x": 90, "y": 120})
    # The x value, and what the one curve of both throttles, which came out alike, has there.
    assert "Latency" in tip.inner_text()
    assert "off = alo: " in tip.inner_text()


def test_a_box_zooms_and_two_clicks_show_the_whole(page: Page) -> None:
    svg = explored(page).locator(".chart > svg").first

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
    figure = explored(page)
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
    table = page.locator("table:not(.variants)").first
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
    figure = explored(page)
    assert figure.locator("img").is_hidden()
    page.emulate_media(media="print")
    assert figure.locator("img").is_visible()
    assert figure.locator(".live").is_hidden()
    page.emulate_media(media="screen")
